import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowStart } from '@darkroom-service/contract';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import type { Database } from '../database/database.ts';
import { spentIn } from './spend-limits.ts';
import { addSpending, DayIsOver, spentWithin } from './spending.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 29);
const LIMITS = { day: 10, month: 15, total: 20 } as const;
const WINDOWS = ['day', 'month', 'total'] as const;

interface Order {
  readonly subject: string;
  readonly at: number;
  readonly amount: number;
}

const step = fc.record({
  process: fc.nat({ max: 1 }),
  what: fc.constantFrom('order', 'order', 'give back' as const),
  subject: fc.constantFrom('key_a', 'key_b', 'an end user'),
  amount: fc.integer({ min: 1, max: 6 }),
  /** How far the clock of its process is behind. */
  behindMs: fc.constantFrom(0, 0, 1000, DAY_MS),
  which: fc.nat({ max: 20 }),
});

async function order(database: Database, { subject, at, amount }: Order): Promise<Order | null> {
  const admitting = database.write(
    'order',
    async (trx) => {
      await trx.lock(subject);
      const spent = await spentWithin(trx, subject, at);
      if (WINDOWS.some((window) => spent[window] + amount > LIMITS[window])) return false;
      addSpending(trx, subject, amount, at, true);
      return true;
    },
    { together: true },
  );
  try {
    return (await admitting) ? { subject, at, amount } : null;
  } catch (error) {
    if (!(error instanceof DayIsOver)) throw error;
    return await order(database, { subject, at: error.nextDayAt, amount });
  }
}

async function giveBack(database: Database, { subject, at, amount }: Order): Promise<null> {
  await database.write('give_back', async (trx) => addSpending(trx, subject, -amount, at, false), { together: true });
  return null;
}

forEachDatabase((kind, open) => {
  test('however two processes order and give back at once, day after day, also with a clock that is behind, no window exceeds its limit, and each order counts in its day and month until it is given back', async (t) => {
    const { database, openAnother } = await open(t);
    const fleet = [database, await openAnother()] as const;
    const rounds = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.array(step, { minLength: 1, maxLength: 6 })), {
      maxLength: 10,
    });
    await fc.assert(
      fc.asyncProperty(rounds, async (list) => {
        await database.write('empty', (trx) => trx.run(trx.builder.deleteFrom('spending')));
        const held: Order[] = [];
        let now = START;
        for (const [days, steps] of list) {
          now += days * DAY_MS;
          const leaving = steps.flatMap((one) =>
            one.what === 'give back' ? held.splice(one.which % Math.max(1, held.length), 1) : [],
          );
          const placed = await Promise.all([
            ...leaving.map((one, place) => giveBack(fleet[place % 2]!, one)),
            ...steps.map((one) =>
              one.what === 'order' ? order(fleet[one.process]!, { ...one, at: now - one.behindMs }) : null,
            ),
          ]);
          for (const one of placed) if (one !== null) held.push(one);
          for (const subject of ['key_a', 'key_b', 'an end user'])
            for (const window of WINDOWS) {
              const mine = held.filter((one) => one.subject === subject && one.at >= windowStart(window, now));
              const used = await spentIn(fleet[1].read, subject, window, now);
              assert.equal(
                used,
                mine.reduce((sum, { amount }) => sum + amount, 0),
                `${subject} ${window}`,
              );
              assert.ok(used <= LIMITS[window], `${subject} ${window} ${used}`);
              const periods = Map.groupBy(
                held.filter((one) => one.subject === subject),
                ({ at }) => windowStart(window, at),
              );
              for (const [start, all] of periods) {
                const sum = all.reduce((total, { amount }) => total + amount, 0);
                assert.ok(sum <= LIMITS[window], `${subject} ${window} from ${start} on: ${sum}`);
              }
            }
        }
      }),
      { numRuns: kind === 'sqlite' ? 60 : 15 },
    );
  });

  test('what a late clock adds to a day that is over counts in all time, and the newer day counts against its limit', async (t) => {
    const { database } = await open(t);
    const add = (at: number, amount: number) =>
      database.write('add', async (trx) => addSpending(trx, 'key_a', amount, at, true));
    await add(START + DAY_MS, 4);
    await add(START, 3);
    const spent = (at: number) => Promise.all(WINDOWS.map((window) => spentIn(database.read, 'key_a', window, at)));
    assert.deepEqual(await spent(START + DAY_MS), [4, 7, 7]);
    assert.deepEqual(await spent(START), [4, 7, 7]);
    assert.deepEqual(await spent(START + 40 * DAY_MS), [0, 0, 7]);
  });

  test('an amount that makes no row counts only where there is one', async (t) => {
    const { database } = await open(t);
    const add = (makesRow: boolean) =>
      database.write('add', async (trx) => addSpending(trx, 'key_a', 2, START, makesRow));
    const spent = () => spentIn(database.read, 'key_a', 'total', START);
    await add(false);
    assert.equal(await spent(), 0);
    await add(true);
    await add(false);
    assert.equal(await spent(), 4);
  });
});
