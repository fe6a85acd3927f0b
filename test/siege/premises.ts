import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdFactory } from '@darkroom-service/contract';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { createAccount } from '../../src/accounts/accounts.ts';
import { issueKey } from '../../src/accounts/api-keys.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { openOwnPostgres } from '../chaos/own-postgres.ts';
import { childEnvironment } from '../helpers/child-environment.ts';
import { bearer } from './attacks/flood.ts';

/**
 * `embedded`: one process, as `npm start` makes it. `postgres`: one API process and one worker on a PostgreSQL server
 * of their own.
 */
export type Setting = 'embedded' | 'postgres';

export interface Premises {
  readonly url: string;
  /** The data directory of all processes. */
  readonly data: string;
  /** The processes of the service, each with the address of its metrics. */
  readonly processes: readonly { readonly name: string; readonly pid: number; readonly metricsUrl: string }[];
  /** The customer's live key, and the attacker's test key: each of an account of its own. */
  readonly liveKey: string;
  readonly testKey: string;
  /** A live key of a third account, whose orders a hostile upstream answers. */
  readonly upstreamKey: string;
  readonly database: Database;
  /** The processes that have ended, which none should. */
  readonly ended: readonly string[];
  close(): Promise<void>;
}

const CUSTOMER = 'siege-customer';
const ATTACKER = 'siege-attacker';
const OF_UPSTREAM = 'siege-upstream';
/** Enough for the live orders beside every attack. */
const CREDIT = 100_000_000;
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** Starts the service as its operator would, with these upstream settings, and makes two accounts. */
export async function openPremises(setting: Setting, upstreamUrl: string): Promise<Premises> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    return { ...(await open(setting, upstreamUrl, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  setting: Setting,
  upstreamUrl: string,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Premises, 'close'>> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-siege-'));
  closers.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const postgres = setting === 'postgres' ? await openOwnPostgres() : null;
  if (postgres !== null) closers.push(() => postgres.close());
  const data = join(directory, 'data');
  await mkdir(data);
  const database = await openDatabase({ url: postgres?.url ?? null, path: join(data, 'darkroom.db') });
  closers.push(() => database.close());
  const by = { actor: 'siege', now: Date.now(), createId: createIdFactory(() => Date.now()) };
  for (const id of [CUSTOMER, ATTACKER, OF_UPSTREAM])
    await createAccount(database, by, { id, name: id, creditLimit: CREDIT });
  const { key: liveKey } = await issueKey(database, by, { accountId: CUSTOMER, mode: 'live', readsPerMinute: 0 });
  const { key: testKey } = await issueKey(database, by, { accountId: ATTACKER, mode: 'test' });

  const { key: upstreamKey } = await issueKey(database, by, { accountId: OF_UPSTREAM, mode: 'live' });

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ended: string[] = [];
  const roles = postgres === null ? ['all'] : ['api', 'worker'];
  const processes = await Promise.all(
    roles.map(async (role) => {
      const metricsPort = await freePort();
      const child = spawn(process.execPath, [MAIN, 'serve'], {
        cwd: directory,
        env: {
          ...childEnvironment(),
          DARKROOM_DATA_DIR: data,
          DARKROOM_ROLE: role,
          DARKROOM_PORT: String(port),
          DARKROOM_PUBLIC_URL: url,
          DARKROOM_METRICS_PORT: String(metricsPort),
          DARKROOM_ALLOWED_ADDRESSES: '127.0.0.1/32',
          DARKROOM_LOG_LEVEL: 'fatal',
          OPENAI_API_KEY: 'sk-siege',
          DARKROOM_OPENAI_URL: upstreamUrl,
          ...(postgres === null ? {} : { DARKROOM_DATABASE_URL: postgres.url }),
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      closers.push(() => end(child));
      child.once('exit', (code, signal) => ended.push(`the process ${role} ended with ${code ?? signal}`));
      return { name: role, pid: child.pid ?? 0, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` };
    }),
  );
  await until(() => answers(`${url}/healthz`), Boolean);
  await loadTools(url, testKey);
  await startSearches(url, testKey);
  return { url, data, processes, liveKey, testKey, upstreamKey, database, ended };
}

/** The first agent of a process waits until the packages are loaded, once; no attack can do it again. */
async function loadTools(url: string, key: string): Promise<void> {
  const call = { name: 'quote', arguments: { model_id: 'sketch', prompt: 'a fox' } };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...bearer(key), accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** The first search in ten minutes starts the thread of reports. No attack can do it more often. */
async function startSearches(url: string, key: string): Promise<void> {
  const response = await fetch(`${url}/v1/images?search=fox`, { headers: bearer(key) });
  assert.equal(response.status, 200, await response.text());
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    async (response) => (await response.text()) !== '' && response.ok,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
