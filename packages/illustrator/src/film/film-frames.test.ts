import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Canvas } from '@napi-rs/canvas';
import { composeScene } from '../composition/compose-scene.ts';
import { STYLES } from '../model/scene.ts';
import { createSceneRenderer, paintScene } from '../painting/paint-scene.ts';

const SIZE = { width: 96, height: 54 };
const FILM = { ...SIZE, duration: 4 };

function hash(canvas: Canvas): string {
  return createHash('sha256').update(canvas.data()).digest('hex');
}

/** The share of pixels in which red is well above green and blue. */
function redShare(canvas: Canvas): number {
  const data = canvas.data();
  let red = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at]! > 110 && data[at]! > data[at + 1]! + 60 && data[at]! > data[at + 2]! + 60) red++;
  return red / (data.length / 4);
}

/** The share of pixels that differ visibly. */
function differing(one: Canvas, other: Canvas): number {
  const [a, b] = [one.data(), other.data()];
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    const change = [0, 1, 2].map((part) => Math.abs(a[at + part]! - b[at + part]!));
    if (Math.max(...change) > 24) count++;
  }
  return count / (a.length / 4);
}

test('in every style a frame is the same bytes whatever was painted before it, and another seed gives others', () => {
  for (const style of STYLES) {
    const film = (seed: number) =>
      createSceneRenderer(composeScene({ prompt: 'a boat on a lake in the snow', seed, style }), FILM);
    const painter = film(5);
    const frames = [0, 1, 2, 1].map((time) => hash(painter.paint(time)));
    assert.equal(frames[3], frames[1], style);
    assert.equal(hash(film(5).paint(1)), frames[1], style);
    assert.equal(new Set(frames).size, 3, style);
    assert.notEqual(hash(film(6).paint(1)), frames[1], style);
  }
});

test('in every style all pixels of a film are opaque, wherever the camera is', () => {
  for (const [index, style] of STYLES.entries()) {
    const camera = (['push_in', 'pan_left', 'rise', 'drift'] as const)[index % 4]!;
    const scene = composeScene({ prompt: 'a boat on a lake at night', seed: 3, style, camera, motion: 2 });
    const painter = createSceneRenderer(scene, { ...SIZE, duration: 12 });
    for (const time of [0, 12]) {
      const data = painter.paint(time).data();
      assert.ok(
        data.every((part, at) => at % 4 !== 3 || part === 255),
        `${style}, ${camera} at ${time}`,
      );
    }
  }
});

test('caching and skipping layers in a film does not change its frames', () => {
  for (const prompt of [
    'a lighthouse by the sea in a storm at night',
    'a red fox in a forest in the snow',
    'a city street in the rain',
    'a fish underwater',
    'a rocket in space',
    'a cup of coffee in a kitchen by the window',
    'a cat, logo',
    'hot air balloons above the clouds',
  ]) {
    const scene = composeScene({ prompt, seed: 2, camera: 'still' });
    const larger = { width: 192, height: 108 };
    const still = paintScene(scene, larger);
    // At rest a film's first frame is the still.
    const missing = differing(createSceneRenderer({ ...scene, motion: 0 }, { ...larger, duration: 4 }).paint(0), still);
    assert.ok(missing < 0.001, `${prompt}: ${missing}`);
  }
});

test('the camera that pushes in makes the subject grow, and the one that pulls out makes it shrink', () => {
  const grown = (camera: string) => {
    const scene = composeScene({ prompt: 'a large red boat on the sea at day', seed: 3, camera });
    const painter = createSceneRenderer(scene, { width: 160, height: 90, duration: 4 });
    const first = redShare(painter.paint(0));
    return redShare(painter.paint(3.9)) / first;
  };
  assert.ok(grown('push in') > 1.3, `${grown('push in')}`);
  assert.ok(grown('pull out') < 0.8, `${grown('pull out')}`);
  const still = grown('static camera');
  assert.ok(still > 0.9 && still < 1.1, `${still}`);
});

test('the camera that pans moves what is near more than what is far', () => {
  const scene = composeScene({ prompt: 'a red fox on a meadow at day', seed: 3, camera: 'pan right' });
  const middle = (time: number) => {
    const canvas = createSceneRenderer(scene, { width: 160, height: 90, duration: 4 }).paint(time);
    const data = canvas.data();
    let [weighed, count] = [0, 0];
    for (let at = 0; at < data.length; at += 4) {
      if (data[at]! < 110 || data[at]! < data[at + 1]! + 60) continue;
      weighed += (at / 4) % 160;
      count++;
    }
    return weighed / count;
  };
  assert.ok(middle(0) - middle(3.9) > 10, `${middle(0)} ${middle(3.9)}`);
});
