import { chanceAt, deriveSeed } from './random.ts';
import type { Figure } from './scene.ts';
import type { Stage } from './stage.ts';

interface Habit {
  /** Between two plants at full density, in world units, for one in the foreground. */
  readonly spacing: number;
  readonly size: number;
  /** From the horizon (0) to the viewer (1). */
  readonly depths: readonly number[];
}

const HABITS: Readonly<Record<string, Habit>> = {
  pine: { spacing: 0.34, size: 0.36, depths: [0.03, 0.08, 0.16, 0.3, 0.5] },
  tree: { spacing: 0.5, size: 0.34, depths: [0.04, 0.1, 0.2, 0.34] },
  cactus: { spacing: 0.55, size: 0.26, depths: [0.06, 0.16, 0.34, 0.6] },
  lantern: { spacing: 0.8, size: 0.34, depths: [0.16, 0.28] },
  bamboo: { spacing: 0.62, size: 1.6, depths: [0.03, 0.1, 0.24] },
  palm: { spacing: 0.5, size: 1.15, depths: [0.03, 0.1, 0.2] },
};

/** What stands about as figures of its own kind: on an endless field, so that a wider view shows more of it, and never before a subject. */
export function grownFigures(stage: Stage): Figure[] {
  const { growth, figures, seed } = stage.scene;
  const grown: Figure[] = [];
  for (const { kind, density } of growth) {
    const habit = HABITS[kind];
    if (habit === undefined || figures.some((figure) => figure.kind === kind && figures.length > 3)) continue;
    for (const depth of habit.depths) {
      const near = 0.18 + depth * 0.95;
      const cell = habit.spacing * near;
      for (let index = Math.floor(stage.seen.left / cell) - 1; index * cell < stage.seen.right + cell; index++) {
        const grove = chanceAt(seed, kind, 'grove', Math.floor(index / 3), depth);
        if (chanceAt(seed, kind, index, depth) > density * (0.4 + grove)) continue;
        const x = (index + chanceAt(seed, kind, 'x', index, depth)) * cell;
        const y = depth + (chanceAt(seed, kind, 'y', index, depth) - 0.5) * 0.05;
        const size = habit.size * near * (0.7 + 0.5 * chanceAt(seed, kind, 's', index, depth));
        if (figures.some((figure) => hides(stage, { x, y, size }, figure))) continue;
        grown.push({
          kind,
          x: x / stage.frame.right,
          y: Math.max(0.012, y),
          where: 'ground',
          size,
          flip: chanceAt(seed, kind, 'f', index, depth) < 0.5,
          colour: colourOf(stage, kind, index),
          seed: deriveSeed(seed, kind, index, depth * 100),
        });
      }
    }
  }
  return grown;
}

function hides(stage: Stage, plant: { x: number; y: number; size: number }, figure: Figure): boolean {
  if (figure.where === 'air') return false;
  const distance = Math.abs(plant.x - figure.x * stage.frame.right);
  return distance < figure.size * 0.75 + plant.size * 0.2 && plant.y > figure.y - 0.14;
}

/** Trees of one kind differ a little, and follow the scene's foliage. */
function colourOf(stage: Stage, kind: string, index: number): string | null {
  if (kind !== 'tree') return null;
  const { foliage } = stage.scene.palette;
  const autumn = ['#c9702b', '#d9962f', '#b5452f', '#8f9a3c'];
  const red = Number.parseInt(foliage.slice(1, 3), 16);
  const green = Number.parseInt(foliage.slice(3, 5), 16);
  return red > green
    ? (autumn[Math.floor(chanceAt(stage.scene.seed, 'hue', index) * autumn.length)] as string)
    : foliage;
}
