import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { wholeFile } from '../helpers/whole-file.ts';
import { openConsole, switchOn } from './browser.ts';
import { fillCosts, openAlert, openCircuit, startBusyService } from './busy-service.ts';
import { followRequests } from './follow-requests.ts';
import { openInKeptPage } from './kept-page.ts';
import { assertUsable } from './usable.ts';

const service = await startBusyService(wholeFile);
const { keys, call } = service;
await fillCosts(service);
const BOX = /^Order, customer, account/;
const open = (t: TestContext, at: string) => openInKeptPage(t, service, { keys, at });

test('an engine is paused with a reason, refuses orders, and is resumed', async (t) => {
  const page = await open(t, '/now/upstreams');
  const order = () =>
    call(keys.test, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
  await page.getByRole('button', { name: 'Pause sketch' }).click();
  await page.getByLabel('Reason').fill('new brushes');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/Paused since .*: new brushes/).waitFor();
  assert.equal((await order()).error.code, 'model_unavailable');
  await page.getByRole('button', { name: 'Resume sketch' }).click();
  await page.getByRole('button', { name: 'Pause sketch' }).waitFor();
  assert.equal((await order()).status, 201);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'People and keys' }).click();
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.getByRole('cell', { name: 'engine.resume' }).first().waitFor();
});

test('an upstream that gets no orders for now says why and until when, and is given orders again by hand', async (t) => {
  await openCircuit(service, 'sketch');
  const page = await open(t, '/now/upstreams');
  await page.getByText('Blocked for now').waitFor();
  const note = page.getByRole('alert');
  await note.getByText('The upstream rejects our key').waitFor();
  await note.getByText('Invalid API key: it was revoked on 18 November.').waitFor();
  await note.getByText(/^Since .* One order is sent as a test at /).waitFor();
  await assertUsable(page);
  await note.getByRole('button', { name: /^Resume now ?: sketch$/ }).click();
  await page.getByText('Blocked for now').waitFor({ state: 'detached' });
  const { data } = await call(keys.admin, 'GET', '/admin/v1/engines');
  assert.equal(data.items.find(({ name }) => name === 'sketch')?.circuit.state, 'closed');
});

test('an order of unknown outcome comes with advice, and is resolved with what was found', async (t) => {
  const page = await open(t, '/orders?state=unknown');
  await page.getByText('No order has an unknown outcome').waitFor();
  await switchOn(page, 'Show test orders too');
  await page.getByText(/A test key simulated this/).waitFor();
  const entries = page.getByRole('table', { name: 'Unknown outcomes', exact: true });
  const row = entries.getByRole('row', { name: /flux-2-pro/ });
  await row.getByText('Outcome unknown at sketch').waitFor();
  await row.getByRole('button', { name: 'Note what was found' }).click();
  await page.getByRole('textbox', { name: 'What was found' }).fill('Not in their records.');
  await page.getByRole('button', { name: 'Resolve' }).click();
  await row.waitFor({ state: 'detached' });
  await switchOn(page, 'Show resolved ones');
  await page.getByText(/Resolved .*: Not in their records\./).waitFor();
});

test('several orders of unknown outcome are resolved with one finding', async (t) => {
  const body = { model_id: 'sketch', prompt: 'a kettle', simulate: { outcome: 'outcome_unknown' } };
  for (let count = 0; count < 3; count++) await service.make(keys.test, '/v1/images', body);
  const page = await open(t, '/orders?state=unknown');
  await switchOn(page, 'Show test orders too');
  const cause = page.getByRole('table', { name: 'Unknown outcomes by cause' }).getByRole('row', { name: /default/ });
  await assertUsable(page);
  await cause.getByRole('button', { name: 'Note one finding for 3' }).click();
  const dialog = page.getByRole('dialog', { name: 'What was found about these 3 orders?' });
  await dialog.getByRole('textbox', { name: 'What was found' }).fill('The outage of the morning.');
  const saved = page.waitForResponse(/\/reconciliation\/resolve$/);
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  assert.equal((await saved).status(), 200);
  await cause.waitFor({ state: 'detached' });
  const { data } = await call(keys.admin, 'GET', '/admin/v1/reconciliation?mode=test&resolved=true&limit=3');
  assert.deepEqual(
    data.items.map(({ resolution }) => resolution),
    Array(3).fill('The outage of the morning.'),
  );
});

