import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { openCatalogOverlay, shippedEntry } from '../helpers/catalog-overlay.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { type ConsoleOptions, LOOKS, openConsole, PHONE, WIDE } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { makeLightTable } from './light-form.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

// Two models of vendors that are made live here.
const overlay = await openCatalogOverlay(wholeFile, [
  await shippedEntry('black-forest-labs', 'flux-2-pro', { routes: [{ engine: 'sketch' }] }),
  await shippedEntry('bytedance', 'seedream-4.5', { routes: [{ engine: 'sketch' }] }),
]);
const service = await startSwiftService(wholeFile, { env: { DARKROOM_CATALOG_DIR: overlay.directory } });
const IDS = ['sketch', 'flux-2-pro', 'seedream-4.5'];
const SMALL = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
/** Two seeds on three models. */
const PICTURES = [1, 2].flatMap((seed) =>
  IDS.map((id, index) => [seed, index + 1, { model_id: id, prompt: 'a fox', seed }] as const),
);
const batchId = await makeLightTable(service, service.keys.live, PICTURES);

test('a table opens with all its results in the window, and its pictures grow to one in the width', async (t) => {
  const ratios = ['1:1', '16:9', '2:3', '3:2', '9:16', '4:3'];
  const cells = ratios.flatMap((aspect_ratio, place) =>
    [1, 2, 3, 4].map((seed) => [place * 4 + seed, 1, { ...SMALL, seed, aspect_ratio }] as const),
  );
  const large = await makeLightTable(service, service.keys.test, cells);
  for (const viewport of [WIDE, { width: 820, height: 1_180 }, PHONE]) {
    const page = await openConsole(t, service, { keys: service.keys, at: `/light/${large}`, viewport });
    await page.getByText(/^Complete/).waitFor();
    const boxes = () =>
      page.evaluate<{ left: number; right: number; bottom: number; width: number }[]>(
        "[...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.getBoundingClientRect().toJSON())",
      );
    // On narrow windows the navigation stands at the bottom.
    const room = viewport === WIDE ? viewport.height : viewport.height - 62;
    const isWhole = (all: Awaited<ReturnType<typeof boxes>>) =>
      all.length === 24 &&
      all.every(({ left, right, bottom }) => left >= 0 && right <= viewport.width && bottom <= room);
    const whole = await until(boxes, isWhole);
    // There is no room for words here, but for the field of the tags.
    await cellAt(page, 0).press('t');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('cover');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: /cover/ }).waitFor();
    const size = page.getByRole('slider', { name: 'Size of the pictures' });
    await size.press('End');
    const [first] = await until(boxes, ([one]) => (one?.width ?? 0) > viewport.width * 0.6);
    assert.ok((first?.right ?? 0) <= viewport.width);
    await page.getByRole('button', { name: 'Fit' }).click();
    assert.equal((await until(boxes, isWhole))[0]?.width, whole[0]?.width);
  }
});

test('results are starred, rejected and tagged by keyboard, with tags that every browser and the wall show', async (t) => {
  const own = await makeLightTable(service, service.keys.live, PICTURES);
  const page = await openTable(t, { at: `/light/${own}` });
  await page.getByText('Stars, tags and rejections are tags of the orders').waitFor();
  await cellAt(page, 0).focus();
  await page.keyboard.press('s');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('t');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('hero');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('gridcell', { name: /^FLUX\.2 \[pro\] .*seed 2 hero$/ }).waitFor();
  const tagsOf = async (place: number) => {
    const [, , { model_id: model, seed }] = PICTURES[place] ?? [0, 0, {}];
    const { data } = await service.call(
      service.keys.live,
      'GET',
      `/v1/images?batch_id=${own}&model_id=${model}&include=tags`,
    );
    return (data.items as { input: { seed: number }; tags: string[] }[]).find(({ input }) => input.seed === seed)?.tags;
  };
  await until(
    () => tagsOf(4),
    (tags) => tags?.length === 1,
  );
  assert.deepEqual([await tagsOf(0), await tagsOf(1), await tagsOf(4)], [['favourite'], ['rejected'], ['hero']]);

  // Another browser, in which nothing is kept.
  const other = await openTable(t, { at: `/light/${own}` });
  await other.getByRole('gridcell', { name: /^Sketch .*starred$/ }).waitFor();
  await other.getByRole('gridcell', { name: /^FLUX\.2 \[pro\] .*seed 1 .*rejected$/ }).waitFor();
  await other.getByRole('gridcell', { name: /^FLUX\.2 \[pro\] .*seed 2 hero$/ }).waitFor();
  await show(other, 'Starred');
  assert.equal(await other.getByRole('gridcell').count(), 3, 'only the row with the star');
  await show(other, 'Tagged: hero');
  await other.getByRole('rowheader', { name: 'seed 2' }).waitFor();

  await page.goto(`${service.url}/#/?tag=rejected`);
  await page.getByRole('link', { name: /a fox/ }).waitFor();
  assert.equal(await page.getByRole('link', { name: /a fox/ }).count(), 1, 'the wall finds it by the same tag');
  await page.goto(`${service.url}/#/batches/${own}`);
  await page.waitForURL((url) => url.hash === `#/?batch_id=${own}`);
  await page.reload();
  await page.getByRole('link', { name: /a fox/ }).nth(5).waitFor();
  assert.equal(await page.getByRole('link', { name: /a fox/ }).count(), PICTURES.length, 'the address has the batch');
});

