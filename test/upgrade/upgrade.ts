import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { makeTask } from '../../bench/make-task.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { openOwnPostgres } from '../chaos/own-postgres.ts';
import { type Before, readSums } from './sums.ts';

/**
 * Upgrades an installation with many tasks: `npm run upgrade -- --from <an older checkout with its packages>
 * [--tasks 100000] [--postgres]`. The older code makes the tasks: nine tenths are finished, the others wait or run
 * in a batch when the service is killed. This checkout then starts on the same data. Exits with 1 unless the sums of
 * money, tasks and usage are what they were, the batch ends, and `darkroom doctor --audit` finds no fault.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    tasks: { type: 'string', default: '100000' },
    postgres: { type: 'boolean', default: false },
  },
});
if (values.from === undefined) throw new Error('--from takes the directory of an older checkout');
const HERE = join(import.meta.dirname, '..', '..');
const older = resolve(values.from);
const tasks = Number(values.tasks);
const underWay = Math.min(10_000, Math.floor(tasks / 10));
const READY_WITHIN_MS = 600_000;
const ENDED_WITHIN_MS = 600_000;
/** The finished tasks are of the last twenty days. */
const FILLED_MS = 21 * 24 * 60 * 60 * 1000;

const directory = await mkdtemp(join(tmpdir(), 'darkroom-upgrade-'));
const postgres = values.postgres ? await openOwnPostgres() : null;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const variables = {
  PATH: process.env.PATH,
  DARKROOM_DATA_DIR: directory,
  DARKROOM_PORT: String(port),
  DARKROOM_LOG_LEVEL: 'warn',
  ...(postgres === null ? {} : { DARKROOM_DATABASE_URL: postgres.url }),
};
let service: ChildProcess | null = null;
try {
  await upgrade();
} finally {
  await kill();
  await postgres?.close();
  await rm(directory, { recursive: true, force: true });
}

async function upgrade(): Promise<void> {
  const address = { url: postgres?.url ?? null, path: join(directory, 'darkroom.db') };
  await start(older);
  const key = (await darkroom(older, 'keys', 'create', '--mode', 'test', '--queue', '0', '--plain')).trim();
  const made = await makeTask(url, key, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
  // A service that runs meanwhile could sum a past day before all of its tasks are there.
  await kill();
  await fill(address, made.task_id);
  await start(older);
  const batch = await placeBatch(key);
  await untilBegun(batch, key);
  const usage = await usageBefore(key);
  await kill();
  const before = await readSums(await olderDatabase(address), Date.now());

  const readyMs = await start(HERE);
  console.log(`the first start of this version: ready after ${(readyMs / 1000).toFixed(1)} s`);
  const after = await readSums(await openDatabase(address), before.until);
  assert.deepEqual(after, before, 'money, tasks and keys that were there before the kill');
  assert.deepEqual(await usageBefore(key), usage, 'the usage of the days before');
  await untilEnded(batch, key);
  tell(before);
  console.log((await darkroom(HERE, 'doctor', '--audit')).trim());
}

type Address = Parameters<typeof openDatabase>[0];

/** The database as the older code opens it, which leaves its schema as it is. */
async function olderDatabase(address: Address): ReturnType<typeof openDatabase> {
  const older = await ofOlder<typeof import('../../src/database/open-database.ts')>('src/database/open-database.ts');
  return await older.openDatabase(address);
}

async function fill(address: Address, patternId: string): Promise<void> {
  const { fillTasks } = await ofOlder<typeof import('../../bench/fill-tasks.ts')>('bench/fill-tasks.ts');
  const database = await olderDatabase(address);
  const { read } = database;
  const pattern = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', patternId));
  assert.ok(pattern !== undefined);
  await fillTasks({ database, pattern, count: tasks - underWay, keyIds: [pattern.api_key_id] });
  await database.close();
}

async function ofOlder<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(join(older, path)).href)) as Module;
}

/** Of ten orders, one runs for half a minute, the others for a second; then they fail, so that nothing is painted. */
async function placeBatch(key: string): Promise<string> {
  const orders = Array.from({ length: underWay }, (_, place) => ({
    operation: 'images',
    body: {
      model_id: 'sketch',
      prompt: `a fox, number ${place}`,
      simulate: { outcome: 'content_policy', seconds: place % 10 === 0 ? 30 : 1 },
    },
  }));
  return (await ask<{ batch_id: string }>('POST', '/v1/batches', key, { orders, max_parallel: 2_000 })).batch_id;
}

interface BatchFigures {
  readonly status: string;
  readonly counts: Readonly<Record<'queued' | 'processing' | 'failed', number>>;
}

async function untilBegun(batchId: string, key: string): Promise<void> {
  for (;;) {
    const { counts } = await ask<BatchFigures>('GET', `/v1/batches/${batchId}`, key);
    if (counts.failed > 0 && counts.processing > 0) return;
    await sleep(50);
  }
}

/** What the upgrade found under way goes on. */
async function untilEnded(batchId: string, key: string): Promise<void> {
  for (const end = performance.now() + ENDED_WITHIN_MS; ; await sleep(500)) {
    const { counts, status } = await ask<BatchFigures>('GET', `/v1/batches/${batchId}`, key);
    if (status !== 'processing') {
      assert.equal(counts.failed, underWay);
      console.log(`the batch ended: ${counts.failed} orders failed as they should`);
      return;
    }
    if (performance.now() > end) throw new Error(`the batch has not ended: ${JSON.stringify(counts)}`);
  }
}

/** The days that the orders under way do not change. */
async function usageBefore(key: string): Promise<unknown> {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const span = `from=${dayOf(Date.now() - FILLED_MS)}&to=${dayOf(Date.now())}`;
  return await ask('GET', `/v1/account/usage?group_by=day,model_id&${span}`, key);
}

async function ask<Data = unknown>(method: string, path: string, key: string, body?: object): Promise<Data> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { data: Data }).data;
}

/** @returns the milliseconds until it was ready */
async function start(checkout: string): Promise<number> {
  const began = performance.now();
  const program = join(checkout, 'src', 'main.ts');
  service = spawn(process.execPath, [program, 'serve'], { env: variables, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const end = began + READY_WITHIN_MS; ; await sleep(50)) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok === true) return performance.now() - began;
    if (service.exitCode !== null || performance.now() > end) throw new Error(`${program} does not start`);
  }
}

async function kill(): Promise<void> {
  const child = service;
  service = null;
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function darkroom(checkout: string, ...words: string[]): Promise<string> {
  const program = join(checkout, 'src', 'main.ts');
  return (await promisify(execFile)(process.execPath, [program, ...words], { env: variables })).stdout;
}

function tell({ ledger, tasks: counted }: Before): void {
  for (const { kind, entries, amount } of ledger) console.log(`ledger, ${kind}: ${entries} entries, ${amount}`);
  for (const { status, count } of counted) console.log(`tasks, ${status}: ${count}`);
}
