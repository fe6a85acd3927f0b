import type { Movement, Part } from '../../model/drawing.ts';

export const wingBeat = (x: number, y: number, period: number): Movement => ({
  kind: 'beat',
  x,
  y,
  amount: 1.25,
  period,
});

/** A wing behind the body; `NEAR_WING` is in front of it, for figures seen from the side. */
export const FAR_WING: Part = {
  path: 'M44 60 C50 34 72 10 100 2 C98 30 84 52 66 66 Z',
  fill: 'deep',
  move: wingBeat(50, 62, 0.5),
};

export const NEAR_WING: Part = {
  path: 'M34 62 C24 36 2 14 -24 6 C-20 34 2 58 56 72 Z',
  fill: 'light',
  move: wingBeat(46, 66, 0.5),
};
