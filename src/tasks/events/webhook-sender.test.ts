import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract/ids';
import type { TaskView } from '@darkroom-service/contract/task';
import type { DeliveryView } from '@darkroom-service/contract/webhook';
import { FetchFault } from '@darkroom-service/media/net/fetch-fault';
import type { TrustedFetch } from '@darkroom-service/media/net/trusted-fetch';
import { until } from '@darkroom-service/testing/until';
import { pino } from 'pino';
import { forEachDatabase, type OpenTestDatabase } from '../../../test/databases.ts';
import { ManualClock } from '../../../test/task-services.ts';
import type { Database } from '../../database/database.ts';
import { NO_TRACER } from '../tracer.ts';
import { enterDelivery, listDeliveries, redeliver } from './webhook-deliveries.ts';
import { startWebhookSender } from './webhook-sender.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** From one attempt to the next, give or take a tenth (contract §8). */
const PAUSES = [5_000, 30_000, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
const EVERYTHING = { keyId: null, accountId: null, mode: null, status: null, taskId: null, after: null, limit: 10 };

/** Tests the schedule with a simulated clock; contract tests cover real requests. */
forEachDatabase((_, openTestDatabase) => {
  test('a delivery is tried eight times on schedule, then it is failed until it is redelivered', async (t) => {
    const { clock, database, sender, attempts, shown } = await open(t, openTestDatabase, () => 500);
    for (const [place, pause] of PAUSES.entries()) {
      const delivery = await shown((one) => one.attempts.length === place + 1);
      assert.equal(delivery.status, 'pending');
      const waits = Date.parse(delivery.next_attempt_at ?? '') - clock.now();
      assert.ok(Math.abs(waits - pause) <= pause / 10, `${waits} ms after attempt ${place + 1}`);
      clock.advance(waits - 1);
      sender.wake();
      await database.write('look', async () => {});
      assert.equal(attempts(), place + 1, 'not a moment earlier');
      clock.advance(1);
      sender.wake();
    }
    const failed = await shown((one) => one.attempts.length === 8);
    assert.deepEqual([failed.status, failed.next_attempt_at], ['failed', null]);
    clock.advance(1000 * HOUR);
    sender.wake();
    await redeliver(database, EVERYTHING, failed.delivery_id, {
      ...{ actor: 'test', now: clock.now(), createId: createIdFactory(() => clock.now()) },
    });
    sender.wake();
    const again = await shown((one) => one.attempts.length === 9);
    assert.equal(again.status, 'pending');
    const waits = Date.parse(again.next_attempt_at ?? '') - clock.now();
    assert.ok(Math.abs(waits - 5_000) <= 500, 'the schedule begins anew');
  });

  test('an attempt without a connection is logged as such, and the next one has the same id', async (t) => {
    let calls = 0;
    const { clock, sender, ids, shown } = await open(t, openTestDatabase, () => {
      if (++calls === 1) throw new FetchFault('connect', 'could not connect to the host', { sent: 'no' });
      return 204;
    });
    await shown((one) => one.attempts.length === 1);
    clock.advance(6_000);
    sender.wake();
    const { status, attempts } = await shown((one) => one.attempts.length === 2);
    assert.equal(status, 'delivered');
    assert.deepEqual(
      attempts.map(({ error }) => error),
      ['could not connect to the host', null],
    );
    assert.equal(new Set(ids).size, 1);
  });

  test('a hanging receiver does not delay deliveries to others', async (t) => {
    const clock = new ManualClock();
    const told: string[] = [];
    const heard = Promise.withResolvers<void>();
    const hang = Promise.withResolvers<never>();
    hang.promise.catch(() => {});
    // Before the database is closed: what follows in a closed one would open it again.
    t.after(async () => {
      hang.reject(new FetchFault('timeout', 'no answer within 10 s', { sent: 'unknown' }));
      await sender.stop();
    });
    const { database } = await openTestDatabase(t, { clock });
    const sender = startSender(database, clock, async (url) => {
      told.push(url);
      if (url.includes('silent')) return await hang.promise;
      heard.resolve();
      return 204;
    });
    await database.write('events', async (trx) => {
      for (let place = 0; place < 100; place++) enterDelivery(trx, event(clock, `whd_${place}`, 'silent'));
      enterDelivery(trx, event(clock, 'whd_last', 'heard'));
    });
    sender.wake();
    await heard.promise;
    assert.ok(told.length < 20, `${told.length} attempts`);
  });
});

function event(clock: ManualClock, id: string, account: string) {
  const url = `https://${account}.example.com/hook`;
  return { id, account, key: 'key_1', subject: 'img_1', type: 'task.failed', url, now: clock.now() } as const;
}

function startSender(database: Database, clock: ManualClock, answer: (url: string, id: string) => Promise<number>) {
  const fetch = async (url: string, { headers }: { headers: Record<string, string> }) => ({
    status: await answer(url, headers['webhook-id'] ?? ''),
    body: { destroy() {} },
  });
  return startWebhookSender({
    database,
    clock,
    createId: createIdFactory(() => clock.now()),
    isHeld: () => false,
    fetch: fetch as unknown as TrustedFetch,
    log: pino({ level: 'silent' }),
    tracer: NO_TRACER,
    figures: { webhookEnded() {} },
    view: async () => ({ task_id: 'img_1' }) as TaskView,
  });
}

async function open(t: TestContext, openTestDatabase: OpenTestDatabase, answer: () => number) {
  const clock = new ManualClock();
  t.after(() => sender.stop());
  const { database } = await openTestDatabase(t, { clock });
  const ids: string[] = [];
  const sender = startSender(database, clock, async (_url, id) => {
    ids.push(id);
    return answer();
  });
  await database.write('event', async (trx) => enterDelivery(trx, event(clock, 'whd_1', 'acct_1')));
  sender.wake();
  const read = async () => (await listDeliveries(database.read, EVERYTHING)).items[0];
  return {
    clock,
    database,
    sender,
    ids,
    attempts: () => ids.length,
    shown: async (accept: (delivery: DeliveryView) => boolean) => {
      await until(read, (delivery) => delivery !== undefined && accept(delivery), 2);
      // A delivery is read before its attempts, so that the first look may be of two moments.
      return (await read()) ?? assert.fail('there is no delivery');
    },
  };
}
