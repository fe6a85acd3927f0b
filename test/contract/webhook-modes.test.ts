import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const WEBHOOKS = '/v1/account/webhooks';
const ORDER = { model_id: 'sketch', prompt: 'a fox' };

const service = await startTestService(wholeFile, {
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
  service: { engines: [createSwiftEngine({})] },
});
const { call } = service;

/** A live and a test key that see the whole of one account. */
async function pairOfKeys() {
  const accountId = await service.createAccount(null);
  const issue = async (mode: 'live' | 'test') => (await service.issueKey({ mode, accountId, accountView: true })).key;
  return { accountId, live: await issue('live'), test: await issue('test') };
}

const secretsOf = async (key: string): Promise<string[]> =>
  (await call(key, 'GET', `${WEBHOOKS}/secret`)).data.items.map(({ secret }: { secret: string }) => secret);

test('a test key neither reads nor rotates the secret that signs live events', async () => {
  const { live, test } = await pairOfKeys();
  const [before] = await secretsOf(live);
  const [own] = await secretsOf(test);
  assert.notEqual(own, before);
  const { data } = await call(test, 'POST', `${WEBHOOKS}/secret/rotate`);
  assert.equal(data.items.length, 2);
  assert.equal(data.items[1].secret, own);
  assert.deepEqual(await secretsOf(live), [before]);
});

test('each mode has a default address of its own, and its events are signed with its own secret', async (t) => {
  const { accountId, live, test } = await pairOfKeys();
  const receivers = { live: await startReceiver(t), test: await startReceiver(t) };
  const { test: testReceiver, live: liveReceiver } = receivers;
  await call(live, 'PUT', WEBHOOKS, { url: liveReceiver.url });
  assert.equal((await call(test, 'GET', WEBHOOKS)).data.url, null);
  await call(test, 'PUT', WEBHOOKS, { url: testReceiver.url });
  assert.equal((await call(live, 'GET', WEBHOOKS)).data.url, liveReceiver.url);
  const { data: account } = await call(service.keys.admin, 'GET', `/admin/v1/accounts/${accountId}`);
  assert.deepEqual([account.webhook_url, account.test_webhook_url], [liveReceiver.url, testReceiver.url]);

  for (const [key, receiver, otherKey] of [
    [live, liveReceiver, test],
    [test, testReceiver, live],
  ] as const) {
    const task = await service.make(key, '/v1/images', ORDER);
    await receiver.count(1);
    const [hook] = receiver.received;
    assert.ok(hook);
    const [secret = ''] = await secretsOf(key);
    const [otherSecret = ''] = await secretsOf(otherKey);
    const event = new Webhook(secret).verify(hook.body, hook.headers) as { data: { task_id: string } };
    assert.equal(event.data.task_id, task.task_id);
    assert.throws(() => new Webhook(otherSecret).verify(hook.body, hook.headers));
  }
  assert.deepEqual([liveReceiver.received.length, testReceiver.received.length], [1, 1]);
});

test('a test key with account view lists and redelivers deliveries of test mode alone, a live key those of live mode', async (t) => {
  const { live, test } = await pairOfKeys();
  const receiver = await startReceiver(t);
  const listed = async (key: string, query = '') =>
    (await call(key, 'GET', `${WEBHOOKS}/deliveries?scope=account${query}`)).data.items;
  const ids: Record<string, string> = {};
  for (const key of [live, test]) {
    const task = await service.make(key, '/v1/images', { ...ORDER, webhook_url: receiver.url });
    const items = await listed(key);
    assert.deepEqual(
      items.map(({ task_id: id }: { task_id: string }) => id),
      [task.task_id],
    );
    ids[key] = items[0].delivery_id;
  }
  assert.deepEqual(await listed(test, `&task_id=${(await listed(live))[0].task_id}`), []);
  const again = (key: string, of: string) => call(key, 'POST', `${WEBHOOKS}/deliveries/${ids[of]}/redeliver`);
  for (const [key, other] of [
    [test, live],
    [live, test],
  ] as const) {
    const refused = await again(key, other);
    assert.deepEqual([refused.status, refused.error.code], [404, 'not_found']);
    assert.equal((await again(key, key)).status, 200);
  }
});
