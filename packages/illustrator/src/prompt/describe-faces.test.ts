import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeScene } from '../composition/compose-scene.ts';
import { readPrompt } from './read-prompt.ts';

test('the described features of a face are drawn', () => {
  const [portrait] = readPrompt('portrait of an old man with a beard and glasses').subjects;
  assert.equal(portrait?.kind, 'portrait');
  assert.deepEqual([...portrait!.features].sort(), ['beard', 'glasses', 'man', 'old']);
  assert.deepEqual(readPrompt('portrait of a woman').subjects[0]?.features, []);
});

test('a person described only by the face gets a portrait, a person who does something does not', () => {
  assert.equal(readPrompt('a smiling girl with curly hair').subjects[0]?.kind, 'portrait');
  assert.equal(readPrompt('a smiling girl walking in a park').subjects[0]?.kind, 'woman');
  assert.equal(readPrompt('a girl in a park').subjects[0]?.kind, 'woman');
});

test('a suit belongs to a person and is worn by an animal', () => {
  const kinds = (prompt: string) => readPrompt(prompt).subjects.map(({ kind }) => kind);
  assert.deepEqual(kinds('a businessman in a suit'), ['portrait']);
  assert.deepEqual(kinds('a cat in a suit'), ['cat', 'necktie']);
  assert.equal(readPrompt('a cat in a suit').subjects[1]?.relation, 'wearing');
});

test('an animal named after a profession wears its clothes, unless both are meant', () => {
  const kinds = (prompt: string) => readPrompt(prompt).subjects.map(({ kind }) => kind);
  assert.deepEqual(kinds('a dog astronaut'), ['dog', 'helmet']);
  assert.deepEqual(kinds('a dog and an astronaut'), ['dog', 'astronaut']);
});

test('a background of a colour is a sheet of that colour, and colours nothing else', () => {
  const scene = composeScene({ prompt: 'a shoe on a black background', seed: 1 });
  assert.equal(scene.world, 'studio');
  assert.equal(scene.ground, 'paper');
  assert.equal(scene.figures[0]?.colour, null);
  assert.notEqual(scene.palette.land, composeScene({ prompt: 'a shoe on a pink background', seed: 1 }).palette.land);
  assert.equal(composeScene({ prompt: 'mountains in the background', seed: 1 }).world, 'land');
});

test('held things are at the hand, worn things choose no place, and rooms get the missing furniture', () => {
  const { figures } = composeScene({ prompt: 'a woman holding a bouquet of roses', seed: 3 });
  const [woman, roses] = ['woman', 'bouquet'].map((kind) => figures.find((each) => each.kind === kind));
  assert.equal(roses?.x, woman?.x);
  assert.ok((roses?.lift ?? 0) > 0.2 * (woman?.size ?? 1) && (roses?.size ?? 1) < (woman?.size ?? 0));
  assert.equal(composeScene({ prompt: 'a bear wearing sunglasses', seed: 3 }).world, 'land');
  const kinds = (prompt: string) => composeScene({ prompt, seed: 3 }).figures.map(({ kind }) => kind);
  assert.deepEqual(kinds('a bedroom').sort(), ['bed', 'floor_lamp']);
  assert.equal(kinds('a bedroom with a red bed').filter((kind) => kind === 'bed').length, 1);
  assert.ok(!kinds('a home office with a house').includes('house'));
});

test('the colour of clothes is that of who wears them, and a shirt alone is a shirt', () => {
  const { subjects, colours } = readPrompt('a woman in a red dress in a blue car');
  assert.deepEqual(
    subjects.map(({ kind, colour }) => [kind, colour]),
    [
      ['woman', '#c8352e'],
      ['car', '#2f6fd0'],
    ],
  );
  assert.deepEqual(colours, []);
  assert.deepEqual(
    readPrompt('a man with a green t-shirt').subjects.map(({ kind }) => kind),
    ['person'],
  );
  assert.deepEqual(
    readPrompt('a green t-shirt').subjects.map(({ kind }) => kind),
    ['tshirt'],
  );
});
