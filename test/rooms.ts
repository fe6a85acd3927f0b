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
  tasks: ['contract', 'media', 'store', 'engines', 'base', 'database', 'catalog', 'accounts'],
  // What marks an installation as itself: its copies place no orders, and it can be held.
  installation: ['contract', 'media', 'base', 'database', 'accounts', 'tasks/queue-names.ts'],
  routing: ['contract', 'store', 'engines', 'base', 'database', 'catalog', 'accounts', 'tasks'],
  orders: ['contract', 'media', 'store', 'engines', 'base', 'database', 'catalog', 'accounts', 'tasks'],
  worker: [
    'contract',
    'media',
    'store',
    'engines',
    'base',
    'database',
    'catalog',
    'accounts',
    'tasks',
    'installation',
    'routing',
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
    'tasks',
    'installation',
    'routing',
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
    'tasks',
    'installation',
    'routing',
    'orders',
    'worker',
    'http',
  ],
  cli: ['contract', 'media', 'store', 'illustrator', 'base', 'database', 'accounts', 'installation', 'service'],
  // What additions use of the core, by what uses or loads it: every process, those who manage
  // accounts, commands, the service, its HTTP interface.
  'kernel.ts': ['base', 'database', 'accounts', 'tasks', 'routing', 'service'],
  'kernel-accounts.ts': [
    'database/deeds.ts',
    'accounts',
    'tasks/owned-instance.ts',
    'tasks/change-limits-of-key.ts',
    'tasks/refund-task.ts',
  ],
  'kernel-cli.ts': [
    'base/own-command.ts',
    'accounts/accounts.ts',
    'accounts/key-secret.ts',
    'service/operations/processes.ts',
    'service/config',
    'service/enabled-additions.ts',
    'cli',
  ],
  'kernel-orders.ts': ['base/canonical-json.ts', 'tasks', 'orders'],
  'kernel-views.ts': ['base/system-fault.ts', 'catalog', 'tasks', 'orders/choose-model.ts', 'orders/model-list.ts'],
  'kernel-http.ts': [
    'base/data-uri.ts',
    'base/long-texts.ts',
    'database/deeds.ts',
    'tasks/views/list-tasks.ts',
    'tasks/views/task-range.ts',
    'routing/switched-off.ts',
    'http',
  ],
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
  'main.ts': ['media', 'cli/command-line.ts', 'additions/list.ts', 'outside-additions.ts'],
};

/**
 * The rooms of `console/src/` and the rooms that each may import. A file that lies in no folder is a room of its own.
 */
export const CONSOLE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  'styles.css': [],
  'component-styles.ts': [],
  texts: [],
  'theme.ts': ['texts'],
  'format.ts': ['texts'],
  api: ['texts'],
  components: ['format.ts', 'texts', 'api'],
  pages: ['format.ts', 'texts', 'api', 'components'],
  'pages.ts': ['api', 'components', 'pages'],
  frame: ['format.ts', 'texts', 'api', 'components', 'pages.ts'],
  'app.tsx': ['theme.ts', 'api', 'pages.ts', 'frame'],
  'main.tsx': ['component-styles.ts', 'styles.css', 'api', 'components/lazy-part.ts', 'pages.ts', 'app.tsx'],
};
