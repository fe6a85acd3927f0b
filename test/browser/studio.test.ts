import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { fromPictureEntry, plainEntry } from '../helpers/plain-entry.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { type PageGlobals, untilNextPicture, untilPictureShown } from './browser.ts';
import { openCircuit } from './busy-service.ts';
import { chooseModel } from './choose-model.ts';
import { drag } from './drag.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

const service = await startSwiftService(wholeFile);
const { keys } = service;

test('a film is ordered at the price that was shown, and plays', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await chooseModel(page, 'Sketch Motion');
  await page.getByLabel('Prompt', { exact: true }).fill('A small boat crosses a calm bay');
  await page.getByRole('textbox', { name: 'Length in seconds' }).fill('1');
  const price = page.getByTestId('price');
  await price.filter({ hasText: /^\$0\.02$/ }).waitFor();
  await page.getByRole('button', { name: 'Draw for nothing' }).click();
  await page.waitForFunction(() => {
    const { document } = globalThis as unknown as PageGlobals;
    return (document.querySelector('video')?.readyState ?? 0) >= 2;
  });
  assert.equal(await price.textContent(), '$0.02');
  await page.getByText(/1 s · .*\$0\.02/).waitFor();

  await page.getByRole('button', { name: 'Use as reference' }).click();
  await page.getByRole('button', { name: 'Remove Reference videos 1' }).click();
  await page.getByRole('button', { name: 'Add: Reference videos' }).click();
  await page.getByRole('menuitem', { name: 'From your videos' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Video: A small boat crosses a calm bay' }).click();
  await page.getByRole('button', { name: 'Remove Reference videos 1' }).waitFor();
});

test('the next step of an image under way is ordered at its price, and waits for it', async (t) => {
  const stuck = { model_id: 'sketch', prompt: 'a windmill', simulate: { outcome: 'stuck' } };
  const { data: parent } = await service.call(keys.test, 'POST', '/v1/images', stuck);
  const page = await openInKeptPage(t, service, { keys, at: `/t/${parent.task_id}` });
  const film = page.getByRole('button', { name: /^Then make it move/ });
  await film.filter({ hasText: '$0.10' }).click();
  await page.getByRole('link', { name: 'waits for another order' }).waitFor();
  const { data: listed } = await service.call(keys.test, 'GET', '/v1/videos?limit=1');
  assert.deepEqual([listed.items[0].waiting_for, listed.items[0].cost.quoted], [[parent.task_id], '0.10']);
  await page.getByRole('link', { name: 'waits for another order' }).click();
  await film.waitFor();
  await assertUsable(page);
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.goto(`${service.url}/#/t/${listed.items[0].task_id}`);
  await page.getByText('Create the earlier one again, then this one.').waitFor();
});

test('nothing moves when the models and the price arrive after the result', async (t) => {
  const { data: made } = await service.call(keys.test, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'a boat' });
  await until(
    async () => (await service.call(keys.test, 'GET', `/v1/images/${made.task_id}`)).data.status,
    (status) => status === 'succeeded',
  );
  const page = await openInKeptPage(t, service, { keys, at: '/money/usage' });
  const held = Promise.withResolvers<void>();
  await page.route(/\/v1\/(models|prices)$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${service.url}/#/t/${made.task_id}`);
  await page.reload();
  await untilPictureShown(page);
  const recent = page.getByRole('region', { name: 'Your work' });
  const places = () =>
    Promise.all(
      [recent.getByRole('link', { name: /a boat/ }), page.getByRole('link', { name: 'Download' })].map(
        async (element) => JSON.stringify(await element.first().boundingBox()),
      ),
    );
  await recent
    .getByRole('link', { name: /a boat/ })
    .first()
    .waitFor();
  const before = await places();
  held.resolve();
  await page.getByRole('button', { name: /^Again with another seed \$/ }).waitFor();
  await page.getByRole('button', { name: 'Use these settings' }).waitFor();
  assert.deepEqual(await places(), before);
});

test('presets and the prompts of earlier orders come back, and are gone at sign-out', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  const prompt = page.getByLabel('Prompt', { exact: true });
  const create = page.getByRole('button', { name: 'Draw for nothing', exact: true });
  await prompt.fill('a first boat');
  await untilNextPicture(page, () => create.click());
  await prompt.fill('a second boat');
  await untilNextPicture(page, () => create.click());
  await prompt.fill('');
  await prompt.press('ArrowUp');
  await prompt.press('ArrowUp');
  assert.equal(await prompt.inputValue(), 'a first boat');
  await prompt.press('ArrowDown');
  assert.equal(await prompt.inputValue(), 'a second boat');

  const saved = page.getByRole('button', { name: 'Presets and prompts' });
  await page.getByRole('radio', { name: '16:9' }).check({ force: true });
  await saved.click();
  const dialog = page.getByRole('dialog', { name: 'Presets and prompts' });
  await dialog.getByLabel('Name for the current model and settings').fill('wide');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: /^wide/ }).waitFor();
  await assertUsable(page);
  await dialog.getByRole('button', { name: 'a first boat' }).click();
  assert.equal(await prompt.inputValue(), 'a first boat');
  await chooseModel(page, 'Sketch Motion');
  await saved.click();
  await dialog.getByRole('button', { name: /^wide/ }).click();
  assert.ok(await page.getByRole('radio', { name: '16:9' }).isChecked());
  assert.equal(await prompt.inputValue(), 'a first boat');

  await page.getByRole('button', { name: 'Keys in this browser' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  assert.ok(!(await page.evaluate<string>('JSON.stringify(localStorage)')).includes('boat'));
});

