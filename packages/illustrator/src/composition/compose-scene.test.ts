import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeScene } from './compose-scene.ts';

const at = (prompt: string, seed = 1) => composeScene({ prompt, seed });

test('the same prompt and seed compose the same scene, which survives JSON', () => {
  const scene = at('three boats on a lake at dawn', 7);
  assert.deepEqual(at('three boats on a lake at dawn', 7), scene);
  assert.deepEqual(JSON.parse(JSON.stringify(scene)), scene);
  assert.notDeepEqual(at('three boats on a lake at dawn', 8), scene);
});

test('the scene has as many figures as the prompt asks for', () => {
  for (const [words, count] of [
    ['a boat', 1],
    ['two boats', 2],
    ['five boats', 5],
    ['twelve boats', 12],
  ] as const) {
    assert.equal(at(words).figures.length, count, words);
  }
});

test('water animals get water, flying things get a sky', () => {
  assert.equal(at('a boat').ground, 'water');
  assert.equal(at('a jellyfish').world, 'underwater');
  assert.equal(at('a rocket').world, 'space');
  assert.equal(at('a hot air balloon').figures[0]?.where, 'air');
});

test('left and right are kept', () => {
  const { figures } = at('a house on the left, a tree on the right');
  const place = (kind: string) => figures.find((figure) => figure.kind === kind)?.x ?? 0;
  assert.ok(place('house') < 0 && place('tree') > 0);
});

test('a negative prompt removes the things that it names', () => {
  const scene = composeScene({ prompt: 'a boat and a house in the rain', negativePrompt: 'house, rain', seed: 3 });
  assert.deepEqual(
    scene.figures.map((figure) => figure.kind),
    ['sailboat'],
  );
  assert.equal(scene.weather.rain, 0);
});

test('style, camera and motion are taken from their own fields before the prompt', () => {
  const scene = composeScene({
    prompt: 'a fox, ink drawing, pan left',
    seed: 1,
    style: 'Pixel Art',
    camera: 'zoom in',
    motion: 'high',
  });
  assert.equal(scene.style, 'pixel_art');
  assert.equal(scene.camera, 'push_in');
  assert.ok(scene.motion > 1);
  assert.equal(at('a fox, ink drawing').style, 'ink');
});

test('a prompt that names nothing known becomes an abstract composition', () => {
  for (const prompt of ['', 'zorblax fnord', '????', '漢字']) assert.equal(at(prompt).world, 'abstract', prompt);
});

test('the ground is covered with snow in winter', () => {
  assert.equal(at('a village in winter').ground, 'snow');
  assert.equal(at('a house in a snowy forest').ground, 'snow');
});

test('a rider sits on the animal, and an umbrella is held', () => {
  const [horse, rider] = at('an astronaut riding a horse in a meadow').figures;
  assert.deepEqual([horse?.kind, rider?.kind], ['horse', 'astronaut']);
  assert.equal(rider?.x, horse?.x);
  assert.ok((rider?.lift ?? 0) > 0);
  assert.ok((at('a woman with an umbrella').figures.find((each) => each.kind === 'umbrella')?.lift ?? 0) > 0);
});

test('a ship is never left on land', () => {
  for (const seed of [1, 2, 3, 4]) assert.equal(at('a wizard and a ship', seed).ground, 'water');
});
