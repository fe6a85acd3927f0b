import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { type ConsoleOptions, LOOKS, openPage, untilFocused } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { makeLightTable } from './light-form.ts';
import { assertUsable, cutOff } from './usable.ts';

const service = await startTestService(wholeFile);
const { call, make } = service;

/** The newest is the first of the wall. */
const PROMPTS = ['a mill', 'a fox', 'a boat', 'a bridge', 'a castle'];

test('orders are selected one by one, as a range, and all at once, and the page tells how many', async (t) => {
  const { page } = await openWall(t);
  await box(page, 'a castle').check();
  await told(page, '1 selected');
  await box(page, 'a boat').click({ modifiers: ['Shift'] });
  await told(page, '3 selected');
  await box(page, 'a bridge').uncheck();
  await told(page, '2 selected');
  await tile(page, 'a fox').click({ modifiers: ['Shift'] });
  await told(page, '2 selected');
  assert.deepEqual(await selected(page), ['a castle', 'a boat'], 'a range from one that was taken back takes back');
  await tile(page, 'a mill').press('v');
  await tile(page, 'a fox').press('Shift+V');
  await told(page, '4 selected');
  await bar(page).getByRole('button', { name: 'Select all 5' }).click();
  await told(page, '5 selected');
  await bar(page).getByRole('button', { name: 'Clear' }).click();
  await told(page, 'Nothing selected');
  assert.equal(await bar(page).count(), 0);
  // The focus is where it was.
  await untilFocused(page.getByLabel('Select a fox'));

  await tile(page, 'a fox').press('v');
  await page.keyboard.press('Escape');
  await told(page, 'Nothing selected');
  await tile(page, 'a fox').press('v');
  await page.getByRole('searchbox', { name: 'Search' }).fill('castle');
  await page.getByText('End of list: 1').waitFor();
  assert.equal(await bar(page).count(), 0, 'another list begins with nothing selected');
});

test('the selected orders are starred, tagged, shared by one link, saved and deleted', async (t) => {
  const { page, key, ids } = await openWall(t);
  const { data: stuck } = await call(key, 'POST', '/v1/images', {
    model_id: 'sketch',
    prompt: 'a windmill',
    simulate: { outcome: 'stuck' },
  });
  await page.reload();
  const tagsOf = async (prompt: string) =>
    (await call(key, 'GET', `/v1/images/${ids.get(prompt)}/tags`)).data.tags as string[];
  await call(key, 'PUT', `/v1/images/${ids.get('a fox')}/tags`, { tags: ['draft', 'by a program'] });
  await page.reload();
  for (const prompt of ['a windmill', 'a fox', 'a boat']) await box(page, prompt).check();

  await bar(page).getByRole('button', { name: 'Star' }).click();
  await bar(page).getByRole('button', { name: 'Remove the star' }).waitFor();
  await bar(page).getByRole('button', { name: 'Tags' }).click();
  const field = page.getByRole('combobox', { name: 'Tags of the selected orders' });
  await field.press('Backspace');
  await field.fill('cover');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Change the tags' }).click();
  await until(
    () => tagsOf('a fox'),
    (tags) => tags.includes('cover'),
  );
  assert.deepEqual(await tagsOf('a fox'), ['by a program', 'cover', 'favourite'], 'the last of its tags was removed');
  assert.deepEqual(await tagsOf('a boat'), ['cover', 'favourite']);
  assert.deepEqual(await tagsOf('a castle'), []);

  await bar(page).getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share the selected results' });
  await dialog.getByText('1 selected order has no result.').waitFor();
  await dialog.getByRole('checkbox', { name: 'Show the prompt, too' }).check();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const address = await dialog.getByRole('textbox', { name: /^Link, until/ }).inputValue();
  const shown = await openPage(t);
  await shown.goto(address);
  await shown.getByRole('heading', { name: 'Shared images (2)' }).waitFor();
  for (const prompt of ['a fox', 'a boat']) await shown.getByRole('img', { name: prompt }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await told(page, '3 selected');

  const { names, csv } = await saved(t, page);
  assert.deepEqual(names, [`${ids.get('a boat')}.png`, `${ids.get('a fox')}.png`, 'settings.csv']);
  assert.match(csv[0] ?? '', /^\ufefffile,model_id,prompt,seed,/);
  assert.match(csv[2] ?? '', /^img_\w+\.png,sketch,a fox,.*,1,,by a program; cover,img_\w+$/);

  await page.getByText('1 selected order is still under way, and not deleted.').waitFor();
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await tile(page, 'a fox').waitFor({ state: 'detached' });
  await page.getByText('End of list: 4').waitFor();
  for (const [prompt, status] of [
    ['a fox', 404],
    ['a boat', 404],
    ['a castle', 200],
  ] as const)
    assert.equal((await call(key, 'GET', `/v1/images/${ids.get(prompt)}`)).status, status, prompt);
  assert.equal((await call(key, 'GET', stuck.urls.self)).status, 200);
  await call(key, 'POST', stuck.urls.cancel);
});

test('what fails for one of the selected orders is said with how many it was done for', async (t) => {
  const { page, ids } = await openWall(t);
  const error = { status: 400, code: 'invalid_request', message: 'This is refused.', param: null, details: [] };
  await page.route(new RegExp(`/${ids.get('a boat')}(/tags)?(\\?|$)`), (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 400, json: { error: { ...error, retryable: false } } }),
  );
  for (const prompt of ['a bridge', 'a boat', 'a fox']) await box(page, prompt).check();
  await bar(page).getByRole('button', { name: 'Star' }).click();
  await bar(page).getByText('The tags of 1 of 3 orders were changed, then it failed').waitFor();
  await tile(page, 'a bridge').getByRole('img', { name: 'Favourite' }).waitFor();
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('1 of 3 orders were deleted, then it failed').waitFor();
  assert.deepEqual(await selected(page), ['a boat', 'a fox'], 'the others stay selected');
});