test('every follow-up of a grid and of a picture is one press away', { timeout: 240_000 }, async (t) => {
  const grid = await service.make(keys.test, '/v1/images', {
    model_id: 'sketch-grid',
    prompt: 'a lighthouse',
    aspect_ratio: '3:2',
  });
  const page = await openInKeptPage(t, service, { keys, at: `/t/${grid.task_id}` });
  const offered = new Set<string>();
  const takenActions = async () => {
    const task = await service.call(keys.test, 'GET', `/v1/images/${page.url().split('/').at(-1)}`);
    offered.add(task.data.action);
  };
  const back = async (taskId: string) => {
    await page.goto(`${service.url}/#/t/${taskId}`);
    // Until then the stage has the picture before, with buttons of the same names.
    await page.locator(`figure img[src*="${taskId}"]`).waitFor();
    await untilPictureShown(page);
  };
  const press = async (taskId: string, name: RegExp, dialog?: () => Promise<void>) => {
    await back(taskId);
    await untilNextPicture(page, async () => {
      await page.getByRole('button', { name }).first().click({ force: true });
      await dialog?.();
    });
    await takenActions();
  };

  await press(grid.task_id, /^Variation of tile 3/);
  await press(grid.task_id, /^Reroll/);
  await press(grid.task_id, /^Remix/, async () => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Prompt').fill('a lighthouse in winter');
    await dialog.getByRole('button', { name: /^Remix/ }).click();
  });
  await press(grid.task_id, /^Upscale of tile 2/);
  const single = page.url().split('/').at(-1) ?? '';
  for (const name of [/^Upscale, faithful/, /^Upscale, inventive/, /^Vary a little/, /^Vary a lot/, /^Make square/])
    await press(single, name);
  await press(single, /^Zoom out/, async () => {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Zoom out/ })
      .click();
  });
  await press(single, /^Pan/, async () => {
    const dialog = page.getByRole('dialog');
    await dialog.getByText('left', { exact: true }).click();
    await dialog.getByRole('button', { name: /^Pan/ }).click();
  });
  await press(single, /^Change a region/, async () => {
    const dialog = page.getByRole('dialog');
    const canvas = dialog.locator('canvas');
    await canvas.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: /^Change a region/ }).click();
  });
  assert.equal(offered.size, 12, [...offered].join(', '));
});

