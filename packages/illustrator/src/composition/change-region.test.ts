import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { regionOf } from '../painting/mask-region.ts';
import { paintPlan } from '../painting/paint-plan.ts';
import { smearRegion } from '../painting/smear-region.ts';
import { planPicture } from './plan.ts';
import { applyAction } from './sketch-actions.ts';

const SIDES = { width: 240, height: 160 };
const WHITE = { x: 140, y: 40, width: 80, height: 100 };
const mask = createCanvas(SIDES.width, SIDES.height);
mask.getContext('2d').fillRect(0, 0, SIDES.width, SIDES.height);
mask.getContext('2d').fillStyle = '#ffffff';
mask.getContext('2d').fillRect(WHITE.x, WHITE.y, WHITE.width, WHITE.height);
const region = regionOf(mask);
const single = planPicture({ prompt: 'a white rabbit on a meadow at day', seed: 3, tiles: null });
const parentPicture = paintPlan(single, SIDES);

function change(values: Record<string, string>, seed = 21): Canvas {
  const order = { action: 'vary_region', values, seed, parent: single, parentSize: SIDES, output: SIDES };
  return paintPlan(applyAction({ ...order, hasMask: true, region }), { ...SIDES, parentPicture, mask });
}

/** The mean difference to the parent, 0 to 255, within a box. */
function changed(picture: Canvas, { x, y, width, height }: typeof WHITE): number {
  const [one, two] = [picture, parentPicture].map(
    (each) => each.getContext('2d').getImageData(x, y, width, height).data,
  );
  return one!.reduce((sum, value, at) => sum + Math.abs(value - two![at]!), 0) / one!.length;
}

test('finds the bounding box of the white area', () => {
  assert.ok(Math.abs(region!.x * SIDES.width - WHITE.x) < 2 && Math.abs(region!.y * SIDES.height - WHITE.y) < 2);
  assert.ok(Math.abs(region!.width * SIDES.width - WHITE.width) < 3);
  assert.equal(regionOf(createCanvas(8, 8)), null);
});

test('a thing that a prompt puts into a region stands there, on the ground and in the light of the old picture', () => {
  for (const prompt of ['a red car', 'a red balloon', 'two red mushrooms']) {
    const picture = change({ prompt });
    const inner = { x: WHITE.x + 20, y: WHITE.y + 30, width: 40, height: 60 };
    assert.ok(changed(picture, inner) > 4, `${prompt}: ${changed(picture, inner)}`);
    // Along the upper edge of the region nothing tells where it begins.
    const seam = changed(picture, { ...WHITE, height: 4 });
    assert.ok(seam < 1, `${prompt}: a seam of ${seam}`);
    assert.equal(changed(picture, { x: 0, y: 0, width: WHITE.x, height: SIDES.height }), 0, prompt);
  }
});

test('a region without a prompt shows the same place with other chances', () => {
  const [one, other] = [change({}, 21), change({}, 22)];
  assert.ok(changed(one, WHITE) > 1);
  assert.notDeepEqual(one.data(), other.data());
  const sky = { ...WHITE, height: 6 };
  assert.ok(changed(one, sky) < 25, `${changed(one, sky)}: the sky is of another hour`);
});

test('only the white part of the mask is cut out of a picture', () => {
  const picture = createCanvas(120, 80);
  const brush = picture.getContext('2d');
  brush.fillStyle = '#3060c0';
  brush.fillRect(0, 0, 120, 80);
  brush.fillStyle = '#f02020';
  brush.fillRect(50, 30, 20, 20);
  const hole = createCanvas(120, 80);
  hole.getContext('2d').fillStyle = '#ffffff';
  hole.getContext('2d').fillRect(44, 24, 32, 32);
  const data = smearRegion(picture, hole).data();
  for (let at = 0; at < data.length; at += 4) {
    assert.ok(Math.abs(data[at]! - 0x30) < 12 && Math.abs(data[at + 2]! - 0xc0) < 12, `${data.subarray(at, at + 4)}`);
    assert.equal(data[at + 3], 255);
  }
});
