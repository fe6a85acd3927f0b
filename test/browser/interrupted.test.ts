import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page, Request } from 'playwright-core';
import { createLog } from '../../src/base/log.ts';
import { startService } from '../helpers/additions.ts';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { startTestService } from '../helpers/service.ts';
import { signInAs } from '../helpers/signed-in.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openConsole, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { type Break, drop, openOrderForm, openTray } from './order-form.ts';

/** Orders and deeds whose page, tab, session or service goes away in the middle, or that are pressed twice. */

const provider = await startOidcProvider(wholeFile);
const service = await startTestService(wholeFile, {
  env: { ...provider.env, DARKROOM_OIDC_ROLES: 'designers=creator@default' },
});
provider.serve(service.url);
const { call, keys } = service;
const NOTE = 'It is not known whether the order arrived';
const ORDERS = /\/v1\/images$/;
const never = () => new Promise<never>(() => {});
const isOrder = (request: Request) => request.method() === 'POST' && ORDERS.test(request.url());

test('an order whose service stops in the middle of the press is found after its restart, and paid once', async (t) => {
  const own = await startTestService(t);
  const stopAndDrop: Break = async (route) => {
    await route.fetch();
    await own.service.stop({ now: true });
    await route.abort('connectionreset');
  };
  const form = await openOrderForm(t, own, stopAndDrop, { isAlone: true });
  await form.create();
  await form.page.getByText(NOTE).waitFor();
  form.mend();
  const config = { ...own.config, port: Number(new URL(own.url).port) };
  const restarted = await startService(config, { log: createLog('fatal') });
  try {
    await untilPictureShown(form.page);
    await form.page.getByText(NOTE).waitFor({ state: 'detached' });
    await until(form.tasks, ([task]) => task?.status === 'succeeded');
    assert.equal((await form.tasks()).length, 1);
    assert.equal(new Set(form.sent).size, 1);
    assert.equal(await until(form.charges, (count) => count > 0), 1);
  } finally {
    await form.page.close();
    await restarted.stop({ now: true });
  }
});

test('an order whose session is ended before its answer is found after the next sign-in, and made once', async (t) => {
  const person = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['designers'] };
  provider.people.set(person.sub, person);
  provider.signsIn = person.sub;
  const page = await openInKeptPage(t, service);
  const signIn = page.getByRole('link', { name: 'Sign in with your work account' });
  await signIn.click();
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.route(ORDERS, (route) => (isOrder(route.request()) ? drop(route) : route.continue()));
  await page.getByRole('button', { name: 'Draw for nothing', exact: true }).click();
  await page.getByText(NOTE).waitFor();
  const { data } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  const id = data.items.find(({ name }) => name === 'Ada')?.person_id ?? '';
  assert.equal((await call(keys.admin, 'POST', `/admin/v1/people/${id}/sign_out`)).status, 200);
  await page.reload();
  await page.getByRole('alert').getByText('Your session has ended').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await signIn.click();
  await (await openTray(page)).getByText('Finished').waitFor();
  const bearer = await (await signInAs(service, provider, person.sub)).bearer({ account_id: 'default', mode: 'test' });
  const { items } = (await call(bearer, 'GET', '/v1/images')).data;
  assert.deepEqual(
    items.map(({ status, input }) => [status, input.prompt]),
    [['succeeded', 'a fox']],
  );
});

