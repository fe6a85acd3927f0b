import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CANONICAL_ACTIONS } from '@darkroom-service/contract/catalog';
import sharp from 'sharp';
import { openCatalogOverlay, shippedEntry } from '../helpers/catalog-overlay.ts';
import { type OrderPath, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * Follow-up actions and their pictures (contract §7), on the built-in family and, by a test key, on another vendor's.
 */

const shipped = await shippedEntry('darkroom', 'sketch-grid');
const { parameters } = shipped;
// Pictures of a quarter of the pixels show the same.
const resolution = { ...parameters.resolution, enum: ['0.5K', '1K', '2K'], default: '0.5K' };
const overlay = await openCatalogOverlay(wholeFile, [{ ...shipped, parameters: { ...parameters, resolution } }]);
const service = await startTestService(wholeFile, { env: { DARKROOM_CATALOG_DIR: overlay.directory } });
const { call, keys, make } = service;

const act = (parent: Pick<TaskAnswer, 'task_id'>, action: string, fields: object = {}) =>
  call(keys.test, 'POST', '/v1/images/actions', { parent_task_id: parent.task_id, action, ...fields });

async function done(parent: TaskAnswer, action: string, fields: object = {}): Promise<TaskAnswer> {
  const body = { parent_task_id: parent.task_id, action, ...fields };
  const task = await make(keys.test, '/v1/images/actions', body);
  assert.equal(task.status, 'succeeded', `${action}: ${JSON.stringify(task.error ?? task)}`);
  return task;
}

async function pixelsOf(task: TaskAnswer): Promise<{ data: Buffer; width: number; height: number }> {
  const file = Buffer.from(await (await fetch(task.outputs[0].url)).arrayBuffer());
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [task.outputs[0].width, task.outputs[0].height]);
  return { data, width: info.width, height: info.height };
}

type Area = { left: number; top: number; width: number; height: number };

/** The mean difference of two pictures' areas per channel, 0 to 255, once the second has the size of the first. */
async function difference(one: TaskAnswer, area: Area, two: TaskAnswer, other: Area): Promise<number> {
  const cut = async (task: TaskAnswer, from: Area) =>
    await sharp(Buffer.from(await (await fetch(task.outputs[0].url)).arrayBuffer()))
      .removeAlpha()
      .extract(from)
      .resize(64, 64, { fit: 'fill' })
      .raw()
      .toBuffer();
  const [a, b] = [await cut(one, area), await cut(two, other)];
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  return sum / a.length;
}

const whole = ({ outputs: [{ width, height }] }: TaskAnswer): Area => ({ left: 0, top: 0, width, height });
function tileOf({ outputs: [{ width, height }] }: TaskAnswer, index: number): Area {
  const [x, y] = [(index - 1) % 2, Math.floor((index - 1) / 2)];
  const [half, low] = [Math.floor(width / 2), Math.floor(height / 2)];
  // A little inside, so that no line between the tiles counts.
  return { left: x * half + 8, top: y * low + 8, width: half - 16, height: low - 16 };
}

const ORDER = { model_id: 'sketch-grid', prompt: 'a lighthouse by the sea at dusk', aspect_ratio: '3:2', seed: 77 };
const grid = await make(keys.test, '/v1/images', ORDER);
assert.equal(grid.status, 'succeeded', JSON.stringify(grid));
const single = await done(grid, 'upscale', { index: 3 });

/** Offered by images of every model. */
const TOOLS = ['enlarge', 'cut_out', 'speak'];
const ON_GRID = ['upscale', 'variation', 'reroll', 'remix'];
const ON_SINGLE = CANONICAL_ACTIONS.filter((action) => !['upscale', 'variation'].includes(action));

test('a model of such a family answers one output, a 2×2 grid of four tiles', async () => {
  const [output, ...more] = grid.outputs;
  assert.deepEqual([output.tiles, more.length], [4, 0]);
  await pixelsOf(grid);
  assert.ok((await difference(grid, tileOf(grid, 1), grid, tileOf(grid, 4))) > 1, 'the tiles differ');
});

