import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { paintPlan } from '../painting/paint-plan.ts';
import { type Plan, planPicture } from './plan.ts';
import { type ActionOrder, applyAction } from './sketch-actions.ts';

/** What actions promise, seen in the pixels of several scenes and styles. */

const SIDES = { width: 160, height: 112 };
const SCENES = [
  { prompt: 'a red boat on a lake at sunset', seed: 11, style: null },
  { prompt: 'a castle on a hill, rain', seed: 4, style: 'pastel' },
  { prompt: 'two foxes in a forest at night', seed: 7, style: 'paper_cut' },
] as const;

function act(
  parent: Plan,
  action: string,
  values: ActionOrder['values'] = {},
  changes: Partial<ActionOrder> = {},
): Plan {
  const usual = { seed: 21, parentSize: SIDES, output: SIDES, hasMask: false };
  return applyAction({ ...usual, action, values, parent, ...changes });
}

function pixels(canvas: Canvas, x = 0, y = 0, width = canvas.width, height = canvas.height): Uint8ClampedArray {
  return canvas.getContext('2d').getImageData(x, y, width, height).data;
}

/** The mean over all channels, 0 to 255. */
function difference(one: Uint8ClampedArray, two: Uint8ClampedArray): number {
  assert.equal(one.length, two.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - two[at]!), 0) / one.length;
}

function scaled(canvas: Canvas, width: number, height: number): Canvas {
  const result = createCanvas(width, height);
  result.getContext('2d').drawImage(canvas, 0, 0, width, height);
  return result;
}

/** How much is seen that is finer than a few pixels. */
function detailOf(canvas: Canvas): number {
  const { width, height } = canvas;
  return difference(pixels(canvas), pixels(scaled(scaled(canvas, width / 4, height / 4), width, height)));
}

for (const wishes of SCENES) {
  const named = `${wishes.prompt}${wishes.style === null ? '' : ` (${wishes.style})`}`;
  const single = planPicture({ ...wishes, tiles: null });
  const parent = paintPlan(single, SIDES);

  test(`${named}: an upscaled picture is the same picture, larger; the creative one has more detail`, () => {
    const output = { width: 320, height: 224 };
    const paint = (action: string) =>
      paintPlan(act(single, action, {}, { output }), { ...output, parentPicture: parent });
    const [subtle, creative] = [paint('upscale_subtle'), paint('upscale_creative')];
    const away = (canvas: Canvas) => difference(pixels(scaled(canvas, 160, 112)), pixels(parent));
    assert.ok(away(subtle) < 6, `${away(subtle)}`);
    assert.ok(away(creative) < 20, `${away(creative)}`);
    assert.ok(detailOf(subtle) > detailOf(scaled(parent, 320, 224)), 'it is painted anew, not blown up');
    assert.notDeepEqual(pixels(creative), pixels(subtle));
  });

  test(`${named}: a subtle variation is nearer than a strong one, and a subtle remix than a strong one`, () => {
    const far = (action: string, values: ActionOrder['values'] = {}) => {
      const plan = act(single, action, values);
      assert.equal(plan.scenes.length, 4);
      const each = plan.scenes.map((scene) =>
        difference(pixels(paintPlan({ ...single, scenes: [scene] }, SIDES)), pixels(parent)),
      );
      assert.ok(Math.min(...each) > 0.5, `${action}: every tile is another picture`);
      return each.reduce((sum, one) => sum + one, 0);
    };
    assert.ok(far('vary_subtle') < far('vary_strong'));
    const prompt = wishes.prompt;
    assert.ok(far('remix', { prompt, strength: 'subtle' }) < far('remix', { prompt, strength: 'strong' }));
  });

  test(`${named}: a zoom-out shows the old picture in the middle, at whatever ratio`, () => {
    for (const ratio of [1.1, 1.5, 2]) {
      const picture = paintPlan(act(single, 'zoom_out', { ratio }), { ...SIDES, parentPicture: parent });
      const [width, height] = [Math.round(160 / ratio), Math.round(112 / ratio)];
      const [left, top] = [Math.round((160 - width) / 2), Math.round((112 - height) / 2)];
      const inner = pixels(picture, left + 2, top + 2, width - 4, height - 4);
      const old = pixels(scaled(parent, width, height), 2, 2, width - 4, height - 4);
      assert.ok(difference(inner, old) < 6, `ratio ${ratio}: ${difference(inner, old)}`);
    }
  });

  test(`${named}: a square keeps all of a wide and of a tall picture, to the pixel`, () => {
    const output = { width: 160, height: 160 };
    for (const sides of [SIDES, { width: 112, height: 160 }]) {
      const before = paintPlan(single, sides);
      const plan = act(single, 'make_square', {}, { parentSize: sides, output });
      const after = paintPlan(plan, { ...output, parentPicture: before });
      const [x, y] = [(160 - sides.width) / 2, (160 - sides.height) / 2];
      assert.ok(difference(pixels(after, x, y, sides.width, sides.height), pixels(before)) < 1e-9);
    }
  });
}

test('a variation of a tile is nearer to that tile than the other tiles are', () => {
  const grid = planPicture({ ...SCENES[0], tiles: 4 });
  const paint = (plan: Plan, tile: number) =>
    pixels(paintPlan({ ...grid, kind: 'single', scenes: [plan.scenes[tile]!] }, SIDES));
  for (const index of [1, 3]) {
    const plan = act(grid, 'variation', { index });
    const mean = (tile: number) =>
      [0, 1, 2, 3].reduce((sum, each) => sum + difference(paint(plan, each), paint(grid, tile)), 0);
    const distances = [0, 1, 2, 3].map(mean);
    assert.equal(distances.indexOf(Math.min(...distances)), index - 1, distances.join());
  }
});
