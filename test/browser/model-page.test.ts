import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Page } from 'playwright-core';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { fromPictureEntry, plainEntry } from '../helpers/plain-entry.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openConsole, untilPictureShown } from './browser.ts';
import { chooseModel } from './choose-model.ts';
import { openInKeptPage } from './kept-page.ts';
import { startSwiftService } from './swift-service.ts';

/** A model's own page: its examples, its prices, what it accepts, and how to order it. */

const service = await startSwiftService(wholeFile);
const { call, keys, make } = service;
const customer = await service.issueKey({ mode: 'test', accountId: await service.createAccount(0) });

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rowsOf = async (page: Page, name: string) =>
  (await page.getByRole('table', { name, exact: true }).getByRole('row').allInnerTexts()).map((text) =>
    text.split('\t').map((cell) => cell.trim()),
  );

test('the page of a model says its prices and limits as the catalog has them, and orders with it', async (t) => {
  const { data } = await call(keys.test, 'GET', '/v1/catalog');
  const model = data.items.find(({ model_id: id }) => id === 'veo-3.1-fast')!;
  const page = await openInKeptPage(t, service, { keys: { test: keys.test } });
  await chooseModel(page, model.name);
  await page.getByRole('link', { name: 'Prices, limits and examples' }).click();
  await page.getByRole('heading', { name: model.name, level: 1 }).waitFor();
  assert.equal(new URL(page.url()).hash, '#/models/veo-3.1-fast');
  const lines = (await rowsOf(page, 'Prices')).slice(1);
  const priced = model.pricing.components.map(({ amount }) => `$${amount}`);
  assert.deepEqual(
    lines.map((cells) => cells.at(-1)),
    priced,
  );
  assert.deepEqual(lines[0]?.slice(0, 2), ['Resolution: 720p, With sound: yes', 'second of video']);
  const stated = model.pricing.components.map(({ sources = [] }) =>
    sources.map(({ source, as_of: read }) => `${source} (${read})`).join('; '),
  );
  assert.match(stated[0] ?? '', /litellm \S+ \(\d{4}-\d\d-\d\d\)/);
  assert.deepEqual(
    lines.map((cells) => cells.at(-2)),
    stated,
  );
  const limits = new Map((await rowsOf(page, 'What it accepts')).map(([field, ...rest]) => [field, rest]));
  assert.deepEqual(limits.get('Resolution'), [(model.parameters.resolution?.enum ?? []).join(', '), '720p']);
  await page.getByText('Not known yet').waitFor();
  const order = { model_id: model.model_id, prompt: 'a fox' };
  const { data: quote } = await call(keys.test, 'POST', '/v1/prices', order);
  assert.notEqual(quote.amount, model.pricing.from);
  await page.getByText(`$${quote.amount}`, { exact: true }).first().waitFor();
  assert.match((await page.locator('pre').textContent()) ?? '', /"model_id": "veo-3.1-fast"/);
  await page.getByRole('button', { name: 'Order with this' }).click();
  await page.getByRole('button', { name: `Model: ${model.name}` }).waitFor();
});

test('drawn examples are shown with the built-in illustrator alone, which made them', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { test: customer.key }, at: '/models/sketch' });
  const examples = region(page, 'Examples');
  await examples.getByText('The built-in illustrator made them.').waitFor();
  assert.equal(await examples.locator('img').count(), 3);
  await region(page, 'Where orders go').waitFor();
  assert.deepEqual((await rowsOf(page, 'Where orders go')).slice(1), [
    [
      'this service (sketch)',
      'this service alone',
      'no copy',
      'no',
      'The built-in engine and the tools work on the machine of the service.',
    ],
  ]);
  await page.goto(`${service.url}/#/models/flux-2-pro`);
  await examples.getByText('No examples yet.').waitFor();
  assert.equal(await examples.locator('img').count(), 0);

  await page.goto(`${service.url}/#/`);
  await page.getByRole('button', { name: 'A city at night' }).locator('img').waitFor();
  await chooseModel(page, 'FLUX.2 [pro]');
  await page.getByText('start with one of these.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'A city at night' }).locator('img').count(), 0);
});

