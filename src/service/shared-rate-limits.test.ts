import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../test/helpers/databases.ts';
import { createRateLimits } from '../accounts/rate-limits.ts';
import { createSharedRateLimits } from './shared-rate-limits.ts';

const MINUTE = 60_000;

for (const limit of [1, 7, 100]) {
  test(`three processes together serve exactly ${limit} requests a minute for a key`, async (t) => {
    let time = 1000 * MINUTE;
    const now = () => time;
    const { database } = await openTestDatabase(t, 'postgres', { clock: { now } });
    const processes = [1, 2, 3].map(() => createSharedRateLimits({ local: createRateLimits({ now }), database, now }));
    for (let minute = 0; minute < 2; minute++) {
      const decisions = await Promise.all(
        Array.from({ length: limit * 3 }, (_, index) => processes[index % 3]!.take('key', 'creates', limit)),
      );
      const served = decisions.filter((decision) => decision?.allowed).length;
      assert.ok(served <= limit, `${served} of ${limit} served`);
      assert.ok(served >= limit - 2 * Math.floor(limit / 20), `${served} of ${limit} served`);
      time += MINUTE;
    }
  });
}

test('what a process has left of its share is gone with the minute', async (t) => {
  let time = 1000 * MINUTE + 50_000;
  const now = () => time;
  const { database } = await openTestDatabase(t, 'postgres', { clock: { now } });
  const [one, other] = [1, 2].map(() => createSharedRateLimits({ local: createRateLimits({ now }), database, now }));
  assert.equal((await one!.take('key', 'creates', 100))?.allowed, true);
  time += 15_000;
  let served = 0;
  while ((await other!.take('key', 'creates', 100))?.allowed) served++;
  assert.equal(served, 100);
  assert.equal((await one!.take('key', 'creates', 100))?.allowed, false);
});

test('a refusal says when the next minute begins', async (t) => {
  const now = () => 1000 * MINUTE + 45_000;
  const { database } = await openTestDatabase(t, 'postgres', { clock: { now } });
  const limits = createSharedRateLimits({ local: createRateLimits({ now }), database, now });
  const other = createSharedRateLimits({ local: createRateLimits({ now }), database, now });
  assert.equal((await limits.take('key', 'reads', 1))?.allowed, true);
  assert.equal((await other.take('key', 'reads', 1))?.state.resetSeconds, 15);
});

test("a process whose clock is ahead does not use up the others' requests", async (t) => {
  const { database } = await openTestDatabase(t, 'postgres');
  const [ahead, behind] = [Date.now() + 5 * MINUTE, Date.now() - 5 * MINUTE].map((time) => {
    const now = () => time;
    return createSharedRateLimits({ local: createRateLimits({ now }), database, now });
  });
  for (const limits of [ahead, behind, ahead, behind])
    assert.equal((await limits?.take('key', 'reads', 3000))?.allowed, true);
});
