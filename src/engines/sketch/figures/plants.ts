import { type Drawing, oval, rectangle } from './drawing.ts';

const SWAY = { kind: 'swing', x: 50, y: 98, amount: 1.4, period: 4.2 } as const;

export const PLANTS: Readonly<Record<string, Drawing>> = {
  tree: {
    main: '#5f9447',
    parts: [
      { path: 'M45 100 C47 84 46 70 44 56 L50 62 L56 52 C54 70 54 84 57 100 C54 102 48 102 45 100 Z', fill: 'wood' },
      {
        path: [
          oval(28, 46, 19),
          oval(72, 46, 19),
          oval(50, 50, 22),
          oval(38, 26, 20),
          oval(63, 27, 20),
          oval(50, 14, 16),
        ].join(' '),
        fill: 'shade',
        move: SWAY,
      },
      {
        path: [
          oval(26, 42, 15),
          oval(66, 42, 15),
          oval(46, 44, 17),
          oval(36, 23, 16),
          oval(58, 24, 16),
          oval(47, 11, 12),
        ].join(' '),
        fill: 'main',
        move: SWAY,
      },
      {
        path: [oval(23, 37, 8), oval(33, 17, 9), oval(45, 6, 7), oval(56, 19, 7), oval(44, 36, 8)].join(' '),
        fill: 'light',
        alpha: 0.65,
        move: SWAY,
      },
    ],
  },
  pine: {
    main: '#3f7257',
    parts: [
      { path: rectangle(46.5, 84, 7, 16), fill: 'wood' },
      { path: 'M50 34 L80 88 H20 Z', fill: 'shade', move: SWAY },
      { path: 'M50 18 L74 66 H26 Z', fill: 'main', move: SWAY },
      { path: 'M50 0 L68 44 H32 Z', fill: 'light', move: SWAY },
      { path: 'M50 0 L68 44 H52 Z M50 44 L74 66 H52 Z M50 66 L80 88 H52 Z', fill: 'deep', alpha: 0.35, move: SWAY },
    ],
  },
  palm: {
    main: '#4f9448',
    parts: [
      { path: 'M40 100 C44 74 48 52 58 28 L63 30 C56 54 52 76 51 100 Z', fill: 'wood' },
      {
        path: 'M60 28 C40 14 20 18 8 34 C26 30 42 30 60 30 Z M60 28 C52 6 36 -2 20 2 C36 8 48 18 60 30 Z M60 28 C66 4 82 -4 98 2 C84 8 72 16 60 30 Z',
        fill: 'main',
        move: { ...SWAY, x: 60, y: 30, amount: 3 },
      },
      {
        path: 'M60 28 C80 14 98 20 108 38 C92 32 76 30 60 30 Z M60 28 C44 32 30 44 26 62 C38 50 50 40 60 31 Z M60 28 C78 34 90 46 92 64 C82 50 72 40 60 31 Z',
        fill: 'shade',
        move: { ...SWAY, x: 60, y: 30, amount: 3 },
      },
      { path: `${oval(56, 33, 3.6)} ${oval(64, 34, 3.6)}`, fill: 'wood' },
    ],
  },
  blossom: {
    main: '#f2a9c0',
    parts: [
      {
        path: 'M44 100 C48 84 42 70 34 54 L39 52 C46 62 50 66 51 58 L52 40 L57 40 C56 60 62 56 70 46 L74 49 C62 66 54 78 58 100 Z',
        fill: 'wood',
      },
      {
        path: [
          oval(24, 44, 19),
          oval(76, 40, 20),
          oval(50, 48, 20),
          oval(36, 24, 20),
          oval(64, 22, 20),
          oval(50, 12, 15),
        ].join(' '),
        fill: 'shade',
        move: SWAY,
      },
      {
        path: [oval(21, 40, 14), oval(71, 36, 15), oval(46, 42, 15), oval(33, 20, 15), oval(60, 18, 15)].join(' '),
        fill: 'main',
        move: SWAY,
      },
      {
        path: [oval(18, 35, 7), oval(31, 15, 8), oval(56, 13, 8), oval(70, 30, 7), oval(45, 35, 7)].join(' '),
        fill: 'pale',
        alpha: 0.8,
        move: SWAY,
      },
    ],
  },
  cactus: {
    main: '#4f8a5b',
    accent: '#e8749e',
    parts: [
      { path: 'M50 100 V14', line: 'main', width: 18 },
      { path: 'M50 66 H24 V40', line: 'main', width: 11 },
      { path: 'M50 54 H78 V28', line: 'main', width: 11 },
      { path: 'M54 100 V14 M26 66 V40 M80 54 V28', line: 'shade', width: 3.4 },
      { path: 'M46 100 V14 M21 62 V40 M75 50 V28', line: 'light', width: 1.6, alpha: 0.7 },
      { path: `${oval(50, 3, 5)} ${oval(24, 33, 3.6)} ${oval(78, 21, 3.6)}`, fill: 'accent' },
    ],
  },
  flower: {
    main: '#d8453a',
    accent: '#f2c230',
    parts: [
      { path: 'M50 100 C52 78 48 60 50 38', line: 'leaf', width: 3.4, move: SWAY },
      {
        path: 'M51 84 C66 82 78 70 82 58 C66 60 54 70 51 84 Z M50 92 C36 90 24 80 20 68 C36 70 47 80 50 92 Z',
        fill: 'leafShade',
        move: SWAY,
      },
      { path: [0, 72, 144, 216, 288].map((angle) => petal(angle)).join(' '), fill: 'shade', move: SWAY },
      { path: [36, 108, 180, 252, 324].map((angle) => petal(angle)).join(' '), fill: 'main', move: SWAY },
      { path: oval(50, 28, 9), fill: 'accent', move: SWAY },
      { path: oval(50, 28, 5), fill: 'accentShade', move: SWAY },
    ],
  },
  mushroom: {
    main: '#c8352e',
    parts: [
      { path: 'M38 54 C42 70 40 86 34 98 C42 101 60 101 68 98 C60 86 60 70 62 54 Z', fill: 'white' },
      { path: 'M54 54 C56 70 58 86 60 99 C64 99 66 99 68 98 C60 86 60 70 62 54 Z', fill: 'grey' },
      { path: 'M2 56 C2 22 28 4 50 4 C74 4 98 22 98 56 C84 64 68 60 50 60 C32 60 16 64 2 56 Z', fill: 'main' },
      { path: 'M2 56 C16 64 32 60 50 60 C68 60 84 64 98 56 C86 52 68 50 50 50 C32 50 14 52 2 56 Z', fill: 'deep' },
      {
        path: `${oval(34, 26, 8, 6.5)} ${oval(62, 20, 6.5, 5)} ${oval(78, 40, 6, 5)} ${oval(18, 44, 5, 4)} ${oval(51, 40, 6, 5)}`,
        fill: 'white',
      },
    ],
  },
};

/** A petal about (50, 28), turned clockwise by an angle in degrees. */
function petal(angle: number): string {
  const radians = (angle * Math.PI) / 180;
  const at = (x: number, y: number): string =>
    `${(50 + x * Math.cos(radians) - y * Math.sin(radians)).toFixed(2)} ${(28 + x * Math.sin(radians) + y * Math.cos(radians)).toFixed(2)}`;
  return `M${at(0, 0)} C${at(-16, -12)} ${at(-11, -30)} ${at(0, -30)} C${at(11, -30)} ${at(16, -12)} ${at(0, 0)} Z`;
}
