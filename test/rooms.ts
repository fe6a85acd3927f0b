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
  media: ['base', 'net', 'storage/storage.ts'],
  illustrator: ['base', 'catalog/model.ts', 'media/decoding', 'media/process/guard.ts'],
  engines: [
    ...['base', 'net', 'media', 'catalog/model.ts', 'catalog/route-map.ts', 'catalog/route-values.ts'],
    'illustrator/jobs',
  ],
  wire: ['base', 'catalog/entry-schema.ts', 'catalog/price-schema.ts', 'catalog/vocabulary.ts', 'engines/engine.ts'],
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
  orders: [
    ...['base', 'net', 'database', 'wire', 'catalog', 'pricing', 'media', 'engines/simulate.ts', 'accounts'],
    ...['tasks', 'uploads', 'views'],
  ],
  batches: [
    ...['base', 'database', 'wire', 'catalog', 'media/data-uri.ts', 'accounts', 'events', 'tasks', 'uploads', 'views'],
    'orders',
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
    ...['installation', 'tasks', 'routing', 'uploads', 'orders/judge.ts'],
  ],
  operations: [
    ...['base', 'database', 'wire', 'storage/storage.ts', 'catalog', 'pricing', 'accounts'],
    ...['events/task-events.ts', 'tasks', 'routing', 'orders'],
  ],
  http: [
    ...[
      'base',
      'database/database.ts',
      'database/deeds.ts',
      'wire',
      'storage/storage.ts',
      'catalog',
      'accounts',
      'events',
    ],
    ...['tasks', 'routing', 'uploads', 'views', 'orders', 'batches', 'operations'],
    'installation',
  ],
  config: [
    ...['base', 'net', 'storage', 'engines/engine-limits.ts', 'engines/instance.ts'],
    ...['engines/vertex/service-account.ts', 'accounts/budgets.ts'],
    ...['routing/pick-route.ts'],
  ],
  doctor: [
    ...['base', 'net', 'database', 'storage', 'catalog', 'media', 'engines/engine.ts', 'engines/instance.ts'],
    ...[
      'engines/open-instances.ts',
      'pricing/below-cost.ts',
      'routing/circuit.ts',
      'routing/upstream-keys.ts',
      'routing/model-lists.ts',
      'worker/spool',
      'installation',
      'operations',
      'config',
    ],
  ],
  // It joins all the others but additions, which it is given.
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
      'engines/keyed-engines.ts',
      'engines/open-kind.ts',
      'engines/picture-tools.ts',
      'engines/upstreams.ts',
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
      'http',
      'config',
      'doctor/finding.ts',
    ],
  ],
  // Tries routes with the operator's own accounts. No database.
  trial: ['base', 'net', 'catalog', 'pricing', 'engines'],
  cli: [
    ...['base', 'net', 'database', 'wire', 'illustrator/prompt', 'accounts', 'events/sign-event.ts', 'config'],
    ...[
      'installation',
      'service',
      'doctor',
      'trial',
      'operations/cost-report.ts',
      'operations/processes.ts',
      'catalog/catalog.ts',
      'catalog/entry-schema.ts',
      'engines/engine.ts',
      'engines/instance.ts',
      'engines/open-instances.ts',
      'media/media-tools.ts',
    ],
    'tasks/change-limits-of-key.ts',
  ],
  // Features that the core does not know. None imports another.
  additions: [
    ...['base', 'net', 'database', 'wire', 'catalog', 'engines/engine.ts', 'engines/local', 'media/data-uri.ts'],
    ...['media/media-fault.ts', 'accounts', 'events/attempt-delivery.ts', 'tasks', 'views', 'orders', 'operations'],
    ...['installation', 'routing', 'config', 'http', 'doctor/finding.ts', 'service/addition.ts', 'cli'],
  ],
  // The service inside another program.
  'create-darkroom.ts': [
    ...['base', 'config/config.ts', 'config/config-fault.ts', 'service/first-start.ts', 'service/service.ts'],
    'additions/list.ts',
  ],
  'main.ts': ['cli/command-line.ts', 'additions/list.ts'],
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
