import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { paintPlan } from '../painting/paint-plan.ts';
import { type Plan, planFromJson, planPicture } from './plan.ts';
import { type ActionOrder, applyAction } from './sketch-actions.ts';

const SIDES = { width: 240, height: 160 };
const SAME_SIDES = { parentSize: SIDES, output: SIDES };
const PROMPT = 'a red boat on a lake at sunset';
const GRID = planPicture({ prompt: PROMPT, seed: 11, tiles: 4 });
const SINGLE = planPicture({ prompt: PROMPT, seed: 11, tiles: null });

function act(action: string, values: ActionOrder['values'], options: Partial<ActionOrder> = {}): Plan {
  return applyAction({
    action,
    values,
    seed: 21,
    parent: SINGLE,
    ...SAME_SIDES,
    hasMask: action === 'vary_region',
    ...options,
  });
}

function pixels(canvas: Canvas, x = 0, y = 0, width = canvas.width, height = canvas.height): Uint8ClampedArray {
  return canvas.getContext('2d').getImageData(x, y, width, height).data;
}

function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  assert.equal(a.length, b.length);
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += Math.abs(a[at]! - b[at]!);
  return sum / a.length;
}

function assertSame(a: Uint8ClampedArray, b: Uint8ClampedArray): void {
  assert.ok(Buffer.from(a).equals(Buffer.from(b)), `differs by ${difference(a, b)}`);
}

function scaled(canvas: Canvas, width: number, height: number): Canvas {
  const result = createCanvas(width, height);
  result.getContext('2d').drawImage(canvas, 0, 0, width, height);
  return result;
}

test('a grid has four different tiles, each the picture of its own scene', () => {
  const grid = paintPlan(GRID, SIDES);
  const tiles = [
    [0, 0],
    [120, 0],
    [0, 80],
    [120, 80],
  ].map(([x, y]) => Buffer.from(pixels(grid, x, y, 120, 80)));
  assert.equal(new Set(tiles.map((tile) => tile.toString('base64'))).size, 4);
});

test('an upscale paints the tile that was asked for, larger', () => {
  const grid = paintPlan(GRID, SIDES);
  for (const index of [1, 2, 3, 4]) {
    const plan = act('upscale', { index }, { parent: GRID });
    const large = scaled(paintPlan(plan, SIDES), 120, 80);
    const differences = [
      [0, 0],
      [120, 0],
      [0, 80],
      [120, 80],
    ].map(([x, y]) => difference(pixels(grid, x, y, 120, 80), pixels(large)));
    assert.equal(differences.indexOf(Math.min(...differences)), index - 1);
    assert.ok(differences[index - 1]! < 6);
  }
  assert.throws(() => act('upscale', { index: 5 }, { parent: GRID }), RangeError);
});

test('a region alone is changed: what the mask has black stays, to the pixel', () => {
  const parent = paintPlan(SINGLE, SIDES);
  const mask = createCanvas(24, 16);
  const brush = mask.getContext('2d');
  brush.fillStyle = '#000000';
  brush.fillRect(0, 0, 24, 16);
  brush.fillStyle = '#ffffff';
  brush.fillRect(12, 0, 12, 16);
  const plan = act('vary_region', { prompt: 'a castle at night' });
  const picture = paintPlan(plan, { ...SIDES, parentPicture: parent, mask });
  assertSame(pixels(picture, 0, 0, 116, 160), pixels(parent, 0, 0, 116, 160));
  assert.ok(difference(pixels(picture, 124, 0, 116, 160), pixels(parent, 124, 0, 116, 160)) > 10);
});

test('a changed region is rerolled alone: under the same mask, on the same scene, with other chances', () => {
  const parent = paintPlan(SINGLE, SIDES);
  const mask = createCanvas(24, 16);
  mask.getContext('2d').fillStyle = '#ffffff';
  mask.getContext('2d').fillRect(12, 0, 12, 16);
  for (const values of [{}, { prompt: 'a castle at night' }]) {
    const varied = act('vary_region', values);
    const first = paintPlan(varied, { ...SIDES, parentPicture: parent, mask });
    let plan = varied;
    for (const seed of [31, 32]) {
      plan = act('reroll', {}, { parent: plan, seed, hasMask: true });
      const again = paintPlan(plan, { ...SIDES, parentPicture: first, mask });
      assertSame(pixels(again, 0, 0, 120, 160), pixels(parent, 0, 0, 120, 160));
      assert.ok(difference(pixels(again, 120, 0, 120, 160), pixels(first, 120, 0, 120, 160)) > 2, `seed ${seed}`);
    }
    assert.equal(plan.scenes[0]!.prompt, values.prompt ?? PROMPT);
    const whole = act('reroll', {}, { parent: varied, seed: 31, hasMask: false });
    assert.equal(whole.base, null, 'where the mask is gone, the whole picture is made again');
  }
});

test('a zoom-out shows the old picture in the middle and more about it', () => {
  const parent = paintPlan(SINGLE, SIDES);
  const plan = act('zoom_out', { ratio: 2 });
  const picture = paintPlan(plan, { ...SIDES, parentPicture: parent });
  assert.ok(difference(pixels(picture, 62, 42, 116, 76), pixels(scaled(parent, 120, 80), 2, 2, 116, 76)) < 3);
  const repainted = paintPlan({ ...plan, base: null }, SIDES);
  assert.ok(difference(pixels(repainted), pixels(picture)) < 4, 'the surroundings belong to the same scene');
});

