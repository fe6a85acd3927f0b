import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '@darkroom-service/contract';
import fc from 'fast-check';
import { loadConfig } from '../../test/helpers/load-config.ts';
import { type BudgetLimits, Budgets, type Share } from './budgets.ts';
import type { Owner } from './scope.ts';

function open(limits: Partial<BudgetLimits>, endUserPercent: number, now = () => 0) {
  return new Budgets({ limits: { ...loadConfig({}).budgets, ...limits }, endUserPercent, now });
}

const grant = { models: [], maxPrice: null, createsPerMinute: 0, origins: [], expiresAt: 0 };
const endUser = (name: string, id = 'key_a'): Owner => ({ id, client: { ...grant, endUser: name } });
const key: Owner = { id: 'key_a' };

test('an end user reaches its share of the key and is told so, while the key and other end users have the rest', () => {
  const budgets = open({ streams: 4 }, 50);
  const first = budgets.take(endUser('ada'), 'streams', 1);
  budgets.take(endUser('ada'), 'streams', 1);
  assert.throws(
    () => budgets.take(endUser('ada'), 'streams', 1),
    (error) =>
      error instanceof ServiceError &&
      error.code === 'rate_limited' &&
      error.message ===
        'This end user has reached its share of the open event streams: 2 in use, 1 more requested, at most 2 at once. Retry in 1 s.',
  );
  assert.deepEqual(
    budgets.state(endUser('bob'), ['streams']).map(({ limit, remaining }) => [limit, remaining]),
    [[2, 2]],
  );
  budgets.take(endUser('bob'), 'streams', 1);
  budgets.take(key, 'streams', 1);
  assert.throws(() => budgets.take(endUser('bob'), 'streams', 1), /^ServiceError: This API key has reached the limit/);
  assert.deepEqual(
    budgets.state(endUser('bob'), ['streams']).map(({ limit, remaining }) => [limit, remaining]),
    [[2, 0]],
  );
  first.release();
  budgets.take(endUser('bob'), 'streams', 1);
});

test('the smallest share is one, and a key without client tokens has the whole budget', () => {
  const budgets = open({ streams: 5 }, 1);
  budgets.take(endUser('ada'), 'streams', 1);
  assert.throws(() => budgets.take(endUser('ada'), 'streams', 1), /at most 1 at once/);
  for (let stream = 0; stream < 4; stream++) budgets.take(key, 'streams', 1);
});

test('in any order of takes and releases, no end user exceeds its share, no key its limit, and nothing leaks', () => {
  const callers = [key, endUser('ada'), endUser('bob'), endUser('ada', 'key_b')];
  const step = fc.record({ caller: fc.nat(callers.length - 1), amount: fc.integer({ min: 1, max: 3 }), end: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budgets = open({ streams: 10 }, 40);
      const held: { readonly caller: Owner; readonly amount: number; readonly share: Share }[] = [];
      const sum = (isOne: (caller: Owner) => boolean) =>
        held.filter(({ caller }) => isOne(caller)).reduce((total, { amount }) => total + amount, 0);
      for (const { caller: number, amount, end } of steps) {
        const caller = callers[number]!;
        const ofKey = sum(({ id }) => id === caller.id);
        const own = sum((one) => one === caller);
        const fits = ofKey + amount <= 10 && (caller.client === undefined || own + amount <= 4);
        try {
          held.push({ caller, amount, share: budgets.take(caller, 'streams', amount) });
          assert.ok(fits);
        } catch (error) {
          assert.ok(error instanceof ServiceError && !fits);
        }
        if (end % 3 === 0) held.splice(end % Math.max(1, held.length), 1)[0]?.share.release();
      }
      for (const { share } of held) share.release();
      for (const caller of callers)
        for (const { limit, remaining } of budgets.state(caller, ['streams'])) assert.equal(remaining, limit);
    }),
  );
});

test('in any order of arrivals, ends and departures, turns keep to the share of an end user, and nobody waits for the share of another', async () => {
  const callers = [key, endUser('ada'), endUser('bob'), endUser('ada', 'key_b')];
  const step = fc.record({
    caller: fc.nat(callers.length - 1),
    act: fc.constantFrom('arrive', 'end', 'leave'),
    at: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const budgets = open({ examinations: 5 }, 40);
      const held: { readonly caller: Owner; readonly share: Share }[] = [];
      const waiting: { readonly caller: Owner; readonly leaving: AbortController }[] = [];
      const arrive = (caller: Owner) => {
        const one = { caller, leaving: new AbortController() };
        waiting.push(one);
        const arrived = () => void waiting.splice(waiting.indexOf(one), 1);
        budgets.takeInTurn(caller, 'examinations', 1, { signal: one.leaving.signal }).then((share) => {
          arrived();
          held.push({ caller, share });
        }, arrived);
      };
      const count = (isOne: (caller: Owner) => boolean) => held.filter(({ caller }) => isOne(caller)).length;
      for (const { caller: number, act, at } of steps) {
        if (act === 'arrive') arrive(callers[number]!);
        else if (act === 'end') held.splice(at % Math.max(1, held.length), 1)[0]?.share.release();
        else waiting[at % Math.max(1, waiting.length)]?.leaving.abort();
        await turn();
        const hasShare = (caller: Owner) => caller.client === undefined || count((one) => one === caller) < 2;
        const hasKey = (caller: Owner) => count(({ id }) => id === caller.id) < 5;
        for (const caller of callers) {
          assert.ok(count(({ id }) => id === caller.id) <= 5);
          assert.ok(caller.client === undefined || count((one) => one === caller) <= 2);
        }
        for (const { caller } of waiting)
          assert.ok(!hasShare(caller) || !hasKey(caller), 'waits although there is room');
      }
      while (held.length > 0) {
        held.pop()?.share.release();
        await turn();
      }
      assert.equal(waiting.length, 0);
      for (const caller of callers)
        for (const { limit, remaining } of budgets.state(caller, ['examinations'])) assert.equal(remaining, limit);
    }),
  );
});

test('an end user that has spent its share of a minute is refused and spends nothing of the key, which others go on using', () => {
  let time = 0;
  const budgets = open({ examined_pixels: 600 }, 10, () => time);
  const left = (owner: Owner) => budgets.state(owner, ['examined_pixels'])[0]?.remaining;
  budgets.take(endUser('ada'), 'examined_pixels', 70);
  for (const amount of [0, 500])
    assert.throws(
      () => budgets.take(endUser('ada'), 'examined_pixels', amount),
      /This end user has reached its share of the examined pixels: all of 60 per minute used\. Retry in 11 s\./,
    );
  assert.deepEqual([left(endUser('ada')), left(endUser('bob')), left(key)], [0, 60, 530]);
  budgets.take(key, 'examined_pixels', 510);
  assert.deepEqual([left(endUser('bob')), left(key)], [20, 20]);
  time = 11_000;
  budgets.take(endUser('ada'), 'examined_pixels', 0);
});
