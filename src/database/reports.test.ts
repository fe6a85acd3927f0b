import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachDatabase } from '../../test/databases.ts';

/** More than a database has connections for reading. */
const REPORTS = 9;

forEachDatabase((kind, open) => {
  test('reads and writes do not wait for reports that take long', async (t) => {
    const { database } = await open(t);
    const { builder } = database.read;
    const slow =
      kind === 'postgres'
        ? sql`select pg_sleep(0.3)`
        : sql`with recursive c (n) as (select 1 union all select n + 1 from c limit 500000) select count(*) from c`;
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
    await Promise.all(reports);
    assert.deepEqual(ended, ['read', 'write', ...Array<string>(REPORTS).fill('report')]);
  });
});
