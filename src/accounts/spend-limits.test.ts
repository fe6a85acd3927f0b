import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError, windowStart } from '@darkroom-service/contract';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { placeOrder } from '../../test/helpers/ended-order.ts';
import { holdWrites } from '../../test/helpers/hold-writes.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { auditEndUsers } from '../service/doctor/audit-end-users.ts';
import { auditSpending } from '../service/doctor/audit-spending.ts';

const PRICE = 5_000;
const DAILY = { day: 2 * PRICE, month: null, total: null };
const LIMITS = { day: null, month: null, total: 2 * PRICE };

for (const { whose, wish, code } of [
  { whose: 'key', wish: { spendLimits: LIMITS }, code: 'spend_limit_reached' },
  { whose: 'end user', wish: { endUserLimits: LIMITS }, code: 'end_user_limit_reached' },
])
  test(`an order that comes while another process places one of the same ${whose} has what that leaves of the limit`, async (t) => {
    const { services, openAnother } = await openTestServices(t, 'postgres');
    const body = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', end_user: 'ada' };
    const key = await insertKey(services, { mode: 'test', ...wish });
    assert.equal((await placeOrder(services, key, 'image', body)).price, PRICE);
    const other = await openAnother();
    using held = holdWrites(other.database);
    const first = placeOrder({ ...other, database: held.database }, key, 'image', body);
    await held.entered;
    const outcome = placeOrder(services, key, 'image', body).then(
      () => 'placed',
      (error: unknown) => (error instanceof ServiceError ? error.code : error),
    );
    // Without a lock it does not wait.
    await Promise.race([held.untilAwaited(), outcome]);
    held.commit();
    assert.ok(await first);
    assert.equal(await outcome, code);
  });

forEachDatabase((kind) => {
  for (const { whose, wish, code } of [
    { whose: 'key', wish: { spendLimits: DAILY }, code: 'spend_limit_reached' },
    { whose: 'end user', wish: { endUserLimits: DAILY }, code: 'end_user_limit_reached' },
  ])
    test(`orders of a process whose clock is behind at midnight count in the day that has begun, within what the ${whose} may spend in it`, async (t) => {
      const { services, clock } = await openTestServices(t, kind);
      const key = await insertKey(services, { mode: 'test', ...wish });
      const body = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', end_user: 'ada' };
      const midnight = windowStart('day', clock.now() + 86_400_000);
      clock.advance(midnight - clock.now() + 1000);
      const late = { ...services, clock: { ...services.clock, now: () => midnight - 1000 } };
      const first = await placeOrder(services, key, 'image', body);
      const second = await placeOrder(late, key, 'image', body);
      assert.equal(second.created_at, midnight);
      assert.equal(first.deadline_at - second.deadline_at, 2000, 'its time runs by its own clock');
      await assert.rejects(placeOrder(late, key, 'image', body), { code });
      const { read } = services.database;
      for (const { faults } of [
        await auditSpending(read, services.hooks, clock.now()),
        await auditEndUsers(read, clock.now()),
      ])
        assert.deepEqual(faults, []);
    });
});