test('failures tell the engine’s reason, and whose they are', async (t) => {
  const page = await open(t, '/orders?state=failed');
  await switchOn(page, 'Show test orders too');
  const row = page.getByRole('table', { name: 'Failed orders' }).getByRole('row', { name: /refuses this prompt/ });
  await row.getByText('content_policy').waitFor();
  await row.getByRole('link', { name: new RegExp(`default.*${service.failed.task_id}`) }).waitFor();
  await page.getByRole('searchbox', { name: BOX }).fill('nobody of this name');
  await page.getByText('No failed order matches.').waitFor();
});

test('one box finds an order by its customer, account, key, request and id, and the address keeps what it found', async (t) => {
  const body = { model_id: 'sketch', prompt: 'a lantern', resolution: '0.5K', end_user: 'customer-101' };
  const placed = await call(keys.test, 'POST', '/v1/images', { ...body, metadata: { cart: '88-101' } });
  const { task_id: id } = placed.data;
  const page = await open(t, '/orders');
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
  await switchOn(page, 'Show test orders too');
  await rows.nth(2).waitFor();
  const box = page.getByRole('searchbox', { name: BOX });
  for (const [text, says] of [
    ['customer-101', 'Orders of the customer customer-101.'],
    ['88-101', 'Orders with the words 88-101.'],
    [placed.headers.get('x-request-id') ?? '', 'The orders that this request placed or named.'],
    [id, 'The order with this id.'],
  ] as const) {
    await until(
      async () => (await call(keys.admin, 'GET', `/admin/v1/tasks?mode=all&search=${text}`)).data.items.length,
      (found) => found === 1,
    );
    await box.fill(text);
    await page.getByText(says, { exact: true }).waitFor();
    await rows.filter({ hasText: 'customer-101' }).waitFor();
    assert.equal(await rows.count(), 2, `its head and the order with ${text}`);
  }
  await box.fill('shop backend');
  await page.getByText('Orders of keys named shop backend.').waitFor();
  await page.reload();
  await page.getByText('Orders of keys named shop backend.').waitFor();
  assert.equal(await box.inputValue(), 'shop backend');
  await box.fill('img_nobody');
  await page.getByText('No order matches.').waitFor();
  await box.fill(id);
  await rows.getByRole('link', { name: new RegExp(id) }).click();
  const facts = page.getByRole('region', { name: 'One order' });
  for (const fact of ['customer-101', 'cart: 88-101']) await facts.getByText(fact).waitFor();
  const line = page.getByRole('table', { name: 'Time line' });
  await line.getByText(/^Ordered; \$.* held$/).waitFor();
  await line.getByText(/^POST \/v1\/images/).waitFor();
  await assertUsable(page);
  await page.goBack();
  assert.equal(await box.inputValue(), id);
  await page.goto(`${service.url}/#/orders?mode=all&search=customer-101`);
  await page.getByText('Orders of the customer customer-101.').waitFor();
  assert.equal(await box.inputValue(), 'customer-101', 'the box follows the address');
  await page.goto(`${service.url}/#/now`);
  await switchOn(page, 'Show test orders too');
  await box.fill('customer-101');
  await page.getByText('No open order matches.').waitFor();
  await page.getByRole('link', { name: 'Search all orders' }).click();
  await page.getByText('Orders of the customer customer-101.').waitFor();
  assert.equal(await rows.count(), 2);
});

test('a failed order is opened from the list, and everything is checked on demand', async (t) => {
  const page = await open(t, '/orders?state=failed&mode=all');
  await page
    .getByRole('table', { name: 'Failed orders' })
    .getByRole('link', { name: new RegExp(service.failed.task_id) })
    .click();
  const facts = page.getByRole('region', { name: 'One order' });
  await facts.getByText(/content_policy/).waitFor();
  await facts.getByText(service.failed.task_id).waitFor();
  await page.goto(`${service.url}/#/orders/img_nobody`);
  await page.getByText('Order not found').waitFor();
  await page.getByRole('link', { name: /^Now/ }).click();
  await page.getByRole('button', { name: 'Check everything' }).click();
  await page.getByText('All checks passed.').waitFor();
  await page.getByText('a file was written, read back and removed').waitFor();
});

