import { figureKind } from '../figures/figures.ts';
import type { Figure } from '../model/scene.ts';
import { reachOf } from './reach-of.ts';

/** Minimum ratio of a support's height to that of the things that lean against it. */
const TALLER = 1.25;
const TALLEST = 0.62;
/** Enlargement of both, which are closer to the viewer as the picture's only subject. */
const CLOSER = 1.7;
/** Maximum share of the support's width that the row fills. */
const FILLED = 0.86;

/** Stands figures in a row in front of their support, all of them visible. Changes the groups in place. */
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
  // All have one size, since they are as far from the viewer as the wall.
  const step = widest * scale * 2.06;
  const aside = isNarrow ? widest * 0.7 : 0;
  leaning.forEach((figure, index) => {
    const shift = (index - (leaning.length - 1) / 2) * step + aside;
    leaning[index] = { ...figure, x: wall.x, y: wall.y + 0.04 + 0.002 * index, shift, size: own };
  });
}