test('the selected results of a table are marked, shared and saved; a filter narrows the selection', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const table = await makeLightTable(
    service,
    key,
    [1, 2, 3].flatMap((row) => [
      [row, 1, { model_id: 'sketch', prompt: 'a fox', seed: row }],
      [row, 2, { model_id: 'flux-2-pro', prompt: 'a fox', seed: row }],
    ]),
  );
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: `/light/${table}` });
  await page.getByText(/^Complete/).waitFor();
  const cell = (index: number) => page.getByRole('gridcell').nth(index);
  await cell(1).press('v');
  await told(page, '1 selected');
  await cell(4).press('Shift+V');
  await told(page, '4 selected');
  await cell(2)
    .locator('[data-picture]')
    .click({ modifiers: ['Shift'] });
  assert.equal(await page.locator('[role=gridcell][aria-selected=true]').count(), 4);
  await cell(3).getByRole('checkbox', { name: 'Select FLUX.2 [pro]' }).uncheck();
  await told(page, '3 selected');

  await bar(page).getByRole('button', { name: 'Star' }).click();
  await page
    .getByRole('gridcell', { name: /starred$/ })
    .nth(2)
    .waitFor();
  assert.equal(await page.getByRole('gridcell', { name: /starred$/ }).count(), 3);
  await bar(page).getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('combobox', { name: 'Tags of the selected orders' }).fill('cover');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change the tags' }).click();
  await page
    .getByRole('gridcell', { name: /cover .*starred$/ })
    .nth(2)
    .waitFor();
  assert.equal(await page.getByRole('gridcell', { name: /cover .*starred$/ }).count(), 3);
  const { names } = await saved(t, page);
  assert.deepEqual(names, ['01-02_flux-2-pro.jpg', '02-01_sketch.png', '03-01_sketch.png', 'settings.csv']);

  await bar(page).getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share the selected results' });
  await dialog.getByText('can see and download these 3 results').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await bar(page).getByRole('button', { name: 'Select all 6' }).click();
  await bar(page).getByRole('button', { name: 'Reject' }).waitFor();
  await page.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'Starred' }).click();
  await told(page, '3 selected');
  await bar(page).getByRole('button', { name: 'Reject' }).click();
  await page.getByText('No result matches').waitFor();
  await told(page, 'Nothing selected');
});

for (const { scheme, viewport } of LOOKS)
  test(`a selection can be used by everyone (${scheme}, ${viewport.width} wide)`, async (t) => {
    const { page } = await openWall(t, { scheme, viewport });
    await page.getByRole('checkbox', { name: 'Select a castle' }).check();
    await page.getByRole('checkbox', { name: 'Select a boat' }).click({ modifiers: ['Shift'] });
    await told(page, '3 selected');
    await assertUsable(page);
    assert.deepEqual(await cutOff(page), []);
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('button', { name: 'Change the tags' }).waitFor();
    await assertUsable(page);
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: /^Undo/ }).waitFor();
    await assertUsable(page);
  });

/** Opens the wall of a key of its own, with five orders. */
async function openWall(
  t: TestContext,
  options: ConsoleOptions = {},
): Promise<{ readonly page: Page; readonly key: string; readonly ids: ReadonlyMap<string, string> }> {
  const { key } = await service.issueKey({ mode: 'test' });
  const ids = new Map<string, string>();
  for (const prompt of PROMPTS)
    ids.set(prompt, (await make(key, '/v1/images', { model_id: 'sketch', prompt, resolution: '0.5K' })).task_id);
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: '/', ...options });
  await page.locator('a[href^="#/history/"]').nth(4).waitFor();
  return { page, key, ids };
}

async function saved(t: TestContext, page: Page): Promise<{ readonly names: string[]; readonly csv: string[] }> {
  const download = page.waitForEvent('download');
  await bar(page).getByRole('button', { name: 'Download' }).click();
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-selection-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'selection.zip');
  await (await download).saveAs(path);
  const script = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([z.namelist(), z.read('settings.csv').decode()]))`;
  const { stdout } = await promisify(execFile)('python3', ['-c', script, path]);
  const [names, csv] = JSON.parse(stdout) as [string[], string];
  return { names, csv: csv.split('\r\n') };
}

async function told(page: Page, words: string): Promise<void> {
  await page.getByRole('status').getByText(words, { exact: true }).waitFor();
}

async function selected(page: Page): Promise<string[]> {
  const labels = await page.evaluate<string[]>(
    "[...document.querySelectorAll('[data-select]:checked')].map((box) => box.ariaLabel)",
  );
  return labels.map((label) => label.replace('Select ', ''));
}

function bar(page: Page) {
  return page.getByRole('region', { name: 'Selection' });
}

function box(page: Page, prompt: string) {
  return page.getByRole('checkbox', { name: `Select ${prompt}`, exact: true });
}

function tile(page: Page, prompt: string) {
  return page.getByRole('link', { name: new RegExp(`${prompt}(?!\\w)`) });
}
