import assert from 'node:assert/strict';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { startDarkroom } from '../helpers/run-darkroom.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { openCircuit } from './busy-service.ts';
import { openInKeptPage } from './kept-page.ts';
import { beginNight, ORDER, openOrder, part, says, startNight } from './night.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

/** Three in the morning, with many orders, their webhooks and the processes. */

test('a key that its upstream refuses is told once for all orders that wait, which are canceled by one button', async (t) => {
  const service = await startNight(t, createScriptedEngine());
  const { call, keys } = service;
  // Once the key is known to be refused, so are orders: these were placed before.
  await call(keys.admin, 'POST', '/admin/v1/hold', {});
  for (let count = 0; count < 3; count++) await call(keys.live, 'POST', '/v1/images', ORDER);
  await openCircuit(service, 'scripted');
  await call(keys.admin, 'DELETE', '/admin/v1/hold');
  const night = beginNight(t);
  const page = await openInKeptPage(t, service, { keys, at: '/now' });
  // The note of the upstream becomes an alert as soon as there is one.
  const note = page.getByText(/The upstream rejects our key/).or(page.getByText('Upstream blocked: scripted'));
  await night.cause(note.first().waitFor());
  await openOrder(page)
    .getByText(/^scripted gets no orders since .*: Invalid API key/)
    .waitFor();
  await page.getByRole('link', { name: 'Its 3 open orders' }).waitFor();
  await assertUsable(page);
  await night.press(page.getByRole('button', { name: /^Cancel all ?: scripted$/ }));
  await page.getByText('This changes 3 orders.').waitFor();
  await night.press(page.getByRole('dialog').getByRole('button', { name: 'Cancel 3' }));
  await page.getByText('No order is waiting or in progress.').waitFor();
  night.remedied(2);
  const { data } = await call(keys.live, 'GET', '/v1/images');
  assert.deepEqual(
    data.items.map(({ status, cost }) => [status, cost.state]),
    Array(3).fill(['canceled', 'released']),
  );
});

test('an upstream that cuts the line leaves orders of unknown outcome, named with their customers, and one finding for all', async (t) => {
  const engine = createScriptedEngine();
  engine.onStart = () => {
    throw new EngineError('upstream', 'the connection was cut', { took: 'unknown' });
  };
  const service = await startNight(t, engine);
  const { call, keys, issueKey } = service;
  const accountId = await service.createAccount(null);
  await call(keys.admin, 'POST', `/admin/v1/accounts/${accountId}/credit`, { amount: '10.00', note: 'a start' });
  const { key } = await issueKey({ mode: 'live', name: 'Anna', accountId });
  for (const one of [keys.live, keys.live, key]) await service.make(one, '/v1/images', ORDER);
  const night = beginNight(t);
  const page = await openInKeptPage(t, service, { keys, at: '/now' });
  const cause = page.getByRole('table', { name: 'Unknown outcomes by cause' }).getByRole('row').nth(1);
  await night.cause(cause.getByText('Outcome unknown at scripted').waitFor());
  for (const customer of ['default', accountId]) await cause.getByText(customer).waitFor();
  await night.press(cause.getByRole('button', { name: 'Note one finding for 3' }));
  await page.getByRole('textbox', { name: 'What was found' }).fill('They made none.');
  await page.getByRole('button', { name: 'Resolve' }).click();
  await cause.waitFor({ state: 'detached' });
  night.remedied(1);
});

test('webhooks that a receiver refuses are told on an open page, with the attempts one press away', async (t) => {
  let isBroken = true;
  const receiver = await startReceiver(t, () => (isBroken ? 500 : 204));
  const service = await startSwiftService(t, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
  const { keys, make } = service;
  const page = await openInKeptPage(t, service, { keys, at: '/now', readsEveryMs: 1_000 });
  await says(page, 'Webhooks', /^none sent$/);
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', webhook_url: receiver.url };
  const task = await make(keys.live, '/v1/images', order);
  const night = beginNight(t);
  await receiver.count(1);
  await night.cause(says(page, 'Webhooks', /^1 waiting, last answer 500 from 127\.0\.0\.1/), 25);
  await night.press(part(page, 'Webhooks'));
  await page
    .getByRole('row', { name: /task\.succeeded.*Waiting.*\d attempts?.*500/ })
    .first()
    .waitFor();
  night.remedied(1);
  isBroken = false;
  await until(
    async () => (await service.call(keys.admin, 'GET', '/admin/v1/webhooks/deliveries?limit=1')).data.items[0]?.status,
    (status) => status === 'delivered',
  );
  await page.goto(`${service.url}/#/now`);
  await says(page, 'Webhooks', /^last delivered /);
  await page.goto(`${service.url}/#/orders/${task.task_id}`);
  const line = page.getByRole('table', { name: 'Time line' });
  await line.getByRole('row', { name: /Webhook task\.succeeded.* 204/ }).waitFor();
});

test('a process that is killed is red until it is replaced, and then is gone by itself', async (t) => {
  const service = await startTestService(t);
  const { keys } = service;
  const page = await openInKeptPage(t, service, { keys, at: '/now', readsEveryMs: 1_000 });
  await says(page, 'Processes', /^1 running, seen /);
  const variables = {
    DARKROOM_DATA_DIR: dirname(service.config.databasePath),
    DARKROOM_ROLE: 'worker',
    DARKROOM_PUBLIC_URL: service.url,
    DARKROOM_LOG_LEVEL: 'fatal',
    DARKROOM_MEDIA_PROCESSES: '1',
  };
  const startWorker = async () => {
    const { process: worker, ended } = startDarkroom(['serve'], variables, variables.DARKROOM_DATA_DIR);
    t.after(async () => {
      worker.kill('SIGKILL');
      await ended;
    });
    await says(page, 'Processes', /^2 running, seen /);
    return worker;
  };
  const worker = await startWorker();
  const night = beginNight(t);
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await night.cause(says(page, 'Processes', /^worker at .* is silent since /));
  await page.getByRole('row', { name: /^worker at .*Silent, not replaced/ }).waitFor();
  await startWorker();
  await page.getByRole('row', { name: /Silent/ }).waitFor({ state: 'detached' });
  night.remedied(0);
});

test('what the installation lacks for its films stands on Now, and leads to the models that it closes', async (t) => {
  const films = { status: 'warning', found: 'the codecs are missing', advice: null } as const;
  const nativeParts = Promise.resolve({ sketch: { status: 'ok', found: '', advice: null }, films } as const);
  const service = await startTestService(t, { service: { nativeParts } });
  const page = await openInKeptPage(t, service, { keys: service.keys, at: '/now' });
  await says(page, 'Upstreams', /^sketch cannot make films$/);
  await assertUsable(page);
  await part(page, 'Upstreams').click();
  await page.getByRole('searchbox', { name: 'Search models and vendors' }).fill('sketch-motion');
  await page.getByText(/^This installation lacks a part that sketch needs for it/).waitFor();
});
