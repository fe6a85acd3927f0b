import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { chooseKey, PHONE, untilFocused, untilKey, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';
import { assertFaultless, assertUsable } from './usable.ts';

/** The search over everything. */

const provider = await startOidcProvider(wholeFile);
const service = await startSwiftService(wholeFile, {
  env: { ...provider.env, DARKROOM_OIDC_ROLES: 'finance=finance@default' },
});
provider.serve(service.url);
const { keys } = service;
const made = await service.make(keys.test, '/v1/images', {
  model_id: 'sketch',
  prompt: 'a heron at dawn',
  resolution: '0.5K',
  end_user: 'customer-101',
});

const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Search everything' }).getByRole('option');
/** The option that Enter chooses, as the field tells it. */
async function chosen(page: Page): Promise<string> {
  const id = await field(page).getAttribute('aria-activedescendant');
  return await page.locator(`[id="${id}"]`).innerText();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await untilFocused(field(page));
}

test('by keyboard alone the palette opens a page, an order by its words and a model, and Escape gives the focus back', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { test: keys.test } });
  const prompt = page.getByLabel('Prompt', { exact: true });
  await prompt.focus();
  await openPalette(page);
  assert.equal(await options(page).first().getAttribute('aria-selected'), 'true');
  const [first, second] = [await options(page).nth(0).innerText(), await options(page).nth(1).innerText()];
  await page.keyboard.press('ArrowDown');
  assert.equal(await chosen(page), second);
  await page.keyboard.press('ArrowUp');
  assert.equal(await chosen(page), first);
  await assertFaultless(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  await untilFocused(prompt);

  await openPalette(page);
  await page.keyboard.type('dawn heron');
  await options(page).filter({ hasText: 'a heron at dawn' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.hash.includes(made.task_id));
  await untilPictureShown(page);

  await openPalette(page);
  await page.keyboard.type('flux 2 pro');
  await options(page).filter({ hasText: 'FLUX.2 [pro]' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/models\/flux-2-pro/);
  // So that the new page is announced.
  await untilFocused(page.getByRole('main'));

  await openPalette(page);
  await page.keyboard.type('spending');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/money\/usage/);
});

test('an operator finds an order by its customer, an account and a key, and what he has no key for is not asked', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { admin: keys.admin } });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).focus();
  // All at once: on a busy machine keys that are pressed one by one are as far apart as a person's thoughts.
  await page.evaluate(`for (const letter of 'customer-101') document.execCommand('insertText', false, letter)`);
  await options(page).filter({ hasText: 'customer-101' }).waitFor();
  const searches = asked.filter((path) => path === '/admin/v1/tasks').length;
  assert.ok(searches <= 3, `${searches} searches for twelve letters`);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.hash === `#/orders/${made.task_id}`);

  await openPalette(page);
  await page.keyboard.type('default');
  await page.getByRole('group', { name: 'Accounts' }).getByRole('option').first().waitFor();
  await page.getByRole('group', { name: 'Keys' }).getByRole('option').first().waitFor();
  assert.ok((await options(page).count()) <= 25);
  assert.ok(!asked.some((path) => path.startsWith('/v1/')), 'nothing is asked that needs an ordering key');
  assert.deepEqual(refused, []);
});

test('who may not order is offered no order, and Test and Live all the same', async (t) => {
  provider.people.set('finn', {
    sub: 'finn',
    email: 'finn@example.com',
    email_verified: true,
    name: 'Finn',
    groups: ['finance'],
  });
  provider.signsIn = 'finn';
  const page = await openInKeptPage(t, service);
  await page.getByRole('link', { name: 'Sign in with your work account' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).getByText('Money').waitFor();
  await openPalette(page);
  await page.keyboard.type('heron');
  await page.getByText('Nothing found').waitFor();
  await field(page).fill('test orders');
  await options(page).filter({ hasText: 'Switch to test orders' }).click();
  await untilKey(page, 'Test');
  await chooseKey(page, 'Live');
});

test('on a phone a button opens the palette, whose commands switch to the live key and sign out', async (t) => {
  const page = await openInKeptPage(t, service, { keys, viewport: PHONE, scheme: 'light' });
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).fill('live');
  await assertUsable(page);
  await options(page).filter({ hasText: 'Switch to live orders' }).click();
  await page.getByRole('button', { name: 'Keys in this browser: Live' }).waitFor();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await field(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Search' }).click();
  await field(page).fill('sign out');
  await options(page).filter({ hasText: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
