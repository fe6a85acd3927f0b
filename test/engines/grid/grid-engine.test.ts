import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import type { Engine, Order } from '@darkroom-service/engines';
import {
  COMFYUI_GRID,
  createComfyEngine,
  createFalEngine,
  createSdServerEngine,
  FAL_GRID,
  SD_SERVER_GRID,
  withGrids,
} from '@darkroom-service/engines/adapters';
import { COLOURS, openFakeComfy, openFakeFal, openFakeSdServer } from '@darkroom-service/engines/fakes';
import { inProcessPictures } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import sharp from 'sharp';
import { createLog } from '../../../src/base/log.ts';
import { openCatalogOverlay, shippedEntry } from '../../helpers/catalog-overlay.ts';
import { startTestService, type TaskAnswer, type TestService } from '../../helpers/service.ts';
import { wholeFile } from '../../helpers/whole-file.ts';

const SHAPE = {
  prompt: { type: 'string', required: true },
  negative_prompt: { type: 'string' },
  seed: { type: 'integer' },
  num_images: { type: 'integer' },
  image_size: { type: 'object' as 'string' },
  format: { type: 'string', enum: ['jpeg', 'png'] },
} as const;
const EDIT = { ...SHAPE, strength: { type: 'number' }, image_url: { type: 'url', required: true } } as const;

const comfy = await openFakeComfy();
const sd = await openFakeSdServer();
const fal = await openFakeFal({
  'fal-ai/fast-sdxl/image-to-image': EDIT,
  'fal-ai/fast-sdxl/inpainting': { ...EDIT, mask_url: { type: 'url', required: true } },
});
for (const fake of [comfy, sd, fal]) wholeFile.after(() => fake.stop());
const entry = await shippedEntry('local', 'local-grid', { sizing: { tier: '0.5K' } });
const [toComfy, toSd, toFal] = entry.routes;
const drafts = { ...toComfy, when: { action: 'create' } };
const overlay = await openCatalogOverlay(wholeFile, [
  { ...entry, routes: [toComfy] },
  { ...entry, model_id: 'grid-by-sd-server', routes: [toSd] },
  { ...entry, model_id: 'grid-by-fal', routes: [drafts, toFal] },
]);
const trusted = createTrustedFetch({ allowedAddresses: [] });
wholeFile.after(() => trusted.close());
const tools = {
  clock: systemClock,
  log: createLog('silent'),
  fetch: trusted.fetch,
  pictures: inProcessPictures,
  checkEveryMs: 20,
};
const engines = [
  withGrids(
    createComfyEngine({
      ...tools,
      urls: [comfy.url],
      authorization: `Bearer ${comfy.key}`,
      workflowDirectories: [join(import.meta.dirname, '../../../catalog/workflows')],
    }),
    COMFYUI_GRID,
    tools,
  ),
  withGrids(createSdServerEngine({ ...tools, url: sd.url, authorization: `Bearer ${sd.key}` }), SD_SERVER_GRID, tools),
  withGrids(createFalEngine({ ...tools, key: fal.key, url: fal.url }), FAL_GRID, tools),
];
const service: TestService = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines },
});
const { live } = service.keys;

const body = { model_id: 'local-grid', prompt: 'a fox', negative_prompt: 'dogs', seed: 7 };
const grid = await service.make(live, '/v1/images', body);
const single = await act(grid, 'upscale', { index: 2 });

async function act(parent: TaskAnswer, action: string, fields: object = {}): Promise<TaskAnswer> {
  const body = { parent_task_id: parent.task_id, action, ...fields };
  const task = await service.make(live, '/v1/images/actions', body);
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error ?? task));
  assert.equal(task.cost.state, 'charged');
  return task;
}

/** The colour at a point in fractions of the picture, as `#rrggbb`. */
async function colourAt(task: TaskAnswer, x: number, y: number): Promise<string> {
  const bytes = await (await fetch(task.outputs[0].url)).arrayBuffer();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
  return `#${data.subarray(start, start + 3).toString('hex')}`;
}

/** What the upstreams are sent, as far as the tests read it. */
interface Sent {
  readonly prompt: string;
  readonly seed: number;
  readonly batch: number;
  readonly batch_count: number;
  readonly width: number;
  readonly strength: number;
  readonly image: string;
  readonly mask: string;
  readonly init_image: string;
  readonly mask_image: string;
  readonly num_images: number;
  readonly image_size: unknown;
  readonly format: string;
}

const lastInput = (fake: { readonly jobs: ReadonlyMap<string, { readonly input: object }> }): Sent =>
  [...fake.jobs.values()].at(-1)?.input as Sent;

