import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import type { Database } from '../database/database.ts';
import { add, dropBefore, type Meter, take, usedOf } from './meters.ts';

const LIMIT = 10;

/** What was taken from a meter. */
interface Taken {
  readonly meter: Meter;
  readonly amount: number;
}

const step = fc.record({
  process: fc.nat({ max: 1 }),
  what: fc.constantFrom('take', 'store', 'give back' as const),
  subject: fc.constantFrom('key_a', 'key_b'),
  day: fc.nat({ max: 2 }),
  amount: fc.integer({ min: 1, max: 6 }),
  which: fc.nat({ max: 20 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** An amount without a lock, in one statement. */
async function takeAtOnce(database: Database, { subject, day, amount }: Step): Promise<Taken | null> {
  const meter: Meter = { subject, kind: 'creates', period: String(day) };
  const used = await database.write('take', (trx) => take(trx, meter, amount, LIMIT));
  assert.ok(used === null || used <= LIMIT, `${used}`);
  return used === null ? null : { meter, amount };
}

/** A file, whose bytes are added under the lock of its subject. */
async function store(database: Database, { subject, amount }: Step): Promise<Taken | null> {
  const meter: Meter = { subject, kind: 'stored_bytes', period: 'total' };
  return await database.write('store', async (trx) => {
    await trx.lock(subject);
    if ((await usedOf(trx, meter)) + amount > LIMIT) return null;
    add(trx, meter, amount);
    return { meter, amount };
  });
}

async function giveBack(database: Database, { meter, amount }: Taken): Promise<void> {
  await database.write('give_back', async (trx) => add(trx, meter, -amount));
}

forEachDatabase((kind, open) => {
  test('however two processes take and give back at once, no window exceeds its limit, and each amount counts exactly until it is given back', async (t) => {
    const { database, openAnother } = await open(t);
    const fleet = [database, await openAnother()] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 8 }), async (rounds) => {
        await database.write('empty', (trx) => trx.run(trx.builder.deleteFrom('meters')));
        const held: Taken[] = [];
        for (const round of rounds) {
          const leaving = round.flatMap((one) =>
            one.what === 'give back' ? held.splice(one.which % Math.max(1, held.length), 1) : [],
          );
          const taken = await Promise.all([
            ...leaving.map((one, place) => giveBack(fleet[place % 2]!, one)),
            ...round.map((one) => {
              const from = fleet[one.process]!;
              if (one.what === 'take') return takeAtOnce(from, one);
              return one.what === 'store' ? store(from, one) : null;
            }),
          ]);
          for (const one of taken) if (one != null) held.push(one);
          const rows = await database.read.all(database.read.builder.selectFrom('meters').selectAll());
          for (const { used, ...meter } of rows) {
            const name = `${meter.subject} ${meter.kind} ${meter.period}`;
            const counted = held.filter(
              ({ meter: { subject, kind: of, period } }) => `${subject} ${of} ${period}` === name,
            );
            assert.equal(
              used,
              counted.reduce((sum, { amount }) => sum + amount, 0),
              name,
            );
            assert.ok(used <= LIMIT, name);
          }
          for (const { meter } of held) assert.ok((await usedOf(fleet[1].read, meter)) > 0, meter.period);
        }
      }),
      { numRuns: kind === 'sqlite' ? 60 : 15 },
    );
  });

  test('a window that is over is dropped for its subject and kind alone, and the next begins at nothing', async (t) => {
    const { database } = await open(t);
    const meter = (subject: string, period: string, of: Meter['kind'] = 'reads'): Meter => ({
      subject,
      kind: of,
      period,
    });
    await database.write('minutes', async (trx) => {
      for (const period of ['1', '2', '3']) add(trx, meter('key_a', period), 4);
      add(trx, meter('key_b', '1'), 4);
      add(trx, meter('key_a', '1', 'creates'), 4);
    });
    await database.write('drop', async (trx) => {
      assert.equal(await take(trx, meter('key_a', '4'), 1, LIMIT), 1);
      dropBefore(trx, meter('key_a', '3'));
    });
    const rows = await database.read.all(database.read.builder.selectFrom('meters').selectAll());
    assert.deepEqual(rows.map(({ subject, kind: of, period, used }) => `${subject} ${of} ${period} ${used}`).sort(), [
      'key_a creates 1 4',
      'key_a reads 3 4',
      'key_a reads 4 1',
      'key_b reads 1 4',
    ]);
  });
});