test('the time line of a refunded order says what was charged when it ended', async (t) => {
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const { task_id: id, cost } = await service.make(keys.live, '/v1/images', order);
  assert.equal((await call(keys.admin, 'POST', `/admin/v1/tasks/${id}/refund`, {})).status, 200);
  const page = await open(t, `/orders/${id}`);
  const line = page.getByRole('table', { name: 'Time line' });
  await line.getByText(`Succeeded; $${cost.amount} charged`).waitFor();
  await line.getByText('An operator refunded it').waitFor();
});

test('the requests of a key are reached from its row, filtered by their status, and read again on demand', async (t) => {
  const refusals = async () =>
    (await call(keys.admin, 'GET', '/admin/v1/requests?code=missing_prompt&limit=100')).data.items;
  const before = (await refusals()).length;
  const refuse = async (count: number) => {
    await call(service.viewer, 'POST', '/v1/images', { model_id: 'sketch' });
    await until(refusals, (items) => items.length === before + count);
  };
  await refuse(1);
  const page = await openInKeptPage(t, service, { keys, at: '/people/keys' });
  await page.getByRole('button', { name: 'Actions for shop backend' }).click();
  await page.getByRole('menuitem', { name: 'Show its requests' }).click();
  const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row').filter({ hasText: 'POST /v1/images' });
  await rows.filter({ hasText: '201' }).first().waitFor();
  await rows.filter({ hasText: 'missing_prompt' }).first().waitFor();
  await assertUsable(page);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'All failures' }).click();
  await rows.filter({ hasText: '201' }).first().waitFor({ state: 'detached' });
  // The table is empty while the filtered list is read.
  await rows.filter({ hasText: 'missing_prompt' }).first().waitFor();
  const shown = await rows.filter({ hasText: 'missing_prompt' }).count();
  await refuse(2);
  assert.equal(await rows.filter({ hasText: 'missing_prompt' }).count(), shown, 'an open page asks nothing');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await rows.filter({ hasText: 'missing_prompt' }).nth(shown).waitFor();
  assert.match(await page.evaluate('location.hash'), /^#\/people\/requests\/key_/);
});

test('a webhook that was given up is sent again', async (t) => {
  const page = await open(t, '/orders/webhooks');
  await page.getByText('Failed', { exact: true }).first().click();
  const again = page.getByRole('row', { name: /task\.failed/ }).getByRole('button', { name: 'Send again' });
  const [answer] = await Promise.all([page.waitForResponse(/\/redeliver$/), again.click()]);
  assert.equal(answer.status(), 200);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=1');
  assert.equal(data.items[0].act, 'webhook.redeliver');
});

test('the audit log is searched by action and by what was changed, says who did what, and is exported as it is shown', async (t) => {
  await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id: 'found-by-audit' });
  await call(keys.admin, 'PATCH', '/admin/v1/accounts/found-by-audit', { credit_limit: '50.00' });
  const page = await open(t, '/people/audit');
  await page.getByRole('cell', { name: 'account.create' }).first().waitFor();
  await page.getByLabel('Target: an id').fill('found-by-audit');
  await page.getByLabel('Action, such as key.create').fill('account');
  const search = page.getByRole('main').getByRole('button', { name: 'Search' });
  await search.click();
  await page.getByRole('cell', { name: 'Credit limit: 0.00 → 50.00' }).waitFor();
  const row = page.getByRole('row', { name: /account\.create found-by-audit/ });
  await row.getByText(/ from 127\.0\.0\.1$/).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as JSON lines' }).click();
  const exported = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\n');
  assert.deepEqual(
    exported.map((line) => JSON.parse(line)).map(({ act, target }) => [act, target]),
    ['create', 'change'].map((deed) => [`account.${deed}`, 'found-by-audit']),
  );
  await page.getByLabel('Target: an id').fill('nobody');
  await search.click();
  await page.getByText('No change matches').waitFor();
});

test('models show their routes, and why one is not live', async (t) => {
  const page = await open(t, '/now/models');
  const search = page.getByLabel('Search models and vendors');
  for (const words of ['flux 2 pro', 'all-rounder flux', 'flux-2-pro']) {
    await search.fill('nothing of the kind');
    await page.getByText('No model matches').waitFor();
    await search.fill(words);
    await page.getByRole('row', { name: /flux-2-pro/ }).waitFor();
  }
  const row = page.getByRole('row', { name: /flux-2-pro/ });
  await row.getByText('The model is paused: new prices from tomorrow. Resume it to take orders again.').waitFor();
  await row.getByRole('button', { name: /^Resume/ }).click();
  await row.getByText(/None of its engines is set up/).waitFor();
  await page.getByRole('button', { name: 'Reload the catalog' }).click();
  await page.getByText(/Catalog reloaded: \d+ models/).waitFor();
});

