import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Figure } from '../model/scene.ts';
import { composeScene } from './compose-scene.ts';

function figuresOf(prompt: string, seed = 1): (kind: string) => Figure {
  const { figures } = composeScene({ prompt, seed });
  return (kind) => {
    const found = figures.find((each) => each.kind === kind);
    assert.ok(found !== undefined, `${prompt}: no ${kind} among ${figures.map((each) => each.kind).join(', ')}`);
    return found;
  };
}

test('a figure on another stands on it and is painted after it', () => {
  for (const [prompt, above, below] of [
    ['a cat on a sofa', 'cat', 'sofa'],
    ['a butterfly on a flower', 'butterfly', 'flower'],
    ['an owl on a branch', 'owl', 'branch'],
    ['a penguin on an iceberg', 'penguin', 'iceberg'],
    ['a train crossing a bridge', 'train', 'bridge'],
    ['an old man in a rowboat', 'person', 'rowboat'],
  ] as const) {
    const of = figuresOf(prompt);
    assert.equal(of(above).x, of(below).x, prompt);
    assert.ok((of(above).lift ?? 0) > 0.2 * of(below).size, prompt);
    assert.ok(of(above).y > of(below).y, prompt);
  }
});

test('a figure under another stands on the ground below it', () => {
  const of = figuresOf('a black cat under a table');
  assert.equal(of('cat').x, of('table').x);
  assert.equal(of('cat').lift, undefined);
  assert.ok(of('cat').size < of('table').size);
});

test('a figure in front of another is nearer', () => {
  const of = figuresOf('a dog in front of a house');
  assert.ok(of('dog').y > of('house').y + 0.2);
});

test('a figure above another flies over it', () => {
  const of = figuresOf('a bird above a house');
  assert.ok(Math.abs(of('bird').x - of('house').x) < 0.01);
  assert.equal(of('bird').where, 'air');
  assert.equal(figuresOf('a dragon flying over a castle')('dragon').where, 'air');
  assert.equal(figuresOf('a dragon and a castle')('dragon').where, 'ground');
});

test('left of one thing is right of the other', () => {
  for (const seed of [1, 2, 3, 4]) {
    const of = figuresOf('a dog on the left of a house', seed);
    assert.ok(of('dog').x < 0 && of('house').x > 0);
  }
});

test('hats and flowers in the hair are worn', () => {
  const of = figuresOf('a cat wearing a hat');
  assert.ok((of('hat').lift ?? 0) > of('cat').size * 0.5);
  const portrait = figuresOf('a portrait of a woman with a flower in her hair');
  assert.ok((portrait('flower').lift ?? 0) > portrait('portrait').size * 0.5);
});

test('small things stand on a table, whether it was named or not', () => {
  for (const prompt of ['a cup of coffee on a wooden table', 'sushi', 'a teapot and two cups']) {
    const { figures, world } = composeScene({ prompt, seed: 2 });
    assert.equal(world, 'room', prompt);
    assert.equal(figures.filter((each) => each.kind === 'table').length, 1, prompt);
    for (const figure of figures) if (figure.kind !== 'table') assert.ok((figure.lift ?? 0) > 0.2, prompt);
  }
});

test('a close view shows things large, a wide one small', () => {
  const size = (prompt: string) => figuresOf(prompt)('fox').size;
  assert.ok(size('a fox, close-up') > size('a fox') * 1.3);
  assert.ok(size('a fox, wide shot') < size('a fox') * 0.8);
});

test('from above more ground is seen, from below more sky', () => {
  const horizon = (prompt: string) => composeScene({ prompt, seed: 1 }).horizon;
  assert.ok(horizon('a castle, aerial view') < horizon('a castle') - 0.15);
  assert.ok(horizon('a castle, low angle') > horizon('a castle') + 0.1);
});

test('flying figures do not overlap a banner', () => {
  const { figures } = composeScene({ prompt: 'balloons and "HAPPY BIRTHDAY"', seed: 3 });
  for (const figure of figures) assert.ok(figure.y > 0.5);
});

test('the light of a film changes to the second time of day in the prompt', () => {
  const scene = composeScene({ prompt: 'day turning to night over a lake', seed: 1 });
  assert.equal(scene.time, 'day');
  assert.equal(scene.becomes?.time, 'night');
  assert.equal(composeScene({ prompt: 'a lake at night', seed: 1 }).becomes, undefined);
});

test('figures that the prompt says move do so in films and stand in stills', () => {
  assert.equal(figuresOf('a horse running over a meadow')('horse').action, 'run');
  assert.equal(figuresOf('a dog walking on the beach')('dog').action, 'walk');
  assert.equal(figuresOf('a dog on the beach')('dog').action, undefined);
});

test('things are related in every language', () => {
  for (const prompt of ['eine Katze auf einem Sofa', 'un chat sur un canapé', 'un gato sobre un sofá']) {
    const of = figuresOf(prompt);
    assert.ok((of('cat').lift ?? 0) > 0, prompt);
  }
});
