import { type Drawing, oval, type Part, rectangle } from './drawing.ts';

const PLATE: readonly Part[] = [
  { path: oval(50, 92, 74, 9), fill: 'grey' },
  { path: oval(50, 90, 74, 9), fill: 'white' },
  { path: oval(50, 89, 56, 6), fill: 'grey', alpha: 0.5 },
];
const STEAM: Part = {
  path: 'M34 26 q-8 -10 0 -18 q8 -8 0 -18 M54 24 q-8 -10 0 -18 q8 -8 0 -18',
  line: 'white',
  width: 3,
  alpha: 0.45,
  move: { kind: 'swing', x: 44, y: 30, amount: 4, period: 2.4 },
};
const bowl = (tone: 'main' | 'accent'): readonly Part[] => [
  { path: 'M-10 46 C-8 82 16 98 34 98 H66 C84 98 108 82 110 46 Z', fill: tone },
  { path: 'M72 46 H110 C108 82 84 98 66 98 H58 C76 90 84 70 72 46 Z', fill: 'ink', alpha: 0.14 },
  { path: oval(50, 46, 60, 13), fill: 'white' },
];
const glass = (foot: number): readonly Part[] => [
  { path: `M28 12 H72 L66 ${foot} H34 Z`, fill: 'glass', alpha: 0.55 },
  { path: `M34 16 L38 ${foot - 6}`, line: 'white', width: 3, alpha: 0.8 },
];