test('costs tell what live orders earned and cost by model, account or engine, and which were sold below cost', async (t) => {
  const page = await open(t, '/money/margins');
  const figures = page.locator('dl').filter({ hasText: 'Revenue' });
  await figures.waitFor();
  assert.deepEqual((await figures.innerText()).split(/\s*\n\s*/), [
    'Orders',
    '1,206',
    'Revenue',
    '$49.24',
    'Cost',
    '$36.92',
    'Margin',
    '$11.92',
    '24.4 % of the revenue of orders with a known cost',
  ]);
  await page.getByText(/^Cost unknown for orders: 1\. They earned \$0\.40/).waitFor();
  await page.getByText(/^Outcome unknown for orders: 1\. If their upstreams made them, they cost \$0\.42/).waitFor();
  const profit =
    '1,202 $48.04 $36.06 $36.0625 $36.0625 $11.9775 1 with a cost other than expected, 1 failed or canceled';
  const loss = '4 $1.20 $1.26 $0.435 $0.855 −$0.055 2 sold below cost, 1 of unknown outcome, cost unknown for 1';
  for (const [group, first, second] of [
    ['Model', 'flux-2-pro', 'veo-3.1'],
    ['Account', 'acme', 'default'],
    ['Engine', 'fal', 'google'],
  ] as const) {
    await page.getByRole('radiogroup', { name: 'Grouped by' }).getByText(group, { exact: true }).click();
    const rows = page.getByRole('table', { name: 'Revenue and costs' }).getByRole('row');
    await rows.filter({ hasText: second }).waitFor();
    const texts = (await rows.allInnerTexts()).map((text) => text.split(/\s+/).join(' '));
    assert.deepEqual(texts, [
      `${group} Orders Revenue Expected cost Reported cost Cost Margin Notes`,
      `${first} ${profit}`,
      `${second} ${loss}`,
    ]);
  }
});

