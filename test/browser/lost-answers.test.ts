import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { pressIfThere, untilPictureShown } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { type Break, cut, drop, gatewayFault, lose, openOrderForm } from './order-form.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

const service = await startSwiftService(wholeFile);
const NOTE = 'It is not known whether the order arrived';
const WITHOUT_NOTE = { state: 'detached' } as const;

async function goAway(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Money' }).click();
  await page.getByRole('heading', { name: 'Spending', level: 1 }).waitFor();
}

/** A repeat that has already begun would find the order once the line is mended, and take the button away. */
async function untilRepeatFailed(page: Page): Promise<void> {
  const isNextAhead = `Object.entries({ ...localStorage })
    .filter(([name]) => name.startsWith('darkroom.order.'))
    .every(([, text]) => JSON.parse(text).nextAt > Date.now())`;
  await until(() => page.evaluate<boolean>(isNextAhead), Boolean);
}

const waysBack: Record<string, { breakAnswer: Break; comeBack: (page: Page) => Promise<unknown> }> = {
  'the button': {
    breakAnswer: drop,
    // A read that shows the service to answer again also sends what waits, and takes the button away.
    comeBack: (page) => pressIfThere(page.getByRole('button', { name: 'Try again' })),
  },
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
    const form = await openOrderForm(t, service, breakAnswer, { isAlone: way === 'the button' });
    const { page, sent, tasks } = form;
    const create = page.getByRole('button', { name: 'Draw for nothing', exact: true });
    await create.click();
    await page.getByText(NOTE).waitFor();
    assert.ok(await create.isDisabled());
    await page.getByLabel('Prompt', { exact: true }).press('Control+Enter');
    if (way === 'the button') {
      await assertUsable(page);
      // Without its timers, nothing but the button sends the order again.
      await page.clock.install();
      await page.clock.fastForward(60_000);
      await page.clock.pauseAt(Date.now() + 3_600_000);
      await untilRepeatFailed(page);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    }
    // Mended before, the page that is left could find the order by itself, and nothing would show it on the next one.
    if (way !== 'the button') await comeBack(page);
    form.mend();
    if (way === 'the button') await comeBack(page);
    await untilPictureShown(page);
    await page.getByText(NOTE).waitFor(WITHOUT_NOTE);
    assert.equal((await tasks()).length, 1);
    assert.deepEqual(new Set(sent).size, 1);
  });
}

test('an unconfirmed order is given up with a press, after which another can be placed', async (t) => {
  const form = await openOrderForm(t, service, lose);
  const { page } = form;
  await form.create();
  await page.getByText(NOTE).waitFor();
  await page.getByRole('button', { name: 'Give up' }).click();
  form.mend();
  await form.create();
  await untilPictureShown(page);
  assert.deepEqual([new Set(form.sent).size, (await form.tasks()).length], [2, 1]);
});

test('an order placed again from the wall is repeated with its key, and told there', async (t) => {
  let isBroken = false;
  const form = await openOrderForm(t, service, (route) => (isBroken ? drop(route) : route.continue()));
  const { page, tasks } = form;
  await form.create();
  await untilPictureShown(page);
  isBroken = true;
  await page.goto(`${service.url}/#/history/${page.url().split('/').at(-1)}`);
  await page.getByRole('button', { name: /^Order again.*\$0\.01$/ }).click();
  await page.getByRole('dialog').getByText(NOTE).waitFor();
  form.mend();
  await page.waitForURL(/#\/t\//);
  assert.equal((await tasks()).length, 2);
});

test('the stage follows the order that is shown, while an earlier one still runs', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const stuck = { model_id: 'sketch', prompt: 'a windmill', simulate: { outcome: 'stuck' } };
  const { data } = await service.call(key, 'POST', '/v1/images', stuck);
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: `/t/${data.task_id}` });
  await page.getByRole('button', { name: 'Cancel the order' }).waitFor();
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await page.waitForURL((url) => /\/t\//.test(url.href) && !url.href.includes(data.task_id));
  await untilPictureShown(page);
});

test('an order whose event stream is cut is still followed to its end', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const page = await openInKeptPage(t, service, { keys: { test: key } });
  await page.route(/\/events/, (route) => route.abort('connectionreset'));
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await untilPictureShown(page);
});