test('an order that the operator shows stands on the page of its model, and is ordered anew at a press', async (t) => {
  const task = await make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a heron at dawn' });
  await call(keys.admin, 'PUT', `/admin/v1/tasks/${task.task_id}/example`);
  const page = await openInKeptPage(t, service, { keys: { test: customer.key }, at: '/models/sketch' });
  const examples = region(page, 'Examples');
  const heron = examples.getByRole('button', { name: /^a heron at dawn/ });
  await heron.getByText(`$${task.cost.amount}`).waitFor();
  await untilPictureShown(page, 'img[src*="/examples/"]');
  assert.equal(await examples.getByRole('button', { name: 'No longer an example' }).count(), 0);
  await heron.click();
  assert.equal(await page.getByLabel('Prompt', { exact: true }).inputValue(), 'a heron at dawn');
  await page.getByRole('button', { name: /^Model: Sketch/ }).waitFor();
});

test('an operator shows an order from its page, and no longer from the page of the model', async (t) => {
  const own = await make(keys.live, '/v1/images', { model_id: 'sketch-grid', prompt: 'four owls' });
  const accountId = await service.createAccount(null);
  const { key } = await service.issueKey({ mode: 'live', accountId });
  const theirs = await make(key, '/v1/images', { model_id: 'sketch-grid', prompt: 'four hens' });
  const page = await openInKeptPage(t, service, { keys, at: `/orders/${own.task_id}` });
  await page.getByRole('button', { name: 'Show as example' }).click();
  await page.getByText('Everybody sees it on the page of sketch-grid.').waitFor();
  const isKnown = page.waitForResponse(/\/examples\?task_id=/);
  await page.goto(`${service.url}/#/orders/${theirs.task_id}`);
  await (await isKnown).finished();
  await page.getByText(accountId).first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Show as example' }).count(), 0, "a customer's order");
  const order = { model_id: 'sketch-grid', prompt: 'four wrens', end_user: 'ann' };
  const { task_id: forEndUser } = await make(keys.live, '/v1/images', order);
  await page.goto(`${service.url}/#/orders/${forEndUser}`);
  await page.getByRole('region', { name: 'One order' }).getByText('ann', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Show as example' }).count(), 0, 'an order for an end user');
  await page.goto(`${service.url}/#/models/sketch-grid`);
  await page.getByRole('button', { name: 'No longer an example: four owls' }).click();
  await page.getByText('No examples yet.').waitFor();
  assert.deepEqual((await call(keys.test, 'GET', '/v1/models/sketch-grid/examples')).data.items, []);
});

test('an address of no model says so, below a heading that is there from the beginning', async (t) => {
  const page = await openInKeptPage(t, service, { keys, at: '/now/models' });
  let load = () => {};
  const isAwaited = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route('**/v1/catalog', async (route) => {
    await isAwaited;
    await route.continue();
  });
  await page.goto(`${service.url}/#/models/nothing`);
  await page.getByRole('heading', { name: 'Model', level: 1, exact: true }).waitFor();
  load();
  await page.getByText('The catalog has no model “nothing”.').waitFor();
});

test('the same search finds a model in the gallery and in the form of several, and Enter chooses it', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { test: keys.test } });
  for (const words of ['flux 2 pro', 'flux-2-pro', 'FLUX.2 [pro]']) {
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page.getByPlaceholder('Search models').fill(words);
    await page.getByRole('dialog').getByRole('button', { name: 'FLUX.2 [pro]' }).waitFor();
    await page.getByPlaceholder('Search models').press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Model: FLUX.2 [pro]' }).waitFor();
  }
  await page.goto(`${service.url}/#/light`);
  const field = page.getByRole('combobox', { name: 'Models' });
  for (const words of ['flux 2 pro', 'flux-2-pro']) {
    await field.fill(words);
    await page.getByRole('option', { name: 'FLUX.2 [pro]' }).waitFor();
  }
  await field.press('Enter');
  await field.fill('google');
  await page.getByRole('option', { name: 'Nano Banana Pro' }).waitFor();
  await page.getByText('FLUX.2 [pro]', { exact: true }).waitFor();
});