/** What stands on a table when people eat and drink. */
export const DISHES: Readonly<Record<string, Drawing>> = {
  pancakes: {
    main: '#d9994a',
    accent: '#8f4a1e',
    parts: [
      ...PLATE,
      ...[82, 70, 58, 46].flatMap((y): Part[] => [
        {
          path: `M4 ${y} C4 ${y - 12} 96 ${y - 12} 96 ${y} V${y + 4} C96 ${y + 12} 4 ${y + 12} 4 ${y + 4} Z`,
          fill: 'main',
        },
        {
          path: `M4 ${y} C4 ${y + 9} 96 ${y + 9} 96 ${y} V${y + 4} C96 ${y + 12} 4 ${y + 12} 4 ${y + 4} Z`,
          fill: 'pale',
        },
      ]),
      { path: oval(50, 45, 45, 8), fill: 'light' },
      {
        path: 'M18 44 C30 34 74 34 84 44 C90 50 86 70 82 70 C78 70 80 54 72 53 C66 53 66 82 60 82 C54 82 58 56 48 54 C38 54 38 66 33 66 C28 66 32 52 18 44 Z',
        fill: 'accent',
        alpha: 0.85,
      },
      { path: 'M42 32 L62 34 L60 44 L40 42 Z', fill: 'lamp' },
      { path: `${oval(28, 38, 6)} ${oval(74, 40, 6)}`, fill: 'fire' },
      { path: `${oval(20, 84, 6)} ${oval(84, 87, 5.5)}`, fill: 'accentShade' },
    ],
  },
  ramen: {
    main: '#c8433a',
    accent: '#e0a04c',
    parts: [
      ...bowl('main'),
      { path: oval(50, 46, 53, 10), fill: 'accent' },
      {
        path: 'M8 45 q10 -7 20 0 t20 0 t20 0 t20 0 M14 50 q10 -7 20 0 t20 0 t20 0 M22 40 q10 -6 20 0 t20 0',
        line: 'pale',
        width: 2.6,
      },
      { path: oval(30, 42, 14, 8), fill: 'white' },
      { path: oval(30, 42, 7, 4), fill: 'lamp' },
      { path: 'M66 46 L72 20 L96 22 L92 46 Z', fill: 'leafShade' },
      { path: 'M52 52 q4 -4 8 0 M42 52 q4 -4 8 0 M64 52 q4 -4 8 0', line: 'leaf', width: 3 },
      { path: 'M56 40 L120 -14 M62 42 L128 -8', line: 'wood', width: 3.4 },
      STEAM,
    ],
  },
  soup: {
    main: '#6f8fae',
    accent: '#d8743a',
    parts: [
      ...bowl('main'),
      { path: oval(50, 46, 53, 10), fill: 'accent' },
      { path: 'M30 46 q10 -7 22 0 q-10 7 -22 0', fill: 'white', alpha: 0.7 },
      { path: 'M60 43 q6 -5 12 0 q-5 5 -12 0 Z M44 40 q6 -4 11 0 q-5 4 -11 0 Z', fill: 'leaf' },
      STEAM,
    ],
  },
  pasta: {
    main: '#efc867',
    accent: '#c23a2a',
    parts: [
      ...PLATE,
      { path: 'M4 86 C2 62 26 46 50 46 C76 46 98 62 96 86 C76 92 24 92 4 86 Z', fill: 'main' },
      {
        path: 'M10 80 q14 -14 28 0 t28 0 t26 0 M14 70 q12 -14 26 0 t26 0 t18 0 M28 60 q10 -12 22 0 t22 0 M6 86 q14 -10 30 0 t30 0 t24 0',
        line: 'shade',
        width: 2.4,
      },
      { path: 'M22 62 C26 40 76 38 80 62 C74 72 66 62 58 70 C48 76 44 64 36 70 C30 74 24 70 22 62 Z', fill: 'accent' },
      { path: `${oval(38, 50, 8)} ${oval(58, 46, 8)} ${oval(66, 58, 7)}`, fill: 'wood' },
      { path: 'M46 40 q8 -10 16 -2 q-6 8 -16 2 Z', fill: 'leaf' },
      { path: 'M108 40 V96 M104 40 V56 M112 40 V56', line: 'metal', width: 2.4 },
    ],
  },
  juice: {
    main: '#f29a2e',
    parts: [
      { path: 'M58 24 L70 -14 L84 -18', line: 'white', width: 4 },
      ...glass(100),
      { path: 'M30 30 H70 L65.6 97 H34.4 Z', fill: 'main' },
      { path: 'M56 30 H70 L65.6 97 H58 Z', fill: 'shade' },
      { path: oval(50, 30, 20, 3.4), fill: 'light' },
      { path: oval(76, 18, 13), fill: 'lamp' },
      { path: oval(76, 18, 10), fill: 'fire' },
      { path: 'M76 8 V28 M66 18 H86 M69 11 L83 25 M83 11 L69 25', line: 'lamp', width: 1.2 },
    ],
  },
  cocktail: {
    main: '#5fc0b0',
    accent: '#d8503c',
    parts: [
      { path: 'M62 26 L84 -24', line: 'accent', width: 3 },
      { path: 'M6 14 H94 L53 58 V92 H47 V58 Z', fill: 'glass', alpha: 0.65 },
      { path: 'M18 26 H82 L52 57 H48 Z', fill: 'main' },
      { path: oval(50, 26, 32, 3.4), fill: 'light' },
      { path: 'M24 96 C24 90 76 90 76 96 V99 H24 Z', fill: 'glass' },
      { path: oval(14, 12, 13), fill: 'leaf' },
      { path: oval(14, 12, 10), fill: 'pale' },
      { path: 'M14 3 V21 M5 12 H23', line: 'leaf', width: 1.6 },
      { path: 'M70 -2 C58 -22 78 -32 96 -26 C100 -14 90 0 70 -2 Z', fill: 'accent' },
    ],
  },
  beer: {
    main: '#e8a92e',
    parts: [
      { path: 'M76 34 C98 30 98 80 74 76', line: 'glass', width: 7 },
      { path: 'M22 24 H78 L74 98 H26 Z', fill: 'main' },
      { path: 'M60 24 H78 L74 98 H62 Z', fill: 'shade' },
      { path: 'M34 34 V92 M46 34 V92', line: 'light', width: 3, alpha: 0.7 },
      {
        path: 'M18 28 C12 12 28 8 32 12 C36 0 54 0 58 10 C66 4 84 10 82 26 C82 34 70 30 66 36 C60 42 54 32 48 34 C40 40 34 32 28 34 C22 36 18 34 18 28 Z',
        fill: 'white',
      },
    ],
  },
  croissant: {
    main: '#d08b3a',
    parts: [
      ...PLATE,
      {
        path: 'M-14 84 C-8 56 22 40 50 40 C78 40 108 56 114 84 C104 90 92 84 86 76 C76 66 62 62 50 62 C38 62 24 66 14 76 C8 84 -4 90 -14 84 Z',
        fill: 'main',
      },
      {
        path: 'M28 45 C34 54 34 62 28 68 M50 40 V62 M72 45 C66 54 66 62 72 68 M6 58 C14 62 18 68 15 76 M94 58 C86 62 82 68 85 76',
        line: 'deep',
        width: 2.4,
      },
      { path: 'M34 46 C44 42 56 42 66 46 C56 48 44 48 34 46 Z', fill: 'light' },
    ],
  },
  roast: {
    main: '#b8692e',
    accent: '#f0dcc0',
    parts: [
      { path: oval(50, 92, 92, 10), fill: 'metal' },
      { path: oval(50, 89, 92, 10), fill: 'grey' },
      {
        path: 'M-34 88 q8 -16 18 -4 q4 -14 16 -2 q6 -8 14 2 M86 88 q6 -14 16 -4 q8 -12 16 -2 q8 -8 14 4',
        fill: 'leaf',
      },
      { path: 'M2 84 C-4 50 26 30 54 32 C86 34 104 56 98 84 C80 92 20 92 2 84 Z', fill: 'main' },
      { path: 'M20 50 C30 38 54 36 66 42 C52 44 34 50 24 62 Z', fill: 'light', alpha: 0.8 },
      {
        path: 'M60 78 C56 58 76 50 88 60 L122 46 C130 40 136 50 128 54 C134 60 124 66 120 60 L96 76 C88 88 66 90 60 78 Z',
        fill: 'shade',
      },
      { path: 'M114 50 L126 45 C132 42 136 50 128 54 C134 58 126 65 120 60 Z', fill: 'accent' },
      { path: `${oval(-18, 84, 8)} ${oval(112, 86, 7)}`, fill: 'fire' },
    ],
  },
  dinner: {
    main: '#8f4a30',
    accent: '#e8c85a',
    parts: [
      ...PLATE,
      { path: 'M4 84 C0 66 24 60 40 62 C56 62 60 76 54 84 C44 92 12 92 4 84 Z', fill: 'main' },
      { path: 'M14 70 L26 84 M24 66 L36 82 M36 66 L46 80', line: 'ink', width: 2, alpha: 0.5 },
      { path: 'M60 84 l8 -18 l6 16 l8 -20 l4 20 l8 -14 l2 16 Z', fill: 'accent' },
      { path: `${oval(56, 62, 8)} ${oval(68, 56, 7)} ${oval(62, 70, 6)}`, fill: 'leaf' },
      { path: 'M-30 50 V98 M-34 50 V64 M-26 50 V64 M130 50 V98', line: 'metal', width: 3 },
    ],
  },
  cookies: {
    main: '#c88a4a',
    accent: '#4a2c1c',
    parts: [
      ...PLATE,
      ...(
        [
          [18, 82],
          [80, 82],
          [50, 84],
          [34, 70],
          [66, 70],
          [50, 56],
        ] as const
      ).flatMap(([x, y]): Part[] => [
        { path: oval(x, y, 24, 9), fill: 'shade' },
        { path: oval(x, y - 2, 24, 9), fill: 'main' },
        {
          path: `${oval(x - 10, y - 4, 3, 2)} ${oval(x + 2, y - 6, 3, 2)} ${oval(x + 12, y - 2, 3, 2)} ${oval(x - 2, y + 2, 3, 2)}`,
          fill: 'accent',
        },
      ]),
    ],
  },
  strawberry: {
    main: '#d8323c',
    parts: [
      { path: 'M50 99 C22 86 8 56 18 36 C30 20 70 20 82 36 C92 56 78 86 50 99 Z', fill: 'main' },
      {
        path: 'M34 46 v4 M50 42 v4 M66 46 v4 M28 60 v4 M42 60 v4 M58 60 v4 M72 60 v4 M36 74 v4 M50 76 v4 M64 74 v4',
        line: 'lamp',
        width: 2.6,
      },
      {
        path: 'M50 34 C36 42 22 36 16 28 C28 28 32 22 36 18 C42 24 46 20 50 8 C54 20 58 24 64 18 C68 22 72 28 84 28 C78 36 64 42 50 34 Z',
        fill: 'leaf',
      },
    ],
  },
  can: {
    main: '#c8352e',
    parts: [
      { path: 'M28 16 L34 8 H66 L72 16 V90 L66 99 H34 L28 90 Z', fill: 'main' },
      { path: 'M58 8 H66 L72 16 V90 L66 99 H58 Z', fill: 'shade' },
      { path: 'M34 8 H66 L70 14 H30 Z M30 93 H70 L66 99 H34 Z', fill: 'grey' },
      { path: 'M28 56 C42 40 58 70 72 50 V62 C58 82 42 52 28 68 Z', fill: 'white' },
      { path: rectangle(35, 18, 5, 70), fill: 'white', alpha: 0.35 },
    ],
  },
};