test('a mark that cannot be stored is taken back, and the page says so', async (t) => {
  const page = await openTable(t);
  await page.route('**/tags', (route) => route.fulfill({ status: 500, body: '' }));
  await cellAt(page, 2).focus();
  await page.keyboard.press('s');
  await page.getByText('The star, rejection or tag could not be stored').waitFor();
  await page.getByRole('gridcell', { name: /^Seedream 4\.5 .*seed 1$/ }).waitFor();
});

test('two results are compared with a divider that the keyboard moves', async (t) => {
  const page = await openTable(t);
  const compare = page.getByRole('button', { name: 'Compare', exact: true });
  await cellAt(page, 0).press('v');
  assert.equal(await compare.count(), 0, 'one alone is compared with nothing');
  await cellAt(page, 1).press('v');
  await compare.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A · Sketch').waitFor();
  await dialog.getByText('B · FLUX.2 [pro]').waitFor();
  const divider = dialog.getByRole('slider', { name: 'Divider between the two' });
  const clip = () =>
    page.evaluate<string>(
      'getComputedStyle(document.querySelector(\'[role=dialog] img[alt="Sketch"]\').parentElement).clipPath',
    );
  await divider.focus();
  assert.equal(await clip(), 'inset(0px 50% 0px 0px)');
  await page.keyboard.press('Home');
  assert.equal(await clip(), 'inset(0px 100% 0px 0px)');
});

test('more like this orders the same seed on other models as a table of its own', async (t) => {
  const page = await openTable(t);
  await cellAt(page, 3).focus();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'This seed on other models' }).check();
  await dialog.getByRole('combobox', { name: 'Other models' }).fill('FLUX.2 [pro]');
  await page.getByRole('option', { name: 'FLUX.2 [pro]' }).first().click();
  await dialog.getByText('More like this').click();
  const sent = page.waitForRequest((request) => request.method() === 'POST' && /\/v1\/batches$/.test(request.url()));
  await dialog.getByRole('button', { name: 'Make 1 for $0.03', disabled: false }).click();
  const { orders, max_price: limit } = (await sent).postDataJSON();
  assert.deepEqual([orders[0].body.model_id, orders[0].body.seed, orders[0].body.prompt], ['flux-2-pro', 2, 'a fox']);
  assert.equal(limit, '0.03');
  await page.waitForURL((url) => url.href.includes('bat_') && !url.href.includes(batchId));
  await page.getByText('1 of 1 done').waitFor();
});

test('films play muted and in step', async (t) => {
  const film = { model_id: 'sketch-motion', prompt: 'a boat', resolution: '360p' };
  const films = await makeLightTable(service, service.keys.live, [
    [1, 1, { ...film, duration: 2, seed: 1 }],
    [2, 1, { ...film, duration: 3, seed: 2 }],
  ]);
  const page = await openTable(t, { at: `/light/${films}` });
  assert.equal(await page.locator('video').count(), 2);
  await page.getByRole('button', { name: 'Play all' }).click();
  await until(
    () =>
      page.evaluate<boolean>(
        "[...document.querySelectorAll('video')].every((film) => film.currentTime > 0.5 && !film.paused)",
      ),
    Boolean,
  );
  const times = await page.evaluate<number[]>(
    "[...document.querySelectorAll('video')].map((film) => film.currentTime)",
  );
  assert.ok(Math.abs((times[0] ?? 0) - (times[1] ?? 9)) < 0.3, times.join());
  assert.ok(await page.evaluate("[...document.querySelectorAll('video')].every((film) => film.muted)"));
  await page.getByRole('button', { name: 'Pause all' }).click();
  await until(
    () => page.evaluate<boolean>("[...document.querySelectorAll('video')].every((film) => film.paused)"),
    Boolean,
  );
});