test('a finished task offers its possible actions, each with price and parameters', () => {
  const names = (task: TaskAnswer) =>
    task.available_actions.map((offer) => offer.action).filter((action) => !TOOLS.includes(action));
  assert.deepEqual(names(grid).sort(), ON_GRID.toSorted());
  assert.deepEqual(names(single).sort(), ON_SINGLE.toSorted());
  for (const offer of [...grid.available_actions, ...single.available_actions]) {
    const ofTool = TOOLS.includes(offer.action) ? ['model_id'] : [];
    assert.deepEqual(Object.keys(offer), ['action', ...ofTool, 'price', 'parameters']);
    assert.match(offer.price, /^\d+\.\d{2,6}$/);
  }
  const offer = (task: TaskAnswer, name: string) =>
    task.available_actions.find((one) => one.action === name)!.parameters;
  const { index } = offer(grid, 'upscale');
  assert.deepEqual([index.type, index.minimum, index.maximum], ['integer', 1, 4]);
  assert.deepEqual(Object.keys(offer(grid, 'variation')).sort(), ['index', 'prompt']);
  assert.deepEqual(offer(single, 'pan').direction.enum, ['left', 'right', 'up', 'down']);
  const { ratio } = offer(single, 'zoom_out');
  assert.deepEqual([ratio.minimum, ratio.maximum, ratio.default], [1.1, 2, 2]);
  assert.deepEqual(Object.keys(offer(single, 'vary_region')).sort(), ['mask_url', 'prompt']);
  assert.deepEqual(offer(grid, 'remix').strength.enum, ['subtle', 'strong']);
  for (const name of ['upscale_subtle', 'upscale_creative', 'make_square']) assert.deepEqual(offer(single, name), {});
});

test('an action is quoted and charged at the offered price', async () => {
  for (const { action, price } of grid.available_actions) {
    const fields =
      { upscale: { index: 1 }, variation: { index: 1 }, remix: { prompt: 'a fox' } }[action as string] ?? {};
    const quote = await call(keys.test, 'POST', '/v1/prices', {
      model_id: 'sketch-grid',
      parent_task_id: grid.task_id,
      action,
      ...fields,
    });
    assert.deepEqual([quote.data?.amount, quote.data?.action], [price, action], JSON.stringify(quote.error));
  }
  const offered = grid.available_actions.find(({ action }) => action === 'upscale')?.price;
  assert.deepEqual([single.cost.quoted, single.cost.amount], [offered, offered]);
});

test('an action is a task of its own that names its parent', () => {
  assert.deepEqual([single.action, single.parent_task_id, single.model_id], ['upscale', grid.task_id, 'sketch-grid']);
  assert.match(single.task_id, /^img_/);
  const { action, parent_task_id, index } = single.input;
  assert.deepEqual([action, parent_task_id, index], ['upscale', grid.task_id, 3]);
});

test('upscale makes each tile a picture of its own: 1 top left, 2 top right, 3 bottom left, 4 bottom right', async () => {
  for (const index of [1, 2, 3, 4]) {
    const task = index === 3 ? single : await done(grid, 'upscale', { index });
    assert.equal(task.outputs[0].tiles, null);
    await pixelsOf(task);
    const differences: number[] = [];
    for (const tile of [1, 2, 3, 4]) differences.push(await difference(task, whole(task), grid, tileOf(grid, tile)));
    const nearest = differences.indexOf(Math.min(...differences)) + 1;
    assert.equal(nearest, index, `tile ${index} looks most like ${nearest}: ${differences.map(Math.round)}`);
    const { width, height } = task.outputs[0];
    assert.ok(Math.abs(width / height - 3 / 2) < 0.05);
    assert.ok(width * height > grid.outputs[0].width * grid.outputs[0].height * 0.9, 'larger than its tile');
  }
});

test('a variation of a tile is a grid again, of the same size', async () => {
  const task = await done(grid, 'variation', { index: 2 });
  const [output] = task.outputs;
  assert.deepEqual([output.tiles, output.width, output.height], [4, grid.outputs[0].width, grid.outputs[0].height]);
  assert.ok((await difference(task, whole(task), grid, whole(grid))) > 0.5);
  await pixelsOf(task);
});

