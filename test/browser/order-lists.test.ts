import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multiplyTask } from '../helpers/multiply-task.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { untilFocused } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

/** Lists of orders are read at a glance, and walked by the keyboard. */

const service = await startSwiftService(wholeFile);
const { keys, database, make, call } = service;
const { task_id: id } = await make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '64x64' });
await multiplyTask(database, id, {
  count: 60,
  everyMs: 60_000,
  change: (index) => ({ price: (index + 1) * 1_000 }),
});

test('an order is one line: twenty stand on one screen, sorted by a press, and found by the first characters of their ids', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { admin: keys.admin }, at: '/orders' });
  const table = page.getByRole('table', { name: 'Orders' });
  const rows = table.locator('tbody').getByRole('row');
  await rows.nth(49).waitFor();
  const bottom = await rows
    .nth(19)
    .evaluate((row) => (row as { getBoundingClientRect(): { bottom: number } }).getBoundingClientRect().bottom);
  assert.ok(bottom <= 900, `the twentieth row ends at ${bottom}`);
  const price = table.getByRole('columnheader', { name: 'Price' });
  await price.getByRole('button').click();
  await price.and(page.locator('[aria-sort="ascending"]')).waitFor();
  await price.getByRole('button').click();
  await rows.first().getByText('$0.049').waitFor();
  await assertUsable(page);
  await page.getByRole('searchbox', { name: /^Order, customer/ }).fill(id.slice(0, 14));
  await page.getByText('The orders whose ids begin so.').waitFor();
  await rows.getByRole('link', { name: new RegExp(id) }).waitFor();
  assert.equal(await rows.count(), 1);
});

test('j and k walk the rows, and Enter opens one', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { admin: keys.admin }, at: '/orders' });
  const links = page.getByRole('table', { name: 'Orders' }).locator('tbody tr').getByRole('link');
  await links.nth(2).waitFor();
  for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
  await untilFocused(links.nth(1));
  const { data } = await call(keys.admin, 'GET', '/admin/v1/tasks?limit=2');
  await page.keyboard.press('Enter');
  await page.waitForURL(({ hash }) => hash === `#/orders/${data.items[1]?.task_id}`);
});

test('the orders with their costs are a filter of the orders', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { admin: keys.admin }, at: '/orders' });
  await page.getByRole('radiogroup', { name: 'Which orders' }).getByText('With costs').click();
  await page.getByRole('region', { name: 'Orders with their costs' }).waitFor();
  assert.match(await page.evaluate('location.hash'), /^#\/orders\?state=settled$/);
  await page.getByRole('radiogroup', { name: 'Which orders' }).getByText('Failed').click();
  await page.getByRole('region', { name: 'Failed orders' }).waitFor();
});
