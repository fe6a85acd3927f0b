import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import type { Page, Request, Route } from 'playwright-core';
import { createLog } from '../../src/base/log.ts';
import { startService } from '../helpers/additions.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openConsole, openPage, PHONE, showConsole, WIDE } from './browser.ts';
import { startBusyService } from './busy-service.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';

const service = await startBusyService(wholeFile);
const keys = { ...service.keys, test: service.viewer };
/** As browsers count it; they call up to 0.1 good. */
const MOVES_AT_MOST = 0.05;

test('the figures are those of the interface, and follow the span', async (t) => {
  // Not across midnight, when the spans move on by a day.
  while (86_400_000 - (Date.now() % 86_400_000) < 60_000) await setTimeout(1_000);
  const page = await openInKeptPage(t, service, { keys, at: '/money/usage' });
  const figure = (label: string) =>
    page
      .locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
      .locator('dd')
      .first();
  const dayStart = new Date(new Date().setUTCHours(0, 0, 0, 0));
  const totalOf = async (days: number) => {
    const from = new Date(dayStart.getTime() - (days - 1) * 86_400_000).toISOString();
    const { data } = await service.call(service.viewer, 'GET', `/v1/account/usage?timing=true&from=${from}`);
    return data.items[0];
  };
  const month = await totalOf(30);
  const dollars = Number(month.charged).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  await page.getByText(`$${dollars}`).first().waitFor();
  assert.equal(await figure('Orders').textContent(), String(month.tasks));
  assert.equal(await figure('Median time').textContent(), `${Math.round(month.seconds.p50)} s`);
  await page.getByRole('img', { name: 'Orders per day' }).locator('rect[fill]').first().waitFor();
  await page.getByText('7 days', { exact: true }).click();
  const week = await totalOf(7);
  assert.notEqual(week.tasks, month.tasks);
  await until(
    () => figure('Orders').textContent(),
    (orders) => orders === String(week.tasks),
  );
  await page.getByText('Whole account').click();
  await page.getByText('$5.00', { exact: false }).first().waitFor();
});

test('usage and ledger are kept as tables for a spreadsheet', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/money/usage' });
  const fetched = async (name: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()]);
    return (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  };
  const usage = await fetched('Usage as CSV');
  assert.equal(usage[0], 'day,model_id,status,tasks,charged,held,currency');
  assert.match(usage[1] ?? '', /^\d{4}-\d\d-\d\d,[a-z0-9.-]+,(succeeded|failed),\d+,\d+\.\d+,0\.00,USD$/);
  const ledger = await fetched('Ledger as CSV');
  const { data } = await service.call(service.viewer, 'GET', '/v1/account/ledger?limit=100');
  assert.equal(ledger.length - 1, data.items.length);
});

test('the default webhook URL can be set, and the secret shown and rotated, while the old one also signs', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/nowhere' });
  // What is typed is not lost to an address that is read meanwhile.
  const late = async (route: Route) => {
    await setTimeout(1_000);
    await route.continue();
  };
  await page.route(/\/account\/webhooks$/, late, { times: 1 });
  await page.goto(`${service.url}/#/people/developers`);
  const panel = page.getByRole('region', { name: 'Webhooks' });
  await panel.getByLabel('Default URL').fill('https://shop.example/hooks');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('Saved.').waitFor();
  const { data } = await service.call(service.viewer, 'GET', '/v1/account/webhooks');
  assert.equal(data.url, 'https://shop.example/hooks');
  await panel.getByRole('button', { name: 'Show' }).click();
  const secret = (await panel.locator('code').textContent()) ?? '';
  assert.match(secret, /^whsec_/);
  await panel.getByRole('button', { name: 'Rotate the secret' }).click();
  await panel.getByText(/also signs until/).waitFor();
  const { data: secrets } = await service.call(service.viewer, 'GET', '/v1/account/webhooks/secret');
  assert.deepEqual(new Set(await panel.locator('code').allTextContents()), new Set(secrets.items.map(secretOf)));

  const own = await openConsole(t, service, { keys: service.keys, at: '/people/developers' });
  await own.getByText(/a key that can see the account can change it/).waitFor();
  assert.equal(await own.getByRole('button', { name: 'Save' }).count(), 0);
});

const secretOf = ({ secret }: { readonly secret: string }) => secret;

/**
 * Resolves once nothing has been asked for half a second and all was answered but streams of events, which do not end.
 */
async function answeredAll(page: Page): Promise<void> {
  const open = new Set<Request>();
  let lastChange = performance.now();
  const note = (request: Request, isOpen: boolean) => {
    if (isOpen) open.add(request);
    else open.delete(request);
    lastChange = performance.now();
  };
  page.on('request', (request) => note(request, !request.url().includes('/events')));
  page.on('requestfinished', (request) => note(request, false));
  page.on('requestfailed', (request) => note(request, false));
  await page.waitForEvent('load');
  await until(() => open.size === 0 && performance.now() - lastChange > 500, Boolean);
}

test('nothing jumps while a page is loading', async (t) => {
  for (const viewport of [WIDE, PHONE]) {
    for (const at of ['/', '/money/usage', '/people/keys', '/orders', '/now']) {
      const page = await openPage(t, { viewport });
      await page.addInitScript(`globalThis.moved = 0;
        const add = (list) => { for (const { value } of list.getEntries()) moved += value; };
        new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });`);
      const loaded = answeredAll(page);
      await showConsole(page, service, { keys, at });
      await loaded;
      const moved = await page.evaluate<number>('moved');
      assert.ok(moved < MOVES_AT_MOST, `${at} at ${viewport.width}: ${moved}`);
    }
  }
});

test('while the service is down every page says so and keeps what it showed; once it is back, they go on', async (t) => {
  const port = await freePort();
  const own = await startSwiftService(t, { env: { DARKROOM_PORT: String(port) } });
  await own.make(own.keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
  const page = await openInKeptPage(t, own, { keys: own.keys, at: '/' });
  await page.getByRole('link', { name: /a fox/ }).waitFor();
  const goTo = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
  await goTo('Now');
  const accepts = page.getByRole('link', { name: /^Upstreams accept orders/ });
  await accepts.waitFor();
  await own.service.stop({ now: true });
  await page.getByText('The service does not answer. The console asks').waitFor();
  await page.getByRole('link', { name: /^Upstreams not known while the service does not answer/ }).waitFor();
  assert.equal(await accepts.count(), 0);
  await goTo('Make');
  await page.getByRole('link', { name: /a fox/ }).waitFor();

  const again = await startService(own.config, { log: createLog('fatal') });
  t.after(() => again.stop({ now: true }));
  await page.getByText('The service does not answer. The console asks').waitFor({ state: 'detached' });
  await goTo('Now');
  await accepts.click();
  await page.getByRole('button', { name: 'Pause sketch' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/Paused since/).waitFor();
});

test('the address of a place leads to its first view, and that of models to where they are chosen', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/money' });
  await page.waitForURL(({ hash }) => hash.startsWith('#/money/usage'));
  await page.evaluate(`location.hash = '#/models'`);
  await page.getByLabel('Prompt', { exact: true }).waitFor();
});
