import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { untilPictureShown } from './browser.ts';
import {
  type Break,
  cut,
  drop,
  gatewayFault,
  lose,
  type OrderForm,
  openOrderForm,
  openTray,
  untilPriced,
} from './order-form.ts';
import { startSwiftService } from './swift-service.ts';

const service = await startSwiftService(wholeFile);
const { keys } = service;
const NOTE = 'It is not known whether the order arrived';
const never = () => new Promise<never>(() => {});

/** One task, one charge, and every attempt with the same key. */
async function assertOnce({ sent, tasks, charges }: OrderForm): Promise<void> {
  await until(tasks, ([task]) => task?.status === 'succeeded');
  assert.equal(new Set(sent).size, 1, `${sent}`);
  assert.equal((await tasks()).length, 1);
  assert.equal(await until(charges, (count) => count > 0), 1);
}

const breaks: Record<string, Break> = { dropped: drop, 'cut in the middle': cut, 'a gateway error': gatewayFault };
for (const [how, breakAnswer] of Object.entries(breaks)) {
  test(`an order whose answer is ${how} is found by itself, with the same key`, async (t) => {
    const form = await openOrderForm(t, service, breakAnswer);
    const { page } = form;
    await form.create();
    await page.getByText(NOTE).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Draw for nothing', exact: true }).isDisabled());
    form.mend();
    await untilPictureShown(page);
    await page.getByText(NOTE).waitFor({ state: 'detached' });
    assert.ok(form.sent.length > 1);
    await assertOnce(form);
  });
}

test('an answer that does not come is taken for lost after half a minute, and asked for again', async (t) => {
  const breakAnswer: Break = async (route) => {
    await route.fetch();
    await never();
  };
  const form = await openOrderForm(t, service, breakAnswer, { isAlone: true });
  const { page } = form;
  await page.clock.install();
  await form.create();
  await until(form.tasks, ({ length }) => length === 1);
  form.mend();
  await page.clock.fastForward(31_000);
  await page.getByText(NOTE).waitFor();
  await untilPictureShown(page);
  assert.equal(form.sent.length, 2);
  await assertOnce(form);
});

test('an order whose tab is closed before it was sent is sent by the next tab', async (t) => {
  const form = await openOrderForm(t, service, (route) => route.continue());
  const { page } = form;
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false, exact: true }).waitFor();
  await untilPriced(page);
  await page.evaluate('window.fetch = () => new Promise(() => {})');
  await form.create();
  await page.getByRole('button', { name: 'Activity: 1 order under way' }).waitFor();
  const tab = await form.anotherTab('/money/usage');
  assert.equal(form.sent.length, 0);
  await page.close();
  await assertOnce(form);
  await (await openTray(tab)).getByText('Finished').waitFor();
});

test('an order whose tab is closed before the answer came is looked after by the next tab', async (t) => {
  const form = await openOrderForm(t, service, async (route) => {
    await route.fetch();
    await never();
  });
  await form.create();
  await until(form.tasks, ({ length }) => length === 1);
  form.mend();
  const tab = await form.anotherTab('/money/usage');
  await form.page.close();
  await until(
    () => form.sent.length,
    (count) => count === 2,
  );
  await assertOnce(form);
  await (await openTray(tab)).getByText('Finished').waitFor();
});

test('an order whose tab is closed after the answer is followed to its end by the next tab', async (t) => {
  const draft = { simulate: { outcome: 'stuck', seconds: 1 } };
  const form = await openOrderForm(t, service, (route) => route.continue(), { draft });
  await form.create();
  await form.page.getByRole('button', { name: 'Cancel the order' }).waitFor();
  await form.page.close({ runBeforeUnload: false });
  const tab = await form.anotherTab('/money/usage');
  const tray = await openTray(tab);
  await tray.getByText(/^Processing/).waitFor();
  const [task] = await form.tasks();
  await service.call(form.key, 'POST', `/v1/images/${task?.task_id}/cancel`);
  await tray.getByText('Canceled · nothing was charged').waitFor();
  assert.equal(form.sent.length, 1);
});

