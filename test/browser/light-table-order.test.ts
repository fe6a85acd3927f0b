import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { wholeFile } from '../helpers/whole-file.ts';
import { LOOKS } from './browser.ts';
import { openInKeptPage } from './kept-page.ts';
import { fillLightForm } from './light-form.ts';
import { untilPriced } from './order-form.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

const service = await startSwiftService(wholeFile);
const MODELS = ['Sketch', 'FLUX.2 [pro]', 'Seedream 4.5'];
const BATCHES = /\/v1\/batches$/;

test('one prompt over three models and four seeds is one batch at the price that was shown', async (t) => {
  const { page, sent } = await openForm(t);
  await fillLightForm(page, { prompts: 'A lighthouse at dusk', models: MODELS });
  await page.getByText('1 prompt × 3 models × 4 seeds').waitFor();
  await untilPriced(page, 'table-price');
  const price = await page.getByTestId('table-price').textContent();
  await page.getByRole('button', { name: 'Draw 12 for nothing' }).click();
  await page.waitForURL(/#\/light\/bat_/);
  await page.getByText('12 of 12 done').waitFor();
  assert.equal(sent.length, 1);
  assert.match(sent[0]?.key ?? '', /^console-[0-9a-f]{32}$/);
  assert.equal(`$${sent[0]?.body.max_price}`, price);
  assert.deepEqual(
    sent[0]?.body.orders.map(({ body }) => `${body.model_id} ${body.seed}`),
    [1, 2, 3, 4].flatMap((seed) => ['sketch', 'flux-2-pro', 'seedream-4.5'].map((model) => `${model} ${seed}`)),
  );
  const table = page.getByRole('grid', { name: 'Results' });
  assert.deepEqual(await table.getByRole('columnheader').allTextContents(), ['Settings', ...MODELS]);
  assert.deepEqual(await table.getByRole('rowheader').allTextContents(), ['seed 1', 'seed 2', 'seed 3', 'seed 4']);
  assert.equal(await table.locator('img').count(), 12);
  const first = await table.getByRole('gridcell').first().textContent();
  assert.match(first ?? '', /\$0\.01 .*\d s .*1024×1024 .*seed 1/);
  await page.getByRole('link', { name: 'On the wall' }).click();
  await page.getByRole('region', { name: 'Batch' }).getByText('12 of 12 done').waitFor();
});

test('a template and lines are expanded, and a setting varies beside the seeds', async (t) => {
  const { page, sent } = await openForm(t);
  await fillLightForm(page, { prompts: 'A fox at {dawn|dusk}\nA red boat', models: ['Sketch'], seeds: '7' });
  await page.getByRole('button', { name: 'Vary a setting' }).click();
  await chooseSetting(page, 'Aspect ratio', ['1:1', '16:9']);
  await page.getByRole('button', { name: 'Draw 6 for nothing', disabled: false }).click();
  await page.waitForURL(/#\/light\/bat_/);
  assert.deepEqual(
    sent[0]?.body.orders.map(({ body }) => `${body.prompt} ${body.aspect_ratio} ${body.seed}`),
    ['A fox at dawn', 'A fox at dusk', 'A red boat'].flatMap((prompt) => [`${prompt} 1:1 7`, `${prompt} 16:9 7`]),
  );
  await page.getByText('6 of 6 done').waitFor();
  const columns = await page.getByRole('columnheader').allTextContents();
  assert.deepEqual(columns, ['Settings', 'Aspect ratio 1:1', 'Aspect ratio 16:9']);
  const rows = ['A fox at dawn', 'A fox at dusk', 'A red boat'];
  assert.deepEqual(await page.getByRole('rowheader').allTextContents(), rows);
  await page.getByRole('combobox', { name: 'Columns' }).click();
  await page.getByRole('option', { name: 'Columns: Prompt' }).click();
  assert.deepEqual(await page.getByRole('columnheader').allTextContents(), ['Settings', ...rows]);
  assert.deepEqual(await page.getByRole('rowheader').allTextContents(), columns.slice(1));
  await page.getByRole('combobox', { name: 'Columns' }).click();
  await page.getByRole('option', { name: 'Columns: Model' }).click();
  assert.equal((await page.getByRole('rowheader').allTextContents())[1], 'A fox at dawnAspect ratio 16:9');
});

test('any parameter of the models is an axis, and 400 cells are one order at one price', async (t) => {
  const { page, sent } = await openForm(t);
  await page.route(BATCHES, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent.push({ key: undefined, body: route.request().postDataJSON() });
    return route.fulfill({
      status: 400,
      json: { error: { code: 'invalid_request', message: 'Enough.', details: [] } },
    });
  });
  await fillLightForm(page, { prompts: 'A fox', models: ['FLUX.2 [pro]'], seeds: list(1, 67) });
  await page.getByRole('button', { name: 'Vary a setting' }).click();
  await page.getByRole('combobox', { name: 'Setting 1' }).click();
  const offered = await page.getByRole('option').allTextContents();
  const { data } = await service.call(service.keys.test, 'GET', '/v1/catalog');
  const model = data.items.find(({ model_id: id }) => id === 'flux-2-pro');
  const names = Object.keys(model?.parameters ?? {}).filter((name) => !['prompt', 'seed', 'num_images'].includes(name));
  assert.equal(offered.length, names.length, `${offered} of ${names}`);
  await page.keyboard.press('Escape');
  await chooseSetting(page, 'Aspect ratio', ['1:1', '3:2']);
  await page.getByRole('button', { name: 'Vary a setting' }).click();
  await chooseSetting(page, 'Reference images', [], 2);
  const references = page.getByRole('combobox', { name: 'Values of Reference images' });
  for (const file of ['a', 'b', 'c']) {
    await references.fill(`https://example.com/${file},1.png`);
    await references.press('Enter');
  }
  await page.getByText('These are 402; a table takes at most 400.').waitFor();
  await page.getByLabel('Seeds', { exact: true }).fill(list(1, 66));
  await page.getByRole('button', { name: 'Draw 396 for nothing', disabled: false }).click();
  await page.getByText('Enough.').waitFor();
  const { orders, max_price: limit } = sent[0]?.body ?? { orders: [], max_price: '' };
  assert.equal(orders.length, 396);
  assert.ok(Number(limit) > 0);
  assert.deepEqual(orders[395]?.body.image_urls, ['https://example.com/c,1.png']);
});

test('a table that is pressed by keyboard while its price is read is one batch at that price', async (t) => {
  const { page, sent } = await openForm(t);
  await fillLightForm(page, { models: ['Sketch'], seeds: '1' });
  await page.getByTestId('table-price').filter({ hasText: '$0.01' }).waitFor();
  const refused: string[] = [];
  page.on('response', (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`));
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route(/\/v1\/batches\/prices$/, async (route) => {
    asked.resolve();
    await answer.promise;
    await route.continue();
  });
  const seeds = page.getByLabel('Seeds', { exact: true });
  await seeds.fill('1, 2, 3');
  await seeds.press('Control+Enter');
  await asked.promise;
  assert.equal(sent.length, 0);
  answer.resolve();
  await page.waitForURL(/#\/light\/bat_/);
  assert.deepEqual([sent.length, sent[0]?.body.max_price], [1, '0.03']);
  await page.getByText('3 of 3 done').waitFor();
  assert.deepEqual(refused, []);
  await page.keyboard.press('ArrowRight');
  await page.getByRole('gridcell').first().and(page.locator(':focus')).waitFor();
});

test('a price limit below the price prevents the order; one above it is sent', async (t) => {
  const { page, sent } = await openForm(t);
  await fillLightForm(page, { models: ['Sketch'], seeds: '1, 2' });
  const button = page.getByRole('button', { name: 'Draw 2 for nothing' });
  await page.getByRole('button', { name: 'Draw 2 for nothing', disabled: false }).waitFor();
  await page.getByLabel('Price limit').fill('0.01');
  await page.getByText('It costs $0.02, more than the limit of $0.01.').waitFor();
  assert.ok(await button.isDisabled());
  await page.getByLabel('Price limit').fill('0.50');
  await button.click();
  await page.waitForURL(/#\/light\/bat_/);
  assert.equal(sent[0]?.body.max_price, '0.50');
});

test('what a model does not accept is told before the order, and left out', async (t) => {
  const { page, sent } = await openForm(t);
  await fillLightForm(page, { models: ['Sketch', 'Recraft V4'], seeds: '1, 2' });
  await page.getByRole('button', { name: 'Vary a setting' }).click();
  await chooseSetting(page, 'Resolution', ['1K', '4K']);
  const notes = page.getByRole('region', { name: 'Not accepted by every model' });
  await notes.getByText('Recraft V4 ').first().waitFor();
  const made = await page.getByRole('button', { name: /^Draw \d+ for nothing$/, disabled: false }).textContent();
  await page.getByRole('button', { name: made ?? '' }).click();
  await page.waitForURL(/#\/light\/bat_/);
  assert.equal(`Draw ${sent[0]?.body.orders.length} for nothing`, made);
  assert.ok((sent[0]?.body.orders.length ?? 8) < 8);
});

test('orders that the service refuses are told by model, and left out with a press', async (t) => {
  const { page, sent } = await openForm(t);
  await page.route(/\/v1\/batches\/prices$/, async (route) => {
    const { orders } = route.request().postDataJSON() as Sent['body'];
    const at = orders.findIndex(({ body }) => body.model_id === 'flux-2-pro');
    if (at < 0) return route.continue();
    const details = [
      { param: `orders[${at}].body.prompt`, code: 'invalid_request', message: `orders[${at}]: prompt: too long.` },
    ];
    const error = { code: 'invalid_request', message: 'prompt: too long.', param: null, details, retryable: false };
    await route.fulfill({ status: 400, json: { error, code: 400, request_id: 'req_1' } });
  });
  await fillLightForm(page, { models: ['Sketch', 'FLUX.2 [pro]'], seeds: '1' });
  const note = page.getByRole('alert').filter({ hasText: 'The service does not accept these' });
  await note.getByText('FLUX.2 [pro] Prompt: too long. · 1 image').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Draw 2 for nothing' }).isDisabled());
  await note.getByRole('button', { name: 'Leave these out' }).click();
  await page.getByRole('button', { name: 'Draw 1 for nothing', disabled: false }).click();
  await page.waitForURL(/#\/light\/bat_/);
  assert.deepEqual(
    sent[0]?.body.orders.map(({ body }) => body.model_id),
    ['sketch'],
  );
});

test('a lost answer is repeated with the same Idempotency-Key, and makes one batch', async (t) => {
  const { page, sent, batches } = await openForm(t, { first: drop });
  await fillLightForm(page, { models: ['Sketch'], seeds: '1, 2' });
  await page.getByRole('button', { name: 'Draw 2 for nothing', disabled: false }).click();
  await page.waitForURL(/#\/light\/bat_/);
  await page.getByText('2 of 2 done').waitFor();
  assert.equal(sent.length, 2);
  assert.equal(sent[1]?.key, sent[0]?.key);
  assert.equal((await batches()).length, 1);
});

test('a page that was closed before the answer finds its batch again by the same key', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const { page, sent, batches } = await openForm(t, {
    first: async (route) => {
      await route.fetch();
      arrived.resolve();
    },
  });
  await fillLightForm(page, { models: ['Sketch'], seeds: '1, 2' });
  await page.getByRole('button', { name: 'Draw 2 for nothing', disabled: false }).click();
  await arrived.promise;
  const kept = await page.evaluate(
    "Object.entries({ ...localStorage }).filter(([name]) => name.startsWith('darkroom.order.')).map(([, text]) => JSON.parse(text).idempotencyKey)",
  );
  assert.deepEqual(kept, [sent[0]?.key], 'it was stored before it was sent');
  await page.reload();
  await page.waitForURL(/#\/light\/bat_/);
  await page.getByText('2 of 2 done').waitFor();
  assert.equal(sent[1]?.key, sent[0]?.key);
  assert.equal((await batches()).length, 1);
});

test('an unconfirmed batch can be given up, after which another can be placed', async (t) => {
  const { page, sent, batches } = await openForm(t, { every: (route) => route.abort('connectionreset') });
  await fillLightForm(page, { models: ['Sketch'], seeds: '1' });
  await page.getByRole('button', { name: 'Draw 1 for nothing', disabled: false }).click();
  await page.getByText('It is not known whether the order arrived').waitFor();
  assert.ok(
    await page.getByRole('button', { name: 'Draw 1 for nothing' }).isDisabled(),
    'nothing else until it is known',
  );
  await page.getByRole('button', { name: 'Give up' }).click();
  const given = sent.length;
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Draw 1 for nothing', disabled: false }).click();
  await page.waitForURL(/#\/light\/bat_/);
  assert.equal(sent.length, given, 'the one that was given up is not sent again');
  assert.equal((await batches()).length, 1);
});

for (const { scheme, viewport } of LOOKS)
  test(`the form can be used by everyone (${scheme}, ${viewport.width} wide)`, async (t) => {
    const page = await openInKeptPage(t, service, { keys: service.keys, at: '/light', scheme, viewport });
    await fillLightForm(page, { models: MODELS });
    await page.getByRole('button', { name: 'Vary a setting' }).click();
    await page.getByText('Add a value of').waitFor();
    await assertUsable(page);
  });

interface Sent {
  readonly key: string | undefined;
  readonly body: {
    readonly max_price: string;
    readonly orders: readonly { readonly body: Readonly<Record<string, unknown>> }[];
  };
}

/** Opens the form with a key of its own, and notes what is ordered. */
async function openForm(
  t: TestContext,
  {
    first,
    every,
  }: { readonly first?: (route: Route) => Promise<void>; readonly every?: (route: Route) => Promise<void> } = {},
) {
  const { key } = await service.issueKey({ mode: 'test' });
  const page = await openInKeptPage(t, service, { keys: { test: key }, at: '/light' });
  const sent: Sent[] = [];
  await page.route(BATCHES, async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    sent.push({ key: request.headers()['idempotency-key'], body: request.postDataJSON() });
    const answer = every ?? (sent.length === 1 ? first : undefined);
    await (answer === undefined ? route.continue() : answer(route));
  });
  return { page, sent, batches: async () => (await service.call(key, 'GET', '/v1/batches')).data.items };
}

/** Lets the order arrive, and loses its answer. */
async function drop(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('connectionreset');
}

function list(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, place) => from + place).join(', ');
}

async function chooseSetting(page: Page, setting: string, values: readonly string[], place = 1): Promise<void> {
  const field = page.getByRole('combobox', { name: `Setting ${place}` });
  await field.click();
  await page.getByRole('option', { name: setting, exact: true }).click();
  for (const value of values) {
    await page.getByRole('combobox', { name: `Values of ${setting}` }).click();
    await page.getByRole('option', { name: value, exact: true }).click();
  }
  await page.getByLabel('Prompts').click();
}
