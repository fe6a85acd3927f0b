/** How `run-tests.ts` runs a part of the tests. */
export interface Suite {
  readonly patterns: readonly string[];
  /** Files that belong to another part. */
  readonly except?: readonly string[];
  /** More files: those whose text has this. */
  readonly ifText?: { readonly of: readonly string[]; readonly has: RegExp };
  /** The database of what runs on either. Without it tests of both run on both, and services on SQLite. */
  readonly database?: 'sqlite' | 'postgres';
  /**
   * Beginnings of paths. These files take longest. They begin first, in this order, so that none runs alone at the
   * end.
   */
  readonly first: readonly string[];
  /** Beginnings of paths of files that get a process to themselves. */
  readonly alone: readonly string[];
  /** What the text of a file has that changes its own process, such as its variables, and so gets one to itself. */
  readonly aloneIf?: RegExp;
  /**
   * Which of the other files share processes, and how many a process runs at most: each file goes to the first entry
   * with a beginning of its path. Processes begin in this order.
   */
  readonly together: readonly { readonly of: readonly string[]; readonly files: number }[];
  /** Processes at once. */
  readonly atOnce: number;
  readonly testTimeoutMs: number;
  /** The share of the rounds of random tests that take long; all without it. */
  readonly rounds?: number;
  /** Modules, from here, that each process imports before any other. */
  readonly imports: readonly string[];
}

/**
 * Loading the service costs more than most files, and so does compiling what they all run: the more of them share a
 * process, the less.
 */
const TOGETHER = 9;
const TOGETHER_OF_MANY = 40;

/** Servers are started, failed over, and waited for, or what a request costs is measured. */
const SLOW = [
  'cdn-edges',
  'compressing-proxy',
  'deploy-tools',
  'failover',
  'move-cell',
  'pgbouncer',
  'replica',
  'separator-bodies',
  'simulate',
  'standby-takes-over',
  'waiting-commits',
  'way-of-functions',
];

/**
 * What tries every address, every command, every picture or a whole program, and takes a processor for half a minute
 * each. CI runs them beside the hard tests, so that `npm test` ends within five minutes.
 */
const EXHAUSTIVE = [
  'packages/illustrator/src/{composition/sketch-actions-seen,film/film}.test.ts',
  'src/cli/{pull,serve}.test.ts',
  'test/{advice-runs,catalog-watch,login-command,outside-additions,way-of-an-order}.test.ts',
  'test/contract/{below-cost,closed-additions,held,lost-results,outputs}.test.ts',
  'test/lives/lives.test.ts',
  'test/upgrade/*.test.ts',
];

/** Orders and their money on PostgreSQL. CI runs the rest of the contract there. */
const MONEY_ON_POSTGRES = [
  'accounts',
  'batches',
  'cancel-races',
  'idempotency',
  'limits',
  'lists',
  'money',
  'open-tasks',
  'webhooks',
];

/** What is about PostgreSQL, and little else. */
const ONLY_ON_POSTGRES = [
  'additions/fleet/src/accounts/shared-limits.test.ts',
  'src/database/{choose-server,lost-connection,postgres-database,postgres-traits}.test.ts',
  'src/service/doctor/diagnosis.test.ts',
  'test/{notices,postgres-connections,without-listen}.test.ts',
];

/** Limits of requests, addresses and files: the database has no part in what these test. */
const WITHOUT_DATABASE = [
  'bounded-requests',
  'cdn',
  'compression',
  'costly-outputs',
  'delivered-urls',
  'ends',
  'input-schema',
  'outgoing-proxy',
  'outputs',
  'secret-fields',
  'signed-outputs',
  'suggestions',
  'unknown-addresses',
  'vendor-addresses',
  'why-not-live',
];

const LONG_IN_BROWSER = [
  'accessibility',
  'history',
  'interrupted',
  'light-table',
  'light-table-book',
  'light-table-order',
  'night',
  'night-orders',
  'operations',
  'order-book',
  'order-tray',
  'studio',
  'team',
  'trouble',
];

