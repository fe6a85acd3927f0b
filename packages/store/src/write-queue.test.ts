import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Unit } from './store.ts';
import { type OpenTransaction, WriteQueue } from './write-queue.ts';

interface Order {
  readonly takesMs: number;
  readonly end: 'writes' | 'is refused' | 'fails after writing';
}

/** A database that blocks the event loop while a unit runs, and keeps what was committed. */
function open(longestMs: number) {
  const stored: number[] = [];
  let commits = 0;
  let rollbacks = 0;
  let written: number[] = [];
  let unitWrote = false;
  const begin = async (): Promise<OpenTransaction<object>> => {
    written = [];
    return {
      openUnit() {
        unitWrote = false;
        return { session: {} as never, hasWritten: () => unitWrote, end: () => {} };
      },
      async commit() {
        commits++;
        stored.push(...written);
        return { flush: null };
      },
      async rollback() {
        rollbacks++;
      },
    };
  };
  const queue = new WriteQueue({ begin, hook: null, longestMs });
  const write = (number: number, { takesMs, end }: Order) => {
    const unit: Unit<number, object> = async () => {
      for (const until = performance.now() + takesMs; performance.now() < until; );
      if (end === 'is refused') throw new Error(end);
      unitWrote = true;
      written.push(number);
      if (end === 'fails after writing') throw new Error(end);
      return number;
    };
    return queue.write('test', unit, false);
  };
  return { write, stored, commits: () => commits, rollbacks: () => rollbacks };
}

const anyOrder: fc.Arbitrary<Order> = fc.record({
  takesMs: fc.constantFrom(0, 0, 0.5, 2),
  end: fc.constantFrom<Order['end']>('writes', 'writes', 'writes', 'is refused', 'fails after writing'),
});

test('whatever a group has no time for is written by the next ones: each good unit once, each faulty one refused alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyOrder, { maxLength: 20 }),
      fc.constantFrom(0, 1, 5, 1_000),
      async (orders, longest) => {
        const { write, stored } = open(longest);
        const results = await Promise.allSettled(orders.map((order, number) => write(number, order)));
        const good = orders.flatMap(({ end }, number) => (end === 'writes' ? [number] : []));
        assert.deepEqual(
          stored.toSorted((one, other) => one - other),
          good,
        );
        for (const [number, { status }] of results.entries())
          assert.equal(status, good.includes(number) ? 'fulfilled' : 'rejected', `unit ${number}`);
      },
    ),
    { numRuns: 200 },
  );
});

test('a group ends after its time, and the event loop turns before the next one', async () => {
  const { write, commits } = open(5);
  let turns = 0;
  let ended = false;
  const turn = () => {
    turns++;
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(Array.from({ length: 20 }, (_, number) => write(number, { takesMs: 2, end: 'writes' })));
  ended = true;
  assert.ok(commits() >= 5, `expected the units in several groups, found ${commits()}`);
  assert.ok(turns >= commits() - 1, `expected a turn between groups, found ${turns} for ${commits()}`);
});

test('short units are written together', async () => {
  const { write, commits } = open(1_000);
  await Promise.all(Array.from({ length: 100 }, (_, number) => write(number, { takesMs: 0, end: 'writes' })));
  assert.equal(commits(), 1);
});

test('a group whose units were all refused is rolled back, not committed', async () => {
  const { write, commits, rollbacks } = open(1_000);
  const refused = [0, 1].map((number) => write(number, { takesMs: 0, end: 'is refused' }));
  for (const { status } of await Promise.allSettled(refused)) assert.equal(status, 'rejected');
  await write(2, { takesMs: 0, end: 'writes' });
  assert.deepEqual([commits(), rollbacks()], [1, 1]);
});
