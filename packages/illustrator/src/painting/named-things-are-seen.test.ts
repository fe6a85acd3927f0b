import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeScene } from '../composition/compose-scene.ts';
import { drawingOf, FIGURES } from '../figures/figures.ts';
import type { Figure, Scene } from '../model/scene.ts';
import { createStage } from '../model/stage.ts';
import { placeAt } from './figures/placement.ts';
import { paintScene } from './paint-scene.ts';

const SIZE = { width: 240, height: 160 };
const SEEDS = [1, 2, 3];

function find(scene: Scene, kind: string): Figure {
  const found = scene.figures.find((each) => each.kind === kind);
  assert.ok(found, `no ${kind} among ${scene.figures.map((each) => each.kind)}`);
  return found;
}

function pixelsOf(scene: Scene): Uint8ClampedArray {
  return new Uint8ClampedArray(paintScene(scene, SIZE).data());
}

test('a bowl of oranges on a table shows oranges, in a bowl, on the table', () => {
  for (const seed of SEEDS) {
    const scene = composeScene({ prompt: 'a bowl of oranges on a table', seed });
    const [bowl, table] = [find(scene, 'orange_bowl'), find(scene, 'table')];
    assert.ok(Math.abs((bowl.lift ?? 0) - table.size * 0.78) < 1e-9);
    const pixels = pixelsOf(scene);
    let orange = 0;
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at]! > 190 && pixels[at]! - pixels[at + 2]! > 130 && pixels[at]! - pixels[at + 1]! > 60) orange++;
    assert.ok(orange > 400, `seed ${seed}: ${orange} orange pixels`);
  }
  for (const prompt of ['eine Schale mit Orangen', "un bol d'oranges", 'un bol de naranjas'])
    assert.equal(composeScene({ prompt, seed: 1 }).figures.at(-1)?.kind, 'orange_bowl', prompt);
});

test('two bicycles against a wall stand side by side in front of it', () => {
  for (const prompt of ['two bicycles against a wall', 'zwei Fahrräder an einer Mauer'])
    for (const seed of SEEDS) {
      const scene = composeScene({ prompt, seed });
      const stage = createStage(scene, SIZE);
      const bicycles = scene.figures.filter(({ kind }) => kind === 'bicycle');
      const wall = find(scene, 'wall');
      assert.equal(bicycles.length, 2, prompt);
      const [left, right] = bicycles.map((each) => placeAt(stage, each, 0)).sort((a, b) => a.x - b.x);
      assert.ok(right!.x - left!.x > left!.size * 1.2, 'they hide each other');
      for (const { x, y, size } of [left!, right!]) {
        assert.ok(y > placeAt(stage, wall, 0).y, 'the wall hides them');
        assert.ok(Math.abs(x) + size * 0.8 < stage.frame.right, 'the frame cuts them');
        assert.ok(Math.abs(x - placeAt(stage, wall, 0).x) < wall.size * 1.8, 'they stand beside the wall');
        assert.ok(size < wall.size, 'the wall is lower');
      }
    }
});

test('an old fisherman is old and fishes', () => {
  const fishing = (prompt: string) => find(composeScene({ prompt, seed: 1 }), 'fisherman');
  for (const prompt of ['an old fisherman', 'ein alter Fischer', 'un vieux pêcheur', 'un pescador viejo']) {
    assert.deepEqual(fishing(prompt).features, ['old'], prompt);
    assert.equal(drawingOf(fishing(prompt)), FIGURES.fisherman!.aged);
  }
  assert.equal(drawingOf(fishing('a fisherman')), FIGURES.fisherman!.drawing);
  const man = find(composeScene({ prompt: 'an old man walking in the park', seed: 1 }), 'person');
  assert.equal(drawingOf(man), FIGURES.person!.aged);
  assert.equal(find(composeScene({ prompt: 'an old castle', seed: 1 }), 'castle').features, undefined);
});

test('a cat sleeping on a windowsill lies curled up on the sill, below the window', () => {
  for (const prompt of [
    'a cat sleeping on a windowsill',
    'a sleeping cat on a windowsill',
    'eine Katze schläft auf einer Fensterbank',
  ])
    for (const seed of SEEDS) {
      const scene = composeScene({ prompt, seed });
      const [cat, sill] = [find(scene, 'cat'), find(scene, 'windowsill')];
      assert.equal(drawingOf(cat), FIGURES.cat!.asleep, prompt);
      const stage = createStage(scene, SIZE);
      const [at, below] = [placeAt(stage, cat, 0), placeAt(stage, sill, 0)];
      assert.ok(Math.abs(at.x - below.x) < sill.size, 'beside the sill');
      assert.ok(Math.abs(below.y - at.y - sill.size * 0.99) < 0.01, 'not on the sill');
    }
  assert.equal(
    drawingOf(find(composeScene({ prompt: 'a cat on a windowsill', seed: 1 }), 'cat')),
    FIGURES.cat!.drawing,
  );
});

test('a castle in woodcut is lighter than the land it stands on', () => {
  for (const seed of SEEDS) {
    const scene = composeScene({ prompt: 'a castle in woodcut', seed });
    const castle = find(scene, 'castle');
    const stage = createStage(scene, SIZE);
    const { x, y, size } = placeAt(stage, castle, 0);
    const pixels = pixelsOf(scene);
    /** Share of paper in a box in units of the castle's height about its foot. */
    const paper = (left: number, right: number, top: number, bottom: number): number => {
      let [light, all] = [0, 0];
      for (let row = Math.round((y - top * size) * stage.unit); row < (y - bottom * size) * stage.unit; row++)
        for (
          let column = Math.round((x + left * size + stage.frame.right) * stage.unit);
          column < (x + right * size + stage.frame.right) * stage.unit;
          column++, all++
        )
          if (pixels[(row * SIZE.width + column) * 4]! > 140) light++;
      return light / all;
    };
    const walls = paper(-0.3, 0.3, 0.36, 0.3);
    const land = paper(-1, 1, -0.04, -0.16);
    assert.ok(
      walls > 0.8 && walls > land + 0.15,
      `seed ${seed}: ${walls} of the walls and ${land} of the land are paper`,
    );
  }
});
