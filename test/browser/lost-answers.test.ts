import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { startTestService } from '../service.ts';
import { wholeFile } from '../whole-file.ts';
import { openConsole, untilPictureShown } from './browser.ts';
import { assertUsable } from './usable.ts';

const service = await startTestService(wholeFile);
const NOTE = 'It is not known whether the order arrived';
const WITHOUT_NOTE = { state: 'detached' } as const;

type Break = (route: Route) => Promise<void>;
/** The order arrives, its answer does not. */
const drop: Break = async (route) => {
  await route.fetch();
  await route.abort('connectionreset');
};
const cut: Break = async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: (await response.text()).slice(0, 60) });
};
const gatewayFault: Break = async (route) => {
  await route.fetch();
  await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
};

/** The form, filled in, with a key of its own; the answer to the first order does not come back whole. */
async function openForm(t: Parameters<typeof openConsole>[0], breakAnswer: Break, at = '/') {
  const { key } = await service.issueKey({ mode: 'test' });
  const page = await openConsole(t, service, { keys: { test: key }, at });
  const sent: string[] = [];
  await page.route(/\/v1\/images(\/actions)?$/, async (route) => {
    if (route.request().method() !== 'POST') return await route.continue();
    sent.push(route.request().headers()['idempotency-key'] ?? '');
    await (sent.length === 1 ? breakAnswer(route) : route.continue());
  });
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  const create = page.getByRole('button', { name: 'Create' });
  const tasks = async () => (await service.call(key, 'GET', '/v1/images')).data.items;
  return { page, key, sent, create, tasks };
}

async function goAway(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
}

const waysBack: Record<string, { breakAnswer: Break; comeBack: (page: Page) => Promise<unknown> }> = {
  'the button': { breakAnswer: drop, comeBack: (page) => page.getByRole('button', { name: 'Try again' }).click() },
  'a reload': { breakAnswer: cut, comeBack: (page) => page.reload() },
  'coming back to the page': {
    breakAnswer: gatewayFault,
    comeBack: async (page) => {
      await goAway(page);
      await page.goBack();
    },
  },
};

for (const [way, { breakAnswer, comeBack }] of Object.entries(waysBack)) {
  test(`an order whose answer is lost is found again by ${way}, and placed once`, async (t) => {
    const { page, sent, create, tasks } = await openForm(t, breakAnswer);
    await create.click();
    await page.getByText(NOTE).waitFor();
    assert.ok(await create.isDisabled());
    await page.getByLabel('Prompt', { exact: true }).press('Control+Enter');
    if (way === 'the button') await assertUsable(page);
    await comeBack(page);
    await untilPictureShown(page);
    await page.getByText(NOTE).waitFor(WITHOUT_NOTE);
    assert.equal((await tasks()).length, 1);
    assert.deepEqual(new Set(sent).size, 1);
  });
}

test('an order that was on its way when the page was reloaded is found again, and placed once', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const { page, create, tasks } = await openForm(t, async (route) => {
    await route.fetch();
    arrived.resolve();
  });
  await create.click();
  await arrived.promise;
  await page.reload();
  await untilPictureShown(page);
  assert.equal((await tasks()).length, 1);
});

test('an old unconfirmed order is not sent unasked; it is given up with a press, after which another can be placed', async (t) => {
  const { page, sent, create, tasks } = await openForm(t, (route) => route.abort('connectionreset'));
  await create.click();
  await page.getByText(NOTE).waitFor();
  await page.evaluate(`for (const name of Object.keys(sessionStorage).filter((one) => one.startsWith('darkroom.order.'))) {
    const kept = JSON.parse(sessionStorage.getItem(name));
    sessionStorage.setItem(name, JSON.stringify({ ...kept, at: kept.at - 3_600_000 }));
  }`);
  await page.reload();
  await page.getByText(NOTE).waitFor();
  await page.getByTestId('price').waitFor();
  assert.equal(sent.length, 1);
  await page.getByRole('button', { name: 'Give up' }).click();
  await create.click();
  await untilPictureShown(page);
  assert.deepEqual([sent.length, (await tasks()).length], [2, 1]);
});

test('signing out leaves no unconfirmed order behind', async (t) => {
  const { page, create } = await openForm(t, drop);
  await create.click();
  await page.getByText(NOTE).waitFor();
  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const names = await page.evaluate('[...Object.keys(sessionStorage), ...Object.keys(localStorage)]');
  assert.deepEqual(
    (names as string[]).filter((name) => name.startsWith('darkroom.order.')),
    [],
  );
});

test('an order placed again from the history is repeated with its key by the Studio', async (t) => {
  const { page, sent, create, tasks } = await openForm(t, (route) => route.continue());
  await create.click();
  await untilPictureShown(page);
  sent.length = 0;
  await page.unroute(/\/v1\/images(\/actions)?$/);
  await page.route(/\/v1\/images$/, (route) => (route.request().method() === 'POST' ? drop(route) : route.continue()), {
    times: 1,
  });
  await page.goto(`${service.url}/#/history/${page.url().split('/').at(-1)}`);
  await page.getByRole('button', { name: 'Order again for $0.01' }).click();
  await page.getByRole('link', { name: 'Check in the Studio' }).click();
  await page.waitForURL(/#\/t\//);
  assert.equal((await tasks()).length, 2);
});

test('the stage follows the order that is shown, while an earlier one still runs', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const stuck = { model_id: 'sketch', prompt: 'a windmill', simulate: { outcome: 'stuck' } };
  const { data } = await service.call(key, 'POST', '/v1/images', stuck);
  const page = await openConsole(t, service, { keys: { test: key }, at: `/t/${data.task_id}` });
  await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL((url) => /\/t\//.test(url.href) && !url.href.includes(data.task_id));
  await untilPictureShown(page);
});

test('an order whose event stream is cut is still followed to its end', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const page = await openConsole(t, service, { keys: { test: key } });
  await page.route(/\/events/, (route) => route.abort('connectionreset'));
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByRole('button', { name: 'Create' }).click();
  await untilPictureShown(page);
});
