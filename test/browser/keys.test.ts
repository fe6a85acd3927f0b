import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { LOOKS, switchOn } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

const service = await startSwiftService(wholeFile);
const { keys, call } = service;
const open = (t: TestContext) => openInKeptPage(t, service, { keys, at: '/people/keys' });
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

async function takeSecret(page: Page): Promise<string> {
  const secret = await page.getByRole('textbox', { name: 'API key' }).inputValue();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return secret;
}

test('a key is issued with its limits, shown once, rotated and revoked', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('shop');
  await dialog.getByLabel('a day').first().fill('2.5');
  await dialog.getByLabel('At once').fill('3');
  await dialog.getByLabel('Models').fill('sketch, flux-*');
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  const secret = await takeSecret(page);
  await row(page, 'shop').getByText('$2.50 a day, 3 at once, models sketch, flux-*').waitFor();
  const { data } = await call(secret, 'GET', '/v1/account');
  assert.deepEqual([data.key.name, data.key.concurrency, data.key.spend_limits.day.limit], ['shop', 3, '2.50']);

  await page.getByRole('button', { name: 'Actions for shop' }).click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await dialog.getByRole('combobox', { name: 'The old secret works for' }).click();
  await page.getByRole('option', { name: 'No time: stop it now' }).click();
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  const next = await takeSecret(page);
  assert.equal((await call(secret, 'GET', '/v1/account')).error.code, 'revoked_api_key');
  assert.equal((await call(next, 'GET', '/v1/account')).status, 200);

  await page.getByRole('button', { name: 'Actions for shop' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke permanently' }).click();
  await page.getByText('The key is revoked. It had no tasks.').waitFor();
  assert.equal((await call(next, 'GET', '/v1/account')).error.code, 'revoked_api_key');
  await row(page, 'shop').waitFor({ state: 'detached' });
  await switchOn(page, 'Show revoked and expired keys');
  await row(page, 'shop')
    .getByText(/^Revoked/)
    .waitFor();
});

test('a new secret is closed by its button alone', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByRole('textbox', { name: 'API key' }).press('Escape');
  await page.getByRole('button', { name: 'Copy the key' }).press('Escape');
  assert.match(await takeSecret(page), /^dk_test_/);
});

