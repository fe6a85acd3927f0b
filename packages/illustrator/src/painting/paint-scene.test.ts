import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { composeScene } from '../composition/compose-scene.ts';
import { STYLES } from '../model/scene.ts';
import { createSceneRenderer, paintScene } from './paint-scene.ts';

const SIDES = { width: 192, height: 128 };

function paint(prompt: string, seed = 5, sides = SIDES): Canvas {
  return paintScene(composeScene({ prompt, seed }), sides);
}

function hash(canvas: Canvas): string {
  return createHash('sha256').update(canvas.data()).digest('hex');
}

/** Mean red, green and blue of a picture. */
function mean(canvas: Canvas): [number, number, number] {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const sum: [number, number, number] = [0, 0, 0];
  for (let at = 0; at < data.length; at++) if (at % 4 < 3) sum[(at % 4) as 0 | 1 | 2] += data[at] as number;
  return sum.map((part) => part / (data.length / 4)) as [number, number, number];
}

function brightness(canvas: Canvas): number {
  const [red, green, blue] = mean(canvas);
  return (red + green + blue) / 3;
}

test('the same prompt and seed give the same pixels, another seed others', () => {
  const first = hash(paint('a boat on a lake at sunset', 5));
  assert.equal(hash(paint('a boat on a lake at sunset', 5)), first);
  assert.notEqual(hash(paint('a boat on a lake at sunset', 6)), first);
});

test('a colour in the prompt is seen in the picture', () => {
  const plain = mean(paint('mountains at day'));
  const red = mean(paint('red mountains at day'));
  const blue = mean(paint('blue mountains at day'));
  assert.ok(red[0] - red[2] > plain[0] - plain[2] + 15);
  assert.ok(blue[2] - blue[0] > red[2] - red[0] + 30);
  const redBoat = mean(paint('a large red boat on the sea at day'));
  const greenBoat = mean(paint('a large green boat on the sea at day'));
  assert.ok(redBoat[0] - redBoat[1] > greenBoat[0] - greenBoat[1] + 2);
});

test('night is darker than dusk, and dusk than day', () => {
  const [day, dusk, night] = ['day', 'dusk', 'night'].map((time) => brightness(paint(`a house on a hill at ${time}`)));
  assert.ok(night! < dusk! - 10 && dusk! < day! - 10, `${night} ${dusk} ${day}`);
});

test('every word of place, weather and figure changes the picture', () => {
  const prompts = [
    'sea',
    'forest',
    'desert',
    'city',
    'village',
    'space',
    'coral reef',
    'kitchen',
    'volcano',
    'road',
    'island',
  ];
  const weather = ['rain', 'snow', 'fog', 'storm', 'aurora', 'rainbow', 'clouds'].map((each) => `mountains, ${each}`);
  const figures = ['fox', 'cat', 'horse', 'castle', 'robot'].map((each) => `a ${each} on a meadow at day`);
  const all = [...prompts, ...weather, ...figures];
  assert.equal(new Set(all.map((prompt) => hash(paint(prompt)))).size, all.length);
});

test('each style looks different, and none fails in any world', () => {
  const hashes = STYLES.map((style) =>
    hash(paintScene(composeScene({ prompt: 'a boat on a lake', seed: 2, style }), SIDES)),
  );
  assert.equal(new Set(hashes).size, STYLES.length);
  for (const [index, prompt] of ['zorblax', 'space', 'underwater', 'a cup in a room'].entries()) {
    const style = STYLES[(index * 3 + 1) % STYLES.length]!;
    assert.ok(paintScene(composeScene({ prompt, seed: 1, style }), SIDES).width === SIDES.width);
  }
});

test('sides are exact at every ratio, and every pixel is painted', () => {
  for (const [width, height] of [
    [64, 512],
    [512, 64],
    [64, 64],
    [513, 77],
    [1024, 128],
    [128, 1024],
  ] as const) {
    for (const prompt of ['a boat at sunset', 'a fish underwater', 'zorblax']) {
      const canvas = paint(prompt, 3, { width, height });
      assert.deepEqual([canvas.width, canvas.height], [width, height]);
      const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
      assert.ok(
        data.every((part, at) => at % 4 !== 3 || part === 255),
        `${prompt} at ${width}x${height} has clear pixels`,
      );
    }
  }
});

test('the same scene in another size is the same picture', () => {
  const scene = composeScene({ prompt: 'a castle on a hill at sunset', seed: 9 });
  const small = paintScene(scene, { width: 160, height: 90 });
  const large = paintScene(scene, { width: 640, height: 360 });
  const scaled = createCanvas(160, 90);
  scaled.getContext('2d').drawImage(large, 0, 0, 160, 90);
  assert.ok(difference(small, scaled) < 6, `differs by ${difference(small, scaled)}`);
});

test('a film moves from frame to frame, and each frame is a function of its time alone', () => {
  for (const prompt of [
    'a boat on a lake',
    'a fox in a forest',
    'rain over a city',
    'zorblax',
    'fish underwater',
    'a cup in a room',
  ]) {
    const scene = composeScene({ prompt, seed: 4 });
    const painter = createSceneRenderer(scene, { ...SIDES, duration: 4 });
    const hashes = [0, 0.5, 2, 3.9].map((time) => hash(painter.paint(time)));
    assert.equal(new Set(hashes).size, 4, prompt);
    assert.equal(hash(createSceneRenderer(scene, { ...SIDES, duration: 4 }).paint(2)), hashes[2], prompt);
  }
});

test('no camera shows the edge of what is painted', () => {
  for (const camera of ['push_in', 'pull_out', 'pan_left', 'pan_right', 'rise', 'sink', 'drift']) {
    const scene = composeScene({ prompt: 'a boat on a lake', seed: 4, camera, motion: 2 });
    const painter = createSceneRenderer(scene, { ...SIDES, duration: 12 });
    for (const time of [0, 6, 12]) {
      const { data } = painter.paint(time).getContext('2d').getImageData(0, 0, SIDES.width, SIDES.height);
      assert.ok(
        data.every((part, at) => at % 4 !== 3 || part === 255),
        `${camera} at ${time}`,
      );
    }
  }
});

test('a reference picture is seen: laid into a scene, or filling the frame', () => {
  const reference = createCanvas(40, 40);
  const brush = reference.getContext('2d');
  brush.fillStyle = '#ff00ff';
  brush.fillRect(0, 0, 40, 40);
  const share = (prompt: string): number => {
    const canvas = paintScene(composeScene({ prompt, seed: 1 }), { ...SIDES, references: [reference] });
    const { data } = canvas.getContext('2d').getImageData(0, 0, SIDES.width, SIDES.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at]! > 250 && data[at + 1]! < 5 && data[at + 2]! > 250) found++;
    return found / (data.length / 4);
  };
  assert.ok(share('a fox on a meadow') > 0.02);
  assert.ok(share('') > 0.95);
});

test('lettering is painted', () => {
  assert.notEqual(hash(paint('a fox "HELLO"')), hash(paint('a fox')));
  assert.notEqual(hash(paint('a fox "HELLO"')), hash(paint('a fox "HELP"')));
});

/** Mean difference of two pictures of one size, per part of a pixel, 0 to 255. */
function difference(one: Canvas, other: Canvas): number {
  const [a, b] = [one, other].map((each) => each.getContext('2d').getImageData(0, 0, each.width, each.height).data);
  let sum = 0;
  for (let at = 0; at < a!.length; at++) sum += Math.abs(a![at]! - b![at]!);
  return sum / a!.length;
}
