import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { openConsole } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { fillLightForm } from './light-form.ts';
import { type Break, cut, drop, lose, openTray, untilPriced } from './order-form.ts';
import { startSwiftService } from './swift-service.ts';

const service = await startSwiftService(wholeFile);
const NOTE = 'It is not known whether the order arrived';
const ORDER = { name: 'Draw 2 for nothing', disabled: false } as const;
const never = () => new Promise<never>(() => {});

for (const [how, breakAnswer] of Object.entries({ lost: drop, 'cut in the middle': cut }))
  test(`a light table whose answer is ${how} is confirmed on the wall, and opens from there`, async (t) => {
    const form = await openTable(t, breakAnswer);
    const { page } = form;
    await page.getByRole('button', ORDER).click();
    await page.getByText(NOTE).waitFor();
    await page.goto(`${service.url}/#/`);
    await page.getByRole('button', { name: /^Model:/ }).waitFor();
    const tray = await openTray(page);
    await tray.getByText('Unconfirmed', { exact: true }).waitFor();
    form.mend();
    await tray.getByRole('button', { name: 'Open: A fox' }).click();
    await page.waitForURL(/#\/light\/bat_/);
    await page.getByText('2 of 2 done').waitFor();
    await (await openTray(page)).getByText('Finished').waitFor();
    await assertOnce(form);
  });

test('a light table whose tab is closed before it was sent is sent by the next tab', async (t) => {
  const form = await openTable(t, (route) => route.continue());
  await untilPriced(form.page, 'table-price');
  await form.page.getByRole('button', ORDER).waitFor();
  await form.page.evaluate('window.fetch = () => new Promise(() => {})');
  await form.page.getByRole('button', ORDER).click();
  await form.page.getByRole('button', { name: 'Activity: 1 order under way' }).waitFor();
  const tab = await form.anotherTab('/money/usage');
  assert.equal(form.sent.length, 0);
  const names = await tab.evaluate<string[]>('Object.keys(localStorage)');
  const key = names.find((name) => name.startsWith('darkroom.order.'))?.replace('darkroom.order.', '');
  await form.page.close();
  await (await openTray(tab)).getByText('Finished').waitFor();
  assert.deepEqual(form.sent, [key], 'the next tab takes the key from the book');
  await assertOnce(form);
});

test('a light table whose tab is closed before the answer came is confirmed by the next tab', async (t) => {
  const form = await openTable(t, async (route) => {
    await route.fetch();
    await never();
  });
  await form.page.getByRole('button', ORDER).click();
  await until(form.batches, ({ length }) => length === 1);
  form.mend();
  const tab = await form.anotherTab('/money/usage');
  await form.page.close();
  await (await openTray(tab)).getByText('Finished').waitFor();
  assert.equal(form.sent.length, 2);
  await assertOnce(form);
});

test('an answer to a light table that does not come is asked for again after half a minute', async (t) => {
  const breakAnswer: Break = async (route) => {
    await route.fetch();
    await never();
  };
  const form = await openTable(t, breakAnswer, openConsole);
  await form.page.getByRole('button', ORDER).waitFor();
  await form.page.clock.install();
  await form.page.getByRole('button', ORDER).click();
  await until(form.batches, ({ length }) => length === 1);
  form.mend();
  await form.page.clock.fastForward(31_000);
  await form.page.waitForURL(/#\/light\/bat_/);
  assert.equal(form.sent.length, 2);
  await assertOnce(form);
});

test('two tabs see a light table that was ordered offline, and place it once when the browser is back', async (t) => {
  const form = await openTable(t, (route) => route.continue());
  const { page } = form;
  await page.getByRole('button', ORDER).waitFor();
  const other = await form.anotherTab('/');
  await other.getByLabel('Prompt', { exact: true }).fill('a hare');
  await other.getByRole('button', { name: 'Draw for nothing', disabled: false, exact: true }).waitFor();
  await untilPriced(page, 'table-price');
  await page.context().setOffline(true);
  await page.getByRole('button', ORDER).click();
  await page.getByText(NOTE).waitFor();
  await (await openTray(other)).getByText('Unconfirmed', { exact: true }).waitFor();
  await other.keyboard.press('Escape');
  assert.ok(
    await other.getByRole('button', { name: 'Draw for nothing', exact: true }).isDisabled(),
    'one order at a time',
  );
  await page.context().setOffline(false);
  await page.waitForURL(/#\/light\/bat_/);
  await (await openTray(other)).getByText('Finished').waitFor();
  assert.match(other.url(), /#\/$/, 'the other tab stays where it was');
  await assertOnce(form);
});

for (const [what, breakAnswer, placed] of [
  ['never arrived is not placed any more, and says so', lose, 0],
  ['arrived is found again', drop, 1],
] as const)
  test(`an hour later, a light table that ${what}`, async (t) => {
    const form = await openTable(t, breakAnswer);
    await form.page.getByRole('button', ORDER).click();
    await form.page.getByText(NOTE).waitFor();
    // On a page without the console, nothing sends it meanwhile.
    await form.page.goto(`${service.url}/healthz`);
    await form.page.evaluate(`for (const name of Object.keys(localStorage).filter((one) => one.startsWith('darkroom.order.'))) {
      const order = JSON.parse(localStorage.getItem(name));
      localStorage.setItem(name, JSON.stringify({ ...order, at: order.at - 3_600_000 }));
    }`);
    form.mend();
    await form.page.goto(`${service.url}/#/money/usage`);
    const told = placed === 0 ? /It did not arrive within ten minutes and was not placed/ : 'Finished';
    await (await openTray(form.page)).getByText(told).waitFor();
    assert.equal((await form.batches()).length, placed);
    assert.equal(new Set(form.sent).size, 1);
  });

interface Table {
  readonly page: Page;
  /** The Idempotency-Key of each attempt, in every tab. */
  readonly sent: readonly string[];
  /** From now on answers come back whole. */
  mend(): void;
  batches(): Promise<readonly { readonly orders: number }[]>;
  /** How often money was held. */
  holds(): Promise<number>;
  anotherTab(at: string): Promise<Page>;
}

/** The form of a light table of two, with a key of its own. Until `mend` is called, no answer comes back whole. */
async function openTable(t: TestContext, breakAnswer: Break, open = openInKeptPage): Promise<Table> {
  const { key } = await service.issueKey({ mode: 'test' });
  const page = await open(t, service, { keys: { test: key }, at: '/light' });
  const sent: string[] = [];
  let isBroken = true;
  await page.context().route(/\/v1\/batches$/, async (route) => {
    if (route.request().method() !== 'POST') return await route.continue();
    sent.push(route.request().headers()['idempotency-key'] ?? '');
    await (isBroken ? breakAnswer(route) : route.continue());
  });
  await fillLightForm(page, { models: ['Sketch'], seeds: '1, 2' });
  return {
    page,
    sent,
    mend: () => {
      isBroken = false;
    },
    batches: async () => (await service.call(key, 'GET', '/v1/batches')).data.items,
    async holds() {
      const { items } = (await service.call(key, 'GET', '/v1/account/ledger')).data;
      return items.filter(({ kind }) => kind === 'hold').length;
    },
    async anotherTab(at) {
      const tab = await page.context().newPage();
      await tab.goto(`${service.url}/#${at}`);
      return tab;
    },
  };
}

/** One batch, one hold, and every attempt with the same key. */
async function assertOnce({ sent, batches, holds }: Table): Promise<void> {
  assert.equal(new Set(sent).size, 1, `${sent}`);
  assert.equal((await batches()).length, 1);
  assert.equal(await holds(), 1);
}