async function halfMask(): Promise<string> {
  const white = await sharp({ create: { width: 40, height: 80, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const mask = sharp({ create: { width: 80, height: 80, channels: 3, background: '#000' } });
  const bytes = await mask
    .composite([{ input: white, left: 40, top: 0 }])
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

test('four pictures of one submission are composed into the grid', async () => {
  assert.equal(grid.status, 'succeeded', JSON.stringify(grid.error));
  const [output, ...more] = grid.outputs;
  assert.deepEqual([output.tiles, output.width, output.height, output.seed, more.length], [4, 512, 512, 7, 0]);
  const found = [];
  for (const [x, y] of [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.2, 0.8],
    [0.8, 0.8],
  ] as const)
    found.push(await colourAt(grid, x, y));
  assert.deepEqual(found, COLOURS);
  const first = [...comfy.jobs.values()][0];
  assert.deepEqual(first?.input, { prompt: 'a fox', seed: 7, width: 256, height: 256, batch: 4 });
});

test('an upscale returns the tile without calling the engine', async () => {
  const asked = comfy.jobs.size;
  const task = await act(grid, 'upscale', { index: 3 });
  assert.deepEqual([task.outputs[0].tiles, task.outputs[0].width, task.outputs[0].height], [null, 512, 512]);
  assert.equal(await colourAt(task, 0.5, 0.5), COLOURS[2]);
  assert.equal(await colourAt(task, 0.02, 0.98), COLOURS[2]);
  assert.equal(comfy.jobs.size, asked);
  assert.deepEqual([task.cost.amount, grid.cost.amount], ['0.002', '0.02']);
});

test('a variation of a picture is ordered with that picture and gives a grid', async () => {
  const strengths: Record<string, number> = {};
  for (const [parent, action, fields] of [
    [grid, 'variation', { index: 2 }],
    [single, 'vary_subtle', {}],
    [single, 'vary_strong', { prompt: 'a wolf' }],
  ] as const) {
    const task = await act(parent, action, fields);
    assert.equal(task.outputs[0].tiles, 4);
    const { prompt, batch, width, strength, image, seed } = lastInput(comfy);
    assert.deepEqual([prompt, batch, width], [action === 'vary_strong' ? 'a wolf' : 'a fox', 4, 256]);
    assert.notEqual(seed, 7);
    strengths[action] = strength;
    const { dominant } = await sharp(comfy.uploads.get(image)).stats();
    assert.ok(dominant.g > dominant.r && dominant.g > dominant.b, 'the second tile is green');
  }
  assert.ok(Number(strengths.vary_subtle) < Number(strengths.vary_strong));
});

test('a region is changed within its mask, and nothing else is', async () => {
  const task = await act(single, 'vary_region', { mask_url: await halfMask(), prompt: 'a red door' });
  assert.equal(await colourAt(task, 0.1, 0.5), COLOURS[1], 'what was to stay');
  assert.equal(await colourAt(task, 0.9, 0.5), COLOURS[0], 'what was to change');
  const { mask } = lastInput(comfy);
  const sent = sharp(comfy.uploads.get(mask)).greyscale().raw();
  const pixels = await sent.toBuffer();
  assert.deepEqual([pixels[0], pixels.at(-1)], [0, 255]);
});

test('a larger view keeps the old picture where it stood', async () => {
  const zoomed = await act(single, 'zoom_out', { ratio: 2 });
  assert.deepEqual([zoomed.outputs[0].width, zoomed.outputs[0].height], [512, 512]);
  assert.equal(await colourAt(zoomed, 0.5, 0.5), COLOURS[1]);
  assert.equal(await colourAt(zoomed, 0.05, 0.5), COLOURS[0]);

  const right = await act(single, 'pan', { direction: 'right' });
  assert.deepEqual([right.outputs[0].width, right.outputs[0].height], [768, 512]);
  assert.equal(await colourAt(right, 0.1, 0.5), COLOURS[1]);
  assert.equal(await colourAt(right, 0.95, 0.5), COLOURS[0]);

  const up = await act(single, 'pan', { direction: 'up' });
  assert.equal(await colourAt(up, 0.5, 0.95), COLOURS[1]);
  assert.equal(await colourAt(up, 0.5, 0.05), COLOURS[0]);

  const square = await act(right, 'make_square');
  assert.deepEqual([square.outputs[0].width, square.outputs[0].height], [768, 768]);
  assert.equal(await colourAt(square, 0.1, 0.5), COLOURS[1]);
  assert.equal(await colourAt(square, 0.5, 0.02), COLOURS[0]);
});

test('a reroll repeats what made its parent, with another seed', async () => {
  const again = await act(grid, 'reroll');
  const { prompt, batch, image, seed } = lastInput(comfy);
  assert.deepEqual([again.outputs[0].tiles, prompt, batch, image], [4, 'a fox', 4, undefined]);
  assert.notEqual(seed, 7);

  const changed = await act(single, 'vary_region', { mask_url: await halfMask() });
  const repeated = await act(changed, 'reroll', { prompt: 'a blue door' });
  const twice = await act(repeated, 'reroll');
  assert.equal(lastInput(comfy).prompt, 'a blue door');
  assert.equal(await colourAt(twice, 0.1, 0.5), COLOURS[1], 'outside of the first mask');
  assert.equal(await colourAt(twice, 0.9, 0.5), COLOURS[0], 'within it');
});

test('a grid is remixed in words; a subtle remix keeps its seed', async () => {
  await act(grid, 'remix', { prompt: 'a fox of glass', strength: 'subtle' });
  assert.deepEqual([lastInput(comfy).prompt, lastInput(comfy).seed], ['a fox of glass', 7]);
  await act(grid, 'remix', { prompt: 'a fox of glass' });
  assert.notEqual(lastInput(comfy).seed, 7);
  await act(single, 'remix', { prompt: 'a fox of glass' });
  assert.ok(lastInput(comfy).image.startsWith('darkroom/'));
});

test('sd-server makes the same family in its own words', async () => {
  const made = await service.make(live, '/v1/images', { model_id: 'grid-by-sd-server', prompt: 'a fox', seed: 9 });
  assert.equal(made.status, 'succeeded', JSON.stringify(made.error));
  assert.deepEqual(lastInput(sd), { prompt: 'a fox', seed: 9, width: 256, height: 256, batch_count: 4 });
  const tile = await act(made, 'upscale', { index: 4 });
  assert.equal(await colourAt(tile, 0.5, 0.5), COLOURS[3]);
  const zoomed = await act(tile, 'zoom_out');
  assert.equal(await colourAt(zoomed, 0.5, 0.5), COLOURS[3]);
  const { init_image, mask_image, strength, width, batch_count } = lastInput(sd);
  assert.ok(init_image.startsWith('data:image/png;base64,') && mask_image.startsWith('data:image/png;base64,'));
  assert.deepEqual([width, batch_count, strength > 0.5], [512, 1, true]);
});

test('fal makes the same family in its own words', async () => {
  const made = await service.make(live, '/v1/images', { model_id: 'grid-by-fal', prompt: 'a fox' });
  const tile = await act(made, 'upscale', { index: 1 });
  const zoomed = await act(tile, 'zoom_out', { prompt: 'a fox in snow' });
  assert.equal(await colourAt(zoomed, 0.5, 0.5), COLOURS[0]);
  const { prompt, num_images, image_size, format } = lastInput(fal);
  assert.deepEqual(
    { prompt, num_images, image_size, format },
    { prompt: 'a fox in snow', num_images: 1, image_size: { width: 512, height: 512 }, format: 'png' },
  );
});

test('an invalid picture fails the grid', async () => {
  const prompt = 'a fox [[file=garbage]]';
  const task = await service.make(live, '/v1/images', { model_id: 'grid-by-sd-server', prompt });
  assert.deepEqual([task.status, task.error?.code, task.cost.amount], ['failed', 'upstream_error', '0.00']);
  assert.match(task.error.message, /no picture/);
});

test('a picture that is not available yet is fetched again', async () => {
  const prompt = 'a fox [[file=late]]';
  const task = await service.make(live, '/v1/images', { model_id: 'local-grid', prompt });
  assert.deepEqual([task.status, task.outputs[0]?.tiles], ['succeeded', 4], JSON.stringify(task.error));
});

test('pictures that cannot be fetched, or in whose place a page comes, end no order: they are asked for at each check', async () => {
  const picture = {
    seed: null,
    revisedPrompt: null,
    tiles: null,
    source: { url: `${comfy.url}/gone`, allowOrigins: [comfy.url] },
  };
  const stub: Engine = {
    name: 'stub',
    concurrency: 1,
    start: async () => ({ operation: {} }),
    check: async () => ({ status: 'succeeded', delivery: { outputs: [picture, picture, picture, picture] } }),
  };
  const output = { format: 'png', width: 64, height: 64, tiles: 4 };
  const request = { action: null, values: { prompt: 'a fox' }, derived: {}, output, media: [] };
  const order = { taskId: 'img_1', request, route: { model: 'm' }, media: [], parent: null } as unknown as Order;
  const engine = withGrids(stub, COMFYUI_GRID, tools);
  const check = () => engine.check({}, order, { signal: AbortSignal.timeout(60_000), onProgress: () => {} });
  for (let count = 1; count < 10; count++) await assert.rejects(check(), { class: 'upstream', took: 'yes' });
  const page: typeof tools.fetch = async (url) => ({
    status: 200,
    headers: {},
    url,
    body: Readable.from([Buffer.from('<html><body>Log in</body></html>')]),
  });
  const behindPage = withGrids(stub, COMFYUI_GRID, { ...tools, fetch: page });
  const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };
  await assert.rejects(behindPage.check({}, order, context), { class: 'upstream', took: 'yes' });
});

test('an upstream that makes too few pictures makes no grid', async () => {
  const task = await service.make(live, '/v1/images/actions', {
    parent_task_id: (await service.make(live, '/v1/images', { model_id: 'grid-by-fal', prompt: 'a fox' })).task_id,
    action: 'variation',
    index: 1,
  });
  assert.deepEqual([task.status, task.error?.code, task.cost.amount], ['failed', 'upstream_error', '0.00']);
  assert.match(task.error.message, /expected 4 pictures/);
});