test('revoking says beforehand how many tasks are lost', async (t) => {
  const { key } = await service.issueKey({ mode: 'test', name: 'gallery' });
  await service.make(key, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  await service.make(key, '/v1/images', { model_id: 'sketch', prompt: 'a hare' });
  const page = await open(t);
  await page.getByRole('button', { name: 'Actions for gallery' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 tasks can no longer be accessed').waitFor();
  await dialog.getByRole('button', { name: 'Revoke permanently' }).click();
  await page.getByText('The key is revoked. 2 of its tasks can no longer be accessed.').waitFor();
});

test('a limit that is none is refused in place, with what to change', async (t) => {
  const page = await open(t);
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Models').fill('FLUX!');
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/pattern such as 'flux-\*'/)
    .waitFor();
});

test('an account is made, credited once however often it is pressed, and given terms', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/people/accounts' });
  await page.getByRole('button', { name: 'New account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Id').fill('acme');
  await dialog.getByLabel('Name').fill('Acme');
  await dialog.getByRole('button', { name: 'Create the account' }).click();
  await page.getByRole('button', { name: 'Credit Acme' }).click();
  await dialog.getByRole('button', { name: 'Credit', exact: true }).click();
  await dialog.getByText('Enter an amount in dollars, such as 25 or 25.00').waitFor();
  await dialog.getByLabel('Amount in dollars').fill('25');
  await dialog.getByRole('button', { name: 'Credit', exact: true }).dblclick();
  await page.getByText('Acme now has $25.00.').waitFor();
  assert.equal((await call(keys.admin, 'GET', '/admin/v1/accounts/acme')).data.balance, '25.00');

  await page.getByRole('button', { name: 'Change Acme' }).click();
  await dialog.getByText('Later, without limit').click();
  await dialog.getByLabel('Price rules').fill('flux-*');
  await dialog.getByText('Each line is a pattern and a factor, such as: flux-* 0.9').waitFor();
  await dialog.getByLabel('Price rules').fill('flux-* 0.9');
  await dialog.getByLabel('Hidden models').fill('veo-*');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 price rule, 1 hidden pattern').waitFor();
  const { data } = await call(keys.admin, 'GET', '/admin/v1/accounts/acme');
  assert.deepEqual(
    [data.credit_limit, data.price_rules, data.hidden_models],
    [null, [{ models: 'flux-*', multiplier: '0.9' }], ['veo-*']],
  );
});

test('a key is edited: only what was changed is sent, and a running program follows', async (t) => {
  const { key, key_id: keyId } = await service.issueKey({ mode: 'test', name: 'atelier', spendLimits: { total: 5e6 } });
  await service.make(key, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  const page = await open(t);
  await row(page, 'atelier').getByText('$0.01 play money').waitFor();
  await row(page, 'atelier').getByText('just now').waitFor();
  const edit = async () => {
    await page.getByRole('button', { name: /^Actions for atelier/ }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  };
  await edit();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), true);
  await dialog.getByLabel('Name').fill('atelier 2');
  await dialog.getByLabel('a month').first().fill('30');
  await dialog.getByLabel('Orders/min').fill('12');
  // Meanwhile another operator changes something else.
  await call(keys.admin, 'PATCH', `/admin/v1/keys/${keyId}`, { models: ['sketch*'] });
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await dialog.getByRole('button', { name: 'Save' }).click();
  assert.deepEqual((await sent).postDataJSON(), {
    name: 'atelier 2',
    rpm: 12,
    spend_limits: { day: null, month: '30', total: '5.00' },
  });
  await page.getByText('atelier 2 is changed.').waitFor();
  await row(page, 'atelier 2').getByText('$30.00 a month, $5.00 in total, 12 orders/min, models sketch*').waitFor();
  assert.equal((await call(key, 'GET', '/v1/account')).data.key.name, 'atelier 2');

  await edit();
  await dialog.getByLabel('Expires').fill('2020-01-01T00:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').getByText("'expires_at' must be in the future").waitFor();
  await assertUsable(page);
});

test('keys are found by a word, and shown a page at a time', async (t) => {
  for (let count = 1; count <= 24; count++)
    await service.issueKey({ mode: 'live', name: `robot ${String(count).padStart(2, '0')}` });
  const page = await open(t);
  const names = page.getByRole('table', { name: 'Keys' }).getByText(/^robot \d\d$/);
  await page.getByLabel('Search keys').fill('ROBOT');
  await page.getByText('24 keys').waitFor();
  assert.equal(await names.count(), 20);
  await page.getByRole('button', { name: 'Page 2' }).click();
  await names.getByText('robot 01').waitFor();
  assert.equal(await names.count(), 4);
  await page.getByLabel('Search keys').fill('robot 17');
  await names.getByText('robot 17').waitFor();
  assert.equal(await names.count(), 1);
  await page.getByLabel('Search keys').fill('nothing like this');
  await page.getByText('No key matches.').waitFor();
});

test('an admin key that was revoked is told as the reason', async (t) => {
  const admin = await service.issueKey({ mode: 'admin', name: 'night shift' });
  const page = await openInKeptPage(t, service, { keys: { test: keys.test, admin: admin.key }, at: '/people/keys' });
  await page.getByRole('button', { name: 'New key' }).waitFor();
  await call(keys.admin, 'POST', `/admin/v1/keys/${admin.key_id}/revoke`);
  // The page may have noticed by itself, and a reload would forget why.
  await page.evaluate("location.hash = '#/now'");
  await page
    .getByRole('alert')
    .getByText(/'night shift' was revoked/)
    .waitFor();
  await page.getByText('This page needs an admin key').waitFor();
  await assertUsable(page);
});

test('without an admin key the page says how to get one', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { test: keys.test }, at: '/people/keys' });
  await page.getByText('This page needs an admin key').waitFor();
});

for (const { scheme, viewport } of LOOKS) {
  test(`the form of a new key can be used by everyone (${scheme}, ${viewport.width} wide)`, async (t) => {
    const page = await openInKeptPage(t, service, { keys, at: '/people/keys', scheme, viewport });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'Create the key' }).waitFor();
    await assertUsable(page);
  });
}
