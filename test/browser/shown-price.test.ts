import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { chooseKey, untilKey, untilNextPicture, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';

const service = await startSwiftService(wholeFile);
const { keys } = service;

/** Holds the prices that the page asks for. @returns a promise of the first question, and what lets the answers pass */
async function holdPrices(page: Page) {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route(/\/v1\/prices$/, async (route) => {
    asked.resolve();
    await answer.promise;
    await route.continue();
  });
  return { asked: asked.promise, release: answer.resolve };
}

/** A form with a live key, whose model costs $0.01. */
async function openLiveForm(t: TestContext) {
  const { key } = await service.issueKey({ mode: 'live' });
  const page = await openInKeptPage(t, service, { keys: { live: key }, draft: { modelId: 'sketch', isPreset: false } });
  const prompt = page.getByLabel('Prompt', { exact: true });
  const count = async () => (await service.call(key, 'GET', '/v1/images')).data.items.length;
  return { page, prompt, count, make: (price: string) => page.getByRole('button', { name: `Make for ${price}` }) };
}

test('an order pressed while its price is read carries the price of exactly its form as max_price', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByTestId('price').filter({ hasText: '$0.01' }).waitFor();
  const prices = await holdPrices(page);
  await page.locator('label', { hasText: /^4K$/ }).click();
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/images'));
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await prices.asked;
  prices.release();
  assert.equal((await sent).postDataJSON().max_price, '0.04');
  await untilPictureShown(page);
});

test('Ctrl+Enter orders once, however soon after the last letter', async (t) => {
  const { page, prompt, count, make } = await openLiveForm(t);
  await make('$0.01').waitFor();
  for (const [index, delay] of [0, 50, 150, 300, 1_000].entries()) {
    const before = page.url();
    await prompt.fill(`a fox ${index}`);
    await setTimeout(delay);
    await prompt.press('Control+Enter');
    await page.waitForURL((url) => url.href !== before);
    assert.equal(await count(), index + 1);
  }
});

test('an order that is dearer than the price shown at the press is asked about', async (t) => {
  const { page, prompt, count, make } = await openLiveForm(t);
  await prompt.fill('a fox');
  await page.getByTestId('price').filter({ hasText: '$0.01' }).waitFor();
  const prices = await holdPrices(page);
  await page.locator('label', { hasText: /^4K$/ }).click();
  await make('$0.01').click();
  await prices.asked;
  prices.release();
  const question = page.getByRole('alert').filter({ hasText: 'It costs $0.04' });
  await question.getByText('That is more than the $0.01 shown before. Nothing was ordered.').waitFor();
  assert.equal(await count(), 0);
  await question.getByRole('button', { name: 'Order for $0.04' }).click();
  await untilPictureShown(page);
  assert.equal(await count(), 1);
});

test('a live order pressed before any price is known is asked about, and forgotten once the form has changed', async (t) => {
  const { page, prompt, count, make } = await openLiveForm(t);
  await make('$0.01').waitFor();
  const prices = await holdPrices(page);
  await page.reload();
  await prompt.fill('a fox');
  await page.getByRole('button', { name: 'Make', exact: true }).waitFor();
  await prompt.press('Control+Enter');
  await prices.asked;
  prices.release();
  const question = page.getByRole('alert').filter({ hasText: 'It costs $0.01' });
  await question.getByText('The price was not known yet. Nothing was ordered.').waitFor();
  await prompt.fill('a red fox');
  await question.waitFor({ state: 'detached' });
  assert.equal(await count(), 0);
});