test('a result goes on: another seed, a reference, a film', async (t) => {
  const task = await service.make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a red house', seed: 7 });
  const page = await openInKeptPage(t, service, { keys, at: `/t/${task.task_id}` });
  await untilPictureShown(page);
  await untilNextPicture(page, () => page.getByRole('button', { name: 'Again with another seed' }).click());
  const again = await service.call(keys.test, 'GET', `/v1/images/${page.url().split('/').at(-1)}`);
  assert.equal(again.data.input.prompt, 'a red house');
  assert.notEqual(again.data.outputs[0].seed, 7);

  await page.getByRole('button', { name: 'Use as reference' }).click();
  await page.getByRole('button', { name: 'Remove Reference images 1' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  assert.match((await download).suggestedFilename(), /\.png$/);
  await page.getByRole('button', { name: /^Make it move ?\$0\.10$/ }).click();
  await page.waitForURL(/#\/t\/vid_/);
  const { data: film } = await service.call(keys.test, 'GET', `/v1/videos/${page.url().split('/').at(-1)}`);
  assert.deepEqual(
    [film.model_id, film.input.first_frame_url, film.cost.quoted],
    ['sketch-motion', `task:${again.data.task_id}`, '0.10'],
  );
});

test('a combination that a model does not make is explained, and mended with one press', async (t) => {
  const page = await openInKeptPage(t, service, { keys });
  await chooseModel(page, 'Veo 3.1 Fast');
  await page.getByLabel('Prompt', { exact: true }).fill('a fox');
  await page.locator('label', { hasText: /^4k$/ }).click();
  await page.locator('label', { hasText: /^4\./ }).click();
  await page.getByRole('alert').getByText('1080p and 4k need duration 8.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Draw for nothing' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Set length in seconds to 8' }).click();
  await page.getByRole('button', { name: 'Draw for nothing', disabled: false }).waitFor();
});

test('a live order of a model whose upstream does not answer is said to wait', async (t) => {
  await openCircuit(service, 'sketch', 'timeout');
  t.after(() => service.call(keys.admin, 'POST', '/admin/v1/engines/sketch/circuit/close'));
  await until(
    async () => (await service.call(keys.live, 'GET', '/v1/models')).data.items[0].availability.live,
    (live) => live === false,
  );
  const page = await openInKeptPage(t, service, { keys: { live: keys.live } });
  await page.getByText(/An order is accepted and waits/).waitFor();
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Sketch Grid/ })
    .getByText('Delayed')
    .waitFor();
});

test('references come by file, by address and from the history, and the request says so', async (t) => {
  const task = await service.make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a blue house' });
  const file = await (await fetch(task.outputs[0].url)).arrayBuffer();
  const page = await openInKeptPage(t, service, { keys });
  const add = () => page.getByRole('button', { name: 'Add: Reference images' }).click();
  await add();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Upload a file' }).click();
  await (await chooser).setFiles({ name: 'house.png', mimeType: 'image/png', buffer: Buffer.from(file) });
  await page.getByRole('button', { name: 'Remove Reference images 1' }).waitFor();
  await add();
  await page.getByRole('menuitem', { name: 'From a URL' }).click();
  await page.getByLabel('URL of the file').fill('https://pictures.example/house.png');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await add();
  await page.getByRole('menuitem', { name: 'From your images' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Image: a blue house' }).first().click();
  await page.getByRole('button', { name: 'Remove Reference images 3' }).waitFor();
  await untilCode(page, /"upload:file_\w+",\s+"https:\/\/pictures\.example\/house\.png",\s+"task:img_\w+"/);
});

test('a picture is dragged from the wall into a field, one that is pasted lands there too, and a result is seen large', async (t) => {
  const task = await service.make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a green house' });
  const page = await openInKeptPage(t, service, { keys, at: `/t/${task.task_id}` });
  await untilPictureShown(page);
  const tray = page.getByRole('group', { name: 'Reference images' });
  // The last to come. What comes moves the wall, and the browser drags what is where the press was.
  await page.getByRole('button', { name: 'Use these settings' }).waitFor();
  await page.getByRole('button', { name: 'Make it move' }).waitFor();
  await drag(page.getByRole('region', { name: 'Your work' }).getByRole('link', { name: /a green house/ }), tray);
  await page.getByRole('button', { name: 'Remove Reference images 1' }).waitFor();
  await untilCode(page, new RegExp(`"task:${task.task_id}"`));

  const file = Buffer.from(await (await fetch(task.outputs[0].url)).arrayBuffer()).toString('base64');
  await page.getByLabel('Prompt', { exact: true }).focus();
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${file}'), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'house.png', { type: 'image/png' }));
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await page.getByRole('button', { name: 'Remove Reference images 2' }).waitFor();
  await untilCode(page, /"upload:file_\w+"/);

  await page.getByRole('button', { name: 'See larger' }).click();
  const large = page.getByRole('dialog').getByRole('img', { name: 'Image: a green house' });
  await large.waitFor();
  const widthShown = async () => (await large.boundingBox())?.width ?? 0;
  await until(widthShown, (width) => width > 100 && width < (task.outputs[0].width ?? 0));
  await page.getByRole('button', { name: 'Actual size' }).click();
  await until(widthShown, (width) => width === task.outputs[0].width);
  await assertUsable(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a model that cannot be ordered says why, and an order that breaks a rule has no price', async (t) => {
  await service.call(keys.admin, 'POST', '/admin/v1/models/sketch-grid/pause', { reason: 'new brushes' });
  t.after(() => service.call(keys.admin, 'POST', '/admin/v1/models/sketch-grid/resume'));
  const page = await openInKeptPage(t, service, { keys });
  await page.getByTestId('price').waitFor();
  await page.getByRole('button', { name: /^Model:/ }).click();
  const card = page.getByRole('dialog').getByRole('button', { name: /Sketch Grid/ });
  await card.getByText('Paused').waitFor();
  assert.ok(await card.isDisabled());
  await page.keyboard.press('Escape');
  await chooseModel(page, 'Veo 3.1 Fast');
  await page.locator('label', { hasText: /^4k$/ }).click();
  await page.locator('label', { hasText: /^4\./ }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByTestId('price').count(), 0);
});

test('"Make it move" names only a model that makes a video of the picture here', async (t) => {
  const film = (model_id: string, route: object) =>
    fromPictureEntry({
      model_id,
      type: 'video',
      supported_features: ['text_to_video', 'image_to_video'],
      sizing: { tier: '360p' },
      pricing: { components: [{ per: 'clip', amount: '0.01' }] },
      routes: [{ engine: 'sketch', ...route }],
    });
  // As a vendor's film model whose only configured engine makes none from images.
  const overlay = await openCatalogOverlay(t, [
    plainEntry({ model_id: 'own-picture' }),
    film('own-film', { without: ['image_urls'] }),
    film('other-film', {}),
  ]);
  const env = { DARKROOM_CATALOG_DIR: overlay.directory };
  const own = await startSwiftService(t, { env });
  const task = await own.make(own.keys.live, '/v1/images', { model_id: 'own-picture', prompt: 'a fox' });
  const page = await openInKeptPage(t, own, { keys: { live: own.keys.live }, at: `/t/${task.task_id}` });
  await page.getByRole('button', { name: 'Make it move' }).click();
  await page.waitForURL(/#\/t\/vid_/);
  const { data: made } = await own.call(own.keys.live, 'GET', `/v1/videos/${page.url().split('/').at(-1)}`);
  assert.equal(made.model_id, 'other-film');
});

test('"Make it move" is offered for a picture with a long prompt too', async (t) => {
  const prompt = 'a red fox in the snow, '.repeat(400);
  const task = await service.make(keys.test, '/v1/images', { model_id: 'sketch', prompt });
  const page = await openInKeptPage(t, service, { keys: { test: keys.test }, at: `/t/${task.task_id}` });
  await page.getByRole('button', { name: 'Make it move' }).click();
  await page.waitForURL(/#\/t\/vid_/);
  const { data: film } = await service.call(keys.test, 'GET', `/v1/videos/${page.url().split('/').at(-1)}`);
  assert.equal(film.input.prompt, prompt);
});

/** Waits until the request as code, in a closed fold, has this. */
async function untilCode(page: Page, text: RegExp): Promise<void> {
  await page.locator('pre').filter({ hasText: text }).waitFor({ state: 'attached' });
}
