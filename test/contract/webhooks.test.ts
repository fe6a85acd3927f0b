import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { Webhook } from 'standardwebhooks';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const ORDER = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'upstream_error' } };

const newKey = async () => (await service.issueKey({ mode: 'test' })).key;

async function newAccount(): Promise<string> {
  const accountId = await service.createAccount(null);
  return (await service.issueKey({ mode: 'test', accountId, accountView: true })).key;
}

test('a webhook is sent when a task is settled, signed per Standard Webhooks, with the task as a GET returns it', async (t) => {
  const receiver = await startReceiver(t);
  const key = await newAccount();
  const task = await service.make(key, '/v1/images', { ...ORDER, webhook_url: receiver.url });
  await receiver.count(1);
  const [hook] = receiver.received;
  assert.ok(hook);
  const secret = (await service.call(key, 'GET', '/v1/account/webhooks/secret')).data.items[0].secret;
  const body = new Webhook(secret).verify(hook.body, hook.headers) as { type: string; timestamp: string; data: object };
  assert.equal(body.type, 'task.failed');
  assert.deepEqual(body.data, (await service.call(key, 'GET', task.urls.self)).data);
  const [delivery] = (await service.call(key, 'GET', '/v1/account/webhooks/deliveries')).data.items;
  assert.equal(delivery.delivery_id, hook.headers['webhook-id']);
  assert.deepEqual([delivery.task_id, delivery.type], [task.task_id, 'task.failed']);
});

test('a receiver that fails is tried again after 5 seconds, redirects are not followed, and every attempt is in the log', async (t) => {
  const key = await newKey();
  const receiver = await startReceiver(t, (attempt) => (attempt === 1 ? 302 : 200));
  await service.make(key, '/v1/images', { ...ORDER, webhook_url: receiver.url });
  const attempts = () =>
    service.call(key, 'GET', '/v1/account/webhooks/deliveries').then((answer) => answer.data.items[0]);
  const delivery = await until(attempts, (found) => found !== undefined && found.status !== 'pending');
  assert.deepEqual(
    delivery.attempts.map((attempt: { response_status: number }) => attempt.response_status),
    [302, 200],
  );
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids, [delivery.delivery_id, delivery.delivery_id]);
});

test('the address of a webhook is read as browsers do, and shown as it is called', async (t) => {
  const key = await newKey();
  const receiver = await startReceiver(t);
  const { data } = await service.call(key, 'POST', '/v1/images', {
    ...ORDER,
    webhook_url: ` ${receiver.url}/a b\u001b?shop=my shop\n`,
  });
  await receiver.count(1);
  assert.equal(receiver.received[0]?.path, '/hook/a%20b%1B?shop=my%20shop');
  const [delivery] = (await service.call(key, 'GET', '/v1/account/webhooks/deliveries')).data.items;
  assert.deepEqual([delivery.task_id, delivery.url], [data.task_id, `${receiver.url}/a%20b%1B?shop=my%20shop`]);
});

test('a delivery can be sent again, by its own key only', async (t) => {
  const key = await newKey();
  const receiver = await startReceiver(t);
  await service.make(key, '/v1/images', { ...ORDER, webhook_url: receiver.url });
  await receiver.count(1);
  const id = receiver.received[0]?.headers['webhook-id'];
  const path = `/v1/account/webhooks/deliveries/${id}/redeliver`;
  assert.equal((await service.call(await newKey(), 'POST', path)).status, 404);
  assert.equal((await service.call(key, 'POST', path)).status, 200);
  await receiver.count(2);
  assert.equal(receiver.received[1]?.headers['webhook-id'], id);
});

test('during a rotation both secrets sign', async (t) => {
  const receiver = await startReceiver(t);
  const key = await newAccount();
  const [before] = (await service.call(key, 'GET', '/v1/account/webhooks/secret')).data.items;
  const rotated = (await service.call(key, 'POST', '/v1/account/webhooks/secret/rotate')).data.items;
  assert.equal(rotated.length, 2);
  await service.call(key, 'PUT', '/v1/account/webhooks', { url: receiver.url });
  await service.make(key, '/v1/images', ORDER);
  await receiver.count(1);
  for (const secret of [before.secret, rotated[0].secret]) {
    new Webhook(secret).verify(receiver.received[0]?.body ?? '', receiver.received[0]?.headers ?? {});
  }
});

test('a private webhook address is refused with the order', async () => {
  const key = await newKey();
  const answer = await service.call(key, 'POST', '/v1/images', {
    ...ORDER,
    webhook_url: 'http://169.254.169.254/',
  });
  assert.deepEqual([answer.status, answer.error.code, answer.error.param], [400, 'invalid_request', 'webhook_url']);
  assert.match(answer.error.message, /DARKROOM_ALLOWED_ADDRESSES/, 'who tries it at home is told the setting');
});

test('server-sent events give a snapshot, every change and the end, to a bearer and to the signed address', async (t) => {
  const clock = new ManualClock();
  const own = await startTestService(t, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
  const created = await own.call(own.keys.test, 'POST', '/v1/images', {
    model_id: 'sketch',
    prompt: 'a fox',
    simulate: { seconds: 60 },
  });
  const plain = `${own.url}/v1/images/${created.data.task_id}/events`;
  const streams = await Promise.all([
    fetch(plain, { headers: { authorization: `Bearer ${own.keys.test}` } }),
    fetch(created.data.urls.events),
  ]);
  // Both are open: the order ends before their eyes.
  await until(
    () => own.call(own.keys.test, 'GET', created.data.urls.self),
    ({ data }) => data.status === 'processing',
  );
  await untilLetGo(own.database);
  clock.advance(60_000);
  for (const stream of await Promise.all(streams.map((response) => response.text()))) {
    const events = stream.split('\n\n').filter((part) => part.includes('event: task'));
    const tasks = events.map((part) => JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? ''));
    assert.ok(tasks.length >= 2, 'a snapshot and a change at least');
    assert.equal(tasks.at(-1).status, 'succeeded');
    const ids = events.map((part) => Number(/^id: (\d+)$/m.exec(part)?.[1]));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
  }
  assert.equal((await fetch(`${plain}?expires=1&signature=x`)).status, 403);
  assert.equal((await fetch(plain)).status, 401);
});
