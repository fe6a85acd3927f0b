import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import { prepare } from './prepared.ts';
import { openSqlite } from './sqlite-database.ts';

const insertSecret = prepare<{ name: string; value: string }, unknown>('insert_secret', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: argument('value') }),
);

async function open(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-'));
  const groups: (readonly string[])[] = [];
  const path = join(directory, 'darkroom.db');
  const database = await openSqlite({
    path,
    clock: systemClock,
    commitHook: (moment, names) => moment === 'after' && groups.push(names),
  });
  t.after(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });
  return { database, groups, path };
}

test('writes of one turn are committed together', async (t) => {
  const { database, groups } = await open(t);
  await Promise.all(
    ['a', 'b', 'c'].map((name) => database.write('insert', (trx) => trx.run(insertSecret, { name, value: '1' }))),
  );
  assert.deepEqual(groups, [['insert', 'insert', 'insert']]);
  assert.equal((await database.read.all(database.read.builder.selectFrom('secrets').selectAll())).length, 3);
});

test('a unit that refuses before writing leaves its neighbours in the group', async (t) => {
  const { database, groups } = await open(t);
  const refused = database.write('refused', async () => {
    throw new ServiceError('rate_limited', 'no');
  });
  const kept = database.write('kept', (trx) => trx.run(insertSecret, { name: 'a', value: '1' }));
  await assert.rejects(refused, { code: 'rate_limited' });
  assert.equal(await kept, 1);
  assert.deepEqual(groups, [['kept']]);
});

test('a unit that fails after writing fails alone and leaves nothing behind', async (t) => {
  const { database } = await open(t);
  let committed = 0;
  const write = (name: string) =>
    database.write(name, async (trx) => {
      trx.afterCommit(() => committed++);
      await trx.run(insertSecret, { name, value: '1' });
      if (name === 'bad') throw new Error('late');
      return name;
    });
  const results = await Promise.allSettled([write('a'), write('bad'), write('c')]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const rows = await database.read.all(database.read.builder.selectFrom('secrets').select('name').orderBy('name'));
  assert.deepEqual(
    rows.map((row) => row.name),
    ['a', 'c'],
  );
  assert.equal(committed, 2);
});

test('the change counter tells of writes by another process', async (t) => {
  const { database, path } = await open(t);
  const before = database.changeCounter();
  const other = await openSqlite({ path, clock: systemClock });
  await other.write('insert', (trx) => trx.run(insertSecret, { name: 'a', value: '1' }));
  await other.close();
  assert.notEqual(database.changeCounter(), before);
});

test('a database with a newer schema is refused and left as it is', async (t) => {
  const { database, path } = await open(t);
  await database.write('newer', (trx) =>
    trx.run(trx.builder.insertInto('schema_migrations').values({ version: 99, name: 'future', applied_at: 0 })),
  );
  await assert.rejects(openSqlite({ path, clock: systemClock }), /schema version 99, this program knows/);
});
