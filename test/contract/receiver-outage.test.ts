import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { Webhook } from 'standardwebhooks';
import { startTestService } from '../helpers/service.ts';

const ORDERS = 5;
const MINUTE_MS = 60_000;

test('a receiver that is down for an hour gets every event once it is back, each as the official library accepts it', async (t) => {
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const received: { readonly body: string; readonly headers: Record<string, string>; readonly at: number }[] = [];
  let isDown = true;
  let refused = 0;
  const receiver = createServer(async (request, response) => {
    if (isDown) {
      refused++;
      return void request.socket.destroy();
    }
    received.push({ body: await text(request), headers: request.headers as Record<string, string>, at: clock.now() });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const service = await startTestService(t, {
    env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' },
    service: { clock },
  });
  const { key } = await service.issueKey({ mode: 'test', accountView: true });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const order = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'content_policy' }, webhook_url: url };
  const downSince = clock.now();
  const tasks = await Promise.all(Array.from({ length: ORDERS }, () => service.make(key, '/v1/images', order)));
  const deliveries = async () => (await service.call(key, 'GET', '/v1/account/webhooks/deliveries')).data.items;
  const attempts = (count: number) => (items: { attempts: unknown[] }[]) =>
    items.length === ORDERS && items.every((item) => item.attempts.length >= count);
  // The attempts of the first hour: at once, and 5 s, 30 s, 2 min and 10 min after the one before.
  for (const [place, waitMs] of [0, 6_000, 34_000, 3 * MINUTE_MS, 12 * MINUTE_MS].entries()) {
    clock.aheadMs += waitMs;
    await until(deliveries, attempts(place + 1));
  }
  assert.ok(refused >= 5 * ORDERS, `${refused} attempts were refused`);
  assert.equal(received.length, 0);
  // The sixth would be made an hour after the fifth, give or take a tenth: the receiver is back before it.
  clock.aheadMs += 45 * MINUTE_MS;
  assert.ok(clock.now() - downSince >= 60 * MINUTE_MS);
  isDown = false;
  clock.aheadMs += 25 * MINUTE_MS;
  const told = await until(deliveries, (items) =>
    items.every((item: { status: string }) => item.status === 'delivered'),
  );
  assert.equal(told.length, ORDERS);

  const [{ secret }] = (await service.call(key, 'GET', '/v1/account/webhooks/secret')).data.items;
  const events = received.map(({ body, headers, at }) => {
    // The library compares the time that was signed with the machine's.
    t.mock.timers.enable({ apis: ['Date'], now: at });
    const event = new Webhook(secret).verify(body, headers) as { type: string; data: { task_id: string } };
    t.mock.timers.reset();
    return `${event.type} ${event.data.task_id}`;
  });
  assert.deepEqual(events.sort(), tasks.map((task) => `task.failed ${task.task_id}`).sort());
});