test('every figure of the costs leads to the orders behind it, and the address keeps which', async (t) => {
  const page = await open(t, '/money/margins');
  const settled = page.getByRole('table', { name: 'Orders with their costs' });
  const rows = settled.getByRole('row');
  await page.locator('dl').getByRole('link', { name: '$36.92' }).click();
  await rows.nth(50).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Cost unknown for orders: 1.' }).click();
  await settled.getByRole('row', { name: /veo-3\.1 .*google .*not known.*not known/ }).waitFor();
  assert.equal(await rows.count(), 2, 'its head and the one order');
  await page.goBack();
  await page.getByRole('radiogroup', { name: 'Grouped by' }).getByText('Engine', { exact: true }).click();
  const google = page.getByRole('table', { name: 'Revenue and costs' }).getByRole('row', { name: /^google/ });
  await google.getByRole('link', { name: '2 sold below cost' }).click();
  await rows.nth(2).waitFor();
  assert.equal(await rows.count(), 3);
  assert.match(await page.evaluate('location.hash'), /^#\/orders\?state=settled&engine=google&note=below_cost$/);
  await page.reload();
  await page.getByText('Engine: google').waitFor();
  await rows.nth(2).waitFor();
  await assertUsable(page);
  await page.getByRole('main').getByRole('region').getByRole('link', { name: 'All orders' }).click();
  await page.getByRole('combobox', { name: 'Notes' }).click();
  await page.getByRole('option', { name: 'Failed or canceled' }).click();
  await settled.getByRole('row', { name: /flux-2-pro .*fal .*Failed.*\$0\.00/ }).waitFor();
  assert.equal(await rows.count(), 2);
});

test('all orders are held and sent again by a button, which the tile, each order and its customer tell', async (t) => {
  t.after(() => call(keys.admin, 'DELETE', '/admin/v1/hold'));
  const page = await open(t, '/now');
  const tile = page.getByRole('region', { name: 'State of the service' }).getByRole('link', { name: /^Orders/ });
  await tile.getByText(/^are sent, seen \d+ s ago$/).waitFor();
  await page.getByRole('button', { name: 'Hold all orders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hold all orders?' });
  await dialog.getByRole('textbox', { name: 'For your customers' }).fill('We move house until noon.');
  await assertUsable(page);
  await dialog.getByRole('button', { name: 'Hold all orders' }).click();
  await tile.getByText(/^none is sent since .*\. An operator holds it\.$/).waitFor();
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const { data: task } = await call(keys.test, 'POST', '/v1/images', order);
  await switchOn(page, 'Show test orders too');
  await page.getByText(/^The service sends nothing since .*\. An operator holds it\.$/).waitFor();
  const { data: account } = await call(keys.test, 'GET', '/v1/account');
  assert.deepEqual(account.service, { held: true, message: 'We move house until noon.' });
  const customer = await openInKeptPage(t, service, { keys, at: `/t/${task.task_id}` });
  await customer.getByText('The operator sends no orders for now').first().waitFor();
  await page.getByRole('button', { name: 'End the hold' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the hold' }).click();
  await tile.getByText(/^are sent, seen \d+ s ago$/).waitFor();
  assert.equal((await service.ended(keys.test, task)).status, 'succeeded');
});

test('an alert that begins while a page opens is marked on it by itself, and listed with what to do, its page and who was told', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/' });
  const mayFollow = Promise.withResolvers<void>();
  await page.route(/\/admin\/v1\/events$/, async (route) => {
    await mayFollow.promise;
    await route.continue();
  });
  const firstRead = page.waitForResponse(/\/admin\/v1\/alerts/);
  await page.reload();
  await (await firstRead).finished();
  await openAlert(service);
  mayFollow.resolve();
  // The service's own check, once a minute, may have found another one: the circuit that a test here opened.
  await page.getByRole('link', { name: /^Now.* [1-9] open alerts?$/ }).click();
  const alert = page.getByRole('region', { name: 'Unknown outcomes: google' });
  await alert.locator('button[aria-expanded]').first().click();
  await alert.getByText(/^2 live orders have an unknown outcome at google \(\$0\.30\)/).waitFor();
  await alert.getByText(/^Look the orders up/).waitFor();
  await alert.getByText(/Webhook \(alerts\.example\.com\) told/).waitFor();
  await switchOn(page, 'Show ended alerts');
  await page
    .getByRole('table', { name: 'Ended alerts' })
    .getByRole('row', { name: /Upstream blocked/ })
    .waitFor();
  await assertUsable(page);
  await alert.getByRole('link', { name: 'Show the orders' }).click();
  await page.getByText('No order has an unknown outcome').waitFor();
});

test('Now is read again every ten seconds, also while nothing tells of a change', async (t) => {
  const page = await openConsole(t, service, { keys, at: '/now' });
  await page.route(/\/admin\/v1\/events$/, () => undefined);
  await page.clock.install();
  const { asked } = followRequests(page);
  await page.reload();
  await page.getByRole('link', { name: /^Upstreams accept orders/ }).waitFor();
  t.after(() => call(keys.admin, 'POST', '/admin/v1/engines/sketch/resume'));
  await call(keys.admin, 'POST', '/admin/v1/engines/sketch/pause', { reason: 'elsewhere' });
  await page.clock.runFor(10_000);
  await page.getByText('sketch is paused').waitFor();
  await call(keys.admin, 'POST', '/admin/v1/engines/sketch/resume');
  await page.clock.runFor(10_000);
  await page.getByText('sketch is paused').waitFor({ state: 'hidden' });
  asked.length = 0;
  await page.clock.runFor(15_000);
  const paths = ['alerts', 'engines', 'processes', 'tasks', 'webhooks/deliveries'].map((name) => `/admin/v1/${name}`);
  await until(
    () => [...paths, '/readyz'].filter((path) => !asked.includes(path)),
    (missing) => missing.length === 0,
  );
});

test('failures are grouped by cause, with advice and the latest order as an example', async (t) => {
  const page = await open(t, '/orders?state=failed');
  await switchOn(page, 'Show test orders too');
  const row = page.getByRole('table', { name: 'Causes' }).getByRole('row', { name: /refuses this prompt/ });
  await row.getByText(/the order was refused for its content/).waitFor();
  await row.getByRole('link', { name: service.failed.task_id }).click();
  await page.getByRole('region', { name: 'One order' }).waitFor();
});
