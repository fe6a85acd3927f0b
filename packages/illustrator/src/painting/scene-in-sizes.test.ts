import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { composeScene } from '../composition/compose-scene.ts';
import { createStage } from '../model/stage.ts';
import { placeAt } from './figures/placement.ts';
import { paintScene } from './paint-scene.ts';

/** Sides from 64 to 4096 pixels, from eight times as tall as wide to eight times as wide as tall. */
const SIDES = fc
  .record({
    long: fc.integer({ min: 64, max: 4096 }),
    ratio: fc.double({ min: 1, max: 8, noNaN: true }),
    tall: fc.boolean(),
  })
  .map(({ long, ratio, tall }) => {
    const short = Math.max(64, Math.round(long / ratio));
    return tall ? { width: short, height: long } : { width: long, height: short };
  });

const PROMPTS = [
  'a house on the left, a tree on the right and a dog in the middle of a meadow',
  'three boats on a lake and a bird in the sky',
  'an astronaut riding a horse, a cat on a table',
  'five hot air balloons over mountains',
];

test('the same things stand at the same relative places in every size and ratio', () => {
  const places = ({ width, height }: { width: number; height: number }, prompt: string) => {
    const scene = composeScene({ prompt, seed: 4 });
    const stage = createStage(scene, { width, height });
    return scene.figures.map((figure) => {
      const { x, y, size } = placeAt(stage, figure, 0);
      assert.ok(Math.abs(x) <= stage.frame.right && y > 0 && y <= stage.frame.bottom + 0.01, figure.kind);
      // The frame decides how far apart things stand, their size follows the shorter side.
      return {
        kind: figure.kind,
        across: Math.round(((x - (figure.shift ?? 0)) / stage.frame.right) * 1e6) / 1e6,
        size: Math.round(size * 1e6) / 1e6,
      };
    });
  };
  fc.assert(
    fc.property(SIDES, fc.constantFrom(...PROMPTS), (sides, prompt) => {
      assert.deepEqual(places(sides, prompt), places({ width: 1024, height: 1024 }, prompt));
    }),
    { numRuns: 200 },
  );
});

test('a subject is seen on its side of the picture, from a tall strip to a wide one', () => {
  for (const [width, height] of [
    [64, 512],
    [64, 64],
    [512, 64],
    [256, 144],
  ] as const) {
    for (const [side, from, to] of [
      ['left', 0, 0.5],
      ['right', 0.5, 1],
    ] as const) {
      const data = paintScene(composeScene({ prompt: `a red boat on the ${side} on the sea at day`, seed: 3 }), {
        width,
        height,
      }).data();
      let [weighed, count] = [0, 0];
      for (let at = 0; at < data.length; at += 4) {
        if (data[at]! < 110 || data[at]! < data[at + 1]! + 60 || data[at]! < data[at + 2]! + 60) continue;
        weighed += (at / 4) % width;
        count++;
      }
      const middle = weighed / count / width;
      assert.ok(count > 3 && middle > from && middle < to, `${side} at ${width}x${height}: ${count}, ${middle}`);
    }
  }
});
