import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { composeScene } from '../composition/compose-scene.ts';
import { STYLES } from '../model/scene.ts';
import { LANGUAGES } from '../prompt/vocabulary.ts';
import { paintScene } from './paint-scene.ts';

const SIZE = { width: 120, height: 90 };
/** How far two neighbours must differ to be an edge: a gradient has none. Of 255. */
const EDGE = 9;
/** The part of a picture that edges must take. */
const LEAST = 0.006;

/** The part of a picture's pixels that differ clearly from the next to the right or below. */
function edgesOf(prompt: string, options: object = {}): number {
  const pixels = paintScene(composeScene({ prompt, seed: 1, ...options }), SIZE).data();
  let edges = 0;
  const differs = (one: number, other: number) =>
    [0, 1, 2].some((part) => Math.abs(pixels[one + part]! - pixels[other + part]!) > EDGE);
  for (let y = 0; y < SIZE.height - 1; y++)
    for (let x = 0; x < SIZE.width - 1; x++) {
      const at = (y * SIZE.width + x) * 4;
      if (differs(at, at + 4) || differs(at, at + SIZE.width * 4)) edges++;
    }
  return edges / (SIZE.width * SIZE.height);
}

const ODD = [
  'a menu card illustration',
  'a business card',
  'a plain background',
  'plain white background',
  'black background, black',
  'a logo',
  'an icon',
  'a sticker',
  'an emblem of zorblax',
  'minimalist',
  'nothing at all',
  'invisible',
  'white on white',
  '',
  ' ',
  '…',
  '???',
  '漢字',
  'меню ресторана',
  'قائمة طعام',
  '🦊🌲',
  'une carte de menu',
  'eine Speisekarte',
  'una tarjeta',
  'a '.repeat(500),
];

test('a prompt that names nothing to show still gives a picture, in every style', () => {
  for (const style of STYLES)
    for (const [seed, prompt] of ODD.entries()) {
      const edges = edgesOf(prompt, { style, seed });
      assert.ok(edges > LEAST, `"${prompt.slice(0, 40)}" in ${style}: ${edges}`);
    }
});

test('a picture whose negative prompt takes away its only subject is not blank', () => {
  for (const prompt of ['a fox on a white background', 'a fox, logo', 'a fox'])
    assert.ok(edgesOf(prompt, { negativePrompt: 'fox' }) > LEAST, prompt);
});

test('a sea in fog shows islands, if nothing is named that swims in it', () => {
  for (const [prompt, seed] of [
    ['a white new, white fog', 590460107],
    ['the sea, white fog', 260],
  ] as const)
    assert.ok(edgesOf(prompt, { style: 'illustration', seed }) > LEAST, prompt);
});

const KNOWN = LANGUAGES.flatMap(({ words }) => [...words.keys()]);
const prompts = fc.oneof(
  fc.array(fc.constantFrom(...KNOWN), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  fc
    .tuple(
      fc.constantFrom(...KNOWN),
      fc.constantFrom('white', 'black', 'grey', 'red', 'blue', 'zorblax'),
      fc.constantFrom('background', 'card', 'logo', 'fog', 'night'),
    )
    .map(([word, colour, ground]) => `a ${colour} ${word}, ${colour} ${ground}`),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

test('no prompt gives a blank picture', () => {
  fc.assert(
    fc.property(prompts, fc.constantFrom(...STYLES), fc.nat(), (prompt, style, seed) => {
      const edges = edgesOf(prompt, { style, seed });
      assert.ok(edges > LEAST, `${edges}`);
    }),
    { numRuns: rounds(250) },
  );
});