test('two tabs see the same orders, and send an unconfirmed one with one key', async (t) => {
  const form = await openOrderForm(t, service, drop);
  const other = await form.anotherTab('/money/usage');
  await form.create();
  const tray = await openTray(other);
  await tray.getByText('Unconfirmed', { exact: true }).waitFor();
  await other.goto(`${service.url}/#/`);
  await other.getByText(NOTE).waitFor();
  assert.ok(await other.getByRole('button', { name: 'Draw for nothing', exact: true }).isDisabled());
  form.mend();
  await untilPictureShown(form.page);
  await other.getByText(NOTE).waitFor({ state: 'detached' });
  assert.match(other.url(), /#\/$/, 'the stage of the other tab stays as it was');
  await (await openTray(other)).getByText('Finished').waitFor();
  await assertOnce(form);
});

test('one tab of a browser reads one stream for all orders of all tabs', async (t) => {
  const draft = { simulate: { outcome: 'stuck', seconds: 1 } };
  const form = await openOrderForm(t, service, (route) => route.continue(), { draft });
  const streams: { readonly url: string; readonly tab: Page }[] = [];
  form.page.context().on('request', (request) => {
    if (request.url().includes('/v1/events')) streams.push({ url: request.url(), tab: request.frame().page() });
  });
  const order = { model_id: 'sketch', prompt: 'a windmill', simulate: { outcome: 'stuck' } };
  const { data: shown } = await service.call(form.key, 'POST', '/v1/images', order);
  await form.create();
  await form.page.getByRole('button', { name: 'Cancel the order' }).waitFor();
  const singles: string[] = [];
  form.page.context().on('request', (request) => {
    if (/\/(images|videos)\/\w+(\/events.*)?$/.test(request.url())) singles.push(request.url());
  });
  const other = await form.anotherTab(`/t/${shown.task_id}`);
  await other.getByRole('button', { name: 'Cancel the order' }).waitFor();
  const tasks = await form.tasks();
  await until(
    () => streams.at(-1)?.url ?? '',
    (url) => tasks.every(({ task_id: id }) => url.includes(id)),
  );
  const opened = streams.length;
  for (const { task_id: id } of tasks) await service.call(form.key, 'POST', `/v1/images/${id}/cancel`);
  for (const page of [form.page, other]) await page.getByRole('heading', { name: 'Canceled' }).waitFor();
  assert.equal(streams.length, opened, 'the stream that is open tells the ends of both orders');
  assert.ok(
    streams.every(({ tab }) => tab === form.page),
    'the other tab reads none',
  );
  // Each tab reads at most what it shows, once.
  assert.ok(singles.length <= 2, singles.join('\n'));
});

test('an order placed while the browser is offline for a minute is placed once it is back', async (t) => {
  const form = await openOrderForm(t, service, (route) => route.continue(), { isAlone: true });
  const { page } = form;
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false, exact: true }).waitFor();
  await untilPriced(page);
  await page.clock.install();
  await page.context().setOffline(true);
  await form.create();
  await page.getByText(NOTE).waitFor();
  await (await openTray(page)).getByText('Unconfirmed', { exact: true }).waitFor();
  await page.clock.fastForward(60_000);
  await page.getByText(NOTE).waitFor();
  await page.context().setOffline(false);
  await untilPictureShown(page);
  await assertOnce(form);
});

/** Lets an unconfirmed order look older. */
const age = `for (const name of Object.keys(localStorage).filter((one) => one.startsWith('darkroom.order.'))) {
  const order = JSON.parse(localStorage.getItem(name));
  localStorage.setItem(name, JSON.stringify({ ...order, at: order.at - 3_600_000 }));
}`;

test('an old order that never arrived is not placed any more, and says so', async (t) => {
  const form = await openOrderForm(t, service, lose);
  const { page } = form;
  await form.create();
  await page.getByText(NOTE).waitFor();
  const tab = await form.anotherTab('/money/usage');
  await page.close();
  await tab.evaluate(age);
  // The page before the reload still knows the order as a new one.
  await tab.reload();
  form.mend();
  await (await openTray(tab)).getByText(/It did not arrive within ten minutes and was not placed/).waitFor();
  assert.deepEqual([(await form.tasks()).length, new Set(form.sent).size], [0, 1]);
});

test('an old order that has arrived is found, and not placed again', async (t) => {
  const form = await openOrderForm(t, service, drop);
  const { page } = form;
  await form.create();
  await page.getByText(NOTE).waitFor();
  await page.evaluate(age);
  await page.reload();
  form.mend();
  await untilPictureShown(page);
  await assertOnce(form);
});

test('an unconfirmed order that is refused leaves the book with its reason shown', async (t) => {
  const accountId = await service.createAccount(null);
  const form = await openOrderForm(t, service, lose, { accountId });
  const { page } = form;
  await form.create();
  await page.getByText(NOTE).waitFor();
  const rules = { price_rules: [{ models: '*', multiplier: '2' }] };
  await service.call(keys.admin, 'PATCH', `/admin/v1/accounts/${accountId}`, rules);
  form.mend();
  await page
    .getByRole('alert')
    .filter({ hasText: 'The order was refused' })
    .getByText(/costs \$0\.02/)
    .waitFor();
  const tray = await openTray(page);
  await tray.getByText('Refused', { exact: true }).waitFor();
  await tray.getByText(/costs \$0\.02/).waitFor();
  assert.equal((await form.tasks()).length, 0);
});

test('signing out says what is lost, and leaves no order behind in any tab', async (t) => {
  const form = await openOrderForm(t, service, drop);
  const { page } = form;
  await form.create();
  await page.getByText(NOTE).waitFor();
  const other = await form.anotherTab('/money/usage');
  await other.getByRole('button', { name: /^Activity: 1 order under way, 1 unconfirmed/ }).waitFor();
  const signOut = async () => {
    await page.getByRole('button', { name: 'Keys in this browser' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await signOut();
  const dialog = page.getByRole('dialog', { name: '1 order is still under way' });
  await dialog.getByText(/They are made and charged all the same/).waitFor();
  await dialog.getByText(/1 of them is unconfirmed/).waitFor();
  await dialog.getByRole('button', { name: 'Stay signed in' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await page.getByText(NOTE).isVisible());
  await signOut();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  for (const tab of [page, other]) {
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    const names = await tab.evaluate('[...Object.keys(sessionStorage), ...Object.keys(localStorage)]');
    assert.deepEqual(
      (names as string[]).filter((name) => name.startsWith('darkroom.order.')),
      [],
    );
  }
});

test('another key in the same browser sees nothing of an order', async (t) => {
  const form = await openOrderForm(t, service, drop);
  await form.create();
  await form.page.getByText(NOTE).waitFor();
  const { key } = await service.issueKey({ mode: 'test' });
  const other = await form.page.context().newPage();
  const session = JSON.stringify({ keys: { test: key }, mode: 'test', remembered: false });
  await other.addInitScript(`sessionStorage.setItem('darkroom.session', '${session}')`);
  await other.goto(`${service.url}/#/`);
  await other.getByRole('button', { name: 'Activity: Nothing under way' }).waitFor();
  await other.getByLabel('Prompt', { exact: true }).fill('a hare');
  await other.getByRole('button', { name: 'Draw for nothing', disabled: false, exact: true }).waitFor();
});
