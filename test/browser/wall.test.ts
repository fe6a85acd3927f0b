import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { type ConsoleOptions, PHONE, untilFocused } from './browser.ts';
import { drag } from './drag.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';
import { toggleFilters } from './wall-filters.ts';

/** The wall of pictures: shapes and sizes, marks by keys, boards, and what can be undone. */

const service = await startSwiftService(wholeFile);
const { call, make } = service;
/** The newest is the first of the wall. */
const ORDERS = [
  ['a mill', '1:1'],
  ['a fox', '16:9'],
  ['a boat', '2:3'],
] as const;

test('pictures keep their shapes, rows fill the width, and the slider goes to one picture at a time', async (t) => {
  const { page } = await openWall(t);
  const shapes = async () =>
    await Promise.all(
      ['a boat', 'a fox', 'a mill'].map(async (prompt) => {
        const box = await tile(page, prompt).boundingBox();
        assert.ok(box !== null);
        return box;
      }),
    );
  for (const [index, wanted] of [2 / 3, 16 / 9, 1].entries()) {
    const box = (await shapes())[index]!;
    assert.ok(Math.abs(box.width / box.height - wanted) < 0.05, `${box.width} x ${box.height} is not ${wanted}`);
  }
  const slider = page.getByRole('slider', { name: 'Size of the pictures' });
  await slider.press('Home');
  await until(
    async () => (await shapes())[0]!.height,
    (height) => Math.abs(height - 96) < 2,
  );
  await slider.press('End');
  const large = await until(shapes, (boxes) => boxes[1]!.y > boxes[0]!.y + 300);
  assert.ok(large[0]!.height > 400, 'one picture fills the window');
  await page.reload();
  await until(shapes, (boxes) => boxes[0]!.height > 400);
  await slider.press('Home');
  await page.goto(`${service.url}/#/?search=fox`);
  await tile(page, 'a boat').waitFor({ state: 'detached' });
  const slot = await page.locator('main [style*="translateY"]').boundingBox();
  assert.equal((await tile(page, 'a fox').boundingBox())?.x, slot?.x, 'a picture alone in its row begins it');
});

test('keys star and reject pictures on the wall and on the full screen, and Ctrl+Z takes the last change back', async (t) => {
  const { page, tagsOf } = await openWall(t);
  const told = async (prompt: string, wanted: readonly string[]) =>
    assert.deepEqual(
      await until(
        () => tagsOf(prompt),
        (tags) => JSON.stringify(tags) === JSON.stringify(wanted),
      ),
      wanted,
    );
  await page.keyboard.press('ArrowRight');
  await untilFocused(tile(page, 'a boat'));
  await page.keyboard.press('ArrowRight');
  await untilFocused(tile(page, 'a fox'));
  await page.keyboard.press('s');
  await told('a fox', ['favourite']);
  await page.keyboard.press('x');
  await told('a fox', ['rejected']);
  // The bar, which hears Ctrl+Z, is loaded after the page.
  await page.getByText('Rejection changed').waitFor();
  await page.keyboard.press('Control+z');
  await told('a fox', ['favourite']);
  await page.getByText('Undone: Rejection changed').waitFor();
  await page.keyboard.press(' ');
  const screen = page.getByRole('dialog', { name: 'a fox' });
  await screen.getByRole('img', { name: 'a fox' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'a mill' }).waitFor();
  await page.keyboard.press('x');
  await told('a mill', ['rejected']);
  await assertUsable(page);
  await page.keyboard.press(' ');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await told('a fox', ['favourite']);
  await page.keyboard.press('Control+z');
  await told('a mill', []);
});

test('a rejection takes away a star that the wall does not show yet, and its undoing brings it back', async (t) => {
  const { page, key, ids, tagsOf } = await openWall(t);
  await call(key, 'PUT', `/v1/images/${ids.get('a boat')}/tags`, { tags: ['favourite', 'hero'] });
  await page.keyboard.press('ArrowRight');
  await untilFocused(tile(page, 'a boat'));
  await page.keyboard.press('x');
  await page.getByText('Rejection changed').waitFor();
  assert.deepEqual(await tagsOf('a boat'), ['hero', 'rejected']);
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: Rejection changed').waitFor();
  assert.deepEqual(await tagsOf('a boat'), ['favourite', 'hero']);
});