test("a reroll repeats the parent's own operation: of a grid a grid, of a picture a picture", async () => {
  const again = await done(grid, 'reroll');
  assert.deepEqual([again.outputs[0].tiles, again.outputs[0].width], [4, grid.outputs[0].width]);
  assert.ok((await difference(again, whole(again), grid, whole(grid))) > 0.5, 'another picture');
  const other = await done(single, 'reroll', { prompt: 'a windmill in a field' });
  assert.deepEqual([other.outputs[0].tiles, other.input.prompt], [null, 'a windmill in a field']);
});

test('upscale_subtle and upscale_creative double a single picture and keep what it shows', async () => {
  for (const action of ['upscale_subtle', 'upscale_creative']) {
    const task = await done(single, action);
    const [output] = task.outputs;
    const [parent] = single.outputs;
    assert.deepEqual([output.tiles, output.width, output.height], [null, parent.width * 2, parent.height * 2], action);
    await pixelsOf(task);
    const changed = await difference(task, whole(task), single, whole(single));
    assert.ok(changed < 25, `${action} differs by ${changed}`);
  }
});

test('vary_subtle, vary_strong and remix give a grid', async () => {
  for (const [parent, action, fields] of [
    [single, 'vary_subtle', {}],
    [single, 'vary_strong', { prompt: 'a lighthouse in fog' }],
    [single, 'remix', { prompt: 'a castle on a hill', strength: 'subtle' }],
    [grid, 'remix', { prompt: 'a castle on a hill' }],
  ] as const) {
    const task = await done(parent, action, fields);
    assert.equal(task.outputs[0].tiles, 4, action);
    await pixelsOf(task);
    if (action === 'remix') assert.equal(task.input.prompt, 'a castle on a hill');
  }
});

test('zoom_out shows the old picture, smaller, in the middle of a new one of the same size', async () => {
  for (const ratio of [2, 1.5]) {
    const task = await done(single, 'zoom_out', ratio === 2 ? {} : { ratio });
    const [{ width, height, tiles }] = task.outputs;
    assert.deepEqual([width, height, tiles], [single.outputs[0].width, single.outputs[0].height, null]);
    assert.equal(task.input.ratio, ratio);
    await pixelsOf(task);
    const inner = {
      left: Math.round((width * (1 - 1 / ratio)) / 2),
      top: Math.round((height * (1 - 1 / ratio)) / 2),
      width: Math.round(width / ratio),
      height: Math.round(height / ratio),
    };
    const there = await difference(task, inner, single, whole(single));
    const elsewhere = await difference(task, whole(task), single, whole(single));
    assert.ok(there < elsewhere && there < 20, `ratio ${ratio}: ${there} there, ${elsewhere} as a whole`);
  }
});

test('pan grows the picture to its side and keeps the old part where it was', async () => {
  const { width, height } = single.outputs[0];
  for (const direction of ['left', 'right', 'up', 'down']) {
    const task = await done(single, 'pan', { direction });
    const [output] = task.outputs;
    const sideways = direction === 'left' || direction === 'right';
    assert.ok(sideways ? output.width > width && output.height === height : output.height > height, direction);
    if (!sideways) assert.equal(output.width, width);
    assert.equal(output.tiles, null);
    await pixelsOf(task);
    const kept = {
      left: direction === 'left' ? output.width - width : 0,
      top: direction === 'up' ? output.height - height : 0,
      width,
      height,
    };
    const there = await difference(task, kept, single, whole(single));
    assert.ok(there < 20, `${direction}: ${there}`);
  }
});

test('make_square makes a picture square, and is not offered for one that is', async () => {
  const task = await done(single, 'make_square');
  const [output] = task.outputs;
  assert.deepEqual([output.width, output.height, output.tiles], [single.outputs[0].width, output.width, null]);
  await pixelsOf(task);
  assert.ok(!task.available_actions.some((offer) => offer.action === 'make_square'));
  const { status, error } = await act(task, 'make_square');
  assert.deepEqual([status, error.code], [400, 'unsupported_action']);
});