const SERVICE: Suite = {
  patterns: [],
  first: [
    // These wait for minutes, by the measured times of each file alone.
    'additions/local/test/hard/local-servers.',
    'test/standby-takes-over.',
    'test/crash/store-file.',
    'test/hostile/media.',
    'test/crash/signals.',
    'additions/fleet/test/hard/parts-killed.',
    'additions/local/test/hard/own-servers.',
    'test/failover.',
    'test/crash/busy-handlers.',
    'test/crash/cells.',
    'test/crash/paid-orders.',
    'test/crash/batches.',
    'test/contract/outputs.',
    'additions/openai/test/videos.',
    'test/crash/',
    'test/chaos/',
    'test/siege/',
    'test/hostile/',
    'test/fuzz/',
    'test/soak/',
  ],
  // The threads and the memory of native libraries outlive a file.
  alone: [
    'packages/media/src/decoding/',
    'packages/media/src/has-codecs.',
    'packages/media/src/base64-cache.',
    'packages/media/src/large-bytes.',
    'packages/media/src/marks/',
    'packages/media/src/media-tools.',
    'packages/media/src/process/',
    // Replaces the world of everything in its process.
    'test/lives/',
    'test/media/',
  ],
  aloneIf:
    /child_process|worker_threads|registerHooks|process\.(?:chdir|execPath|on|once|umask)\b|process\.env\.\w+ = |delete process|(?<!t\.)\bmock\.(?:method|timers)|globalThis|usual-time|^(?:after|before)\(/m,
  together: groupsOf(TOGETHER),
  // Many tests wait more than they compute.
  atOnce: 6,
  testTimeoutMs: 180_000,
  imports: [],
};

export const SUITES: Readonly<Record<string, Suite>> = {
  embedded: {
    ...SERVICE,
    database: 'sqlite',
    together: groupsOf(TOGETHER_OF_MANY),
    rounds: 0.25,
    patterns: [
      '{src,{packages,additions}/*/src}/**/*.test.ts',
      'additions/*/test/*.test.ts',
      `test/!(${SLOW.join('|')}).test.ts`,
      'test/{contract,engines,interleaving,lives,media,slips,soak,upgrade}/**/*.test.ts',
      // Of the kills and the attacks, what takes seconds.
      'test/{crash/restart-after-kill,hostile/end-users}.test.ts',
    ],
    except: [
      '{src,{packages,additions}/*/src}/**/*-measured.test.ts',
      'test/lives/new-seeds.test.ts',
      ...ONLY_ON_POSTGRES,
      ...EXHAUSTIVE,
    ],
  },
  postgres: {
    ...SERVICE,
    database: 'postgres',
    patterns: [`test/contract/{${MONEY_ON_POSTGRES.join()}}.test.ts`],
  },
  hard: {
    ...SERVICE,
    patterns: [
      ...EXHAUSTIVE,
      `test/{${SLOW.join()}}.test.ts`,
      'additions/*/test/hard/*.test.ts',
      'test/{chaos,crash,fuzz,hostile,siege}/!(restart-after-kill|end-users).test.ts',
      'test/plans/{large-tables,waiting-orders}.test.ts',
      'test/lives/new-seeds.test.ts',
      // Measurements of what something costs.
      '{src,{packages,additions}/*/src}/**/*-measured.test.ts',
    ],
    // All rounds of random tests that take long. Those of the rest of the contract run on PostgreSQL.
    ifText: {
      of: ['{src,{packages,additions}/*/src}/**/*.test.ts', `test/contract/{${WITHOUT_DATABASE.join()}}.test.ts`],
      has: /\brounds\(/,
    },
  },
  'postgres-all': {
    ...SERVICE,
    database: 'postgres',
    together: groupsOf(TOGETHER_OF_MANY),
    ifText: { of: ['{src,additions/*/src,test/interleaving}/**/*.test.ts'], has: /\bforEachDatabase\(/ },
    patterns: [
      ...ONLY_ON_POSTGRES,
      'additions/*/test/*.test.ts',
      'test/upgrade/*.test.ts',
      'test/plans/{rows-read,large-tables,waiting-orders}.test.ts',
      `test/contract/!(${[...MONEY_ON_POSTGRES, ...WITHOUT_DATABASE].join('|')}).test.ts`,
    ],
  },
  // On a cluster that DARKROOM_TEST_POSTGRES_URL names, without the files that need a whole database.
  citus: {
    ...SERVICE,
    database: 'postgres',
    patterns: ['test/contract/!(held|query-plans).test.ts', 'additions/*/test/*.test.ts', 'test/citus/*.test.ts'],
    first: ['test/citus/'],
  },
  engines: {
    ...SERVICE,
    patterns: ['{src,packages,additions}/**/*.conformance.ts', 'test/{,chaos/,engines/**/}*.conformance.ts'],
    first: [
      'test/chaos/',
      'test/package.',
      'test/generators.',
      'test/illustrator.',
      'test/engines/sd-server/sd-server-engine.',
      'additions/engines-command/',
    ],
    alone: ['test/engines/sd-server/', 'additions/engines-command/'],
    testTimeoutMs: 600_000,
  },
  console: {
    patterns: ['test/browser/**/*.test.ts'],
    first: [],
    alone: [],
    // Browsers use the processors fully, so each process that starts, which loads the service, costs the run its time.
    together: [
      // The files that take longest, by their measured times.
      { of: LONG_IN_BROWSER.map((name) => `test/browser/${name}.`), files: 4 },
      { of: ['test/browser/deeds-'], files: 3 },
      { of: [''], files: 9 },
    ],
    // Those of Now and of outages wait.
    atOnce: 5,
    testTimeoutMs: 400_000,
    imports: [],
  },
  clients: {
    patterns: ['test/clients/**/*.test.ts'],
    first: ['test/clients/documented-samples.', 'test/clients/python-client.'],
    alone: [],
    together: [{ of: [''], files: 6 }],
    atOnce: 4,
    testTimeoutMs: 400_000,
    imports: ['./clients/use-packed-clients.ts'],
  },
};

function groupsOf(files: number): Suite['together'] {
  // What runs commands loads the program once more, in processes that the files of a group share.
  const commands = { of: ['src/cli/', 'additions/client-commands/'], files: 6 };
  return [commands, ...['test/', 'packages/', 'additions/', ''].map((beginning) => ({ of: [beginning], files }))];
}
