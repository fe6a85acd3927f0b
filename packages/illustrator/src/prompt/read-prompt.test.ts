import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyCharacter } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import { PLACES } from '../composition/places.ts';
import { FIGURES } from '../figures/figures.ts';
import { CAMERA_MOVES, STYLES, TIMES } from '../model/scene.ts';
import { readPrompt } from './read-prompt.ts';
import { LANGUAGES } from './vocabulary.ts';

test('number, colour and size belong to the subject that follows them', () => {
  const { subjects, colours } = readPrompt('three small red boats and a fox');
  assert.deepEqual(
    subjects.map(({ kind, count, colour, size }) => [kind, count, colour !== null, size]),
    [
      ['sailboat', 3, true, 'small'],
      ['fox', 1, false, 'normal'],
    ],
  );
  assert.deepEqual(colours, []);
});

test('a colour that stands before no subject colours the whole picture', () => {
  assert.equal(readPrompt('red mountains').colours.length, 1);
  assert.equal(readPrompt('everything in teal').colours.length, 1);
});

test('a plural without a number means several', () => {
  assert.equal(readPrompt('boats on the sea').subjects[0]?.count, 3);
  assert.equal(readPrompt('12 foxes').subjects[0]?.count, 12);
  assert.equal(readPrompt('99 balloons').subjects[0]?.count, 12);
});

test('the longest phrase wins over the words in it', () => {
  const { subjects, weather } = readPrompt('a hot air balloon under the northern lights');
  assert.deepEqual(
    subjects.map((each) => each.kind),
    ['balloon'],
  );
  assert.deepEqual(weather, ['aurora']);
});

test('what stands in quotation marks is lettering and not read as a prompt', () => {
  const reading = readPrompt('a house, a sign that says “Red Fox”');
  assert.equal(reading.lettering, 'Red Fox');
  assert.deepEqual(
    reading.subjects.map((each) => each.kind),
    ['house'],
  );
});

test('single quotation marks letter too, and apostrophes do not', () => {
  assert.equal(readPrompt("a shop with a sign 'OPEN', at night").lettering, 'OPEN');
  assert.equal(readPrompt('a boat called ‘Sea Breeze’').lettering, 'Sea Breeze');
  assert.equal(readPrompt("a dog's house and a cat's bed").lettering, null);
  assert.equal(readPrompt("the sailors' boat, the fishers' hut").lettering, null);
});

test('relations place what they stand beside', () => {
  const { subjects } = readPrompt('a house on the left, a tree on the right');
  assert.deepEqual(
    subjects.map((each) => each.place),
    ['left', 'right'],
  );
});

test('the same picture is read from four languages', () => {
  for (const prompt of [
    'three blue boats on the sea at sunset',
    'drei blaue Boote auf dem Meer bei Sonnenuntergang',
    'trois bateaux bleus sur la mer au coucher du soleil',
    'tres barcos azules en el mar al atardecer',
  ]) {
    const { subjects, places, times } = readPrompt(prompt);
    assert.deepEqual(
      { subjects: subjects.map(({ kind, count, colour }) => [kind, count, colour]), places, times },
      { subjects: [['sailboat', 3, '#2f6fd0']], places: ['sea'], times: ['sunset'] },
      prompt,
    );
  }
});

test('what is not known is listed, and each thing understood is explained', () => {
  const { unknown, lines } = readPrompt('a fox with a zorblax at night');
  assert.deepEqual(unknown, ['zorblax']);
  assert.deepEqual(lines, ['Subject: 1 × fox.', 'Time of day: night.', 'Not known to this illustrator: zorblax.']);
});

test('every prompt can be read', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), (prompt) => {
      const reading = readPrompt(prompt);
      assert.deepEqual(JSON.parse(JSON.stringify(reading)), reading);
    }),
  );
});

test('every word leads to something that can be painted', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    subject: Object.keys(FIGURES),
    place: Object.keys(PLACES),
    time: TIMES,
    style: STYLES,
    camera: CAMERA_MOVES,
  };
  for (const { name, words } of LANGUAGES) {
    assert.ok(words.size > 150, `${name} has ${words.size} words`);
    for (const [word, meanings] of words) {
      for (const { group, id } of meanings) {
        const known = names[group];
        assert.ok(known === undefined || known.includes(id), `${name}: ${word} means ${group} ${id}`);
        if (group === 'colour') assert.match(id, /^#[0-9a-f]{6}$/);
      }
    }
  }
});

test('colours are explained by name', () => {
  assert.deepEqual(readPrompt('a red fox').lines, ['Subject: 1 × fox (red).']);
});

test('one thing named by two words is one thing', () => {
  assert.equal(readPrompt('a cup of coffee').subjects.length, 1);
  assert.equal(readPrompt('a man and a woman').subjects.length, 2);
  assert.equal(readPrompt('a red apple and a green apple').subjects.length, 2);
});

test('a prompt of ten thousand characters is read quickly and stays small', () => {
  const reading = readPrompt('red boat, green fox, blue house and 12 cats '.repeat(240));
  assert.ok(reading.subjects.length <= 8);
});
