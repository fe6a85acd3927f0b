import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { type Installation, openInstallation } from './installation.ts';
import { median, printTable } from './table.ts';

/**
 * Measures creates while retention erases tasks that all expire at once, on the embedded database:
 * `node bench/retention.ts [tasks]`.
 */
const [tasks = '200000'] = process.argv.slice(2);
const BETWEEN_CREATES_MS = 25;
const MEASURED_MS = 30_000;
const TOGETHER = 500;
const FIRST_TURN_MS = 180_000;
const GIVES_UP_AFTER_MS = 60 * 60_000;

const directory = await mkdtemp(join(tmpdir(), 'darkroom-retention-'));
const data = join(directory, 'data');
try {
  const service = await openInstallation(data, Number(tasks));
  const database = await openDatabase({ url: null, path: join(data, 'darkroom.db') });
  try {
    await measure(service, database);
  } finally {
    await database.close();
    await service.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measure(service: Installation, database: Database): Promise<void> {
  await timesOfCreates(service, 2_000);
  const without = await timesOfCreates(service, MEASURED_MS);
  const { updated } = await expireAll(database);
  const begun = await untilErased(database, 1, FIRST_TURN_MS);
  const during = await timesOfCreates(service, MEASURED_MS);
  const erasedMeanwhile = await countErased(database);
  const ended = await untilErased(database, updated, GIVES_UP_AFTER_MS);
  const after = await timesOfCreates(service, MEASURED_MS);
  const row = (name: string, found: readonly number[]) => [
    name,
    String(found.length),
    `${median(found).toFixed(1)} ms`,
    `${quantile(found, 0.99).toFixed(1)} ms`,
    `${Math.max(...found).toFixed(1)} ms`,
  ];
  printTable(
    'Creates, one every 25 ms',
    ['', 'creates', 'median', 'p99', 'longest'],
    [row('before', without), row('while retention erases', during), row('afterwards', after)],
  );
  const seconds = (ended - begun) / 1000;
  const rate = (updated / seconds).toFixed(0);
  console.log(`\n${updated} tasks erased in ${seconds.toFixed(0)} s, ${rate} a second; ${erasedMeanwhile} of them`);
  console.log('when the creates beside it had been measured');
}

/** Lets everything that has ended expire. */
async function expireAll(database: Database): Promise<{ updated: number }> {
  const { read } = database;
  const ids = await read.all(read.builder.selectFrom('tasks').select('id').where('step', '=', 'final'));
  // Small writes, since the service could not write meanwhile.
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER).map(({ id }) => id);
    await database.write('bench_expire', (trx) =>
      trx.run(trx.builder.updateTable('tasks').set({ expires_at: 1 }).where('id', 'in', some)),
    );
  }
  return { updated: ids.length };
}

/** @returns when that many were erased, by `performance.now()` */
async function untilErased(database: Database, count: number, withinMs: number): Promise<number> {
  for (const end = performance.now() + withinMs; ; await sleep(500)) {
    const found = await countErased(database);
    if (found >= count) return performance.now();
    if (performance.now() > end) throw new Error(`${found} of ${count} tasks were erased within ${withinMs / 1000} s`);
  }
}

async function countErased({ read }: Database): Promise<number> {
  const found = await read.first(
    read.builder
      .selectFrom('tasks')
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('erased_at', 'is not', null),
  );
  return found?.count ?? 0;
}

/** Orders at a steady pace, whatever the answers take. @returns the milliseconds of each */
async function timesOfCreates({ url, orderer }: Installation, ms: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${orderer.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'timeout' } });
  const creates: Promise<number>[] = [];
  for (const end = performance.now() + ms; performance.now() < end; await sleep(BETWEEN_CREATES_MS))
    creates.push(create());
  return await Promise.all(creates);

  async function create(): Promise<number> {
    const began = performance.now();
    const response = await fetch(`${url}/v1/images`, { method: 'POST', headers, body });
    const answer = await response.text();
    if (response.status !== 201) throw new Error(`expected 201, found ${response.status}: ${answer.slice(0, 300)}`);
    return performance.now() - began;
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
