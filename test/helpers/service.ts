import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createIdFactory, systemClock } from '@darkroom-service/contract';
import { createAccount, listAccounts } from '../../src/accounts/accounts.ts';
import { issueKey, type NewKey } from '../../src/accounts/api-keys.ts';
import type { Act } from '../../src/accounts/audit.ts';
import { createLog } from '../../src/base/log.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Config } from '../../src/service/config/config.ts';
import type { Service } from '../../src/service/service.ts';
import type { ServiceOptions } from '../../src/service/service-options.ts';
import { noticeTransportOf, startService } from './additions.ts';
import { loadConfig, type Replaced, replaceSettings } from './load-config.ts';
import './lock-order.ts';
import { placeEmptyDatabase } from './empty-database.ts';
import { createPostgresDatabase } from './postgres-server.ts';
import type { RouteBody, RouteData, RouteError } from './route-answers.ts';
import { openSharedMedia } from './shared-media.ts';

/**
 * A service of its own for one test, as `npm start` would make it, on a free port and in an empty directory. With
 * `DARKROOM_TEST_DATABASE=postgres` it stands on a PostgreSQL database of its own instead of the embedded one.
 */
export interface TestService {
  readonly url: string;
  readonly config: Config;
  readonly service: Service;
  /** A second connection to the service's database, as the command line has one. */
  readonly database: Database;
  readonly keys: { readonly test: string; readonly live: string; readonly admin: string };
  issueKey(
    wish: Omit<NewKey, 'accountId'> & { readonly accountId?: string },
  ): Promise<{ readonly key: string; readonly key_id: string }>;
  createAccount(creditLimit: number | null): Promise<string>;
  readonly call: Call;
  /** Waits for the end of an order. */
  ended(key: string, task: TaskAnswer): Promise<TaskAnswer>;
  /** Orders and waits for the end. */
  make(key: string, path: string, body: unknown): Promise<TaskAnswer>;
}

/** Sends a request. The types of the answer follow from method and path if both are known when the test is compiled. */
export type Call = <Method extends string, Path extends string>(
  key: string | null,
  method: Method,
  path: Path,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<RouteAnswer<Method, Path>>;

export type RouteAnswer<Method extends string, Path extends string> = Answer<
  RouteData<Method, Path>,
  RouteError<Path>,
  RouteBody<Method, Path>
>;

/** The routes of orders. */
export type OrderPath = '/v1/images' | '/v1/videos' | '/v1/images/actions';

/** A task as an answer has it. */
export type TaskAnswer = DataOf<'GET', '/v1/images/{task_id}'>;

/** The `data` of a successful answer of a route. */
export type DataOf<Method extends string, Path extends string> = RouteData<Method, Path>;

export type CatalogEntry = DataOf<'GET', '/v1/catalog'>['items'][0];
export type BatchAnswer = DataOf<'GET', '/v1/batches/id'>;
export type FileAnswer = DataOf<'POST', '/v1/files'>;
export type Refusal = RouteError<'/v1/images'>;

export interface Answer<Data = unknown, Fault = Refusal, Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; null where there is none. */
  readonly body: Body;
  readonly data: Data;
  readonly error: Fault;
}

export async function startTestService(
  t: Pick<TestContext, 'after'>,
  options: {
    readonly env?: Readonly<Record<string, string>>;
    /** What no variable sets. */
    readonly config?: Partial<Config>;
    readonly settings?: Replaced;
    readonly service?: ServiceOptions;
  } = {},
): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-service-'));
  const isGiven = options.env?.DARKROOM_DATABASE_URL !== undefined;
  const isPostgres = process.env.DARKROOM_TEST_DATABASE === 'postgres' && !isGiven;
  const databaseUrl = isPostgres ? await createPostgresDatabase(t) : null;
  const loaded = loadConfig({
    ...(databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: databaseUrl }),
    DARKROOM_PORT: '0',
    DARKROOM_DATA_DIR: join(directory, 'data'),
    DARKROOM_LOG_LEVEL: 'fatal',
    DARKROOM_MEDIA_PROCESSES: '1',
    ...options.env,
  });
  const config = { ...loaded, ...replaceSettings(loaded, options.settings ?? {}), ...options.config };
  if (config.databaseUrl === null) await placeEmptyDatabase(config.databasePath);
  const service = await startService(config, {
    log: createLog(config.logLevel),
    ...(config.mediaProcesses === 1 ? { media: openSharedMedia() } : {}),
    ...options.service,
  });
  const clock = options.service?.clock ?? systemClock;
  const database = await openDatabase({
    url: config.databaseUrl,
    openNoticeTransport: noticeTransportOf(config),
    path: config.databasePath,
    clock: options.service?.clock,
  });
  t.after(async () => {
    await service.stop({ now: true });
    await database.close();
    // A second service of the test may still write there.
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const createId = createIdFactory(() => clock.now());
  const by = (): Act => ({ actor: 'test', now: clock.now(), createId });
  // The database of a copy has it.
  const account = { id: 'default', name: 'default', creditLimit: null };
  if ((await listAccounts(database.read)).length === 0) await createAccount(database, by(), account);
  const issue: TestService['issueKey'] = (wish) => issueKey(database, by(), { accountId: 'default', ...wish });
  const call: Call = async (key, method, path, body, headers = {}) => {
    const response = await fetch(path.startsWith('http') ? path : `${service.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    const parsed = isJson ? JSON.parse(text) : text === '' ? null : text;
    return {
      status: response.status,
      headers: response.headers,
      body: parsed,
      data: parsed?.data,
      error: parsed?.error,
    };
  };
  /** Waits for the end of the answered task. */
  const follow = async (key: string, first: Answer<TaskAnswer>): Promise<TaskAnswer> => {
    let answer = first;
    while (answer.status < 300 && ['queued', 'processing'].includes(answer.data.status))
      answer = await call(key, 'GET', answer.data.urls.self, undefined, { prefer: 'wait=60' });
    return answer.data ?? (answer.body as TaskAnswer);
  };
  return {
    url: service.url,
    config,
    service,
    database,
    keys: {
      test: (await issue({ mode: 'test' })).key,
      live: (await issue({ mode: 'live' })).key,
      admin: (await issue({ mode: 'admin' })).key,
    },
    issueKey: issue,
    async createAccount(creditLimit) {
      return (await createAccount(database, by(), { creditLimit })).account_id;
    },
    call,
    ended: async (key, task) =>
      await follow(key, await call(key, 'GET', task.urls.self, undefined, { prefer: 'wait=60' })),
    make: async (key, path, body) =>
      await follow(key, await call(key, 'POST', path as OrderPath, body, { prefer: 'wait=60' })),
  };
}
