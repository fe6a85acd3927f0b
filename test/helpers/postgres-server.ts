import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { isAlive } from './is-alive.ts';
import { openPostgres } from './open-postgres.ts';

/**
 * `durable` flushes to disk as a real installation does; `replicated` is a server of its own for tests with a standby;
 * `quick` is for everything else.
 */
export type ServerMode = 'quick' | 'durable' | 'replicated';

const KEEPER = join(import.meta.dirname, 'postgres-keeper.ts');
const START_TIMEOUT_MS = 120_000;
/** A checkout has a server of its own: another one may be of another schema. */
const CHECKOUT = createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 8);
const TEMPLATE = 'darkroom_template';
/**
 * The address of another server of PostgreSQL's protocol to run the tests against, such as a pooler. The tests make and
 * drop databases in it.
 */
const OTHER_SERVER = process.env.DARKROOM_TEST_POSTGRES_URL;
/** There, each test gets a schema of the database that the address names, as an installation in a Citus cluster has. */
const IN_SCHEMAS = process.env.DARKROOM_TEST_SCHEMAS === 'true';

const finished: (() => Promise<unknown>)[] = [];
const servers = new Map<ServerMode, Promise<string>>();

/**
 * A database with the schema and nothing in it, for one test. The server is started by the first test that asks, shared
 * by all test processes, and stopped soon after the last of them has ended, however it ended.
 * @returns its address.
 */
export async function createPostgresDatabase(
  t: Pick<TestContext, 'after'>,
  mode: ServerMode = 'quick',
): Promise<string> {
  const server = await postgresServer(mode);
  if (OTHER_SERVER !== undefined) {
    const url = await makeDatabase(t, server, '');
    await (await openPostgres({ url, listen: false })).close();
    return url;
  }
  await makeTemplate(server);
  return await makeDatabase(t, server, ` template ${TEMPLATE} strategy file_copy`);
}

/** Creates a PostgreSQL database without a schema. */
export async function createEmptyPostgresDatabase(
  t: Pick<TestContext, 'after'>,
  mode: ServerMode = 'quick',
): Promise<string> {
  return await makeDatabase(t, await postgresServer(mode), '');
}

/** The address of the server's own database, where other databases can be made. */
export function postgresServer(mode: ServerMode = 'quick'): Promise<string> {
  const server = servers.get(mode) ?? findServer(mode);
  servers.set(mode, server);
  return server;
}

/** Runs one statement on a connection of its own. */
export async function askPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** What a test leaves is dropped before the next one is made: by then everything that the test opened is closed. */
async function makeDatabase(t: Pick<TestContext, 'after'>, server: string, template: string): Promise<string> {
  for (const drop of finished.splice(0)) await drop();
  const name = `t_${randomBytes(8).toString('hex')}`;
  if (IN_SCHEMAS) {
    await askPostgres(server, `create schema ${name}`);
    t.after(() => {
      finished.push(() => askPostgres(server, `drop schema ${name} cascade`));
    });
    return withSchema(server, name);
  }
  await askPostgres(server, `create database ${name}${template}`);
  t.after(() => {
    finished.push(() => askPostgres(server, `drop database ${name} with (force)`));
  });
  return withDatabase(server, name);
}

/**
 * Made by whoever comes first; the server lives for one run of the tests, so that it is never of an older schema for
 * long.
 */
async function makeTemplate(server: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query(`select 1 from pg_database where datname = '${TEMPLATE}'`);
    if (rowCount === 1) return;
    await client.query('create database darkroom_making');
    await (await openPostgres({ url: withDatabase(server, 'darkroom_making'), listen: false })).close();
    await client.query(`alter database darkroom_making rename to ${TEMPLATE}`);
  } finally {
    await client.end();
  }
}

async function findServer(mode: ServerMode): Promise<string> {
  if (OTHER_SERVER !== undefined) return OTHER_SERVER;
  if (process.platform === 'win32') throw new Error('the test server needs a shell: run these tests on Linux or macOS');
  const stateFile = join(tmpdir(), `darkroom-postgres-${process.getuid?.() ?? 0}-${CHECKOUT}-${mode}.json`);
  const end = Date.now() + START_TIMEOUT_MS;
  let startedAt = 0;
  while (Date.now() < end) {
    const state = await readState(stateFile);
    const socket = state === null || !isAlive(state.pid) ? null : await enter(state.port);
    const address = socket === null ? null : await hearAddress(socket);
    if (address !== null) return address;
    if (state !== null) await removeStale(stateFile, state.pid);
    if (Date.now() - startedAt > 10_000) {
      startedAt = Date.now();
      startKeeper(stateFile, mode);
    }
    await delay(30);
  }
  throw new Error(`no PostgreSQL server was ready within ${START_TIMEOUT_MS / 1000} s`);
}

function startKeeper(stateFile: string, mode: ServerMode): void {
  const keeper = spawn(process.execPath, [KEEPER, stateFile, mode], { detached: true, stdio: 'ignore', cwd: '/' });
  keeper.unref();
}

async function readState(stateFile: string): Promise<{ port: number; pid: number } | null> {
  try {
    return JSON.parse(await readFile(stateFile, 'utf8')) as { port: number; pid: number };
  } catch {
    return null;
  }
}

/** A keeper that was killed leaves its file behind. */
async function removeStale(stateFile: string, pid: number): Promise<void> {
  if ((await readState(stateFile))?.pid === pid) await rm(stateFile, { force: true });
}

async function enter(port: number): Promise<Socket | null> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return null;
  }
}

/**
 * The connection stays open for as long as this process lives, and does not keep it alive. Null where the keeper went
 * just then.
 */
async function hearAddress(socket: Socket): Promise<string | null> {
  socket.on('error', () => {});
  const lines = createInterface({ input: socket });
  const line = await new Promise<string | null>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(null));
  });
  if (line === null) return null;
  const answer = JSON.parse(line) as { url?: string; error?: string };
  if (answer.url === undefined) throw new Error(`the PostgreSQL server did not start: ${answer.error}`);
  socket.unref();
  return answer.url;
}

function withSchema(server: string, name: string): string {
  const address = new URL(server);
  address.searchParams.set('options', `-c search_path=${name}`);
  return address.href.replaceAll('+', '%20');
}

function withDatabase(server: string, name: string): string {
  const address = new URL(server);
  address.pathname = `/${name}`;
  return address.href;
}
