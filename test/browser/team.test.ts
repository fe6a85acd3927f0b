import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { anyTable } from '../helpers/any-table.ts';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { startTestService } from '../helpers/service.ts';
import { signInAs } from '../helpers/signed-in.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { chooseKey, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { drop } from './order-form.ts';
import { assertAccessible } from './usable.ts';

/** People who sign in with a real provider, in a real browser. */

const provider = await startOidcProvider(wholeFile);
const service = await startTestService(wholeFile, {
  env: { ...provider.env, DARKROOM_OIDC_ROLES: 'designers=creator@default,leads=manager@default,admins=owner' },
  service: { engines: [createSwiftEngine()] },
});
provider.serve(service.url);
const { call, keys } = service;

let number = 0;
function newPerson(name: string, groups: readonly string[]): string {
  const sub = `person-${++number}`;
  provider.people.set(sub, { sub, email: `${sub}@example.com`, email_verified: true, name, groups });
  provider.signsIn = sub;
  return sub;
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with your work account' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

async function stored(page: Page): Promise<string> {
  return String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'));
}

test('a person signs in, orders, stays signed in after a reload, and signs out in every tab', async (t) => {
  newPerson('Ada', ['designers']);
  const page = await openInKeptPage(t, service);
  await signIn(page);
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await untilPictureShown(page);
  await page.reload();
  await untilPictureShown(page);
  const kept = await stored(page);
  assert.ok(!/dk_client_|dps_/.test(kept), kept);
  const other = await page.context().newPage();
  await other.goto(`${service.url}/#/orders/account`);
  await other.getByRole('region', { name: 'Orders of the account' }).waitFor();
  await other
    .getByText(/^Ada · /)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByText('Signed in as Ada').waitFor();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a manager invites a viewer by a link, who then sees the orders of others and may not order', async (t) => {
  newPerson('Grace', ['leads']);
  const page = await openInKeptPage(t, service);
  await signIn(page);
  await page.getByRole('link', { name: 'People and keys' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('button', { name: 'Create the link' }).click();
  const link = await page.getByRole('textbox', { name: 'Link of the invitation' }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();

  await service.make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a kettle', resolution: '0.5K' });
  newPerson('Vera', []);
  const viewer = await openInKeptPage(t, service);
  await viewer.goto(link);
  await viewer.getByText(/Grace \(.*\) invites you to the account default/).waitFor();
  await viewer.getByRole('button', { name: 'Join as viewer' }).click();
  await chooseKey(viewer, 'Test');
  await viewer.getByRole('link', { name: 'a kettle' }).waitFor();
  assert.equal(await viewer.getByRole('link', { name: 'Make' }).count(), 0);

  await page.reload();
  await page.route(/\/members\/psn_/, drop);
  await page.getByRole('combobox', { name: 'Role of Vera' }).click();
  await page.getByRole('option', { name: 'Creator' }).click();
  await page.getByRole('combobox', { name: 'Role of Vera' }).and(page.locator('[value="Creator"]')).waitFor();
  await page.getByText('It is not known whether it was changed').waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'wait' });
  await viewer.reload();
  await viewer.getByRole('link', { name: 'Make' }).waitFor();
  await page.getByRole('button', { name: 'Remove Vera' }).click();
  await page.getByRole('button', { name: 'Remove Vera' }).waitFor({ state: 'detached' });
});

test('a page works for the account that it shows until the other one is ready', async (t) => {
  const accountId = await service.createAccount(null);
  const wish = { account_id: accountId, role: 'manager' } as const;
  const invitation = await call(keys.admin, 'POST', '/admin/v1/invitations', wish);
  newPerson('Nora', ['leads']);
  const page = await openInKeptPage(t, service);
  await signIn(page);
  await page.goto(invitation.data.url ?? '');
  await page.getByRole('button', { name: 'Join as manager' }).click();
  await page.getByRole('button', { name: /^default/ }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  const held = Promise.withResolvers<void>();
  const asked = page.waitForRequest(/\/console\/session\/bearer$/);
  await page.route(/\/console\/session\/bearer$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByRole('menuitem', { name: /^Work in / }).click();
  await asked;
  const usage = page.waitForResponse(/\/v1\/account\/usage/);
  await page.getByRole('link', { name: 'Money' }).click();
  assert.equal((await usage).status(), 200);
  const bearers = page.waitForResponse(/\/console\/session\/bearer$/);
  held.resolve();
  await bearers;
  const next = page.waitForResponse(/\/v1\/account\/usage/);
  assert.equal((await next).status(), 200);
});

test('a manager who removes a member revokes a key that they know, also if the answer is lost', async (t) => {
  const wish = { account_id: 'default', role: 'manager' } as const;
  const invitation = await call(keys.admin, 'POST', '/admin/v1/invitations', wish);
  newPerson('Lena', []);
  const leaver = await openInKeptPage(t, service);
  const signedIn = leaver.waitForRequest((request) => 'authorization' in request.headers());
  await leaver.goto(invitation.data.url ?? '');
  await leaver.getByRole('button', { name: 'Join as manager' }).click();
  const bearer = (await signedIn).headers().authorization?.replace('Bearer ', '') ?? '';
  const key = await call(bearer, 'POST', '/v1/account/keys', { mode: 'test', name: 'of the shop' });
  assert.equal(key.status, 201, JSON.stringify(key.body));

  newPerson('Mona', ['leads']);
  const page = await openInKeptPage(t, service);
  await signIn(page);
  await page.getByRole('link', { name: 'People and keys' }).click();
  await page.getByRole('button', { name: 'Remove Lena' }).click();
  await page.getByRole('dialog', { name: 'Lena knows API keys' }).waitFor();
  await assertAccessible(page);
  await page.route(/\/revoke$/, drop);
  await page.getByRole('button', { name: 'Revoke the key of the shop' }).click();
  await page.getByText('It is not known whether the key was revoked').waitFor();
  assert.equal((await call(key.data.key, 'GET', '/v1/account')).status, 401);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Revoke the key of the shop' }).click();
  await page.getByRole('button', { name: 'Revoke the key of the shop', disabled: true }).waitFor();
  await page.getByText('It is not known whether the key was revoked').waitFor({ state: 'detached' });
});

test('a person with two accounts is asked which one, once, and learns of somebody else who signs in beside them', async (t) => {
  const sub = newPerson('Dora', ['designers']);
  const page = await openInKeptPage(t, service);
  await signIn(page);
  const accountId = await service.createAccount(null);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  const id = data.items.find(({ email }) => email === `${sub}@example.com`)?.person_id ?? '';
  await call(keys.admin, 'PUT', `/admin/v1/people/${id}/role`, { account_id: accountId, role: 'creator' });
  await page.reload();
  await page.getByRole('heading', { name: 'Which account do you want to work in?' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: /^default/ }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByText('Signed in as Dora · Creator in default').waitFor();
  await page.keyboard.press('Escape');

  newPerson('Emil', ['designers']);
  await page.context().clearCookies();
  const other = await page.context().newPage();
  await other.goto(`${service.url}/console/sign-in`);
  await other.getByRole('navigation', { name: 'Pages' }).waitFor();
  await service.database.write('test', (trx) =>
    trx.run(
      anyTable(trx.builder)
        .updateTable('api_keys')
        .set({ hash: 'of nobody' })
        .where('id', 'in', (keysOf) =>
          keysOf
            .selectFrom('person_keys')
            .select('key_id')
            .where('person_id', '=', id)
            .where('mode', '=', 'test')
            .where('account_id', '=', 'default'),
        ),
    ),
  );
  // Until the refusal has come, the page and its menu are Dora's.
  const asksAnew = page.waitForResponse(`${service.url}/console/session`);
  const noticeSignIn = `window.sawSignIn = false;
    new MutationObserver(() => { window.sawSignIn ||= document.querySelector('h1')?.textContent === 'Sign in'; })
      .observe(document.body, { childList: true, subtree: true });`;
  await page.evaluate(noticeSignIn);
  await page.getByRole('link', { name: 'Money' }).click();
  await asksAnew;
  await page.getByRole('heading', { name: 'Spending' }).waitFor();
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByText('Signed in as Emil').waitFor();
  assert.equal(await page.evaluate('window.sawSignIn'), false, 'no page flashes meanwhile');
});

test('an owner sees everybody who has signed in, and signs them out', async (t) => {
  const sub = newPerson('Rosa', ['designers']);
  const other = await openInKeptPage(t, service);
  await signIn(other);
  newPerson('Olga', ['admins']);
  const page = await openInKeptPage(t, service);
  await signIn(page);
  await page.getByRole('link', { name: 'People and keys' }).click();
  await page.getByRole('button', { name: 'Sign out: Rosa, everywhere' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: `${sub}@example.com` })
    .getByText('in 0 places')
    .waitFor();
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.getByRole('alert').getByText('Your session has ended').waitFor();
});

test('every person and every member is listed, however many there are', async (t) => {
  for (const name of ['Pia', 'Quin', 'Ruth']) {
    await signInAs(service, provider, newPerson(name, ['designers']));
  }
  for (const [name, group, list, listing] of [
    ['Olaf', 'admins', 'People', /\/admin\/v1\/people\?/],
    ['Lars', 'leads', 'Members', /\/v1\/account\/members\?/],
  ] as const) {
    newPerson(name, [group]);
    const page = await openInKeptPage(t, service);
    await page.route(listing, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, 'limit=2'),
      }),
    );
    await signIn(page);
    await page.getByRole('link', { name: 'People and keys' }).click();
    const table = page.getByRole('table', { name: list });
    await table.getByRole('row').nth(2).waitFor();
    await page.getByRole('region', { name: list }).getByRole('button', { name: 'Show more' }).click();
    await table.getByRole('row').nth(4).waitFor();
  }
});

test('a session goes on with a new bearer when the one before has ended early', async (t) => {
  newPerson('Ida', ['designers']);
  const page = await openInKeptPage(t, service);
  await signIn(page);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  const id = data.items.find(({ name }) => name === 'Ida')?.person_id ?? '';
  // As another session of the same person ends them.
  await service.database.write('test', (trx) =>
    trx.run(
      anyTable(trx.builder)
        .updateTable('api_keys')
        .set({ hash: 'another' })
        .where('id', 'in', (keysOf) =>
          keysOf.selectFrom('person_keys').select('key_id').where('person_id', '=', id).where('mode', '=', 'test'),
        ),
    ),
  );
  await page.getByRole('link', { name: 'Money' }).click();
  await page.getByRole('heading', { name: 'Spending' }).waitFor();
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByText('Signed in as Ida').waitFor();
});
