import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { createTurns } from './turns.ts';

const patient = new AbortController().signal;

test('at most the limit run under one name, and the others follow in order', async () => {
  const turns = createTurns(2);
  const begun: number[] = [];
  const taken = [1, 2, 3, 4].map(async (number) => {
    const end = await turns.take('a', patient);
    begun.push(number);
    return end;
  });
  (await turns.take('b', patient))();
  assert.deepEqual(begun, [1, 2], 'another name has turns of its own');
  const endFirst = await taken[0]!;
  endFirst();
  endFirst();
  await taken[2];
  assert.deepEqual(begun, [1, 2, 3], 'a turn that is ended twice makes room once');
  (await taken[1]!)();
  (await taken[3]!)();
  (await taken[2]!)();
  assert.deepEqual(begun, [1, 2, 3, 4]);
});

test('an aborted waiter leaves the queue', async () => {
  const turns = createTurns(1);
  const end = await turns.take('a', patient);
  const impatient = new AbortController();
  const waiting = turns.take('a', impatient.signal);
  const next = turns.take('a', patient);
  impatient.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(turns.take('a', impatient.signal), /enough/);
  end();
  (await next)();
  (await turns.take('a', patient))();
});

const LIMIT = 5;
const step = fc.record({
  kind: fc.constantFrom('take' as const, 'take_at_once' as const, 'release' as const, 'abort' as const),
  name: fc.constantFrom('a', 'b'),
  amount: fc.constantFrom(0, 1, 3, LIMIT),
  which: fc.nat({ max: 30 }),
});

interface Taken {
  readonly name: string;
  readonly amount: number;
  readonly patience: AbortController;
  state: 'waiting' | 'held' | 'released' | 'aborted';
  end: () => void;
}

test('however turns are taken, ended twice and aborted, a name never uses more than the limit, and each waiter is served', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const turns = createTurns(LIMIT);
      const all: Taken[] = [];
      const usedBy = (name: string) =>
        all.reduce((sum, one) => (one.name === name && one.state === 'held' ? sum + one.amount : sum), 0);
      const release = (one: Taken) => {
        if (one.state === 'held') one.state = 'released';
        one.end();
      };
      for (const { kind, name, amount, which } of steps) {
        const known = all[which % Math.max(1, all.length)];
        const patience = new AbortController();
        const begin = (end: () => void) => Object.assign(one, { state: 'held', end });
        const one: Taken = { name, amount, patience, state: 'waiting', end: () => {} };
        if (kind === 'take') {
          all.push(one);
          void turns.take(name, patience.signal, amount).then(begin, () => Object.assign(one, { state: 'aborted' }));
        } else if (kind === 'take_at_once') {
          const end = turns.takeAtOnce(name, amount);
          if (end !== null) all.push(one) && begin(end);
        } else if (known !== undefined && kind === 'release') release(known);
        else known?.patience.abort(new Error('enough'));
        await setImmediate();
        for (const used of ['a', 'b']) {
          assert.equal(turns.state(used).used, usedBy(used));
          assert.ok(usedBy(used) <= LIMIT, `${usedBy(used)} of ${LIMIT} in use`);
        }
      }
      while (all.some(({ state }) => state === 'held')) {
        for (const one of all) release(one);
        await setImmediate();
      }
      assert.ok(all.every(({ state }) => state === 'released' || state === 'aborted'));
      for (const name of ['a', 'b']) assert.deepEqual(turns.state(name), { used: 0, waiting: 0 });
    }),
    { numRuns: 500 },
  );
});

test('the end of a turn of amount 0 does not forget later turns of its name', () => {
  const turns = createTurns(5);
  const first = turns.takeAtOnce('a', 0);
  const late = turns.takeAtOnce('a', 0);
  first?.();
  const whole = turns.takeAtOnce('a', 5);
  late?.();
  assert.equal(turns.takeAtOnce('a', 1), null, 'the whole limit is in use');
  whole?.();
  assert.deepEqual(turns.state('a'), { used: 0, waiting: 0 });
});
