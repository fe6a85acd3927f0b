import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { chooseKey, LOOKS, type openConsole, untilFocused, untilKey, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { openTray } from './order-form.ts';
import { startSwiftService } from './swift-service.ts';
import { assertFaultless, assertUsable } from './usable.ts';

const service = await startSwiftService(wholeFile);
const ORDERS = /\/v1\/images$/;
const stuck = { outcome: 'stuck', seconds: 1 };

/**
 * Places orders from the Studio. What is to be simulated is put in on the way, which spares a reload. One route serves
 * the whole page: the browser lets a request pass that is sent while a route is being added or removed.
 */
async function orderingOn(page: Page): Promise<(prompt: string, simulate: object | null) => Promise<void>> {
  let simulated: object | null = null;
  await page.route(ORDERS, async (route) => {
    const request = route.request();
    const isPlain = request.method() !== 'POST' || simulated === null;
    await route.fallback(isPlain ? {} : { postData: { ...request.postDataJSON(), simulate: simulated } });
  });
  return async (prompt, simulate) => {
    simulated = simulate;
    await page.getByLabel('Prompt', { exact: true }).fill(prompt);
    await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST' && ORDERS.test(request.url())),
      page.getByRole('button', { name: 'Draw for nothing', exact: true }).click(),
    ]);
  };
}

/** One order that runs, one that waits for it, one that has succeeded and one that has failed. */
async function openBusyTray(t: Parameters<typeof openConsole>[0], look: Parameters<typeof openConsole>[2] = {}) {
  const { key } = await service.issueKey({ mode: 'test', concurrency: 1 });
  const page = await openInKeptPage(t, service, { ...look, keys: { test: key, live: service.keys.live } });
  const place = await orderingOn(page);
  await place('a lighthouse', null);
  await untilPictureShown(page);
  await place('a castle', { outcome: 'content_policy', seconds: 1 });
  await page.getByText('The order failed').waitFor();
  await place('a windmill', stuck);
  await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
  await place('a fox', stuck);
  await page.getByText('next in the queue').waitFor();
  await page.goto(`${service.url}/#/money/usage`);
  await page.getByRole('heading', { name: 'Spending', level: 1 }).waitFor();
  return { page, place };
}

test('the tray shows what is under way with its place in the queue, and is used by keyboard alone', async (t) => {
  const { page } = await openBusyTray(t);
  const button = page.getByRole('button', { name: 'Activity: 2 orders under way' });
  await button.focus();
  await page.keyboard.press('Enter');
  const tray = page.getByRole('dialog', { name: /^Activity/ });
  const underWay = tray.getByRole('region', { name: 'Under way' }).getByRole('listitem');
  await underWay.filter({ hasText: 'a fox' }).getByText('Queued · next in the queue').waitFor();
  await underWay.filter({ hasText: 'a windmill' }).getByRole('progressbar', { name: 'Progress: a windmill' }).waitFor();
  const ended = tray.getByRole('region', { name: 'Just ended' }).getByRole('listitem');
  await ended.filter({ hasText: 'a castle' }).getByText('Failed · nothing was charged').waitFor();
  await ended.filter({ hasText: 'a lighthouse' }).getByText('Finished').waitFor();

  await underWay.getByRole('button', { name: 'Cancel: a windmill' }).focus();
  await page.keyboard.press('Enter');
  await ended.filter({ hasText: 'a windmill' }).getByText('Canceled · nothing was charged').waitFor();
  await page.getByRole('status').getByText('a windmill: has ended').waitFor({ state: 'attached' });
  // The next one takes its turn, and the stream says so.
  await underWay
    .filter({ hasText: 'a fox' })
    .getByText(/^Processing/)
    .waitFor();
  await page.keyboard.press('Escape');
  await tray.waitFor({ state: 'detached' });
  await untilFocused(page.getByRole('button', { name: /^Activity: 1 order under way/ }));
});

test('an order that has ended opens in the Studio, also one of the other mode, and leaves the list with a press', async (t) => {
  const { page } = await openBusyTray(t);
  await chooseKey(page, 'Live');
  const tray = await openTray(page);
  await tray.getByRole('button', { name: 'Remove from the list: a castle' }).click();
  await tray.getByText('a castle').waitFor({ state: 'detached' });
  await tray.getByRole('button', { name: 'Open: a lighthouse' }).click();
  await page.waitForURL(/#\/t\/img_/);
  await untilPictureShown(page);
  await untilKey(page, 'Test');
  const again = await openTray(page);
  await again.getByRole('button', { name: 'Clear' }).click();
  await again.getByRole('region', { name: 'Just ended' }).waitFor({ state: 'detached' });
});

for (const { scheme, viewport } of LOOKS) {
  test(`the tray can be used by everyone (${scheme}, ${viewport.width} wide)`, async (t) => {
    const { page, place } = await openBusyTray(t, { scheme, viewport });
    await page
      .context()
      .route(/\/v1\/images$/, (route) =>
        route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
      );
    await page.goto(`${service.url}/#/`);
    await place('a city', null);
    const tray = await openTray(page);
    await tray.getByText('Unconfirmed', { exact: true }).waitFor();
    await tray.getByText('Finished').waitFor();
    await page.getByText(/The service does not answer/).waitFor({ state: 'detached' });
    await assertFaultless(page, '[role="dialog"]');
    await assertUsable(page);
    const box = await tray.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= viewport.width, JSON.stringify(box));
  });
}