test('vary_region changes what is white in the mask, to the pixel, and nothing else', async () => {
  const { width, height } = single.outputs[0];
  // Drawn at half the size, with greys on both sides of the middle: it is scaled, and half luminance counts as white.
  const [w, h] = [Math.round(width / 2), Math.round(height / 2)];
  const block = (grey: number, blockWidth: number, blockHeight: number) =>
    sharp({
      create: { width: blockWidth, height: blockHeight, channels: 3, background: { r: grey, g: grey, b: grey } },
    })
      .png()
      .toBuffer();
  const [third, rows] = [Math.floor(w / 3), Math.floor(h / 2)];
  const mask = await sharp({ create: { width: w, height: h, channels: 3, background: '#000' } })
    .composite([
      { input: await block(255, third, rows), left: 0, top: 0 },
      { input: await block(120, third, rows), left: w - third, top: 0 },
    ])
    .png()
    .toBuffer();
  const task = await done(single, 'vary_region', {
    mask_url: `data:image/png;base64,${mask.toString('base64')}`,
    prompt: 'a hot air balloon',
  });
  assert.match(task.input.mask_url, /^upload:/);
  const [before, after] = [await pixelsOf(single), await pixelsOf(task)];
  assert.deepEqual([after.width, after.height, task.outputs[0].tiles], [width, height, null]);
  const scaled = await sharp(mask)
    .resize(width, height, { fit: 'fill', kernel: 'nearest' })
    .greyscale()
    .raw()
    .toBuffer();
  let [changed, outside] = [0, 0];
  const edge = 4;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const differs = [0, 1, 2].some((channel) => before.data[at + channel] !== after.data[at + channel]);
      if (!differs) continue;
      changed++;
      const nearWhite = [-edge, 0, edge].some((dx) =>
        [-edge, 0, edge].some((dy) => {
          const [nx, ny] = [Math.min(width - 1, Math.max(0, x + dx)), Math.min(height - 1, Math.max(0, y + dy))];
          return (scaled[ny * width + nx] ?? 0) >= 128;
        }),
      );
      if (!nearWhite) outside++;
    }
  }
  assert.equal(outside, 0, `${outside} pixels outside the mask changed`);
  assert.ok(changed > (width * height) / 60, `${changed} pixels changed`);
});

test('a follow-up of a follow-up works like any other', async () => {
  const wide = await done(single, 'pan', { direction: 'right' });
  const again = await done(wide, 'vary_subtle');
  assert.deepEqual([again.parent_task_id, again.outputs[0].tiles], [wide.task_id, 4]);
  const tile = await done(again, 'upscale', { index: 1 });
  assert.equal(tile.outputs[0].tiles, null);
});

test('an action that does not fit the parent is refused with the list of those that do', async () => {
  for (const [parent, action, fields, offers] of [
    [grid, 'pan', { direction: 'left' }, ON_GRID],
    [grid, 'make_square', {}, ON_GRID],
    [single, 'upscale', { index: 1 }, ON_SINGLE],
    [single, 'explode', {}, ON_SINGLE],
  ] as const) {
    const { status, error } = await act(parent, action, fields);
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_action', 'action'], action);
    for (const offer of offers) assert.match(error.message, new RegExp(offer));
  }
});

test('the fields of an action are judged like those of a model', async () => {
  for (const [parent, action, fields, code, param] of [
    [grid, 'upscale', {}, 'invalid_request', 'index'],
    [grid, 'upscale', { index: 5 }, 'unsupported_value', 'index'],
    [grid, 'upscale', { index: 0 }, 'unsupported_value', 'index'],
    [grid, 'upscale', { index: '1' }, 'invalid_request', 'index'],
    [grid, 'upscale', { index: 1, prompt: 'x' }, 'unsupported_field', 'prompt'],
    [grid, 'remix', {}, 'missing_prompt', 'prompt'],
    [grid, 'remix', { prompt: 'x', strength: 'medium' }, 'unsupported_value', 'strength'],
    [single, 'zoom_out', { ratio: 3 }, 'unsupported_value', 'ratio'],
    [single, 'zoom_out', { ratio: 1 }, 'unsupported_value', 'ratio'],
    [single, 'pan', {}, 'invalid_request', 'direction'],
    [single, 'pan', { direction: 'north' }, 'unsupported_value', 'direction'],
    [single, 'vary_region', {}, 'missing_reference', 'mask_url'],
    [single, 'vary_region', { mask_url: 'http://10.0.0.1/mask.png' }, 'invalid_reference', 'mask_url'],
    [single, 'upscale_subtle', { index: 1 }, 'unsupported_field', 'index'],
    [single, 'vary_subtle', { model_id: 'sketch' }, 'invalid_request', 'model_id'],
    [single, 'vary_subtle', { num_images: 2 }, 'unsupported_value', 'num_images'],
  ] as const) {
    const { status, error } = await act(parent, action, fields);
    assert.deepEqual([status, error?.code, error?.param], [400, code, param], `${action} ${JSON.stringify(fields)}`);
  }
  const named = await act(single, 'vary_subtle', { model_id: 'sketch-grid', simulate: { outcome: 'timeout' } });
  assert.equal(named.status, 201, "the parent's own model may be named");
});

