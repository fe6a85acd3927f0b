import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import { COMMITS } from '@darkroom-service/store';
import { until } from '@darkroom-service/testing';
import { sql } from 'kysely';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { prepare } from './prepared.ts';

const insertSecret = prepare<{ name: string; value: string }, unknown>('insert_secret', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: argument('value') }),
);

const secretNames = async (database: Database) =>
  (await database.read.all(database.read.builder.selectFrom('secrets').select('name').orderBy('name'))).map(
    (row) => row.name,
  );

forEachDatabase((kind, openTestDatabase) => {
  async function open(t: TestContext) {
    const groups: (readonly string[])[] = [];
    const opened = await openTestDatabase(t, {
      commitHook: (moment, names) => moment === 'after' && groups.push(names),
    });
    return { ...opened, groups };
  }

  test('writes of one turn are committed together, unless the group takes too long', async (t) => {
    const { database, groups } = await open(t);
    const names: string[] = [];
    // A busy machine may cut a group short.
    for (let turn = 0; turn < 50 && groups.at(-1)?.length !== 3; turn++) {
      const written = ['a', 'b', 'c'].map((name) => `${name}${turn}`);
      names.push(...written);
      await Promise.all(
        written.map((name) => database.write('insert', (trx) => trx.run(insertSecret, { name, value: '1' }))),
      );
    }
    assert.deepEqual(groups.at(-1), ['insert', 'insert', 'insert']);
    assert.deepEqual(await secretNames(database), names.sort());
  });

  test('a unit that refuses before writing leaves its neighbours in the group', async (t) => {
    const { database, groups } = await open(t);
    let called = 0;
    const refused = database.write('refused', async (trx) => {
      trx.afterCommit(() => called++);
      await trx.all(trx.builder.selectFrom('secrets').select('name'));
      throw new ServiceError('rate_limited', 'no');
    });
    const kept = database.write('kept', (trx) => trx.run(insertSecret, { name: 'a', value: '1' }));
    await assert.rejects(refused, { code: 'rate_limited' });
    assert.equal(await kept, 1);
    assert.deepEqual(groups, [['kept']]);
    assert.equal(called, 0);
  });

  for (const way of ['run', 'send', 'first', 'all'] as const)
    test(`a unit that fails after writing by ${way} fails alone and leaves nothing behind`, async (t) => {
      const { database } = await open(t);
      let committed = 0;
      const write = (name: string) =>
        database.write(name, async (trx) => {
          trx.afterCommit(() => committed++);
          const values = { name, value: '1' };
          if (way === 'run') await trx.run(insertSecret, values);
          else if (way === 'send') trx.send(insertSecret, values);
          else {
            const inserted = trx.builder.insertInto('secrets').values(values).returning('name');
            await (way === 'first' ? trx.first(inserted) : trx.all(inserted));
          }
          if (name === 'bad') throw new Error('late');
          return name;
        });
      const results = await Promise.allSettled([write('a'), write('bad'), write('c')]);
      assert.deepEqual(
        results.map((result) => result.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(await secretNames(database), ['a', 'c']);
      assert.equal(committed, 2);
    });

  test('a unit that was refused is not run again when another unit rolls the group back', async (t) => {
    const { database } = await open(t);
    let runs = 0;
    const refused = database.write('refused', async (trx) => {
      runs++;
      if (runs === 1) throw new ServiceError('queue_full', 'no');
      await trx.run(insertSecret, { name: 'refused', value: '1' });
    });
    const bad = database.write('bad', async (trx) => {
      await trx.run(insertSecret, { name: 'bad', value: '1' });
      throw new Error('late');
    });
    await assert.rejects(refused, { code: 'queue_full' });
    await assert.rejects(bad, /late/);
    await database.write('last', (trx) => trx.run(insertSecret, { name: 'last', value: '1' }));
    assert.deepEqual(await secretNames(database), ['last']);
    assert.equal(runs, 1);
  });

  test('a statement that the database refuses harms its own unit alone', async (t) => {
    const { database } = await open(t);
    const insert = (name: string) => database.write(name, (trx) => trx.run(insertSecret, { name, value: '1' }));
    const results = await Promise.allSettled([insert('a'), insert('a'), insert('b')]);
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await secretNames(database), ['a', 'b']);
  });

  test('a statement sent without waiting is visible to later ones, and its error fails only its own unit', async (t) => {
    const { database } = await open(t);
    const write = (name: string, twice: boolean) =>
      database.write(name, async (trx) => {
        trx.send(insertSecret, { name, value: '1' });
        if (twice) trx.send(insertSecret, { name, value: '2' });
        const found = trx.builder.selectFrom('secrets').select('value').where('name', '=', name);
        return twice ? null : (await trx.first(found))?.value;
      });
    const results = await Promise.allSettled([write('a', false), write('bad', true), write('c', false)]);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.status)),
      ['1', 'rejected', '1'],
    );
    assert.deepEqual(await secretNames(database), ['a', 'c']);
  });

  test('numbers come back as numbers, also sums and counts', async (t) => {
    const { database } = await open(t);
    const { builder } = database.read;
    const entry = {
      account_id: 'a',
      api_key_id: null,
      mode: 'live',
      kind: 'credit',
      note: null,
    } as const;
    const big = 2 ** 52;
    await database.write('ledger', (trx) =>
      trx.run(
        builder.insertInto('ledger').values([
          { ...entry, task_id: 'crd_1', amount: big, created_at: 1 },
          { ...entry, task_id: 'crd_2', amount: 5, created_at: 1_800_000_000_000 },
        ]),
      ),
    );
    const sums = await database.read.first(
      builder
        .selectFrom('ledger')
        .select((expression) => [
          expression.fn.sum<number>('amount').as('sum'),
          expression.fn.countAll<number>().as('count'),
          expression.fn.max('created_at').as('last'),
          sql<number>`max(created_at) / 1000`.as('seconds'),
        ]),
    );
    assert.deepEqual({ ...sums }, { sum: big + 5, count: 2, last: 1_800_000_000_000, seconds: 1_800_000_000 });
  });

  test('names are ordered by code point', async (t) => {
    const { database } = await open(t);
    for (const name of ['a', 'B', 'ä', '_', 'Z', 'b1', 'b_'])
      await database.write('insert', (trx) => trx.run(insertSecret, { name, value: '' }));
    assert.deepEqual(await secretNames(database), ['B', 'Z', '_', 'a', 'b1', 'b_', 'ä']);
  });

  test('the time of the database can be moved by a test', async (t) => {
    const { openAnother } = await open(t);
    let time = 1_000;
    const database = await openAnother({ clock: { now: () => time } });
    const now = async () =>
      (await database.read.first(database.read.builder.selectNoFrom(database.read.now.as('now'))))?.now;
    assert.equal(await now(), 1_000);
    time = 1_800_000_000_000;
    assert.equal(await now(), 1_800_000_000_000);
  });

  test('a statement has one time, however often it names it and however many rows it compares with it', async (t) => {
    const { openAnother } = await open(t);
    let asked = 0;
    const { read, write } = await openAnother({ clock: { now: () => ++asked } });
    for (const name of ['a', 'b', 'c'])
      await write('insert', (trx) => trx.run(insertSecret, { name, value: 'x'.repeat(asked) }));
    asked = 0;
    const rows = await read.all(
      read.builder
        .selectFrom('secrets')
        .select([read.now.as('now'), sql<number>`${read.now} + 10`.as('later')])
        .where(sql<boolean>`length(value) < ${read.now}`),
    );
    assert.equal(asked, 1);
    assert.deepEqual(
      rows.map(({ now, later }) => [Number(now), Number(later)]),
      Array(3).fill([1, 11]),
    );
  });

  test('the time of the database is the real one', async (t) => {
    const { database } = await open(t);
    const before = Date.now();
    const row = await database.read.first(database.read.builder.selectNoFrom(database.read.now.as('now')));
    const now = row?.now ?? 0;
    assert.ok(now > before - 1_000 && now < Date.now() + 1_000, `${now - before} ms`);
  });

  test('the change counter reports writes of other processes', async (t) => {
    const { database, openAnother } = await open(t);
    const other = await openAnother();
    if (kind === 'postgres') await new Promise<void>((resolve) => void database.listenTo(COMMITS, resolve));
    const before = database.changeCounter();
    await other.write('insert', (trx) => trx.run(insertSecret, { name: 'a', value: '1' }));
    await until(
      () => database.changeCounter(),
      (counter) => counter !== before,
    );
  });

  test('a database with a newer schema is refused and left as it is', async (t) => {
    const { database, address } = await open(t);
    await database.write('newer', (trx) =>
      trx.run(trx.builder.insertInto('schema_migrations').values({ version: 99, name: 'future', applied_at: 0 })),
    );
    await assert.rejects(openDatabase(address), /schema version 99, this program knows/);
    assert.equal(database.kind, kind);
  });

  test('a failing callback after the commit does not fail the write', async (t) => {
    const { database } = await open(t);
    const { promise: told, resolve } = Promise.withResolvers<unknown>();
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => resolve(error.message));
    t.after(() => {
      for (const listener of listeners) process.on('uncaughtException', listener);
    });
    const written = await database.write('insert', async (trx) => {
      trx.afterCommit(() => {
        throw new Error('a fault of the callback');
      });
      return await trx.run(insertSecret, { name: 'a', value: '1' });
    });
    assert.equal(written, 1);
    assert.equal(await told, 'a fault of the callback');
    assert.equal(await database.write('next', (trx) => trx.run(insertSecret, { name: 'b', value: '1' })), 1);
  });
});
