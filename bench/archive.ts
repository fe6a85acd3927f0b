import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createAccount } from '../src/accounts/accounts.ts';
import { issueKey } from '../src/accounts/api-keys.ts';
import { closeDays, DAY_MS } from '../src/accounts/closed-days.ts';
import { findKeyById } from '../src/accounts/keyring.ts';
import { readUsage } from '../src/accounts/usage.ts';
import { compilable, usageDays } from '../src/accounts/usage-days.ts';
import { archiveTasks } from '../src/archive/archive-tasks.ts';
import { systemClock } from '../src/base/clock.ts';
import { createIdFactory } from '../src/base/ids.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { openFileStorage } from '../src/storage/file-storage.ts';
import { startService } from './child-service.ts';
import { fillTasks } from './fill-tasks.ts';
import { makeTask } from './make-task.ts';
import { printTable } from './table.ts';

/**
 * Measures an archive of finished tasks on the embedded database, and the usage report before and after sums by day are
 * kept: `node bench/archive.ts [tasks]`.
 */
const [tasks = '200000'] = process.argv.slice(2);
const TOGETHER = 2_000;
const REPORTS = 5;

const directory = await mkdtemp(join(tmpdir(), 'darkroom-archive-'));
const path = join(directory, 'data', 'darkroom.db');
try {
  const service = await startService(join(directory, 'data'));
  const database = await openDatabase({ url: null, path, listen: false });
  try {
    const createId = createIdFactory(() => systemClock.now());
    const by = { actor: 'bench', now: systemClock.now(), createId };
    await createAccount(database, by, { id: 'bench', name: 'bench', creditLimit: null });
    const key = await issueKey(database, by, { mode: 'test', accountId: 'bench' });
    const made = await makeTask(service.url, key.key, '/v1/images', { model_id: 'sketch', prompt: 'a red fox' });
    await service.stop();
    await measure(database, made.task_id, key.key_id);
  } finally {
    await service.stop();
    await database.close();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measure(database: Database, patternId: string, keyId: string): Promise<void> {
  const { read } = database;
  const pattern = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', patternId));
  if (pattern === undefined) throw new Error('the pattern is gone');
  const empty = await pagesOf(database);
  await fillTasks({ database, pattern, count: Number(tasks), keyIds: [keyId] });
  const filled = await pagesOf(database);
  const fromRows = await timeUsage(database, keyId);
  await closeDays(database, usageDays, systemClock.now());
  const fromSums = await timeUsage(database, keyId);
  await eraseAll(database);
  const now = systemClock.now() + 70 * DAY_MS;
  const later = new Date(now);
  const storage = await openFileStorage(join(directory, 'archive'));
  const began = performance.now();
  const months = await archiveTasks({
    ...{ database, storage, now },
    before: Date.UTC(later.getUTCFullYear(), later.getUTCMonth()),
    createId: createIdFactory(() => now),
  });
  const seconds = (performance.now() - began) / 1000;
  await storage.close();
  const after = await pagesOf(database);
  const archived = months.reduce((sum, month) => sum + month.tasks, 0);
  const bytes = months.reduce((sum, month) => sum + month.bytes, 0);
  const per = (total: number) => `${(total / Number(tasks)).toFixed(0)} bytes a task`;
  printTable(
    `${archived} tasks archived in ${seconds.toFixed(0)} s`,
    ['', ''],
    [
      ['tables and indexes, filled', per(filled.used - empty.used)],
      ['archive files, compressed', per(bytes)],
      ['tables and indexes, afterwards', per(after.used - empty.used)],
      ['free pages in the file, for new rows', `${((after.size - after.used) / 1e6).toFixed(0)} MB`],
      ['usage of 30 days from rows', `${fromRows.toFixed(1)} ms`],
      ['usage of 30 days from sums, and rows of today', `${fromSums.toFixed(1)} ms`],
    ],
  );
}

/** Returns the median milliseconds of a usage report by day, model and status. */
async function timeUsage(database: Database, keyId: string): Promise<number> {
  const found = await findKeyById(database.read, keyId);
  if (found === null || found.mode === 'admin') throw new Error('the key is gone');
  const key = { ...found, mode: found.mode };
  const to = systemClock.now();
  const span = { from: to - 30 * DAY_MS, to, scope: 'key', endUser: null, timing: false, limit: 1_000 } as const;
  const times: number[] = [];
  for (let turn = 0; turn < REPORTS; turn++) {
    const began = performance.now();
    await readUsage(database.reports, key, { ...span, groupBy: ['day', 'model_id', 'status'], after: null });
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other)[Math.floor(REPORTS / 2)] ?? Number.NaN;
}

/** Erases as retention does, but many at once. */
async function eraseAll(database: Database): Promise<void> {
  const { read } = database;
  const ids = await read.all(read.builder.selectFrom('tasks').select('id').where('step', '=', 'final'));
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER).map(({ id }) => id);
    const erased = { input_json: '{}', request_json: '{}', outputs_json: '[]', metadata_json: '{}', erased_at: 1 };
    await database.write('bench_erase', (trx) =>
      trx.run(trx.builder.updateTable('tasks').set(erased).where('id', 'in', some)),
    );
  }
}

async function pagesOf({ read }: Database): Promise<{ readonly used: number; readonly size: number }> {
  const of = async (name: string) => {
    const rows = await read.all(compilable(read, sql<Record<string, number>>`${sql.raw(`pragma ${name}`)}`));
    return Number(Object.values(rows[0] ?? {})[0]);
  };
  const [size, pages, free] = [await of('page_size'), await of('page_count'), await of('freelist_count')];
  return { used: (pages - free) * size, size: pages * size };
}
