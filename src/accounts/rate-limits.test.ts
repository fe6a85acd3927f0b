import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { createRateLimits } from './rate-limits.ts';

test('a key may send up to its limit in a minute, then is told when to retry', () => {
  let time = 1_000_000_500;
  const limits = createRateLimits({ now: () => time });
  const take = () => {
    const decision = limits.take('a', 'creates', 3);
    return decision && { allowed: decision.allowed, ...rateLimitHeaders([decision.state]) };
  };
  assert.equal(take()?.ratelimit, '"creates";r=2;t=60');
  time += 10_000;
  take();
  const all = { 'ratelimit-policy': '"creates";q=3;w=60', ratelimit: '"creates";r=0;t=50' };
  assert.deepEqual(take(), { allowed: true, ...all });
  assert.deepEqual(take(), { allowed: false, ...all });
  time += 50_000;
  assert.deepEqual(
    [1, 2].map(() => take()?.allowed),
    [true, false],
  );
});

test('keys and kinds do not share a limit, and 0 is none', () => {
  const limits = createRateLimits({ now: () => 0 });
  assert.equal(limits.take('a', 'creates', 1)?.allowed, true);
  assert.equal(limits.take('a', 'reads', 1)?.allowed, true);
  assert.equal(limits.take('b', 'creates', 1)?.allowed, true);
  assert.equal(limits.take('a', 'creates', 1)?.allowed, false);
  assert.equal(limits.take('a', 'creates', 0), null);
});

test('no minute has more requests than the limit, and a client that waits as long as told is served', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }),
      (limit, pauses) => {
        let time = 5_000_000;
        const limits = createRateLimits({ now: () => time });
        const taken: number[] = [];
        for (const pause of pauses) {
          time += pause;
          const decision = limits.take('a', 'reads', limit);
          if (decision?.allowed) taken.push(Math.floor(time / 1000));
          else {
            time += decision!.state.resetSeconds * 1000;
            assert.equal(limits.take('a', 'reads', limit)?.allowed, true);
            taken.push(Math.floor(time / 1000));
          }
        }
        for (const second of taken) {
          const within = taken.filter((other) => other > second - 60 && other <= second).length;
          assert.ok(within <= limit, `${within} requests in a minute of ${limit}`);
        }
      },
    ),
    { numRuns: 200 },
  );
});