/** A form that loads until it is released, with a press that it keeps. */
async function pressWhileLoading(t: TestContext) {
  const issued = await Promise.all((['test', 'live'] as const).map((mode) => service.issueKey({ mode })));
  const [own = '', live = ''] = issued.map(({ key }) => key);
  const page = await openInKeptPage(t, service, { keys: { test: own, live }, at: '/money/usage' });
  const held = Promise.withResolvers<void>();
  await page.route(/\/v1\/models$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await page.goto(`${service.url}/#/`);
  await untilKey(page, 'Test');
  const prompt = page.getByLabel('Prompt', { exact: true });
  await prompt.fill('a fox');
  await prompt.press('Control+Enter');
  const kept = page.getByText('The form is loading. Your order follows at once.');
  await kept.waitFor();
  const counts = () =>
    Promise.all([own, live].map(async (key) => (await service.call(key, 'GET', '/v1/images')).data.items.length));
  return { page, kept, counts, load: held.resolve };
}

test('a press while the form loads orders once it has loaded', async (t) => {
  const { page, counts, load } = await pressWhileLoading(t);
  load();
  await untilPictureShown(page);
  assert.deepEqual(await counts(), [1, 0]);
});

test('a test press that waits for the form is forgotten when the mode becomes live', async (t) => {
  const { page, kept, counts, load } = await pressWhileLoading(t);
  await chooseKey(page, 'Live');
  await kept.waitFor({ state: 'detached' });
  load();
  await page.getByRole('button', { name: /^Make for \$/ }).waitFor();
  assert.deepEqual([await counts(), await page.getByText(/^It costs/).count()], [[0, 0], 0]);
});

test('a result is ordered again by a press before its price is known', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const made = await service.make(key, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: '/money/usage' });
  const prices = await holdPrices(page);
  await page.goto(`${service.url}/#/t/${made.task_id}`);
  await untilNextPicture(page, async () => {
    await page.getByRole('button', { name: /^Again/ }).click();
    prices.release();
  });
  assert.equal((await service.call(key, 'GET', '/v1/images')).data.items.length, 2);
});

test('without a price nothing can be ordered, and the price is asked for again', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  let isBroken = true;
  await page.route(/\/v1\/prices$/, (route) =>
    isBroken ? route.fulfill({ status: 500, contentType: 'text/plain', body: '' }) : route.continue(),
  );
  await page.getByLabel('Prompt', { exact: true }).fill('a fox with a hat');
  await page.getByText('The price could not be loaded').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Draw for nothing' }).isDisabled());
  isBroken = false;
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false }).waitFor();
});

test('an order refused because its price rose shows the new price, at which it can be placed', async (t) => {
  const accountId = await service.createAccount(null);
  const { key } = await service.issueKey({ mode: 'test', accountId });
  const raise = (factor: number) =>
    service.call(keys.admin, 'PATCH', `/admin/v1/accounts/${accountId}`, {
      price_rules: [{ models: '*', multiplier: String(factor) }],
    });
  const page = await openInKeptPage(t, service, { keys: { test: key } });
  const isPriced = page.waitForResponse(
    (response) => /\/v1\/prices$/.test(response.url()) && response.request().postData()?.includes('a fox') === true,
  );
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await isPriced;
  await page.locator('button:not([data-pending])').getByTestId('price').filter({ hasText: '$0.01' }).waitFor();
  assert.equal((await raise(2)).status, 200);
  const create = page.getByRole('button', { name: 'Draw for nothing' });
  await create.click();
  const note = page.getByRole('alert').filter({ hasText: 'The price has changed' });
  await note.getByText('It costs $0.02 now. Nothing was ordered.').waitFor();
  await page.getByTestId('price').filter({ hasText: '$0.02' }).waitFor();
  await create.click();
  await untilPictureShown(page);

  const again = page.getByRole('button', { name: /^Again with another seed/ });
  await again.getByText('$0.02').waitFor();
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/images'));
  await untilNextPicture(page, () => again.click());
  assert.equal((await sent).postDataJSON().max_price, '0.02');

  const [made] = (await service.call(key, 'GET', '/v1/images?limit=1')).data.items;
  await page.goto(`${service.url}/#/history/${made!.task_id}`);
  await page.getByRole('button', { name: /^Order again.*\$0\.02$/ }).waitFor();
  assert.equal((await raise(3)).status, 200);
  await page.getByRole('button', { name: /^Order again.*\$0\.02$/ }).click();
  await page.getByRole('dialog').getByText('It costs $0.03 now. Nothing was ordered.').waitFor();
  await page.getByRole('button', { name: /^Order again.*\$0\.03$/ }).click();
  await page.waitForURL((url) => /#\/t\//.test(url.hash) && !url.hash.endsWith(made!.task_id));
});
