import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import fc from 'fast-check';
import { ANONYMOUS, BUDGETS, type BudgetLimits, Budgets, LONGEST_LINE, type Share } from './budgets.ts';

const LIMITS = Object.fromEntries(Object.keys(BUDGETS).map((name) => [name, 10])) as unknown as BudgetLimits;

function open(limits: Partial<BudgetLimits> = {}) {
  const clock = { now: 0 };
  return {
    clock,
    budgets: new Budgets({ limits: { ...LIMITS, ...limits }, endUserPercent: 10, now: () => clock.now }),
  };
}

function refused(take: () => unknown): ServiceError {
  try {
    take();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error;
  }
  assert.fail('expected a refusal');
}

test('a request beyond a budget is refused, and the error names the budget, its use and its limit', () => {
  const { budgets } = open({ streams: 2 });
  const first = budgets.take('key_a', 'streams', 1);
  budgets.take('key_a', 'streams', 1);
  const { code, message, retryAfterSeconds } = refused(() => budgets.take('key_a', 'streams', 1));
  assert.equal(code, 'rate_limited');
  assert.equal(retryAfterSeconds, 1);
  assert.equal(
    message,
    'This API key has reached the limit of open event streams: 2 in use, 1 more requested, at most 2 at once. Retry in 1 s.',
  );
  budgets.take('key_b', 'streams', 1);
  first.release();
  first.release();
  budgets.take('key_a', 'streams', 1);
  refused(() => budgets.take('key_a', 'streams', 1));
});

test('requests without a key share one budget, and the refusal says so', () => {
  const { budgets } = open({ anonymous_requests: 1 });
  budgets.take(ANONYMOUS, 'anonymous_requests', 1);
  assert.match(
    refused(() => budgets.take(ANONYMOUS, 'anonymous_requests', 1)).message,
    /^Requests without an API key have reached the limit of requests without an API key: 1 in use, 1 more requested, at most 1 at once\. Retry/,
  );
});

test('in any order of takes and releases, use never exceeds the limit and nothing leaks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ amount: fc.integer({ min: 0, max: 15 }), inTurn: fc.boolean(), release: fc.nat() }), {
        maxLength: 40,
      }),
      async (steps) => {
        const { budgets } = open();
        const held: { share: Share; amount: number }[] = [];
        const coming: Promise<unknown>[] = [];
        const hold = (share: Share, amount: number) => {
          held.push({ share, amount: Math.min(amount, 10) });
          assert.ok(held.reduce((sum, one) => sum + one.amount, 0) <= 10);
        };
        for (const { amount, inTurn, release } of steps) {
          if (inTurn) {
            const share = budgets.takeInTurn('key', 'body_bytes', amount);
            coming.push(share.then((taken) => hold(taken, amount)));
          } else {
            try {
              hold(budgets.take('key', 'body_bytes', amount), amount);
            } catch (error) {
              assert.ok(error instanceof ServiceError);
            }
          }
          await Promise.resolve();
          if (held.length > 0) held.splice(release % held.length, 1)[0]?.share.release();
        }
        // Waiting callers get their shares once the others are released: none waits forever.
        const all = Promise.all(coming);
        let done = false;
        void all.then(() => {
          done = true;
        });
        for (let turn = 0; turn < 200 && !done; turn++) {
          held.shift()?.share.release();
          await Promise.resolve();
        }
        await all;
        for (const { share } of held) share.release();
        assert.equal(budgets.state('key', ['body_bytes'])[0]?.remaining, 10);
      },
    ),
    { numRuns: 60 },
  );
});

test('waiting requests start in order of arrival, and one that gives up leaves the queue', async () => {
  const { budgets } = open({ examinations: 1 });
  const order: string[] = [];
  const first = await budgets.takeInTurn('key', 'examinations', 1);
  const leaving = new AbortController();
  const left = budgets.takeInTurn('key', 'examinations', 1, { signal: leaving.signal });
  const second = budgets.takeInTurn('key', 'examinations', 1).then((share) => {
    order.push('second');
    share.release();
  });
  const third = budgets.takeInTurn('key', 'examinations', 1).then(() => order.push('third'));
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  first.release();
  await Promise.all([second, third]);
  assert.deepEqual(order, ['second', 'third']);
});

test('a request is refused when the queue is full', async () => {
  const { budgets } = open({ examinations: 1 });
  await budgets.takeInTurn('key', 'examinations', 1);
  for (let place = 0; place < LONGEST_LINE; place++) void budgets.takeInTurn('key', 'examinations', 1);
  await assert.rejects(budgets.takeInTurn('key', 'examinations', 1), { code: 'rate_limited' });
});

test('few reports wait, because each of them may take a while', async () => {
  const { budgets } = open({ reports: 2 });
  for (let place = 0; place < 2 + BUDGETS.reports.line; place++) void budgets.takeInTurn('key', 'reports', 1);
  await assert.rejects(budgets.takeInTurn('key', 'reports', 1), {
    code: 'rate_limited',
    message: /2 in use and 32 waiting, at most 2 at once/,
  });
});

test('a budget per minute may be overdrawn once, and then refills over time', () => {
  const { budgets, clock } = open({ examined_pixels: 600 });
  budgets.take('key', 'examined_pixels', 500);
  budgets.take('key', 'examined_pixels', 400);
  const { message, retryAfterSeconds } = refused(() => budgets.take('key', 'examined_pixels', 1));
  assert.equal(retryAfterSeconds, 31);
  assert.match(message, /examined pixels: all of 600 per minute used\. Retry in 31 s\.$/);
  clock.now += 31_000;
  budgets.take('key', 'examined_pixels', 0);
  assert.deepEqual(budgets.state('key', ['examined_pixels']), [
    { name: 'examined_pixels', unit: 'pixels', limit: 600, remaining: 10, windowSeconds: 60, resetSeconds: 59 },
  ]);
  clock.now -= 3_600_000;
  assert.equal(budgets.state('key', ['examined_pixels'])[0]?.remaining, 10);
  clock.now += 7_200_000;
  assert.equal(budgets.state('key', ['examined_pixels'])[0]?.remaining, 600);
});
