import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import { placeOrder } from '../../test/ended-order.ts';
import { holdWrites } from '../../test/hold-writes.ts';
import { insertKey, openTestServices } from '../../test/task-services.ts';

const PRICE = 5_000;
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