test('a card of the gallery has the price of what is set, and a picture that the model made here', async (t) => {
  const task = await make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a tern', resolution: '2K' });
  await call(keys.admin, 'PUT', `/admin/v1/tasks/${task.task_id}/example`);
  const page = await openInKeptPage(t, service, { keys: { test: keys.test } });
  await page.locator('label', { hasText: /^2K$/ }).click();
  await page.getByRole('button', { name: /^Model:/ }).click();
  const card = page.getByRole('dialog').getByRole('button', { name: 'Sketch Darkroom' });
  await card.getByText(`$${task.cost.amount}`, { exact: true }).waitFor();
  await card.locator('img[src*="/examples/"]').waitFor();
});

test('the gallery is shown once it is whole, with own pictures of models that have no example, and words for the others', async (t) => {
  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'used' }), plainEntry({ model_id: 'unused' })]);
  const own = await startSwiftService(t, { env: { DARKROOM_CATALOG_DIR: overlay.directory } });
  const { task_id: id } = await own.make(own.keys.live, '/v1/images', { model_id: 'used', prompt: 'a fox' });
  const page = await openInKeptPage(t, own, { keys: { live: own.keys.live } });
  const held = Promise.withResolvers<void>();
  await page.route(/\/v1\/catalog$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: /^Model:/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('status').getByText('Loading').waitFor();
  assert.equal(await dialog.getByRole('link', { name: /^About / }).count(), 0);
  held.resolve();
  const { data } = await own.call(own.keys.live, 'GET', '/v1/catalog');
  await dialog.getByRole('status').getByText(`${data.items.length} models`).waitFor();
  assert.equal(await dialog.getByRole('link', { name: /^About / }).count(), data.items.length);
  await dialog
    .getByRole('button', { name: /^used / })
    .locator(`img[src*="${id}"]`)
    .waitFor();
  assert.equal(
    await dialog
      .getByRole('button', { name: /^unused / })
      .locator('img, svg')
      .count(),
    0,
  );
});

test('plain words find the models that are good at it', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { test: keys.test } });
  await page.getByRole('button', { name: /^Model:/ }).click();
  const dialog = page.getByRole('dialog');
  for (const [words, name] of [
    ['photo', 'FLUX.2 [pro]'],
    ['photo realistic', 'MAI-Image 2.6'],
    ['text in pictures', 'Ideogram 4.5'],
    ['text rendering', 'Ideogram 4.5'],
    ['logo', 'Recraft V4.1'],
    ['anime', 'PixVerse V6'],
    ['cut out', 'GPT Image'],
    ['remove background', 'GPT Image'],
    ['enlarge', 'Midjourney'],
  ] as const) {
    await page.getByPlaceholder('Search models').fill(words);
    await dialog.getByRole('button', { name }).first().waitFor();
    const found = await dialog.getByRole('link', { name: /^About / }).count();
    assert.ok(found < 25, `${words}: ${found}`);
  }
});

test('Escape closes the gallery and gives the focus back to what opened it', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { test: keys.test } });
  for (const opener of [
    page.getByRole('button', { name: /^Model:/ }),
    page.getByRole('button', { name: 'Presets and prompts' }),
  ]) {
    await opener.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(
      () => opener.evaluate((button) => button === button.ownerDocument.activeElement),
      (has) => has,
    );
  }
});

