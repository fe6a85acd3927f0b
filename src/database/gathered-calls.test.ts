import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import type { Transaction } from './database.ts';
import { prepare, prepareSharedSelect, prepareSharedUpdate } from './prepared.ts';

interface Row {
  name: string;
  value: string;
}

const TEXTS = { name: 'text', value: 'text' } as const;

const insert = prepare<Row, unknown>('calls_insert', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: argument('value') }),
);
const read = prepareSharedSelect<{ name: string }, { value: string }, 'secrets'>(
  'calls_read',
  { name: 'text' },
  (builder, argument) => builder.selectFrom('secrets').select('value').where('name', '=', argument('name')),
);
const replace = prepareSharedUpdate<Row & { before: string }, { value: string }, 'secrets'>(
  'calls_replace',
  { row: 'name', types: { ...TEXTS, before: 'text' } },
  (builder, argument) =>
    builder
      .updateTable('secrets')
      .set({ value: argument('value') })
      .where('name', '=', argument('name'))
      .where('value', '=', argument('before'))
      .returning('value'),
);

const anyUnit = fc.record({
  /** Changes a row that it has entered itself. */
  enters: fc.boolean(),
  name: fc.constantFrom('a', 'b', 'c', 'd "quoted", {braced} \\ text'),
  before: fc.constantFrom('0', '1'),
  value: fc.constantFrom('0', '1', 'a "quoted", {braced} \\ text', ''),
  isRefused: fc.boolean(),
});

forEachDatabase((_, openTestDatabase) => {
  test('each unit gets the row of its own call, as if units ran one after the other', async (t) => {
    const { database } = await openTestDatabase(t);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyUnit, { minLength: 1, maxLength: 24 }), async (units) => {
        const prefix = `run ${run++}`;
        const stored = new Map(['a', 'b', 'd "quoted", {braced} \\ text'].map((name) => [`${prefix} ${name}`, '0']));
        for (const [name, value] of stored) await database.write('before', (trx) => trx.run(insert, { name, value }));
        const calls = units.map((unit, index) => ({
          ...unit,
          name: `${prefix} ${unit.enters ? `own ${index}` : unit.name}`,
        }));
        const expected = calls.map(({ enters, name, before, value, isRefused }) => {
          if (isRefused) return 'refused';
          if (enters) stored.set(name, '0');
          if (stored.get(name) !== before) return undefined;
          stored.set(name, value);
          return value;
        });
        const results = await Promise.allSettled(
          calls.map(({ enters, name, before, value, isRefused }) => {
            const unit = async (trx: Transaction) => {
              if (isRefused) throw new Error('refused');
              if (enters) trx.send(insert, { name, value: '0' });
              return (await trx.firstShared(replace, { name, value, before }))?.value;
            };
            return database.write('unit', unit, { together: true });
          }),
        );
        assert.deepEqual(
          results.map((result) => (result.status === 'fulfilled' ? result.value : 'refused')),
          expected,
        );
        for (const [name, value] of stored)
          assert.equal((await database.read.first(read.one, { name }))?.value, value, name);
      }),
      { numRuns: 30 },
    );
  });

  test('a shared query gives each unit its row, and undefined where there is none', async (t) => {
    const { database } = await openTestDatabase(t);
    for (const name of ['a', 'b'])
      await database.write('before', (trx) => trx.run(insert, { name, value: `${name}!` }));
    const found = await Promise.all(
      ['b', 'missing', 'a', 'b'].map((name) =>
        database.write('unit', (trx) => trx.firstShared(read, { name }), { together: true }),
      ),
    );
    assert.deepEqual(found, [{ value: 'b!' }, undefined, { value: 'a!' }, { value: 'b!' }]);
  });

  test('a unit that fails after a shared change fails alone, and its change is undone', async (t) => {
    const { database } = await openTestDatabase(t);
    const names = ['a', 'b', 'c'];
    for (const name of names) await database.write('before', (trx) => trx.run(insert, { name, value: '0' }));
    const results = await Promise.allSettled(
      names.map((name) => {
        const unit = async (trx: Transaction) => {
          await trx.firstShared(replace, { name, value: '1', before: '0' });
          if (name === 'b') throw new Error('late');
        };
        return database.write('unit', unit, { together: true });
      }),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    const values = names.map(async (name) => (await database.read.first(read.one, { name }))?.value);
    assert.deepEqual(await Promise.all(values), ['1', '0', '1']);
  });
});
