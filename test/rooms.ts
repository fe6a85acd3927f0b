/**
 * The packages and the rooms under `src/`, each with what it may import: a package, a room, a part of it, or one file;
 * types too. A file may import its own room. They are listed from the bottom up: each imports only from those above its
 * own line.
 * `test/architecture.test.ts` checks it, and `docs/architecture.md` draws it.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  media: [],
  files: ['contract', 'media'],
  store: ['contract', 'media'],
  illustrator: ['contract', 'media'],
  engines: ['contract', 'media'],
  // What each server of a process does with its requests: that of a worker's metrics does not load `http`.
  listener: ['contract', 'media'],
  base: ['contract', 'media'],
  database: ['contract', 'store', 'base'],
  catalog: ['contract', 'media', 'engines', 'base'],
  accounts: ['contract', 'base', 'database'],
  // The row of an order: its columns, and the JSON in them.
  record: ['contract', 'media', 'store', 'engines', 'base', 'database', 'catalog', 'accounts'],
  // The line in which orders wait: their ranks, their gates, and the slots of engines and keys.
  queue: ['contract', 'store', 'database', 'accounts', 'record'],
  // What marks an installation as itself: its copies place no orders, and it can be held.
  installation: ['contract', 'media', 'base', 'database', 'accounts', 'queue/queue-names.ts'],
  routing: ['contract', 'store', 'engines', 'base', 'database', 'catalog', 'accounts', 'record', 'queue'],
  // The moves of an order from its first state to its settlement, and who is notified of them.
  tasks: ['contract', 'media', 'store', 'engines', 'base', 'database', 'catalog', 'accounts', 'record', 'queue'],
  // Orders as callers find and see them.
  views: [
    'contract',
    'media',
    'store',
    'engines',
    'database',
    'catalog',
    'accounts',
    'record',
    'queue',
    'tasks/task-hooks.ts',
    'tasks/task-services.ts',
  ],
  // Files that orders name, and files that are stored for them.
  'order-files': ['contract', 'media', 'database', 'accounts', 'record', 'tasks/task-services.ts'],
  // What is removed with an order, and when.
  erasure: ['contract', 'database', 'accounts', 'record', 'tasks', 'views'],
  orders: [
    'contract',
    'media',
    'store',
    'engines',
    'base',
    'database',
    'catalog',
    'accounts',
    'record',
    'queue',
    'tasks',
    'views',
    'order-files',
  ],
  worker: [
    'contract',
    'media',
    'store',
    'engines',
    'base',
    'database',
    'catalog',
    'accounts',
    'record',
    'queue',
    'installation',
    'routing',
    'tasks',
    'order-files',
    'erasure',
  ],
  http: [
    'contract',
    'media',
    'listener',
    'base',
    'database/database.ts',
    'database/deeds.ts',
    'catalog',
    'accounts',
    'record',
    'installation',
    'tasks/task-services.ts',
    'views',
    'orders',
  ],
  // It joins all the others but additions, which it is given.
  service: [
    'contract',
    'media',
    'files',
    'store',
    'illustrator',
    'engines',
    'listener',
    'base',
    'database',
    'catalog',
    'accounts',
    'record',
    'queue',
    'installation',
    'routing',
    'tasks',
    'views',
    'order-files',
    'erasure',
    'orders',
    'worker',
    'http',
  ],
  cli: ['contract', 'media', 'store', 'illustrator', 'base', 'database', 'accounts', 'installation', 'service'],
  // What additions use of the core, by what uses or loads it: every process, those who manage
  // accounts, commands, the service, its HTTP interface.
  'kernel.ts': ['base', 'database', 'accounts', 'record', 'queue', 'tasks', 'erasure', 'service'],
  'kernel-accounts.ts': ['database/deeds.ts', 'accounts', 'record/owned-instance.ts'],
  'kernel-cli.ts': [
    'base/own-command.ts',
    'accounts/accounts.ts',
    'accounts/key-secret.ts',
    'service/operations/processes.ts',
    'service/config',
    'service/enabled-additions.ts',
    'cli',
  ],
  'kernel-orders.ts': ['record', 'queue', 'tasks', 'order-files', 'erasure', 'orders'],
  'kernel-views.ts': [
    'base/system-fault.ts',
    'catalog',
    'record',
    'queue/queue-names.ts',
    'tasks/report-to-operator.ts',
    'views',
    'order-files',
  ],
  'kernel-http.ts': ['base/data-uri.ts', 'database/deeds.ts', 'views/list-tasks.ts', 'http'],
  // Features that the core does not know. None imports another.
  additions: [
    'contract',
    'media',
    'files',
    'store',
    'engines',
    'kernel.ts',
    'kernel-accounts.ts',
    'kernel-cli.ts',
    'kernel-orders.ts',
    'kernel-views.ts',
    'kernel-http.ts',
  ],
  // It loads the additions of a folder, and leads their imports to the files that they use.
  'outside-additions.ts': [
    'service',
    'kernel.ts',
    'kernel-accounts.ts',
    'kernel-cli.ts',
    'kernel-orders.ts',
    'kernel-views.ts',
    'kernel-http.ts',
  ],
  // The service inside another program.
  'create-darkroom.ts': ['service', 'additions/list.ts', 'outside-additions.ts'],
  'main.ts': ['media', 'cli/command-line.ts', 'cli/operator-commands.ts', 'additions/list.ts', 'outside-additions.ts'],
};

/**
 * The rooms of `console/src/` and the rooms that each may import. A file that lies in no folder is a room of its own.
 */
export const CONSOLE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  'styles.css': [],
  texts: [],
  'theme.ts': ['texts'],
  'format.ts': ['texts'],
  api: ['format.ts', 'texts'],
  components: ['format.ts', 'texts', 'api'],
  pages: ['format.ts', 'texts', 'api', 'components'],
  'pages.ts': ['api', 'components', 'pages'],
  frame: ['format.ts', 'texts', 'api', 'components', 'pages.ts'],
  'app.tsx': ['theme.ts', 'api', 'pages.ts', 'frame'],
  'main.tsx': ['styles.css', 'api', 'components/lazy-part.ts', 'pages.ts', 'app.tsx'],
};
