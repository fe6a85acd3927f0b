import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFile } from '../helpers/whole-file.ts';
import { untilNextPicture, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';

const service = await startSwiftService(wholeFile);
const { keys } = service;

test('an order is placed at the price of its form alone, and carries it as max_price', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  const create = page.getByRole('button', { name: 'Draw for nothing' });
  await page.getByTestId('price').filter({ hasText: '$0.01' }).waitFor();
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false }).waitFor();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route(/\/v1\/prices$/, async (route) => {
    asked.resolve();
    await answer.promise;
    await route.continue();
  });
  await page.locator('label', { hasText: /^4K$/ }).click();
  assert.ok(await create.isDisabled(), 'the price shown is that of another form');
  await asked.promise;
  assert.ok(await create.isDisabled(), 'the price is being read');
  answer.resolve();
  await page.getByTestId('price').filter({ hasText: '$0.04' }).waitFor();
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/images'));
  await create.click();
  assert.equal((await sent).postDataJSON().max_price, '0.04');
  await untilPictureShown(page);
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

test('Ctrl+Enter before the price is there orders nothing, and says so', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const page = await openInKeptPage(t, service, { keys: { test: key } });
  const answer = Promise.withResolvers<void>();
  await page.route(/\/v1\/prices$/, async (route) => {
    await answer.promise;
    await route.continue();
  });
  const prompt = page.getByLabel('Prompt', { exact: true });
  await prompt.fill('a fox');
  await prompt.press('Control+Enter');
  const note = page.getByText('Nothing was ordered: the form or its price was still loading.');
  await note.waitFor();
  answer.resolve();
  await page.getByRole('button', { name: 'Draw for nothing', exact: true, disabled: false }).waitFor();
  assert.equal((await service.call(key, 'GET', '/v1/images')).data.items.length, 0, 'the wish is not kept');
  await prompt.press('Control+Enter');
  await page.waitForURL(/#\/t\//);
  await note.waitFor({ state: 'detached' });
  assert.equal((await service.call(key, 'GET', '/v1/images')).data.items.length, 1);
});

test('an order refused because its price rose shows the new price, at which it can be placed', async (t) => {
  const accountId = await service.createAccount(null);
  const { key } = await service.issueKey({ mode: 'test', accountId });
  const raise = (factor: number) =>
    service.call(keys.admin, 'PATCH', `/admin/v1/accounts/${accountId}`, {
      price_rules: [{ models: '*', multiplier: String(factor) }],
    });
  const page = await openInKeptPage(t, service, { keys: { test: key } });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false }).waitFor();
  assert.equal(await page.getByTestId('price').textContent(), '$0.01');
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
