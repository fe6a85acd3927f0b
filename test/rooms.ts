/**
 * The rooms under `src/`, each with what it may import: a room, a part of it, or one file; types too. A file may import
 * its own room. The rooms are listed from the bottom up: each imports only from those above its own line.
 * `test/architecture.test.ts` checks it, and `docs/architecture.md` draws it.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  net: [],
  database: ['base'],
  storage: [],
  catalog: ['base'],
  wire: ['base', 'catalog/entry-schema.ts', 'catalog/price-schema.ts', 'catalog/vocabulary.ts'],
  media: ['base', 'net', 'storage/storage.ts'],
  illustrator: ['base', 'catalog/model.ts', 'media/decoding', 'media/process/guard.ts'],
  engines: [
    ...['base', 'net', 'media', 'catalog/model.ts', 'catalog/route-map.ts', 'catalog/route-values.ts'],
    'wire/words.ts',
    'illustrator/jobs',
  ],
  // Models that the operator downloads, and their servers. No database.
  local: ['base', 'net', 'catalog/entry-schema.ts'],
  pricing: ['base', 'catalog', 'engines/told-cost.ts', 'wire'],
  accounts: ['base', 'database', 'wire'],
  events: ['base', 'net', 'database', 'wire'],
  tasks: [
    ...['base', 'database', 'storage/storage.ts', 'catalog', 'media', 'engines/engine.ts', 'engines/simulate.ts'],
    ...['accounts', 'events'],
  ],
  // Whether this copy of the data may send anything.
  installation: ['base', 'database', 'storage/storage.ts', 'accounts/audit.ts', 'tasks/queue-names.ts'],
  routing: [
    ...['base', 'database', 'wire', 'catalog', 'engines/engine.ts', 'engines/instance.ts', 'accounts', 'tasks'],
    ...['engines/keyed-engines.ts', 'pricing/order-cost.ts'],
  ],
  uploads: ['base', 'database', 'wire', 'storage/storage.ts', 'media', 'accounts', 'tasks'],
  views: ['base', 'database', 'wire', 'catalog', 'pricing', 'engines/engine.ts', 'accounts', 'tasks'],
  // Links that show a result without a key.
  shares: ['base', 'database', 'wire', 'accounts', 'tasks', 'views'],
  // The words of customers for their tasks.
  tags: ['base', 'database', 'wire', 'accounts', 'tasks', 'views'],
  orders: [
    ...['base', 'net', 'database', 'wire', 'catalog', 'pricing', 'media', 'engines/simulate.ts', 'accounts'],
    ...['tasks', 'uploads', 'views'],
  ],
  batches: [
    ...['base', 'database', 'wire', 'catalog', 'media/data-uri.ts', 'accounts', 'events', 'tasks', 'uploads', 'views'],
    'orders',
  ],
  // OpenAI's shapes, mapped to ours and back. No HTTP.
  openai: [
    ...['base', 'database', 'wire', 'catalog', 'media/data-uri.ts', 'media/media-fault.ts', 'engines/engine.ts'],
    ...['accounts', 'tasks', 'views', 'orders'],
  ],
  worker: [
    ...[
      'base',
      'net',
      'database',
      'storage/storage.ts',
      'catalog',
      'pricing',
      'media',
      'engines/engine.ts',
      'engines/engines-in-use.ts',
      'engines/told-cost.ts',
      'engines/instance.ts',
      'accounts',
    ],
    ...['installation', 'tasks', 'routing', 'uploads'],
  ],
  operations: [
    ...['base', 'database', 'wire', 'storage/storage.ts', 'catalog', 'pricing', 'accounts'],
    ...['events/task-events.ts', 'tasks', 'routing', 'orders'],
  ],
  // Tells operators what the reports show.
  alerts: [
    ...['base', 'net', 'database', 'wire', 'events/attempt-delivery.ts', 'tasks/queue-names.ts'],
    ...['routing/circuit.ts', 'routing/circuits.ts', 'operations', 'installation/held.ts'],
  ],
  // It reaches the service through a function that it is given.
  mcp: ['base', 'wire'],
  http: [
    ...['base', 'database/deeds.ts', 'wire', 'storage/storage.ts', 'catalog', 'accounts', 'events', 'mcp'],
    ...['tasks', 'routing', 'uploads', 'views', 'shares', 'tags', 'orders', 'batches', 'openai', 'operations'],
    ...['alerts/list-alerts.ts', 'installation'],
  ],
  config: [
    ...[
      'base',
      'net',
      'storage',
      'engines/engine-limits.ts',
      'engines/instance.ts',
      'engines/own-engines.ts',
      'engines/vendor-descriptors.ts',
    ],
    ...['engines/vertex/service-account.ts', 'accounts/budgets.ts'],
    ...['routing/pick-route.ts', 'openai/aliases.ts', 'local/own-servers/own-server.ts'],
  ],
  // It joins all the others.
  service: [
    ...[
      'base',
      'net',
      'database',
      'storage',
      'catalog',
      'media',
      'engines/engine.ts',
      'engines/engines-in-use.ts',
      'engines/engines.ts',
      'engines/instance.ts',
      'engines/open-instances.ts',
      'engines/own-engines.ts',
      'engines/keyed-engines.ts',
      'engines/open-kind.ts',
      'engines/upstreams.ts',
      'engines/local',
      'local',
      'wire/local.ts',
      'pricing/below-cost.ts',
      'accounts',
    ],
    ...[
      'events',
      'installation',
      'tasks',
      'routing',
      'uploads',
      'views',
      'batches',
      'worker',
      'operations',
      'alerts',
      'http',
      'config',
    ],
  ],
  doctor: [
    ...['base', 'net', 'local', 'database', 'storage', 'catalog', 'media', 'engines/engine.ts', 'engines/instance.ts'],
    ...[
      'engines/open-instances.ts',
      'engines/own-engines.ts',
      'pricing/below-cost.ts',
      'routing/circuit.ts',
      'routing/upstream-keys.ts',
      'routing/model-lists.ts',
      'worker/spool',
      'installation',
      'operations',
      'alerts',
      'config',
    ],
  ],
  // Tries routes with the operator's own accounts. No database.
  trial: ['base', 'net', 'catalog', 'pricing', 'engines'],
  cli: [
    ...['base', 'net', 'database', 'wire', 'illustrator/prompt', 'accounts', 'events/sign-event.ts', 'mcp', 'config'],
    ...[
      'installation',
      'service',
      'doctor',
      'trial',
      'local',
      'operations/cost-report.ts',
      'operations/processes.ts',
      'alerts/list-alerts.ts',
      'catalog/catalog.ts',
      'engines/instance.ts',
      'engines/open-instances.ts',
      'media/media-tools.ts',
    ],
    'tasks/change-limits-of-key.ts',
    'tasks/count-open-orders.ts',
  ],
};

/** The same under `console/src/`, where a file that lies in no folder is a room of its own. */
export const CONSOLE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  'styles.css': [],
  'first-styles.ts': [],
  'component-styles.ts': [],
  'theme.ts': [],
  texts: [],
  'format.ts': ['texts'],
  api: ['texts'],
  components: ['component-styles.ts', 'format.ts', 'texts', 'api'],
  pages: ['format.ts', 'texts', 'api', 'components'],
  'pages.ts': ['texts', 'components', 'pages'],
  frame: ['texts', 'api', 'components', 'pages.ts'],
  'app.tsx': ['theme.ts', 'api', 'pages.ts', 'frame'],
  'first-page.ts': ['api', 'pages.ts'],
  'main.tsx': ['first-styles.ts', 'styles.css', 'components/lazy-part.ts', 'first-page.ts', 'app.tsx'],
};
