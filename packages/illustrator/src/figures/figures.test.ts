import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLACES } from '../composition/places.ts';
import { FIGURES, kindsWith, PORTRAIT, TABLE } from './figures.ts';

const ROOM = join(import.meta.dirname, '..');
const names = Object.keys(FIGURES);

test('no two records describe the same kind, and each kind has a drawing', () => {
  const keys = globSync('figures/*.ts', { cwd: ROOM })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(join(ROOM, path), 'utf8').matchAll(/^ {2}([a-z_]+): \{\n {4}words: /gm)])
    .map(([, name]) => name);
  assert.deepEqual(keys.sort(), [...names].sort());
  for (const name of names) assert.ok(FIGURES[name]!.drawing.parts.length > 0, name);
});

test('no word names two kinds', () => {
  for (const language of ['en', 'de', 'fr', 'es'] as const) {
    const owners = new Map<string, string>();
    for (const name of names)
      for (const form of (FIGURES[name]!.words[language] ?? '').split(',').filter(Boolean)) {
        const word = form.trim().split('/')[0]!.toLowerCase();
        assert.equal(owners.get(word), undefined, `${language}: '${word}' names ${owners.get(word)} and ${name}`);
        owners.set(word, name);
      }
  }
});

test('records refer to kinds and places that exist', () => {
  for (const [name, { costume, growth, furnishes, habitat }] of Object.entries(FIGURES)) {
    for (const kind of [costume, growth?.inAutumn]) assert.ok(kind === undefined || names.includes(kind), name);
    const places = [...(habitat.home ?? []), ...Object.keys(growth?.density ?? {}), ...Object.keys(furnishes ?? {})];
    for (const place of [...places, ...(habitat.launchesFrom === undefined ? [] : [habitat.launchesFrom])])
      assert.ok(place in PLACES, `${name}: ${place}`);
  }
});

test('one kind is the table, one the portrait, and a village has houses and a church', () => {
  assert.deepEqual(
    kindsWith(({ isTable }) => isTable === true),
    [TABLE],
  );
  assert.deepEqual(
    kindsWith(({ isPortrait }) => isPortrait === true),
    [PORTRAIT],
  );
  assert.deepEqual(kindsWith(({ village }) => village !== undefined).sort(), ['church', 'house']);
});

/** Salts of random numbers may be any word. */
const SALTED = /\b(chanceAt|createRandom|deriveSeed)\([^()]*\)/g;
/** Words of the prompt and of scenes that are also kinds. */
const OTHER_MEANINGS: Readonly<Record<string, string>> = {
  camera: 'a group of words',
};

test('no kind is named in code outside its record', () => {
  const named = globSync('{prompt,composition,painting,film,jobs}/**/*.ts', { cwd: ROOM })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const code = readFileSync(join(ROOM, path), 'utf8')
        .replaceAll(/\/\*\*.*?\*\/|^\s*\/\/.*$/gms, '')
        .replaceAll(SALTED, '');
      const words = [...code.matchAll(/'([^'\n]*)'|FIGURES\.(\w+)|\/\^?\(([\w|]+)\)\$?\//g)];
      return words
        .flatMap(([, text = '', property = '', pattern = '']) => [text, property, ...pattern.split('|')])
        .filter((word) => names.includes(word) && OTHER_MEANINGS[word] === undefined)
        .map((word) => `${path}: ${word}`);
    });
  assert.deepEqual(named, []);
});
