import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { startReceiver } from '../helpers/webhook-receiver.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { chooseKey, LOOKS } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';
import { filterBy, toggleFilters } from './wall-filters.ts';

/** Money and orders at a glance: batches, end users, the balance, and which money it is. */

const service = await startSwiftService(wholeFile, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const { call, keys, issueKey } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const slow = { ...order, simulate: { seconds: 3_600 } };

async function placeBatch(key: string, bodies: readonly object[], title: string): Promise<string> {
  const orders = bodies.map((body, index) => ({ name: `shot-${index}`, operation: 'images', body }));
  return (await call(key, 'POST', '/v1/batches', { orders, metadata: { title } })).data.batch_id;
}

const statusOf = async (key: string, id: string) => (await call(key, 'GET', `/v1/batches/${id}`)).data.status;
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

test('batches are listed with their tasks and money, and open as a wall with their results, failures included', async (t) => {
  const { key } = await issueKey({ mode: 'test' });
  const refused = { ...order, prompt: 'a castle', simulate: { outcome: 'content_policy' } };
  const id = await placeBatch(key, [order, { ...order, prompt: 'a hare' }, refused], 'Spring catalogue');
  await until(
    () => statusOf(key, id),
    (status) => status === 'partial',
  );
  await service.make(key, '/v1/images', { ...order, prompt: 'not of the batch' });
  const page = await openInKeptPage(t, service, { keys: { test: key } });
  await page.getByRole('link', { name: /not of the batch/ }).waitFor();
  await filterBy(page, 'Batch', 'Spring catalogue');
  await page.getByRole('link', { name: /a hare/ }).waitFor();
  await page.getByRole('link', { name: /^Image, Failed.*a castle/ }).waitFor();
  await page.getByRole('link', { name: /not of the batch/ }).waitFor({ state: 'detached' });
  const head = page.getByRole('region', { name: 'Batch' });
  await head.getByText('Complete, some without a result').waitFor();
  await head.getByText('3 of 3 done').waitFor();
  await head.getByText('1 failed').waitFor();
  await head.getByText('$0.015 with a live key; nothing is charged for a test').waitFor();
  for (const [item, file] of [
    ['Results as JSON lines', `${id}.jsonl`],
    ['Pictures and videos as ZIP', `${id}.zip`],
  ] as const) {
    await head.getByRole('button', { name: 'Results' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), file);
    if (!file.endsWith('jsonl')) continue;
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    assert.equal(lines.length, 3, 'the failed one too');
  }
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: /not of the batch/ }).waitFor();
  await page.goto(`${service.url}/#/batches/${id}`);
  await head.getByRole('link', { name: 'Show as a table' }).click();
  await page.getByRole('gridcell', { name: /^Failed/ }).waitFor();
  await page.getByRole('link', { name: 'On the wall' }).click();
  await head.waitFor();
});

test('a batch is canceled after saying how many of its orders have not started', async (t) => {
  const { key } = await issueKey({ mode: 'test', concurrency: 1 });
  const id = await placeBatch(key, [slow, slow, slow], 'Night run');
  await until(
    async () => (await call(key, 'GET', `/v1/batches/${id}`)).data.counts.processing,
    (running) => running === 1,
  );
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: `/batches/${id}` });
  const head = page.getByRole('region', { name: 'Batch' });
  await head.getByText('1 running, 2 waiting').waitFor();
  await head.getByRole('button', { name: 'Cancel what has not started' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 orders have not started.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel the batch' }).click();
  await head.getByText('2 canceled, 1 running').waitFor();
  await head.getByText('Being canceled').waitFor();
  assert.equal((await call(key, 'GET', `/v1/batches/${id}`)).data.counts.canceled, 2);
});

