import { FIGURES } from '../../figures/figures.ts';
import { chanceAt, deriveSeed } from '../../model/random.ts';
import type { Figure } from '../../model/scene.ts';
import type { Stage } from '../../model/stage.ts';

/** Scatters plants over an endless field, so that a wider view shows more of them, and never in front of a subject. */
export function grownFigures(stage: Stage): Figure[] {
  const { growth, figures, seed } = stage.scene;
  const grown: Figure[] = [];
  for (const { kind, density } of growth) {
    const stand = FIGURES[kind]?.growth?.stand;
    if (stand === undefined || figures.some((figure) => figure.kind === kind && figures.length > 3)) continue;
    for (const depth of stand.depths) {
      const near = 0.18 + depth * 0.95;
      const cell = stand.spacing * near;
      for (let index = Math.floor(stage.seen.left / cell) - 1; index * cell < stage.seen.right + cell; index++) {
        const grove = chanceAt(seed, kind, 'grove', Math.floor(index / 3), depth);
        if (chanceAt(seed, kind, index, depth) > density * (0.4 + grove)) continue;
        const x = (index + chanceAt(seed, kind, 'x', index, depth)) * cell;
        const y = depth + (chanceAt(seed, kind, 'y', index, depth) - 0.5) * 0.05;
        const size = stand.size * near * (0.7 + 0.5 * chanceAt(seed, kind, 's', index, depth));
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

/** Gives each tree the scene's foliage colour, or one of the autumn colours. */
function colourOf(stage: Stage, kind: string, index: number): string | null {
  if (FIGURES[kind]?.followsFoliage !== true) return null;
  const { foliage } = stage.scene.palette;
  const autumn = ['#c9702b', '#d9962f', '#b5452f', '#8f9a3c'];
  const red = Number.parseInt(foliage.slice(1, 3), 16);
  const green = Number.parseInt(foliage.slice(3, 5), 16);
  return red > green
    ? (autumn[Math.floor(chanceAt(stage.scene.seed, 'hue', index) * autumn.length)] as string)
    : foliage;
}
