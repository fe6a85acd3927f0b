import { oval, type Part, rectangle } from '../../model/drawing.ts';

export const FACE: readonly Part[] = [
  { path: rectangle(46, 24, 8, 8), fill: 'skin' },
  { path: oval(50, 16, 10, 11), fill: 'skin' },
  { path: `${oval(51, 15, 1.3)} ${oval(57, 15, 1.3)}`, fill: 'ink' },
];

export const SHOE = { tone: 'ink', width: 4, back: 4, front: 6 } as const;

/** Draws an arm; with a side, it swings when the person walks; without one, it holds something. */
export const arm = (path: string, turn = 5, side?: 'near' | 'far'): Part => {
  const [, x = '50', y = '36'] = /^M(\d+) (\d+)/.exec(path) ?? [];
  const swing = { kind: 'swing', x: Number(x), y: Number(y), amount: turn, period: 2.2 } as const;
  return { path, line: 'main', width: 7, move: side === undefined ? swing : { ...swing, arm: side } };
};

export const LONG_HAIR: Part = {
  path: 'M38 36 C34 6 44 0 52 2 C64 3 66 16 63 34 C61 28 61 18 58 11 C50 10 46 14 44 22 C43 30 41 34 38 36 Z',
  fill: 'wood',
};

export const TORSO: readonly Part[] = [
  { path: 'M37 34 C44 28 56 28 63 34 L65 68 H35 Z', fill: 'main' },
  { path: 'M53 29 L63 34 L65 68 H54 Z', fill: 'shade' },
];

export const ROBE: readonly Part[] = [
  { path: 'M38 32 C44 28 56 28 62 32 L74 98 H26 Z', fill: 'main' },
  { path: 'M54 29 L62 32 L74 98 H56 Z', fill: 'shade' },
];