test('an end user is given a limit, sees it counted, and gets that of the key back', async (t) => {
  const { key } = await issueKey({ mode: 'test', endUserLimits: { month: 2_000_000 } });
  await service.make(key, '/v1/images', { ...order, end_user: 'ada' });
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: '/people/developers' });
  const panel = page.getByRole('region', { name: 'End users' });
  await row(page, 'ada').getByText('$0.005 of $2.00').waitFor();
  await row(page, 'ada').getByText('limit of the key').waitFor();
  await panel.getByRole('button', { name: 'Limits of ada' }).click();
  const dialog = page.getByRole('dialog');
  const choose = (window: string, choice: string) =>
    dialog.getByRole('radiogroup', { name: window }).getByText(choice, { exact: true }).click();
  await choose('Today', 'Own limit');
  await dialog.getByLabel('Dollars a day').fill('0.01');
  await choose('This month', 'No limit');
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row(page, 'ada').getByText('$0.005 of $0.01').waitFor();
  const { data } = await call(key, 'GET', '/v1/end_users/ada');
  assert.deepEqual(data.limits, { day: '0.01', month: null, timezone: 'Europe/Berlin' });
  await service.make(key, '/v1/images', { ...order, end_user: 'ada' });
  assert.equal((await call(key, 'POST', '/v1/images', { ...order, end_user: 'ada' })).status, 402);
  await panel.getByRole('button', { name: 'Limits of ada' }).click();
  await dialog.getByRole('button', { name: 'Use the limits of the key' }).click();
  await row(page, 'ada').getByText('$0.01 of $2.00').waitFor();

  await panel.getByRole('button', { name: 'Set limits' }).click();
  await dialog.getByLabel('End user').fill('zoe');
  await choose('In total', 'Own limit');
  await dialog.getByLabel('Dollars in total').fill('5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row(page, 'zoe').getByText('$0.00 of $5.00').waitFor();
});

test('the balance is in sight, and play money is never called anything else', async (t) => {
  const account = await service.createAccount(0);
  await call(keys.admin, 'POST', `/admin/v1/accounts/${account}/credit`, { amount: '25.00' });
  const live = (await issueKey({ mode: 'live', accountId: account })).key;
  const own = (await issueKey({ mode: 'test', accountId: account })).key;
  await service.make(own, '/v1/images', order);
  const page = await openInKeptPage(t, service, { keys: { test: own, live }, at: '/money/usage' });
  const banner = page.getByRole('banner');
  await banner.getByText('Play money').waitFor();
  await page.getByText('Spent (play money)').waitFor();
  assert.equal(await banner.getByText('$25.00').count(), 0);
  await chooseKey(page, 'Live');
  await banner.getByText('$25.00').waitFor();
  assert.equal(await page.getByText(/play money/i).count(), 0);
  await service.make(live, '/v1/images', order);
  await page.reload();
  await banner.getByText('$24.995').waitFor();
  await page.goto(`${service.url}/#/`);
  await page.getByTestId('price').waitFor();
  assert.equal(await page.getByTestId('price-money').count(), 0);
  await chooseKey(page, 'Test');
  await page.getByTestId('price-money').getByText('play money').waitFor();
});

test('a test event is sent to the URL that was typed, and what the receiver answered is shown', async (t) => {
  const receiver = await startReceiver(t, (attempt) => (attempt === 1 ? 204 : 500));
  const { key } = await issueKey({ mode: 'test', accountView: true });
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: '/people/developers' });
  const panel = page.getByRole('region', { name: 'Webhooks' });
  await panel.getByLabel('Default URL').fill(receiver.url);
  await panel.getByRole('button', { name: 'Send a test event' }).click();
  await panel.getByText(/The receiver accepted it with 204/).waitFor();
  await panel.getByRole('button', { name: 'Send a test event' }).click();
  await panel.getByText(/The receiver answered 500; expected 2xx/).waitFor();
  assert.equal(receiver.received.length, 2);
});

for (const { scheme, viewport } of LOOKS) {
  test(`batches and end users can be used by everyone (${scheme}, ${viewport.width} wide)`, async (t) => {
    const { key } = await issueKey({ mode: 'test', endUserLimits: { day: 1_000_000 } });
    await placeBatch(key, [{ ...slow, end_user: 'ada' }, order], 'Catalogue');
    const page = await openInKeptPage(t, service, {
      keys: { test: key, live: keys.live },
      scheme,
      viewport,
    });
    await toggleFilters(page);
    await page.getByRole('combobox', { name: 'Batch', exact: true }).waitFor();
    await assertUsable(page);
    await toggleFilters(page);
    await filterBy(page, 'Batch', 'Catalogue');
    await page.getByRole('region', { name: 'Batch' }).getByText('In progress').waitFor();
    await assertUsable(page);
    await page.goto(`${service.url}/#/people/developers`);
    await page.getByRole('button', { name: 'Limits of ada' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    await assertUsable(page);
    await page.keyboard.press('Escape');
    await chooseKey(page, 'Live');
    await page.getByRole('banner').getByText('$').waitFor();
    await assertUsable(page);
  });
}
