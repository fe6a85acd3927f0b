import { BIRDS } from './birds.ts';
import type { Drawing, Movement, Part } from './drawing.ts';
import { JUNGLE_ANIMALS } from './jungle-animals.ts';

const beat = (x: number, y: number, period: number): Movement => ({ kind: 'beat', x, y, amount: 1.25, period });

/** Wings to both sides, for those who look at us. */
const SPREAD: readonly Part[] = [
  {
    path: 'M34 46 C14 16 -20 8 -46 14 C-38 24 -40 30 -34 36 C-36 42 -26 48 -22 50 C-18 60 4 66 34 66 Z M66 46 C86 16 120 8 146 14 C138 24 140 30 134 36 C136 42 126 48 122 50 C118 60 96 66 66 66 Z',
    fill: 'main',
    move: beat(50, 56, 0.8),
  },
  {
    path: 'M34 56 C10 46 -10 44 -30 46 C-22 52 -10 62 34 66 Z M66 56 C90 46 110 44 130 46 C122 52 110 62 66 66 Z',
    fill: 'shade',
    move: beat(50, 56, 0.8),
  },
];
/** One wing behind the body and one before it, for those seen from the side. */
const FAR_WING: Part = {
  path: 'M44 60 C50 34 72 10 100 2 C98 30 84 52 66 66 Z',
  fill: 'deep',
  move: beat(50, 62, 0.5),
};
const NEAR_WING: Part = {
  path: 'M34 62 C24 36 2 14 -24 6 C-20 34 2 58 56 72 Z',
  fill: 'light',
  move: beat(46, 66, 0.5),
};

function partsOf(drawing: Drawing | undefined): readonly Part[] {
  return drawing?.parts ?? [];
}

const { owl, duck } = BIRDS;
const { swan, parrot } = JUNGLE_ANIMALS;

/** How those fly who are otherwise drawn sitting or swimming. */
export const ON_THE_WING: Readonly<Record<string, Drawing>> = {
  owl: {
    ...owl!,
    // Folded wings and the feet on the branch are left out.
    parts: [
      ...SPREAD,
      ...partsOf(owl).filter(({ path, line }) => line !== 'accentShade' && !path.startsWith('M24 50')),
    ],
  },
  duck: { ...duck!, parts: [FAR_WING, ...partsOf(duck), NEAR_WING] },
  swan: { ...swan!, parts: [FAR_WING, ...partsOf(swan), NEAR_WING] },
  parrot: {
    ...parrot!,
    parts: [FAR_WING, ...partsOf(parrot).filter(({ line }) => line !== 'wood'), { ...NEAR_WING, fill: 'accent' }],
  },
};