test('a page that is reloaded at any moment of an order loses none, and none is paid twice', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const page = await openInKeptPage(t, service, { keys: { test: key } });
  const arrived = Promise.withResolvers<void>();
  const sent: string[] = [];
  let isHeld = false;
  await page.context().route(ORDERS, async (route) => {
    if (!isOrder(route.request())) return await route.continue();
    sent.push(route.request().headers()['idempotency-key'] ?? '');
    if (!isHeld) return await route.continue();
    isHeld = false;
    await route.fetch();
    arrived.resolve();
    await never();
  });
  const moments: Readonly<Record<string, () => Promise<unknown>>> = {
    'at the press': async () => {},
    'when the request leaves': () => page.waitForRequest(isOrder),
    'when it has arrived': () => {
      isHeld = true;
      return arrived.promise;
    },
    'when its answer has come': () => page.waitForResponse((response) => isOrder(response.request())),
    'when its events are read': () => page.waitForRequest(/\/v1\/events/),
  };
  const tasks = async () => (await call(key, 'GET', '/v1/images')).data.items;
  const ordered: string[] = [];
  for (const [moment, comes] of Object.entries(moments)) {
    await page.getByLabel('Prompt', { exact: true }).fill(moment);
    const create = page.getByRole('button', { name: 'Draw for nothing', exact: true, disabled: false });
    await create.waitFor();
    const come = comes();
    await create.click();
    await come;
    await page.reload();
    ordered.push(moment);
    await until(tasks, (all) => all.length >= ordered.length && all.every(({ status }) => status === 'succeeded'));
    await page.getByRole('button', { name: 'Activity: Nothing under way' }).waitFor();
    assert.deepEqual((await tasks()).map(({ input }) => input.prompt).sort(), ordered.toSorted());
    assert.equal(new Set(sent).size, ordered.length);
  }
  const { items } = (await call(key, 'GET', '/v1/account/ledger?limit=100')).data;
  assert.equal(items.filter(({ kind }) => kind === 'charge').length, ordered.length);
});

let accounts = 0;
/** The form of a credit of ten dollars, filled in. */
async function openCredit(t: Parameters<typeof openConsole>[0]) {
  const id = `credited-${++accounts}`;
  await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id: id, name: id });
  const page = await openConsole(t, service, { keys: { admin: keys.admin }, at: '/people/accounts' });
  const fill = async (tab: Page) => {
    await tab.getByRole('button', { name: `Credit ${id}`, exact: true }).click();
    await tab.getByLabel('Amount in dollars').fill('10');
    return tab.getByRole('dialog').getByRole('button', { name: 'Credit', exact: true });
  };
  const balance = async () => Number((await call(keys.admin, 'GET', `/admin/v1/accounts/${id}`)).data.balance);
  return { page, fill, balance, submit: await fill(page) };
}
const CREDIT = /\/credit$/;
const UNKNOWN = 'It is not known whether it was credited';
const DONE_BEFORE = /had credited it, and it was not credited again\./;

test('a deed without an answer in one tab is continued by the same press in another, and done once', async (t) => {
  const { page, fill, balance, submit } = await openCredit(t);
  await page.route(CREDIT, drop);
  await submit.click();
  await page.getByText(UNKNOWN).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await (await fill(other)).click();
  await other.getByText(DONE_BEFORE).waitFor();
  assert.equal(await balance(), 10);
});

test('a deed whose answer is late is not known after half a minute, and then continued by its form', async (t) => {
  const { page, balance, submit } = await openCredit(t);
  const arrived = Promise.withResolvers<void>();
  let isLate = true;
  await page.route(CREDIT, async (route) => {
    if (!isLate) return await route.continue();
    await route.fetch();
    arrived.resolve();
    await never();
  });
  await page.clock.install();
  await submit.click();
  await arrived.promise;
  isLate = false;
  await page.clock.fastForward(31_000);
  await page.getByText(UNKNOWN).waitFor();
  await submit.click();
  await page.getByText(DONE_BEFORE).waitFor();
  assert.equal(await balance(), 10);
});

test('an order and a deed that are pressed twice at once are done once', async (t) => {
  const { page, balance, submit } = await openCredit(t);
  await submit.dblclick();
  await page.getByText('now has $10.00').waitFor();
  assert.equal(await balance(), 10);

  const form = await openOrderForm(t, service, (route) => route.continue());
  await form.page.getByRole('button', { name: 'Draw for nothing', exact: true, disabled: false }).dblclick();
  await untilPictureShown(form.page);
  assert.equal((await form.tasks()).length, 1);
  assert.equal(form.sent.length, 1);
});
