import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import type { Transaction } from './database.ts';
import { prepare } from './prepared.ts';

interface Row {
  name: string;
  value: string;
}

const plain = prepare<Row, unknown>('gathered_plain', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: argument('value') }),
);
const tolerant = prepare<Row, unknown>('gathered_tolerant', (builder, argument) =>
  builder
    .insertInto('secrets')
    .values({ name: argument('name'), value: argument('value') })
    .onConflict((conflict) => conflict.column('name').doNothing()),
);
const replacing = prepare<Row, unknown>('gathered_replacing', (builder, argument) =>
  builder
    .insertInto('secrets')
    .values({ name: argument('name'), value: argument('value') })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: argument('value') })),
);
const read = prepare<{ name: string }, { value: string }>('gathered_read', (builder, argument) =>
  builder.selectFrom('secrets').select('value').where('name', '=', argument('name')),
);

type Act = { readonly kind: 'plain' | 'tolerant' | 'replacing'; readonly name: number } | { readonly kind: 'wait' };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constantFrom('plain', 'tolerant', 'replacing'), name: fc.nat({ max: 40 }) }),
  fc.constant({ kind: 'wait' as const }),
);
const units = fc.array(fc.array(act, { maxLength: 6 }), { minLength: 1, maxLength: 40 });

/** A row that comes after one of another statement for the same table, with which it is in conflict. */
const TWO_WAYS: Act[][] = [
  [
    { kind: 'plain', name: 0 },
    { kind: 'tolerant', name: 8 },
    { kind: 'plain', name: 8 },
  ],
];

forEachDatabase((_, openTestDatabase) => {
  test('each unit reads the rows that it sent, all of them are stored, and one that breaks a rule takes only its own unit along', async (t) => {
    const { database } = await openTestDatabase(t);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(units, async (lists) => {
        const prefix = `run ${run++}`;
        const own = (unit: number, name: number) => `${prefix} ${unit} ${name}`;
        const results = await Promise.allSettled(
          lists.map((acts, unit) =>
            database.write('unit', (trx) => perform(trx, acts, (name) => own(unit, name)), { together: true }),
          ),
        );
        for (const [unit, acts] of lists.entries()) {
          const expected = outcomeOf(acts);
          assert.equal(results[unit]?.status, expected === null ? 'rejected' : 'fulfilled');
          for (const each of acts)
            if (each.kind !== 'wait')
              assert.equal(
                (await database.read.first(read, { name: own(unit, each.name) }))?.value,
                expected?.get(each.name),
              );
        }
      }),
      { numRuns: 40, examples: [[TWO_WAYS]] },
    );
  });
});

async function perform(trx: Transaction, acts: readonly Act[], nameOf: (name: number) => string): Promise<void> {
  const known = new Map<number, string>();
  for (const [place, each] of acts.entries()) {
    if (each.kind === 'wait') {
      for (const [name, value] of known)
        assert.equal((await trx.first(read, { name: nameOf(name) }))?.value, value, 'a row that was sent');
      continue;
    }
    const statement = { plain, tolerant, replacing }[each.kind];
    trx.send(statement, { name: nameOf(each.name), value: String(place) });
    if (each.kind === 'replacing' || !known.has(each.name)) known.set(each.name, String(place));
  }
}

/** Returns the value of each row after the unit; null if it breaks the rule that names differ. */
function outcomeOf(acts: readonly Act[]): Map<number, string> | null {
  const rows = new Map<number, string>();
  for (const [place, each] of acts.entries()) {
    if (each.kind === 'wait') continue;
    if (each.kind === 'plain' && rows.has(each.name)) return null;
    if (each.kind === 'replacing' || !rows.has(each.name)) rows.set(each.name, String(place));
  }
  return rows;
}
