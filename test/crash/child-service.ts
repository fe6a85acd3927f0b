import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createIdFactory, systemClock } from '@darkroom-service/contract';
import { createAccount } from '../../src/accounts/accounts.ts';
import { issueKey } from '../../src/accounts/api-keys.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { childEnvironment } from '../helpers/child-environment.ts';
import { placeEmptyDatabase } from '../helpers/empty-database.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';
import type { RouteAnswer } from '../helpers/service.ts';
import type { PaidEngineOptions } from './paid-engine.ts';
import { paidModel, paidRoute } from './paid-model.ts';
import type { FromProcess, KillPoint, ProcessWish, ToProcess } from './service-process.ts';

/**
 * A data directory that outlives the processes that serve it, with a model for each paid engine, named like it. With
 * `DARKROOM_TEST_DATABASE=postgres` the database is one of PostgreSQL, whose server outlives them as well.
 */
export interface Premises {
  readonly directory: string;
  /** The upstreams' books. */
  readonly books: string;
  /** Null = the database is embedded. */
  readonly databaseUrl: string | null;
  /** A second connection to the database. */
  readonly database: Database;
  readonly keys: { readonly test: string; readonly live: string; readonly admin: string };
  /** How far the next process's clock is ahead. */
  aheadMs: number;
  start(options?: StartOptions): Promise<ChildService>;
}

export interface StartOptions {
  readonly kill?: KillPoint;
  readonly variables?: Readonly<Record<string, string>>;
  /** What its libraries read from its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly names?: ProcessWish['names'];
  readonly tempo?: ProcessWish['tempo'];
  readonly holdMs?: ProcessWish['holdMs'];
}

/** A running service in a process of its own. */
export interface ChildService {
  readonly url: string;
  readonly process: ChildProcess;
  /** Resolves with how it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly hasEnded: () => boolean;
  advance(ms: number): void;
  /** From now on the database can commit nothing, or everything again. */
  setDatabaseAway(away: boolean): void;
  /** Its event loop stands still for so long. */
  block(ms: number): void;
  /** From now on; what `StartOptions.kill` said no longer holds. */
  killAt(kill: KillPoint): Promise<void>;
  /** Bytes, after the garbage is collected. */
  memory(): Promise<{ readonly rss: number; readonly heap: number }>;
  /** @throws whatever `fetch` does when the process dies meanwhile. */
  call<Method extends string, Path extends string>(
    key: string | null,
    method: Method,
    path: Path,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Pick<RouteAnswer<Method, Path>, 'status' | 'headers' | 'body'>>;
}

/** A planned kill has hit before the service was ready. */
export class KilledBeforeReady extends Error {}

const PROGRAM = new URL('./service-process.ts', import.meta.url);
const STARTS_WITHIN_MS = 60_000;

export async function openPremises(
  t: Pick<TestContext, 'after'>,
  engines: readonly Omit<PaidEngineOptions, 'books'>[] = [],
  onPostgres = process.env.DARKROOM_TEST_DATABASE === 'postgres',
): Promise<Premises> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-crash-'));
  const data = join(directory, 'data');
  const books = join(directory, 'submissions.jsonl');
  const catalog = join(directory, 'catalog');
  await mkdir(data);
  await mkdir(catalog);
  await writeFile(books, '');
  await writeFile(
    join(catalog, 'paid.json'),
    JSON.stringify({
      vendor: 'Paid',
      models: engines.map(({ name, next }) => ({
        ...paidModel(name),
        routes: [name, ...(next === undefined ? [] : [next])].map(paidRoute),
      })),
    }),
  );
  const url = onPostgres ? await createPostgresDatabase(t) : null;
  if (url === null) await placeEmptyDatabase(join(data, 'darkroom.db'));
  const database = await openDatabase({ url, path: join(data, 'darkroom.db'), clock: systemClock });
  const children = new Set<ChildProcess>();
  t.after(async () => {
    for (const child of children) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await database.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const by = { actor: 'test', now: Date.now(), createId: createIdFactory(() => Date.now()) };
  await createAccount(database, by, { id: 'default', name: 'default', creditLimit: null });
  const issue = async (mode: 'test' | 'live' | 'admin') =>
    (await issueKey(database, by, { accountId: 'default', mode, readsPerMinute: 0 })).key;
  const premises: Premises = {
    directory,
    books,
    databaseUrl: url,
    database,
    keys: { test: await issue('test'), live: await issue('live'), admin: await issue('admin') },
    aheadMs: 0,
    async start({ kill = null, variables = {}, environment = {}, names = {}, tempo, holdMs } = {}) {
      const wish: ProcessWish = {
        variables: {
          DARKROOM_PORT: '0',
          DARKROOM_DATA_DIR: data,
          ...(url === null ? {} : { DARKROOM_DATABASE_URL: url }),
          DARKROOM_CATALOG_DIR: catalog,
          DARKROOM_LOG_LEVEL: 'silent',
          ...variables,
        },
        aheadMs: premises.aheadMs,
        kill,
        engines: engines.map((engine) => ({ ...engine, books })),
        names,
        tempo,
        holdMs,
      };
      return await startProcess(wish, environment, (child) => children.add(child));
    },
  };
  return premises;
}

async function startProcess(
  wish: ProcessWish,
  environment: Readonly<Record<string, string>>,
  enter: (child: ChildProcess) => void,
): Promise<ChildService> {
  const child = fork(PROGRAM, [JSON.stringify(wish)], {
    execArgv: [],
    env: { ...childEnvironment(), ...environment },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  enter(child);
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint = (complaint + String(chunk)).slice(-2000);
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const ready = await Promise.race([
    nextMessage(child, 'ready'),
    ended.then((how) => {
      if (wish.kill !== null && how.signal === 'SIGKILL') throw new KilledBeforeReady();
      assert.fail(`the service ended before it was ready: ${JSON.stringify(how)} ${complaint}`);
    }),
  ]);
  const { url } = ready;
  const send = (message: ToProcess) => child.send(message, () => {});
  return {
    url,
    process: child,
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    advance: (ms) => send({ type: 'advance', ms }),
    setDatabaseAway: (away) => send({ type: 'database', away }),
    block: (ms) => send({ type: 'block', ms }),
    async killAt(kill) {
      const told = nextMessage(child, 'armed');
      send({ type: 'kill', kill });
      await told;
    },
    async memory() {
      const told = nextMessage(child, 'memory');
      send({ type: 'memory' });
      return await told;
    },
    async call(key, method, path, body, headers = {}) {
      const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: asBody(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}

async function nextMessage<Type extends FromProcess['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<FromProcess, { type: Type }>> {
  const signal = AbortSignal.timeout(STARTS_WITHIN_MS);
  // Several messages may come at once.
  for await (const [message] of on(child, 'message', { signal }) as AsyncIterable<[FromProcess]>)
    if (message.type === type) return message as Extract<FromProcess, { type: Type }>;
  throw new Error(`the service said nothing of ${type}`);
}

function asBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
