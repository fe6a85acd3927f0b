import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeScene } from '../composition/compose-scene.ts';
import { STYLES } from '../model/scene.ts';
import { createStage } from '../model/stage.ts';
import { placeAt } from './figures/placement.ts';
import { createSceneRenderer, paintScene } from './paint-scene.ts';

const SIZE = { width: 120, height: 80 };

function pixelsOf(prompt: string, seed = 3, size = SIZE): Uint8ClampedArray {
  return new Uint8ClampedArray(paintScene(composeScene({ prompt, seed }), size).data());
}

/**
 * How much redder (or bluer) one picture is than another at each pixel that differs, and where the middle of that lies
 * from 0 to 1.
 */
function added(
  before: Uint8ClampedArray,
  after: Uint8ClampedArray,
  channel: 0 | 2,
): { amount: number; middle: number } {
  let amount = 0;
  let weighed = 0;
  for (let at = 0; at < after.length; at += 4) {
    const strength = (from: Uint8ClampedArray) => from[at + channel]! - from[at + 2 - channel]!;
    const more = Math.max(0, strength(after) - strength(before) - 60);
    amount += more;
    weighed += more * ((at / 4) % SIZE.width);
  }
  return { amount, middle: weighed / Math.max(1, amount) / SIZE.width };
}

function difference(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs(one[at]! - other[at]!);
  return sum / one.length;
}

function brightness(pixels: Buffer): number {
  return pixels.reduce((sum, part) => sum + part, 0) / pixels.length;
}

test('a red boat adds red and a blue one blue, on the side that the prompt says', () => {
  const sea = pixelsOf('the sea at day');
  const red = added(sea, pixelsOf('a red boat on the left on the sea at day'), 0);
  assert.ok(red.amount > 1000 && red.middle < 0.45, JSON.stringify(red));
  const right = added(sea, pixelsOf('a red boat on the right on the sea at day'), 0);
  assert.ok(right.amount > 1000 && right.middle > 0.55, JSON.stringify(right));
  const meadow = pixelsOf('a meadow at sunset');
  assert.ok(added(meadow, pixelsOf('a blue car on a meadow at sunset'), 2).amount > 1000);
});

test('every style differs from every other by a margin', () => {
  const pictures = STYLES.map((style) => ({
    style,
    pixels: new Uint8ClampedArray(
      paintScene(composeScene({ prompt: 'a house by a lake at day', style, seed: 3 }), SIZE).data(),
    ),
  }));
  for (const one of pictures)
    for (const other of pictures)
      if (one.style < other.style)
        assert.ok(difference(one.pixels, other.pixels) > 3, `${one.style} looks like ${other.style}`);
});

test('at every ratio related figures stay together and all figures stay in the frame', () => {
  const scene = composeScene({ prompt: 'an astronaut riding a horse and a cat wearing a hat', seed: 2 });
  for (const [width, height] of [
    [64, 512],
    [512, 64],
    [128, 128],
    [200, 120],
  ] as const) {
    const stage = createStage(scene, { width, height });
    const place = (kind: string) => placeAt(stage, scene.figures.find((each) => each.kind === kind)!, 0);
    assert.ok(Math.abs(place('astronaut').x - place('horse').x) < 1e-9, `${width}x${height}`);
    assert.ok(place('astronaut').y < place('horse').y);
    assert.ok(Math.abs(place('hat').x - place('cat').x) < 0.1);
    for (const { x, y } of scene.figures.map((each) => placeAt(stage, each, 0)))
      assert.ok(Math.abs(x) < stage.frame.right && y > 0 && y <= stage.frame.bottom + 0.01, `${width}x${height}`);
    paintScene(scene, { width, height });
  }
});

test('abstract pictures have the prompt’s own colours, and geometry where it is asked for', () => {
  assert.ok(difference(pixelsOf('zorblax'), pixelsOf('quuxly fnord')) > 3);
  assert.ok(difference(pixelsOf('zorblax'), pixelsOf('geometric zorblax')) > 10);
});

test('letters stand on a sign or a banner', () => {
  const plain = pixelsOf('a small cafe at day');
  assert.ok(difference(plain, pixelsOf('a small cafe at day, a sign "OPEN"')) > 3);
});

test('day turns into night in a film', () => {
  const scene = composeScene({ prompt: 'day turning to night over a lake', seed: 1 });
  const painter = createSceneRenderer(scene, { ...SIZE, duration: 4 });
  const [first, middle, last] = [0, 2, 3.9].map((time) => brightness(Buffer.from(painter.paint(time).data())));
  assert.ok(first! > middle! + 5 && middle! > last! + 5, `${first} ${middle} ${last}`);
});

test('a running horse crosses the picture and a rocket rises', () => {
  const moved = (prompt: string, kind: string) => {
    const scene = composeScene({ prompt, seed: 2 });
    const stage = createStage(scene, { ...SIZE, duration: 4 });
    const figure = scene.figures.find((each) => each.kind === kind)!;
    const [from, to] = [0, 4].map((time) => placeAt(stage, figure, time));
    return { x: Math.abs(to!.x - from!.x), y: to!.y - from!.y };
  };
  assert.ok(moved('a horse running over a meadow', 'horse').x > 0.3);
  assert.ok(moved('a horse on a meadow', 'horse').x < 0.01);
  assert.ok(moved('a rocket launch at night', 'rocket').y < -0.1);
  assert.ok(moved('a red car on a road', 'car').x > 0.2);
});
