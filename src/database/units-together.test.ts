import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import fc from 'fast-check';
import { forEachDatabase, openTestDatabase } from '../../test/helpers/databases.ts';
import type { Database, Transaction } from './database.ts';
import { prepare } from './prepared.ts';

const insert = prepare<{ name: string; value: string }, unknown>('together_insert', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: argument('value') }),
);
const read = prepare<{ name: string }, { value: string }>('together_read', (builder, argument) =>
  builder.selectFrom('secrets').select('value').where('name', '=', argument('name')),
);
const lock = prepare<{ name: string }, { value: string }>('together_lock', (builder, argument) =>
  builder.selectFrom('secrets').select('value').where('name', '=', argument('name')).forUpdate(),
);
const change = prepare<{ name: string; value: string }, unknown>('together_change', (builder, argument) =>
  builder
    .updateTable('secrets')
    .set({ value: argument('value') })
    .where('name', '=', argument('name')),
);

type Kind = 'adds' | 'refuses' | 'fails after writing' | 'breaks a rule of the database';

/** Reads a counter, waits a while, and writes it one higher: right only if nobody else does so meanwhile. */
async function count(trx: Transaction, counter: string): Promise<void> {
  await trx.lock(counter);
  const value = Number((await trx.first(read, { name: counter }))?.value);
  await trx.first(read, { name: 'any' });
  trx.send(change, { name: counter, value: String(value + 1) });
}

async function unit(trx: Transaction, kind: Kind, counters: readonly string[], name: string): Promise<void> {
  if (kind === 'refuses') {
    await trx.first(read, { name: 'any' });
    throw new ServiceError('rate_limited', 'no');
  }
  for (const counter of [...counters].sort()) await trx.lock(counter);
  for (const counter of counters) await count(trx, counter);
  await trx.run(insert, { name, value: '' });
  if (kind === 'breaks a rule of the database') await trx.run(insert, { name, value: '' });
  if (kind === 'fails after writing') throw new Error('late');
}

async function readCounter(database: Database, name: string): Promise<string | undefined> {
  return (await database.read.first(read, { name }))?.value;
}

forEachDatabase((_, openOne) => {
  test('of units that run together, accepted ones are stored once, refused ones leave nothing, and locked counts are right', async (t) => {
    const { database } = await openOne(t);
    const kinds = fc.constantFrom<Kind>(
      'adds',
      'adds',
      'adds',
      'refuses',
      'fails after writing',
      'breaks a rule of the database',
    );
    const orders = fc.array(
      fc.record({
        kind: kinds,
        together: fc.boolean(),
        counters: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 25 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(orders, async (list) => {
        const prefix = `run ${run++}`;
        const own = (name: string) => `${prefix} ${name}`;
        for (const counter of ['x', 'y', 'z'])
          await database.write('start', (trx) => trx.run(insert, { name: own(counter), value: '0' }));
        const results = await Promise.allSettled(
          list.map(({ kind, together, counters }, index) =>
            database.write(kind, (trx) => unit(trx, kind, counters.map(own), own(String(index))), { together }),
          ),
        );
        for (const [index, { kind }] of list.entries()) {
          assert.equal(results[index]?.status, kind === 'adds' ? 'fulfilled' : 'rejected', kind);
          assert.equal(await readCounter(database, own(String(index))), kind === 'adds' ? '' : undefined, kind);
        }
        for (const counter of ['x', 'y', 'z'] as const) {
          const counted = list.filter(({ kind, counters }) => kind === 'adds' && counters.includes(counter));
          assert.equal(await readCounter(database, own(counter)), String(counted.length));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('two processes that count together under locks lose no count', async (t) => {
    const { database, openAnother } = await openOne(t);
    const other = await openAnother();
    for (const counter of ['x', 'y'])
      await database.write('start', (trx) => trx.run(insert, { name: counter, value: '0' }));
    const counts = [database, other].flatMap((one) =>
      Array.from({ length: 40 }, (_, index) =>
        one.write(
          'count',
          async (trx) => {
            await trx.first(read, { name: 'any' });
            await count(trx, index % 2 === 0 ? 'x' : 'y');
          },
          { together: true },
        ),
      ),
    );
    await Promise.all(counts);
    assert.deepEqual([await readCounter(database, 'x'), await readCounter(database, 'y')], ['40', '40']);
  });
});

test('the first unit of a group waits for no other process once another unit holds a row', async (t) => {
  const { database } = await openTestDatabase(t, 'postgres');
  await database.write('start', (trx) => trx.run(insert, { name: 'row', value: '' }));
  const locked = Promise.withResolvers<void>();
  const first = database.write(
    'first',
    async (trx) => {
      const before = trx.mayWait();
      await locked.promise;
      return [before, trx.mayWait()];
    },
    { together: true },
  );
  const second = database.write(
    'second',
    async (trx) => {
      await trx.first(lock, { name: 'row' });
      locked.resolve();
    },
    { together: true },
  );
  assert.deepEqual(await first, [true, false]);
  await second;
});
