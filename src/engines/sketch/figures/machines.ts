import { type Drawing, oval, rectangle, rectangles } from './drawing.ts';

const wheel = (x: number, y: number, radius: number) =>
  [
    { path: oval(x, y, radius), fill: 'ink' },
    { path: oval(x, y, radius * 0.5), fill: 'grey' },
  ] as const;

export const MACHINES: Readonly<Record<string, Drawing>> = {
  motorcycle: {
    main: '#c8352e',
    parts: [
      ...wheel(2, 78, 22),
      ...wheel(104, 78, 22),
      { path: 'M104 78 L84 30 L96 22', line: 'metal', width: 5 },
      { path: 'M2 78 L46 74 L74 46', line: 'metal', width: 5 },
      { path: 'M34 58 H74 V82 H34 Z', fill: 'metal' },
      { path: 'M40 64 H68 M40 70 H68 M40 76 H68', line: 'ink', width: 2 },
      { path: 'M42 40 C56 30 78 30 86 42 C80 54 56 58 42 52 Z', fill: 'main' },
      { path: 'M-12 44 C10 48 30 44 44 46 L42 56 C20 60 4 56 -12 50 Z', fill: 'ink' },
      { path: 'M-6 88 L50 84', line: 'grey', width: 6 },
      { path: oval(96, 38, 7), fill: 'lamp' },
    ],
  },
  submarine: {
    main: '#f2c230',
    accent: '#c8352e',
    parts: [
      {
        path: 'M-46 56 L-56 44 M-46 60 L-58 74',
        line: 'metal',
        width: 6,
        move: { kind: 'flutter', x: -50, y: 59, amount: 0.8, period: 0.5 },
      },
      { path: 'M58 8 V-18 H72', line: 'metal', width: 5 },
      { path: 'M32 32 L36 6 H70 L76 32 Z', fill: 'accent' },
      {
        path: 'M-50 58 C-44 30 0 26 50 26 C110 26 150 36 152 62 C150 88 110 98 50 98 C0 98 -44 88 -50 58 Z',
        fill: 'main',
      },
      { path: 'M-49 64 C0 78 110 78 152 64 C148 88 110 98 50 98 C0 98 -44 88 -49 64 Z', fill: 'shade' },
      { path: `${oval(16, 54, 13)} ${oval(56, 54, 13)} ${oval(96, 54, 13)}`, fill: 'accent' },
      { path: `${oval(16, 54, 9)} ${oval(56, 54, 9)} ${oval(96, 54, 9)}`, fill: 'lamp' },
    ],
  },
  truck: {
    main: '#2f6fa8',
    parts: [
      { path: 'M-60 8 H70 V78 H-60 Z', fill: 'white' },
      { path: 'M-60 8 H70 V20 H-60 Z', fill: 'grey' },
      { path: 'M-56 78 H140 V86 H-56 Z', fill: 'ink' },
      { path: 'M76 26 H110 C118 26 122 34 128 50 L140 56 V80 H76 Z', fill: 'main' },
      { path: 'M86 34 H108 C114 36 116 44 119 52 H86 Z', fill: 'glass' },
      { path: 'M134 60 h6 v8 h-6 Z', fill: 'lamp' },
      ...wheel(-34, 86, 14),
      ...wheel(0, 86, 14),
      ...wheel(112, 86, 14),
    ],
  },
  bus: {
    main: '#f2b21f',
    parts: [
      { path: 'M-60 16 C-60 10 -56 8 -50 8 H124 C136 8 140 18 144 34 L154 52 V86 H-60 Z', fill: 'main' },
      { path: 'M-60 60 H154 M-60 72 H154', line: 'ink', width: 2.6 },
      { path: rectangles([-50, -24, 2, 28, 54, 80], [20], 20, 26), fill: 'glass' },
      { path: 'M108 20 H126 C132 24 134 38 138 48 H108 Z', fill: 'glass' },
      { path: 'M148 62 h6 v8 h-6 Z', fill: 'lamp' },
      ...wheel(-24, 88, 13),
      ...wheel(106, 88, 13),
    ],
  },
  tractor: {
    main: '#c8352e',
    parts: [
      { path: 'M98 44 V10', line: 'ink', width: 5 },
      { path: 'M60 44 H126 C132 44 134 50 134 58 V80 H60 Z', fill: 'main' },
      { path: 'M116 50 V76 M122 50 V76 M128 50 V76', line: 'deep', width: 2 },
      { path: 'M4 -4 H66 V4 H4 Z', fill: 'main' },
      { path: 'M10 4 H60 L64 48 H4 Z', fill: 'glass', alpha: 0.75 },
      { path: 'M10 4 L4 52 M60 4 L64 52', line: 'ink', width: 3.6 },
      { path: 'M-16 52 C0 34 40 34 60 52 V72 H-16 Z', fill: 'shade' },
      ...wheel(14, 70, 31),
      { path: oval(14, 70, 11), fill: 'lamp' },
      ...wheel(116, 84, 17),
    ],
  },
  helicopter: {
    main: '#2f6fa8',
    parts: [
      {
        path: 'M-54 40 L-64 22 M-54 40 L-44 58',
        line: 'metal',
        width: 4,
        move: { kind: 'spin', x: -54, y: 40, amount: 360, period: 0.4 },
      },
      { path: 'M-58 36 L30 44 V58 L-58 44 Z', fill: 'main' },
      {
        path: 'M20 66 C16 40 40 32 66 32 C100 32 116 52 118 68 C112 82 84 86 56 86 C34 86 22 80 20 66 Z',
        fill: 'main',
      },
      { path: 'M74 34 C98 36 112 52 116 66 H74 Z', fill: 'glass' },
      { path: rectangle(42, 46, 22, 20), fill: 'glass' },
      { path: 'M62 32 V18', line: 'ink', width: 4 },
      {
        path: 'M-36 17 H160',
        line: 'ink',
        width: 4,
        alpha: 0.8,
        move: { kind: 'flutter', x: 62, y: 17, amount: 0.9, period: 0.2 },
      },
      { path: 'M24 98 H116 M44 86 V98 M94 84 V98', line: 'metal', width: 4 },
    ],
  },
  pirate_ship: {
    main: '#6e4326',
    accent: '#efe4cc',
    parts: [
      { path: 'M30 84 V-16 M84 84 V2 M-2 80 V22', line: 'wood', width: 4 },
      { path: 'M-2 26 C14 34 14 52 2 62 L-20 60 C-10 48 -10 36 -16 28 Z', fill: 'accent' },
      { path: 'M4 -2 C30 4 58 2 62 -2 C70 14 70 24 62 34 C42 30 20 32 2 36 C10 22 10 10 4 -2 Z', fill: 'accent' },
      { path: 'M0 40 C30 36 58 38 66 40 C72 50 72 60 66 68 C42 64 20 66 -2 70 C6 58 6 50 0 40 Z', fill: 'accent' },
      {
        path: 'M64 14 C84 18 104 16 110 14 C116 30 116 52 108 62 C92 58 76 60 64 64 C72 46 72 30 64 14 Z',
        fill: 'accent',
      },
      {
        path: 'M30 -16 H58 L52 -8 L58 0 H30 Z',
        fill: 'ink',
        move: { kind: 'flutter', x: 30, y: -8, amount: 0.2, period: 0.8 },
      },
      { path: `${oval(42, -9, 4)} M36 -3 l12 0`, fill: 'white' },
      { path: 'M112 74 L150 54', line: 'wood', width: 4 },
      { path: 'M-40 58 L-12 62 L-10 74 H100 L128 66 C124 86 110 100 98 100 H0 C-22 100 -38 84 -40 58 Z', fill: 'main' },
      { path: 'M-10 74 H100 L128 66 L126 74 L100 82 H-14 L-38 70 L-39 62 L-12 68 Z', fill: 'light' },
      { path: rectangles([0, 20, 40, 60, 80], [86], 8, 6), fill: 'ink' },
    ],
  },
};