test('a live key begins with the model that it used last, else with the cheapest one of a vendor', async (t) => {
  const shape = { type: 'string', enum: ['1:1', '16:9'], default: '16:9', description: 'Width to height.' };
  const tiered = [
    { per: 'image', amount: '0.001', when: { aspect_ratio: '1:1' } },
    { per: 'image', amount: '0.02', when: { aspect_ratio: '16:9' } },
  ];
  const prompt = { type: 'string', default: null, description: 'What to see.' };
  const entries = [
    // Its order costs 0.02, although the cheapest possible one costs less than any other.
    plainEntry({ model_id: 'dear', parameters: { prompt, aspect_ratio: shape }, pricing: { components: tiered } }),
    plainEntry({ model_id: 'cheap', pricing: { components: [{ per: 'image', amount: '0.003' }] } }),
  ];
  const overlay = await openCatalogOverlay(t, entries);
  const env = { DARKROOM_CATALOG_DIR: overlay.directory };
  const own = await startSwiftService(t, { env });
  const begins = async (name: string) => {
    const page = await openConsole(t, own, { keys: { live: own.keys.live } });
    await page.getByRole('button', { name: `Model: ${name}` }).waitFor();
    await page.close();
  };
  await begins('cheap');
  await own.make(own.keys.live, '/v1/images', { model_id: 'dear', prompt: 'a fox' });
  await begins('dear');
});

test('a live picture is moved by a vendor that can, not by drawings, and the gallery puts last what cannot be ordered as set', async (t) => {
  const film = (model_id: string, amount: string, route: object = {}) =>
    fromPictureEntry({
      model_id,
      type: 'video',
      supported_features: ['text_to_video', 'image_to_video'],
      sizing: { tier: '360p' },
      pricing: { components: [{ per: 'clip', amount }] },
      routes: [{ engine: 'sketch', ...route }],
    });
  // As a vendor's film model whose only configured engine makes none from images.
  const overlay = await openCatalogOverlay(t, [
    plainEntry({ model_id: 'own-picture' }),
    film('own-film', '0.001', { without: ['image_urls'] }),
  ]);
  const others = { vendor: 'Other', models: [film('dear-film', '0.02'), film('cheap-film', '0.01')] };
  await writeFile(join(overlay.directory, 'other.json'), JSON.stringify(others));
  const env = { DARKROOM_CATALOG_DIR: overlay.directory };
  const own = await startSwiftService(t, { env });
  const task = await own.make(own.keys.live, '/v1/images', { model_id: 'own-picture', prompt: 'a fox' });
  const draft = { modelId: 'cheap-film', isPreset: false, values: { image_urls: [`task:${task.task_id}`] } };
  const page = await openInKeptPage(t, own, { keys: { live: own.keys.live }, draft });
  await page.getByRole('button', { name: 'Model: cheap-film' }).click();
  await page.getByPlaceholder('Search models').fill('film');
  const cards = page.getByRole('dialog').getByRole('button', { name: /(own|dear|cheap)-film/ });
  await cards.filter({ hasText: 'Not as set' }).waitFor();
  const names = (await cards.allInnerTexts()).map((text) => /\w+-film/.exec(text)?.[0]);
  assert.deepEqual(names, ['cheap-film', 'dear-film', 'own-film']);
});

test("a test key's picture of another vendor's model says that it is a drawing", async (t) => {
  const order = { model_id: 'flux-2-pro', prompt: 'a red kite' };
  const { task_id: drawn } = await make(keys.test, '/v1/images', order);
  const { task_id: own } = await make(keys.test, '/v1/images', { ...order, model_id: 'sketch' });
  const page = await openInKeptPage(t, service, { keys: { test: keys.test }, at: `/t/${drawn}` });
  const note = page.getByText('Test: drawn by the built-in illustrator, not made by FLUX.2 [pro]');
  await note.waitFor();
  await page.goto(`${service.url}/#/t/${own}`);
  await page.locator('figcaption').getByText('Test', { exact: true }).waitFor();
  assert.equal(await note.count(), 0);
});
