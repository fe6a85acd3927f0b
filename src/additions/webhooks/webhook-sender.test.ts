import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createIdFactory, type DeliveryView, type TaskView } from '@darkroom-service/contract';
import { FetchFault, type TrustedFetch } from '@darkroom-service/media';
import { until } from '@darkroom-service/testing';
import { forEachDatabase, type OpenTestDatabase } from '../../../test/helpers/databases.ts';
import { kernelOfDatabase } from '../../../test/helpers/kernel.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import type { Database } from '../../database/database.ts';
import type { Kernel } from '../../kernel.ts';
import { NO_TRACER } from '../../tasks/tracer.ts';
import { listDeliveries } from './list-deliveries.ts';
import { enterDelivery, redeliver } from './webhook-deliveries.ts';
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
    await redeliver(kernelOfDatabase(database, clock), EVERYTHING, failed.delivery_id, {
      actor: 'test',
      now: clock.now(),
      createId: createIdFactory(() => clock.now()),
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

  test('Retry-After makes the next pause longer, up to a day, but not shorter, and adds no attempt', async (t) => {
    const date = (ms: number) => new Date(ms).toUTCString();
    const told = [
      { seconds: '90', atLeastMs: 90_000 },
      { seconds: '1', atLeastMs: 30_000 * 0.9 },
      { seconds: date(HOUR), atLeastMs: HOUR },
      { seconds: '9999999', atLeastMs: 24 * HOUR },
      { seconds: 'soon', atLeastMs: HOUR * 0.9 },
      { seconds: date(-HOUR), atLeastMs: 6 * HOUR * 0.9 },
      { seconds: '60', atLeastMs: 24 * HOUR * 0.9 },
    ];
    const { clock, sender, shown } = await open(t, openTestDatabase, (attempt) => {
      const { seconds = '60' } = told[attempt - 1] ?? {};
      return { status: attempt % 2 === 0 ? 429 : 503, headers: { date: date(0), 'retry-after': seconds } };
    });
    for (const [place, { seconds, atLeastMs }] of told.entries()) {
      const delivery = await shown((one) => one.attempts.length === place + 1);
      const waits = Date.parse(delivery.next_attempt_at ?? '') - clock.now();
      assert.ok(atLeastMs <= waits && waits <= atLeastMs * 1.3, `${seconds}: ${waits} ms`);
      clock.advance(waits);
      sender.wake();
    }
    const { status, next_attempt_at: next } = await shown((one) => one.attempts.length === 8);
    assert.deepEqual([status, next], ['failed', null]);
  });

  test('410 ends a delivery as failed at once and says why, and a redelivery begins again', async (t) => {
    const { clock, database, sender, ended, shown } = await open(t, openTestDatabase, (attempt) =>
      attempt === 1 ? 410 : 204,
    );
    const gone = await shown((one) => one.attempts.length === 1);
    assert.deepEqual([gone.status, gone.next_attempt_at, gone.attempts[0]?.response_status], ['failed', null, 410]);
    assert.match(`${gone.attempts[0]?.error}`, /410 \(Gone\), so no attempt follows/);
    assert.deepEqual(ended, ['failed']);
    await redeliver(kernelOfDatabase(database, clock), EVERYTHING, gone.delivery_id, {
      actor: 'test',
      now: clock.now(),
      createId: createIdFactory(() => clock.now()),
    });
    sender.wake();
    assert.equal((await shown((one) => one.attempts.length === 2)).status, 'delivered');
  });

  test('a stop while a receiver hangs is no attempt, not even of a delivery that has only one', async (t) => {
    const clock = new ManualClock();
    const { database } = await openTestDatabase(t, { clock });
    const asked = Promise.withResolvers<void>();
    const sender = startSender(
      database,
      clock,
      async (_url, _id, signal) => {
        asked.resolve();
        return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      { pausesMs: [] },
    );
    await database.write('event', async (trx) => enterDelivery(trx, event(clock, 'whd_1', 'acct_1')));
    sender.wake();
    await asked.promise;
    await sender.stop();
    const [delivery] = (await listDeliveries(database.read, EVERYTHING)).items;
    assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', []]);
    assert.equal(Date.parse(delivery?.next_attempt_at ?? ''), clock.now(), 'due at once');
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
  return {
    id,
    account,
    key: 'key_1',
    subject: 'img_1',
    type: 'task.failed',
    url,
    now: clock.now(),
    data: null,
  } as const;
}

/** A status, or one with headers. */
type Told = number | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

function startSender(
  database: Database,
  clock: ManualClock,
  answer: (url: string, id: string, signal: AbortSignal) => Promise<Told>,
  options: { readonly pausesMs?: readonly number[]; readonly ended?: string[] } = {},
) {
  const fetch = async (url: string, sent: { headers: Record<string, string>; signal: AbortSignal }) => {
    const told = await answer(url, sent.headers['webhook-id'] ?? '', sent.signal);
    return { ...(typeof told === 'number' ? { status: told, headers: {} } : told), body: { destroy() {} } };
  };
  const kernel = kernelOfDatabase(database, clock);
  const tempo = options.pausesMs === undefined ? {} : { deliveryPausesMs: options.pausesMs };
  return startWebhookSender(
    {
      ...kernel,
      files: { fetch: fetch as unknown as TrustedFetch },
      settings: { vault: null } as Kernel['settings'],
      work: { ...kernel.work, tempo, tracer: NO_TRACER },
    },
    {
      figures: { ended: ({ outcome }) => options.ended?.push(outcome) },
      view: async () => ({ task_id: 'img_1' }) as TaskView,
    },
  );
}

async function open(t: TestContext, openTestDatabase: OpenTestDatabase, answer: (attempt: number) => Told) {
  const clock = new ManualClock();
  t.after(() => sender.stop());
  const { database } = await openTestDatabase(t, { clock });
  const ids: string[] = [];
  const ended: string[] = [];
  const answerNext = async (_url: string, id: string) => answer(ids.push(id));
  const sender = startSender(database, clock, answerNext, { ended });
  await database.write('event', async (trx) => enterDelivery(trx, event(clock, 'whd_1', 'acct_1')));
  sender.wake();
  const read = async () => (await listDeliveries(database.read, EVERYTHING)).items[0];
  return {
    clock,
    database,
    sender,
    ids,
    ended,
    attempts: () => ids.length,
    shown: async (accept: (delivery: DeliveryView) => boolean) => {
      await until(read, (delivery) => delivery !== undefined && accept(delivery), 2);
      // A delivery is read before its attempts, so that the first look may be of two moments.
      return (await read()) ?? assert.fail('there is no delivery');
    },
  };
}