test('a parent must be a succeeded image task of the same key and of a family with actions', async () => {
  const create = (path: OrderPath, body: object) => call(keys.test, 'POST', path, body);
  const stuck = (await create('/v1/images', { ...ORDER, simulate: { outcome: 'stuck' } })).data;
  const waiting = await act(stuck, 'upscale', { index: 1 });
  assert.deepEqual([waiting.status, waiting.error.code, waiting.error.retryable], [409, 'parent_not_ready', true]);
  await call(keys.test, 'POST', stuck.urls.cancel);
  const failed = await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome: 'timeout' } });
  const broken = await act(failed, 'upscale', { index: 1 });
  assert.deepEqual([broken.status, broken.error.code], [409, 'parent_not_usable']);
  const film = (
    await create('/v1/videos', { model_id: 'sketch-motion', prompt: 'x', simulate: { outcome: 'timeout' } })
  ).data;
  const other = (await service.issueKey({ mode: 'test' })).key;
  const body = { parent_task_id: grid.task_id, action: 'upscale', index: 1 };
  for (const answer of [
    await act(film, 'upscale', { index: 1 }),
    await act({ task_id: 'img_00000000000000000000000000' }, 'upscale', { index: 1 }),
    await call(other, 'POST', '/v1/images/actions', body),
  ])
    assert.deepEqual([answer.status, answer.error.code], [404, 'task_not_found']);
  const plain = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
  assert.deepEqual(
    plain.available_actions.filter(({ action }) => !TOOLS.includes(action)),
    [],
  );
  const none = await act(plain, 'upscale', { index: 1 });
  assert.deepEqual([none.status, none.error.code], [400, 'unsupported_action']);
  for (const parent_task_id of [undefined, 7, null]) {
    const { status, error } = await create('/v1/images/actions', { parent_task_id, action: 'upscale', index: 1 });
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_request', 'parent_task_id']);
  }
});

test('a quote needs no parent for an action, but the model of one that is named must be its own', async () => {
  const price = (body: object) => call(keys.test, 'POST', '/v1/prices', body);
  const imagined = await price({ model_id: 'sketch-grid', action: 'upscale', index: 1 });
  assert.deepEqual([imagined.status, imagined.data.action], [200, 'upscale']);
  const foreign = await price({ model_id: 'midjourney', action: 'upscale', index: 1, parent_task_id: grid.task_id });
  assert.deepEqual([foreign.status, foreign.error.param], [400, 'model_id']);
});

test("a test key runs the actions of another vendor's family on the built-in engine", async () => {
  const order = { model_id: 'midjourney', prompt: 'a lighthouse' };
  const parent = await make(keys.test, '/v1/images', order);
  assert.deepEqual([parent.status, parent.outputs[0].tiles], ['succeeded', 4]);
  const tile = await done(parent, 'upscale', { index: 4 });
  assert.equal(tile.outputs[0].tiles, null);
  await pixelsOf(tile);
});

test('an action takes the fields of the service: metadata, max_price, simulate, Prefer and its Location', async () => {
  const body = { parent_task_id: grid.task_id, action: 'upscale', index: 1, metadata: { a: 'b' }, end_user: 'ann' };
  const send = (more: object) =>
    call(keys.test, 'POST', '/v1/images/actions', { ...body, ...more }, { prefer: 'wait=60' });
  const failed = await send({ simulate: { outcome: 'content_policy' } });
  assert.deepEqual([failed.status, failed.data.error.code], [201, 'content_policy']);
  assert.deepEqual([failed.data.metadata, failed.data.end_user], [{ a: 'b' }, 'ann']);
  assert.equal(failed.headers.get('location'), failed.data.urls.self);
  assert.equal((await send({ max_price: '0.0001' })).error.code, 'price_exceeded');
});
