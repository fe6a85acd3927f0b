import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startTestService } from '../helpers/service.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const { call, keys, issueKey } = service;
const send = (key: string, body?: object) => call(key, 'POST', '/v1/account/webhooks/test', body);

test('a test event is signed with the secret of the mode, sent once, and its answer is returned', async (t) => {
  const receiver = await startReceiver(t);
  for (const mode of ['test', 'live'] as const) {
    const { data } = await send(keys[mode], { url: receiver.url });
    assert.deepEqual(
      { ...data, duration_ms: 0 },
      { ...data, url: receiver.url, delivered: true, duration_ms: 0, response_status: 204, error: null },
    );
    const { headers, body } = receiver.received.at(-1)!;
    assert.equal(headers['webhook-id'], data.webhook_id);
    const secret = (await call(keys[mode], 'GET', '/v1/account/webhooks/secret')).data.items[0].secret;
    const event = new Webhook(secret).verify(body, headers) as { type: string; data: { mode: string } };
    assert.deepEqual([event.type, event.data.mode], ['webhook.test', mode]);
  }
  assert.equal(receiver.received.length, 2);
  assert.deepEqual((await call(keys.live, 'GET', '/v1/account/webhooks/deliveries?scope=key')).data.items, []);
});

test('what the receiver refuses is told and not repeated', async (t) => {
  const receiver = await startReceiver(t, () => 500);
  const { status, data } = await send(keys.test, { url: receiver.url });
  assert.equal(status, 200);
  assert.deepEqual([data.delivered, data.response_status], [false, 500]);
  assert.match(data.error, /answered 500; expected 2xx/);
  const away = (await send(keys.test, { url: 'http://127.0.0.1:1/' })).data;
  assert.deepEqual([away.delivered, away.response_status], [false, null]);
  assert.equal(receiver.received.length, 1);
});

test('without a URL the default URL is tried, and without that, or with a forbidden one, the field is named', async (t) => {
  const { key } = await issueKey({ mode: 'test', accountView: true });
  const missing = await send(key);
  assert.deepEqual([missing.status, missing.error.param], [400, 'url']);
  const metadata = await send(key, { url: 'http://169.254.169.254/' });
  assert.deepEqual([metadata.status, metadata.error.param], [400, 'url']);
  const receiver = await startReceiver(t);
  await call(key, 'PUT', '/v1/account/webhooks', { url: receiver.url });
  assert.equal((await send(key)).data.delivered, true);
  assert.equal(receiver.received.length, 1);
});

test('a test event counts as a create against the rate limit', async (t) => {
  const receiver = await startReceiver(t);
  const { key } = await issueKey({ mode: 'test', createsPerMinute: 1 });
  assert.equal((await send(key, { url: receiver.url })).status, 200);
  assert.equal((await send(key, { url: receiver.url })).error.code, 'rate_limited');
});
