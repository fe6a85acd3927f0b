import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { composeScene } from '../../composition/compose-scene.ts';
import { drawingOf, FIGURES } from '../../figures/figures.ts';
import type { Leg } from '../../model/drawing.ts';
import { createStage } from '../../model/stage.ts';
import { paceOf, strideAt } from './gait.ts';
import { placeAt } from './placement.ts';

const FILM = { width: 160, height: 90, duration: 5 };
const LEGS: Readonly<Record<string, readonly Leg[]>> = {
  person: ['near', 'far'],
  horse: ['hind near', 'hind far', 'front near', 'front far'],
  fox: ['hind near', 'hind far', 'front near', 'front far'],
};

test('a foot on the ground stays where it is while the body passes over it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(LEGS)),
      fc.double({ min: 0.1, max: 0.6, noNaN: true }),
      fc.double({ min: 0, max: 3, noNaN: true }),
      (kind, size, time) => {
        const figure = { kind, size, action: 'walk', where: 'ground', seed: 7 } as const;
        const drawing = drawingOf(figure)!;
        const pace = paceOf(figure, drawing, 0, 0)!;
        const step = 0.002;
        for (const leg of LEGS[kind]!) {
          const [from, to] = [time, time + step].map((at) => strideAt(pace, figure, drawing, at).footOf(leg)!);
          if (from!.y < 0 || to!.y < 0) continue;
          const slid = (to!.x - from!.x) * (size / 100) + pace.speed * step;
          assert.ok(Math.abs(slid) < pace.speed * step * 0.02, `${kind} of ${size} slides by ${slid}`);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('walking figures always have a foot on the ground, galloping ones sometimes none', () => {
  const down = (kind: string, action: 'walk' | 'run') => {
    const figure = { kind, size: 0.4, action, where: 'ground', seed: 1 } as const;
    const drawing = drawingOf(figure)!;
    const pace = paceOf(figure, drawing, 5, 1.2)!;
    return Array.from({ length: 200 }, (_, at) => {
      const posture = strideAt(pace, figure, drawing, at / 60);
      return LEGS[kind]!.filter((leg) => posture.footOf(leg)!.y === 0).length;
    });
  };
  for (const kind of Object.keys(LEGS)) {
    assert.ok(Math.min(...down(kind, 'walk')) > 0, kind);
    assert.equal(Math.min(...down(kind, 'run')), 0, kind);
  }
});

test('what rides, is worn or is held stays with its carrier through the film', () => {
  for (const [prompt, carried, carrier] of [
    ['an astronaut riding a horse on the moon', 'astronaut', 'horse'],
    ['a man riding a bicycle in the park', 'person', 'bicycle'],
    ['a man wearing a hat walking in a forest', 'hat', 'person'],
    ['a woman with a red umbrella walking in the rain', 'umbrella', 'woman'],
  ] as const) {
    const scene = composeScene({ prompt, seed: 4 });
    const stage = createStage(scene, FILM);
    const xOf = (kind: string, time: number) =>
      placeAt(stage, scene.figures.find((each) => each.kind === kind)!, time).x;
    assert.ok(Math.abs(xOf(carrier, 4.9) - xOf(carrier, 0)) > 0.1, `${prompt}: does not go`);
    for (const time of [0, 1.3, 4.9])
      assert.ok(Math.abs(xOf(carried, time) - xOf(carried, 2) - (xOf(carrier, time) - xOf(carrier, 2))) < 1e-9, prompt);
  }
});

test('no figure leaves the picture, however long the film is', () => {
  for (const prompt of ['a horse running over a meadow', 'a red car on a road', 'a man walking'])
    for (const duration of [2, 5, 20]) {
      const scene = composeScene({ prompt, seed: 2 });
      const stage = createStage(scene, { ...FILM, duration });
      const figure = scene.figures.find(({ kind }) => ['horse', 'car', 'person'].includes(kind))!;
      for (const time of [0, duration]) {
        const { x } = placeAt(stage, figure, time);
        assert.ok(Math.abs(x) < stage.frame.right + 0.1, `${prompt}, ${duration} s: ${x}`);
      }
    }
});

test('a wheel without a rider stands, a leg is straight lines', () => {
  const scene = composeScene({ prompt: 'a bicycle in the park', seed: 1 });
  const stage = createStage(scene, FILM);
  const bicycle = scene.figures.find(({ kind }) => kind === 'bicycle')!;
  assert.equal(placeAt(stage, bicycle, 4).x, placeAt(stage, bicycle, 0).x);
  for (const [kind, { drawing }] of Object.entries(FIGURES))
    for (const { path, step } of drawing.parts)
      if (step !== undefined) assert.match(path, /^M[-\d. ]+( L[-\d. ]+)+$/, kind);
});