test('a table under way is followed by its events alone, also after they were cut', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const stuck = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'stuck' } };
  const made = await makeLightTable(service, key, [
    [1, 1, stuck],
    [2, 1, { model_id: 'sketch', prompt: 'a fox', seed: 2 }],
  ]);
  const asked: string[] = [];
  const page = await openConsole(t, service, { keys: { test: key }, at: '/nowhere' });
  await page.clock.install();
  let isCut = true;
  await page.route(/\/events$/, (route) => (isCut ? route.abort('connectionreset') : route.continue()));
  page.on('request', (request) => asked.push(request.url().replace(/.*\/v1/, '')));
  await page.goto(`${service.url}/#/light/${made}`);
  await page.getByText('Reconnecting').waitFor();
  isCut = false;
  await page.clock.runFor(30_000);
  await page.getByText('1 of 2 done').waitFor();
  assert.ok(asked.filter((path) => path.endsWith('/events')).length > 1);
  asked.length = 0;
  await page.clock.runFor(35_000);
  assert.deepEqual(
    asked.filter((path) => path.startsWith('/batches')),
    [],
    'an unchanged table asks nothing',
  );
  const { data } = await service.call(key, 'GET', `/v1/batches/${made}/tasks?status=processing`);
  await service.call(key, 'POST', `/v1/images/${data.items[0]?.task_id}/cancel`);
  await page.getByText('2 of 2 done').waitFor();
  await page.getByRole('gridcell', { name: /^Canceled/ }).waitFor();
});

test('a result that failed says why, and a table of somebody else is not there', async (t) => {
  const made = await makeLightTable(service, service.keys.test, [
    [1, 1, { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'content_policy' } }],
    [1, 2, { model_id: 'flux-2-pro', prompt: 'a fox' }],
  ]);
  const page = await openTable(t, { keys: { test: service.keys.test }, at: `/light/${made}` });
  await page.getByText('Complete, some without a result').waitFor();
  const failed = page.getByRole('gridcell', { name: /^Failed/ });
  assert.ok(((await failed.textContent()) ?? '').length > 'Failed'.length + 10);
  const { key } = await service.issueKey({ mode: 'test' });
  const stranger = await openInKeptPage(t, service, { keys: { test: key }, at: `/light/${made}` });
  await stranger.getByRole('alert').getByText('This table is not there').waitFor();
});

test('drawings in place of the models of vendors are said to be no comparison of them', async (t) => {
  const drawn = await makeLightTable(service, service.keys.test, PICTURES.slice(0, 2));
  const page = await openInKeptPage(t, service, { keys: { test: service.keys.test }, at: `/light/${drawn}` });
  await page.getByText(/they are no comparison of them/).waitFor();
});

for (const { scheme, viewport } of LOOKS)
  test(`a table and its comparisons can be used by everyone (${scheme}, ${viewport.width} wide)`, async (t) => {
    const page = await openTable(t, { scheme, viewport });
    await assertUsable(page);
    await cellAt(page, 0).press('v');
    await cellAt(page, 1).press('v');
    const dialog = page.getByRole('dialog');
    const open: readonly (readonly [act: () => Promise<void>, word: string])[] = [
      [() => cellAt(page, 1).press('c'), 'Swap'],
      [() => cellAt(page, 0).press('Enter'), 's star'],
      [() => cellAt(page, 0).press('m'), 'How many'],
    ];
    for (const [act, word] of open) {
      await act();
      await dialog.getByText(word).waitFor();
      await assertUsable(page);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

/** Opens a table, and waits until all of it is made and shown. */
async function openTable(t: TestContext, options: ConsoleOptions = {}): Promise<Page> {
  const page = await openInKeptPage(t, service, {
    keys: { live: service.keys.live },
    at: `/light/${batchId}`,
    ...options,
  });
  await page.getByText(/^Complete/).waitFor();
  await until(
    () =>
      page.evaluate<boolean>(
        "[...document.querySelectorAll('[role=grid] img')].every((image) => image.naturalWidth > 0)",
      ),
    Boolean,
  );
  return page;
}

function cellAt(page: Page, index: number) {
  return page.getByRole('gridcell').nth(index);
}

async function show(page: Page, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name: choice }).click();
}
