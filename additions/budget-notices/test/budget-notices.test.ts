import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { unwrapWebhook } from '../../../clients/typescript/src/verify-webhook.ts';
import { startService } from '../../../test/helpers/additions.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { startReceiver } from '../../../test/helpers/webhook-receiver.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const WEBHOOKS = '/v1/account/webhooks';
const OPTIONS = { engines: [createSwiftEngine({})], tempo: { addedEveryMs: 10 } };

const service = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
  service: OPTIONS,
});
const { call } = service;
/** Costs 0.005. */
const order = (key: string, more: object = {}) =>
  service.make(key, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', ...more });

/** A key of a new account, and what its account is told of budgets. */
async function customer(
  t: Parameters<typeof startReceiver>[0],
  wish: Partial<Parameters<typeof service.issueKey>[0]> = {},
) {
  const receiver = await startReceiver(t);
  const accountId = await service.createAccount(null);
  const issued = await service.issueKey({ mode: 'test', accountId, accountView: true, ...wish });
  const { key } = issued;
  await call(key, 'PUT', WEBHOOKS, { url: receiver.url });
  const secret = (await call(key, 'GET', `${WEBHOOKS}/secret`)).data.items[0].secret;
  /** Waits until so many notices were received, and returns them as the client verifies them. */
  const told = async (count: number) => {
    const notices = () => receiver.received.filter(({ body }) => JSON.parse(body).type === 'budget.reached');
    await until(notices, ({ length }) => length >= count);
    const events = await Promise.all(notices().map(({ body, headers }) => unwrapWebhook(body, headers, { secret })));
    assert.equal(events.length, count);
    return events.map(({ id, type, data }) => ({ id, type, ...(data as object) }) as Record<string, unknown>);
  };
  return { ...issued, accountId, told };
}

test('a key that reaches 50, 80 and 100 % of its limit is told of in signed webhooks, each of which can be sent again', async (t) => {
  const { key, key_id, told } = await customer(t, { spendLimits: { day: null, month: null, total: 20_000 } });
  const shares: unknown[] = [];
  for (const [count, orders] of [2, 2].entries()) {
    for (let placed = 0; placed < orders; placed++) await order(key);
    shares.push((await told(count + 1)).at(-1)?.share);
  }
  const [first, last] = await told(2);
  assert.deepEqual(shares, [50, 100]);
  assert.deepEqual(last, {
    id: last?.id,
    type: 'budget.reached',
    key_id,
    end_user: null,
    mode: 'test',
    window: 'total',
    period: null,
    limit: '0.02',
    used: '0.02',
    currency: 'USD',
    share: 100,
    created_at: last?.created_at,
  });
  const newest = (await call(key, 'GET', '/v1/images?limit=1')).data.items[0]?.task_id;
  const { items } = (await call(key, 'GET', `${WEBHOOKS}/deliveries?limit=100`)).data;
  const listed = items.find(({ delivery_id: id }) => id === last?.id);
  assert.deepEqual([listed?.type, listed?.task_id, listed?.batch_id], ['budget.reached', newest, null]);
  await call(key, 'POST', `${WEBHOOKS}/deliveries/${first?.id}/redeliver`);
  assert.deepEqual((await told(3)).at(-1), first);
});

test("an end user's limits are those of its key or its own, and an erasure of the end user removes its notices", async (t) => {
  const endUserLimits = { day: null, month: 10_000, total: null };
  const { key, key_id: keyId, accountId, told } = await customer(t, { endUserLimits });
  await call(key, 'PUT', '/v1/end_users/bob', { limits: { day: '0.01', month: null } });
  await order(key, { end_user: 'ada' });
  await order(key, { end_user: 'bob' });
  const notices = await told(2);
  const month = new Date().toISOString().slice(0, 7);
  assert.deepEqual(notices.map(({ end_user, window, period, share }) => [end_user, window, period, share]).sort(), [
    ['ada', 'month', month, 50],
    ['bob', 'day', new Date().toISOString().slice(0, 10), 50],
  ]);
  const path = '/admin/v1/erasures';
  const { data } = await call(service.keys.admin, 'POST', path, { account_id: accountId, end_user: 'ada' });
  await until(
    async () => (await call(service.keys.admin, 'GET', `${path}/${data.erasure_id}` as const)).data,
    ({ completed_at: at }: { completed_at: string | null }) => at !== null,
  );
  const { read } = service.database;
  const kept = await read.all(read.builder.selectFrom('webhook_deliveries').select('data_json'));
  const names = kept.map(({ data_json: data }) => JSON.parse(data ?? '{}')).filter(({ key_id: id }) => id === keyId);
  assert.deepEqual(
    names.map(({ end_user: name }) => name),
    ['bob'],
  );
});

test('a restart and a second process repeat nothing that was told', async (t) => {
  const { key, told } = await customer(t, { spendLimits: { day: null, month: null, total: 20_000 } });
  for (let placed = 0; placed < 2; placed++) await order(key);
  const before = await told(1);
  const second = await startService(service.config, OPTIONS);
  t.after(() => second.stop({ now: true }));
  for (let placed = 0; placed < 2; placed++) await order(key);
  const after = await told(2);
  assert.deepEqual([after[0], after[1]?.share], [before[0], 100]);
});
