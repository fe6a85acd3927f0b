import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import type { Database } from './database.ts';

/** More than a database has connections for reading. */
const REPORTS = 9;
/** What reports on PostgreSQL wait for. */
const LOCK = 1;

/** Holds the lock in a transaction until the returned function is called. */
async function holdLock(database: Database): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const lock = sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`;
  const holding = database.write('hold a lock', async (trx) => {
    await trx.all({ compile: () => lock.compile(trx.builder) });
    held.resolve();
    await released.promise;
  });
  await Promise.race([held.promise, holding]);
  return released.resolve;
}

/** A statement that waits for the lock, or takes long for itself. */
function slowOn(kind: Database['kind'], rows: number) {
  return kind === 'postgres'
    ? sql`select pg_advisory_xact_lock_shared(${sql.lit(LOCK)})`
    : sql`with recursive c (n) as (select 1 union all select n + 1 from c limit ${sql.lit(rows)}) select count(*) from c`;
}

forEachDatabase((kind, open) => {
  test('reads and writes do not wait for reports that take long', async (t) => {
    const { database, openAnother } = await open(t);
    const { builder } = database.read;
    const release = kind === 'postgres' ? await holdLock(await openAnother()) : () => {};
    const slow = slowOn(kind, 500_000);
    const ended: string[] = [];
    const reports = Array.from({ length: REPORTS }, async () => {
      await database.reports.all({ compile: () => slow.compile(builder) });
      ended.push('report');
    });
    await database.read.first(builder.selectFrom('accounts').select('id'));
    ended.push('read');
    await database.write('a test', async (trx) => {
      await trx.run(builder.deleteFrom('accounts').where('id', '=', 'nobody'));
    });
    ended.push('write');
    release();
    await Promise.all(reports);
    assert.deepEqual(ended, ['read', 'write', ...Array<string>(REPORTS).fill('report')]);
  });

  test('a report of another key does not wait for two long ones of a key', async (t) => {
    const { database, openAnother } = await open(t);
    const { builder } = database.read;
    const release = kind === 'postgres' ? await holdLock(await openAnother()) : () => {};
    const long = database.reports.inTurn({ owner: 'key_1', isLong: true });
    const short = database.reports.inTurn({ owner: 'key_2', isLong: false });
    const ended: string[] = [];
    const years = ['a year', 'another year'].map(async (name) => {
      await long.all({ compile: () => slowOn(kind, 3_000_000).compile(builder) });
      ended.push(name);
    });
    await short.all(builder.selectFrom('accounts').select('id'));
    await database.reports.all(builder.selectFrom('accounts').select('id'));
    const scanned = await database.scanTexts({
      owner: 'key_2',
      rows: () => builder.selectFrom('tasks').select(['id', 'model_id as text', 'input_json as json']),
      start: '~',
      field: 'prompt',
      words: ['fox'],
      wanted: 1,
    });
    ended.push('reports of others');
    release();
    await Promise.all(years);
    assert.deepEqual(ended, ['reports of others', 'a year', 'another year']);
    assert.deepEqual(scanned, { ids: [], nextAfter: null });
  });
});
