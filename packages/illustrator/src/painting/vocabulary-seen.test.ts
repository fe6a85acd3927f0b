import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { composeScene } from '../composition/compose-scene.ts';
import { LANGUAGES } from '../prompt/vocabulary.ts';
import { paintScene } from './paint-scene.ts';

const [english] = LANGUAGES;

/** The first word for each meaning of a group. */
function wordsOf(group: string): string[] {
  const seen = new Map<string, string>();
  for (const [word, meanings] of english!.words)
    for (const meaning of meanings)
      if (meaning.group === group && !meaning.plural && !seen.has(meaning.id)) seen.set(meaning.id, word);
  return [...seen.values()];
}

function hash(prompt: string): string {
  const canvas = paintScene(composeScene({ prompt, seed: 6 }), { width: 60, height: 40 });
  return createHash('sha256').update(canvas.data()).digest('hex');
}

for (const [group, template] of [
  ['subject', (word: string) => `a ${word}, logo`],
  ['place', (word: string) => `a ${word}`],
  ['time', (word: string) => `mountains at ${word}`],
  ['weather', (word: string) => `mountains, ${word}`],
  ['season', (word: string) => `a forest in ${word}`],
  ['colour', (word: string) => `a ${word} car on a meadow at day`],
  ['style', (word: string) => `a house by a lake, ${word}`],
  ['mood', (word: string) => `mountains, ${word}`],
  ['number', (word: string) => `${word} boats on a lake`],
] as const) {
  test(`every ${group} that the illustrator knows gives a picture of its own`, () => {
    const pictures = new Map<string, string>();
    for (const word of wordsOf(group)) {
      const picture = hash(template(word));
      assert.equal(pictures.get(picture), undefined, `'${word}' looks like '${pictures.get(picture)}'`);
      pictures.set(picture, word);
    }
    assert.ok(pictures.size > 1);
  });
}