test('a deleted order leaves the wall at once and comes back with its tags', async (t) => {
  const { page, key, ids, tagsOf } = await openWall(t);
  await call(key, 'PUT', `/v1/images/${ids.get('a fox')}/tags`, { tags: ['hero'] });
  await tile(page, 'a fox').hover();
  await page.getByRole('button', { name: 'Delete this order' }).click();
  await tile(page, 'a fox').waitFor({ state: 'detached' });
  assert.equal((await call(key, 'GET', `/v1/images/${ids.get('a fox')}`)).status, 404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await tile(page, 'a fox').waitFor();
  assert.deepEqual(await tagsOf('a fox'), ['hero']);
});

test('a picture is dropped on a board, moves to another one, and the move is undone', async (t) => {
  const { page, tagsOf, key, ids } = await openWall(t);
  for (const name of ['Covers', 'Posters']) {
    await page.getByRole('button', { name: 'New board' }).click();
    await page.getByRole('textbox', { name: 'Name of the board' }).fill(name);
    await page.keyboard.press('Enter');
  }
  const board = (name: string) => page.getByRole('navigation', { name: 'Boards' }).getByRole('button', { name });
  const has = (tags: readonly string[]) =>
    until(
      () => tagsOf('a fox'),
      (found) => JSON.stringify(found) === JSON.stringify(tags),
    );
  await drag(tile(page, 'a fox'), board('Covers'));
  await has(['board:Covers']);
  await board('Covers').click();
  await page.getByText('End of list: 1').waitFor();
  await drag(tile(page, 'a fox'), board('Posters'));
  await has(['board:Posters']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await has(['board:Covers']);
  assert.equal((await call(key, 'GET', `/v1/images?tag=board:Covers`)).data.items[0].task_id, ids.get('a fox'));
  await assertUsable(page);
});

test('only the prompt of an earlier order is taken over into the form', async (t) => {
  const { page } = await openWall(t);
  await tile(page, 'a fox').click();
  await page.getByRole('button', { name: 'Use only this in the form: Prompt' }).click();
  await page.waitForURL(/#\/$/);
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });
  assert.equal(
    await until(
      () => prompt.inputValue(),
      (text) => text !== '',
    ),
    'a fox',
  );
});

test('three selected pictures are compared side by side', async (t) => {
  const { page } = await openWall(t);
  for (const prompt of ['a boat', 'a fox', 'a mill']) await page.getByLabel(`Select ${prompt}`).check();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Compare' });
  assert.equal(
    await until(
      () => dialog.getByRole('figure').count(),
      (count) => count > 0,
    ),
    3,
  );
  await assertUsable(page);
});

test('the filter finds a model by its vendor and by any of its words', async (t) => {
  const { page } = await openWall(t);
  await toggleFilters(page);
  await page.getByRole('combobox', { name: 'Model', exact: true }).fill('google banana');
  await page.getByRole('option', { name: 'Nano Banana 2', exact: true }).waitFor();
});

test('the wall can be used by everyone on a phone in light', async (t) => {
  const { page } = await openWall(t, { viewport: PHONE, scheme: 'light' });
  await assertUsable(page);
});

function tile(page: Page, prompt: string) {
  return page.getByRole('link', { name: new RegExp(`, Succeeded.*${prompt}`) });
}

async function openWall(t: TestContext, look: Pick<ConsoleOptions, 'viewport' | 'scheme'> = {}) {
  const { key } = await service.issueKey({ mode: 'test' });
  const ids = new Map<string, string>();
  for (const [prompt, ratio] of ORDERS) {
    const order = { model_id: 'sketch', prompt, aspect_ratio: ratio, resolution: '0.5K' };
    ids.set(prompt, (await make(key, '/v1/images', order)).task_id);
  }
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: '/', ...look });
  await page.getByText('End of list: 3').waitFor();
  const tagsOf = async (prompt: string) =>
    (await call(key, 'GET', `/v1/images/${ids.get(prompt)}/tags`)).data.tags as string[];
  return { page, key, ids, tagsOf };
}
