import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { chooseKey, untilKey } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';

/** Test or live: which orders people see. */

const ROLES = ['viewer', 'finance', 'creator'] as const;
const provider = await startOidcProvider(wholeFile);
const service = await startSwiftService(wholeFile, {
  env: {
    ...provider.env,
    DARKROOM_OIDC_ROLES: [...ROLES.map((role) => `${role}=${role}@default`), 'beginner=creator@fresh'].join(','),
  },
});
provider.serve(service.url);
const { keys } = service;
const order = (key: string, prompt: string) =>
  service.make(key, '/v1/images', { model_id: 'sketch', prompt, resolution: '0.5K' });
const drawn = await order(keys.test, 'a kettle in play');
const paid = await order(keys.live, 'a kettle for money');
await service.call(keys.admin, 'POST', '/admin/v1/accounts', { account_id: 'fresh' });

async function signInAs(t: TestContext, role: (typeof ROLES)[number] | 'beginner'): Promise<Page> {
  provider.people.set(role, {
    sub: role,
    email: `${role}@example.com`,
    email_verified: true,
    name: role,
    groups: [role],
  });
  provider.signsIn = role;
  const page = await openInKeptPage(t, service);
  await page.getByRole('link', { name: 'Sign in with your work account' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return page;
}

test('a creator begins with test orders in an account without live ones', async (t) => {
  await untilKey(await signInAs(t, 'beginner'), 'Test');
});

test('a creator begins with live orders in an account that has some, and a choice outlives a reload', async (t) => {
  const page = await signInAs(t, 'creator');
  await untilKey(page, 'Live');
  await chooseKey(page, 'Test');
  await page.reload();
  await untilKey(page, 'Test');
});

test('finance begins with the live ledger and its receipts, each of which says so, and can switch to test', async (t) => {
  const page = await signInAs(t, 'finance');
  await untilKey(page, 'Live');
  await page.getByRole('link', { name: /^Balance/ }).waitFor();
  const ledger = page.getByRole('region', { name: 'Ledger' });
  await ledger.getByText('Live orders. The balance is').waitFor();
  await ledger.getByText(paid.task_id).first().waitFor();
  assert.equal(await ledger.getByText(drawn.task_id).count(), 0);
  const receipts = page.getByRole('region', { name: 'Receipts' });
  await receipts.getByText(/^Live orders/).waitFor();
  await receipts.getByRole('textbox').fill(paid.task_id);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    receipts.getByRole('button', { name: 'Download' }).click(),
  ]);
  assert.match(await readFile(await saved.path(), 'utf8'), /a kettle for money/);
  await chooseKey(page, 'Test');
  await ledger.getByText('Test orders. The balance is').waitFor();
  await ledger.getByText(drawn.task_id).first().waitFor();
  assert.equal(await ledger.getByText(paid.task_id).count(), 0);
});

test('a viewer begins with the live orders of the account, and the list says so', async (t) => {
  const page = await signInAs(t, 'viewer');
  await page.getByText('Live orders of everybody').waitFor();
  await page.getByRole('link', { name: 'a kettle for money' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'a kettle in play' }).count(), 0);
  await chooseKey(page, 'Test');
  await page.getByText('Test orders of everybody').waitFor();
  await page.getByRole('link', { name: 'a kettle in play' }).waitFor();
});
