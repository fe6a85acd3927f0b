import { figureKind } from '../figures/figures.ts';
import type { Figure } from '../model/scene.ts';
import { reachOf } from './reach-of.ts';

/** A support is at least this much taller than the things that lean against it. */
const TALLER = 1.25;
const TALLEST = 0.62;
/** How much closer to the viewer both are, as the picture's only subject. */
const CLOSER = 1.7;
/** The row fills at most this part of the width of what it leans against. */
const FILLED = 0.86;

/** Stands figures in a row in front of what they lean against, all of them in sight. Changes the groups in place. */
export function leanAgainst(leaning: Figure[], behind: Figure[]): void {
  const [support] = behind;
  if (support === undefined || support.where === 'air' || leaning.some(({ where }) => where === 'air')) return;
  const tallest = Math.max(...leaning.map(({ size }) => size)) * CLOSER;
  const size = Math.min(TALLEST, Math.max(support.size, tallest * TALLER));
  const wall: Figure = { ...support, x: support.x * 0.3, y: 0.42, size };
  behind[0] = wall;
  const { half } = reachOf(wall);
  const widest = Math.max(...leaning.map((figure) => reachOf(figure).half * CLOSER));
  const isNarrow = figureKind(wall.kind).hasStem === true || half < widest;
  const scale = isNarrow ? 1 : Math.min(1, (half * FILLED) / (widest * leaning.length));
  const own = Math.min(TALLEST, tallest * scale);
  // All of one size: as far from the viewer as the wall is.
  const step = widest * scale * 2.06;
  const aside = isNarrow ? widest * 0.7 : 0;
  leaning.forEach((figure, index) => {
    const shift = (index - (leaning.length - 1) / 2) * step + aside;
    leaning[index] = { ...figure, x: wall.x, y: wall.y + 0.04 + 0.002 * index, shift, size: own };
  });
}
