import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../base/errors.ts';
import { loadConfig } from '../config/config.ts';
import type { Share } from './budgets.ts';
import type { Owner } from './client-scope.ts';
import { createKeyBudgets } from './end-user-budgets.ts';

function open(streams: number, endUserPercent: number) {
  return createKeyBudgets({ limits: { ...loadConfig({}).budgets, streams, waits: 4 }, endUserPercent, now: () => 0 });
}

const grant = { models: [], maxPrice: null, createsPerMinute: 0, origins: [], expiresAt: 0 };
const endUser = (name: string, id = 'key_a'): Owner => ({ id, client: { ...grant, endUser: name } });
const key: Owner = { id: 'key_a' };

test('an end user reaches its share of the key and is told so, while the key and other end users have the rest', () => {
  const budgets = open(4, 50);
  const first = budgets.acquire(endUser('ada'), 'streams', 1);
  budgets.acquire(endUser('ada'), 'streams', 1);
  assert.throws(
    () => budgets.acquire(endUser('ada'), 'streams', 1),
    (error) =>
      error instanceof ServiceError &&
      error.code === 'rate_limited' &&
      error.message ===
        'This end user has reached its share of the open event streams: 2 in use, 1 more requested, at most 2 at once (settings DARKROOM_KEY_STREAMS, DARKROOM_END_USER_PERCENT). Retry in 1 s.',
  );
  assert.deepEqual(
    budgets.state(endUser('bob'), ['streams']).map(({ limit, remaining }) => [limit, remaining]),
    [[2, 2]],
  );
  budgets.acquire(endUser('bob'), 'streams', 1);
  budgets.acquire(key, 'streams', 1);
  assert.throws(
    () => budgets.acquire(endUser('bob'), 'streams', 1),
    /^ServiceError: This API key has reached the limit/,
  );
  assert.deepEqual(
    budgets.state(endUser('bob'), ['streams']).map(({ limit, remaining }) => [limit, remaining]),
    [[2, 0]],
  );
  first.release();
  budgets.acquire(endUser('bob'), 'streams', 1);
});

test('the smallest share is one, and a key without client tokens has the whole budget', () => {
  const budgets = open(5, 1);
  budgets.acquire(endUser('ada'), 'streams', 1);
  assert.throws(() => budgets.acquire(endUser('ada'), 'streams', 1), /at most 1 at once/);
  for (let stream = 0; stream < 4; stream++) budgets.acquire(key, 'streams', 1);
});

test('in any order of takes and releases, no end user exceeds its share, no key its limit, and nothing leaks', () => {
  const callers = [key, endUser('ada'), endUser('bob'), endUser('ada', 'key_b')];
  const step = fc.record({ caller: fc.nat(callers.length - 1), amount: fc.integer({ min: 1, max: 3 }), end: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budgets = open(10, 40);
      const held: { readonly caller: Owner; readonly amount: number; readonly share: Share }[] = [];
      const sum = (isOne: (caller: Owner) => boolean) =>
        held.filter(({ caller }) => isOne(caller)).reduce((total, { amount }) => total + amount, 0);
      for (const { caller: number, amount, end } of steps) {
        const caller = callers[number]!;
        const ofKey = sum(({ id }) => id === caller.id);
        const own = sum((one) => one === caller);
        const fits = ofKey + amount <= 10 && (caller.client === undefined || own + amount <= 4);
        try {
          held.push({ caller, amount, share: budgets.acquire(caller, 'streams', amount) });
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