test('a pan keeps the old part where it belongs and goes on beside it', () => {
  const parent = paintPlan(SINGLE, SIDES);
  const picture = (direction: string) => paintPlan(act('pan', { direction }), { ...SIDES, parentPicture: parent });
  assertSame(pixels(picture('right'), 0, 0, 120, 160), pixels(parent, 120, 0, 120, 160));
  assertSame(pixels(picture('left'), 120, 0, 120, 160), pixels(parent, 0, 0, 120, 160));
  assertSame(pixels(picture('up'), 0, 80, 240, 80), pixels(parent, 0, 0, 240, 80));
  assertSame(pixels(picture('down'), 0, 0, 240, 80), pixels(parent, 0, 80, 240, 80));
});

test('a pan into a wider picture keeps all of the old one', () => {
  const parent = paintPlan(SINGLE, SIDES);
  const output = { width: 360, height: 160 };
  const wide = paintPlan(act('pan', { direction: 'right' }, { output }), { ...output, parentPicture: parent });
  assertSame(pixels(wide, 0, 0, 240, 160), pixels(parent));
});

test('a square is made by more above and below', () => {
  const parent = paintPlan(SINGLE, SIDES);
  const output = { width: 240, height: 240 };
  const square = paintPlan(act('make_square', {}, { output }), { ...output, parentPicture: parent });
  assertSame(pixels(square, 0, 40, 240, 160), pixels(parent));
});

test('a subtle variation stays closer to its parent than a strong one', () => {
  const parent = paintPlan(SINGLE, SIDES);
  const far = (action: string): number => {
    const plan = act(action, {});
    assert.equal(plan.kind, 'grid');
    const distances = plan.scenes.map((_, tile) =>
      difference(pixels(paintPlan({ ...SINGLE, scenes: [plan.scenes[tile]!] }, SIDES)), pixels(parent)),
    );
    assert.ok(
      distances.every((each) => each > 1),
      action,
    );
    return distances.reduce((sum, each) => sum + each, 0);
  };
  assert.ok(far('vary_subtle') < far('vary_strong'));
});

test('an upscale of a picture keeps its scene; a creative one adds detail', () => {
  const subtle = act('upscale_subtle', {});
  assert.deepEqual(subtle.scenes, SINGLE.scenes);
  assert.ok(act('upscale_creative', {}).scenes[0]!.detail > SINGLE.scenes[0]!.detail);
});

test('a remix follows its own prompt', () => {
  const plan = act('remix', { prompt: 'a fox in a forest', strength: 'subtle' }, { parent: GRID });
  assert.equal(plan.scenes.length, 4);
  for (const scene of plan.scenes) assert.equal(scene.figures[0]?.kind, 'fox');
});

test('a reroll repeats what made the parent, with other chances', () => {
  assert.equal(act('reroll', {}, { parent: GRID }).kind, 'grid');
  assert.notDeepEqual(act('reroll', {}, { parent: GRID }).scenes, GRID.scenes);
  const varied = act('vary_subtle', {});
  const again = act('reroll', {}, { parent: varied, seed: 22 });
  assert.equal(again.kind, 'grid');
  assert.notDeepEqual(again.scenes, varied.scenes);
  const zoomed = act('zoom_out', { ratio: 1.5 });
  const parent = paintPlan(zoomed, { ...SIDES, parentPicture: paintPlan(SINGLE, SIDES) });
  const rezoomed = act('reroll', {}, { parent: zoomed, seed: 22 });
  const picture = paintPlan(rezoomed, { ...SIDES, parentPicture: parent });
  assertSame(pixels(picture, 60, 45, 120, 70), pixels(parent, 60, 45, 120, 70));
});

test('plans survive JSON, and anything else is refused with a sentence', () => {
  const plan = act('zoom_out', { ratio: 1.5 });
  assert.deepEqual(planFromJson(JSON.parse(JSON.stringify(plan))), plan);
  for (const value of [null, 3, {}, { version: 2 }, { version: 1, scenes: [{}] }]) {
    assert.throws(() => planFromJson(value), /expected a kept/);
  }
});

test('a plan without the picture that it needs is refused', () => {
  assert.throws(() => paintPlan(act('vary_region', {}), SIDES), /expected the picture/);
  assert.throws(
    () => paintPlan(act('vary_region', {}), { ...SIDES, parentPicture: paintPlan(SINGLE, SIDES) }),
    /expected a mask/,
  );
});

test('a picture that grows with another prompt shows its subject beside the old ones, in the same light', () => {
  const [before] = SINGLE.scenes;
  const [after] = act('zoom_out', { ratio: 2, prompt: 'a whale' }).scenes;
  assert.deepEqual(after!.palette, before!.palette);
  const whale = after!.figures.find((figure) => figure.kind === 'whale');
  assert.ok(Math.abs(whale!.x) > 1, `the whale is at ${whale!.x}`);
  assert.ok(after!.figures.some((figure) => figure.kind === 'sailboat'));
  const [night] = act('pan', { direction: 'left', prompt: 'a castle at night' }).scenes;
  assert.equal(night!.time, 'night');
  assert.ok(night!.figures.find((figure) => figure.kind === 'castle')!.x < -1);
});
