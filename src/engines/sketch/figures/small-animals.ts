import { type Drawing, oval } from './drawing.ts';

export const SMALL_ANIMALS: Readonly<Record<string, Drawing>> = {
  snail: {
    main: '#c98a45',
    accent: '#a9b86a',
    parts: [
      {
        path: 'M-30 98 C0 84 60 92 84 86 C98 82 94 64 104 58 C120 56 124 76 114 88 C106 98 90 100 70 100 H-20 Z',
        fill: 'accent',
      },
      { path: 'M108 60 L104 40 M114 60 L120 42', line: 'accent', width: 3.4 },
      { path: `${oval(104, 38, 3.4)} ${oval(121, 40, 3.4)}`, fill: 'ink' },
      { path: oval(36, 56, 38), fill: 'main' },
      {
        path: 'M70 70 C84 30 30 2 10 34 C-4 62 26 86 46 70 C60 54 44 38 30 46 C24 52 28 62 36 60',
        line: 'deep',
        width: 5,
      },
    ],
  },
  ladybug: {
    main: '#d0342c',
    parts: [
      { path: 'M14 84 L6 98 M50 88 V100 M86 84 L92 98', line: 'ink', width: 4 },
      { path: 'M84 54 C104 48 116 62 112 76 C106 88 92 88 84 84 Z', fill: 'ink' },
      { path: 'M108 56 L120 44 M112 62 L126 54', line: 'ink', width: 2.6 },
      { path: 'M-6 84 C-10 44 20 26 50 26 C80 26 100 50 96 84 Z', fill: 'main' },
      { path: 'M40 27 C34 46 34 66 38 84', line: 'ink', width: 2.6 },
      {
        path: `${oval(18, 54, 8)} ${oval(14, 74, 6)} ${oval(56, 44, 7)} ${oval(62, 68, 8)} ${oval(82, 58, 6)}`,
        fill: 'ink',
      },
      { path: oval(106, 66, 3), fill: 'white' },
    ],
  },
  web: {
    main: '#eef2f6',
    parts: [
      { path: 'M-46 -20 L146 120 M146 -20 L-46 120 M50 -40 V140 M-60 50 H160', line: 'main', width: 1.3 },
      ...[16, 32, 50, 70].map(
        (r) =>
          ({
            path: [0, 1, 2, 3, 4, 5, 6, 7]
              .map((spoke) => {
                const point = (turn: number, reach: number) =>
                  `${(50 + Math.cos((turn * Math.PI) / 4) * reach).toFixed(1)} ${(50 + Math.sin((turn * Math.PI) / 4) * reach).toFixed(1)}`;
                return `M${point(spoke, r)} Q${point(spoke + 0.5, r * 0.8)} ${point(spoke + 1, r)}`;
              })
              .join(' '),
            line: 'main',
            width: 1.2,
          }) as const,
      ),
      {
        path: `${oval(66, 50, 2.4)} ${oval(50, 82, 2.6)} ${oval(27, 27, 2.6)} ${oval(85, 85, 2.6)} ${oval(0, 50, 2.6)} ${oval(61, 39, 2.2)} ${oval(100, 0, 2.6)} ${oval(50, 0, 2.4)} ${oval(36, 73, 2.2)}`,
        fill: 'glass',
      },
      { path: oval(54, 54, 7), fill: 'ink' },
      {
        path: 'M54 54 l-14 -8 M54 54 l-15 2 M54 54 l-12 10 M54 54 l14 -8 M54 54 l15 2 M54 54 l12 10',
        line: 'ink',
        width: 1.8,
      },
    ],
  },
  bat: {
    main: '#6a5f8a',
    parts: [
      {
        path: 'M50 50 C30 30 -6 20 -40 36 C-24 40 -22 52 -22 62 C-8 52 4 58 8 70 C20 60 34 62 50 72 Z M50 50 C70 30 106 20 140 36 C124 40 122 52 122 62 C108 52 96 58 92 70 C80 60 66 62 50 72 Z',
        fill: 'main',
        move: { kind: 'beat', x: 50, y: 58, amount: 1.3, period: 0.36 },
      },
      { path: 'M38 44 L40 28 L47 36 H53 L60 28 L62 44 C64 66 58 82 50 84 C42 82 36 66 38 44 Z', fill: 'light' },
      { path: `${oval(46, 44, 2)} ${oval(54, 44, 2)}`, fill: 'white' },
    ],
  },
  squirrel: {
    main: '#b8652e',
    parts: [
      {
        path: 'M26 96 C-20 90 -22 30 10 18 C32 12 40 34 24 44 C14 54 28 70 36 84 Z',
        fill: 'shade',
        move: { kind: 'swing', x: 28, y: 92, amount: 5, period: 1.8 },
      },
      { path: 'M30 98 C24 70 40 54 58 54 C76 58 76 84 68 98 Z', fill: 'main' },
      { path: 'M50 98 C46 80 54 68 64 68 C72 76 70 90 66 98 Z', fill: 'pale' },
      { path: 'M50 46 C48 32 58 24 70 26 L72 14 L80 28 C90 34 98 42 94 48 C84 58 54 60 50 46 Z', fill: 'main' },
      { path: `${oval(80, 38, 2.4)} ${oval(95, 45, 2)}`, fill: 'ink' },
      { path: 'M62 70 L80 70', line: 'main', width: 5 },
      { path: oval(84, 68, 6, 7), fill: 'wood' },
    ],
  },
  mouse: {
    main: '#a9a5a2',
    accent: '#e8a0a8',
    parts: [
      { path: 'M-6 92 C-40 96 -44 70 -60 78', line: 'accent', width: 3 },
      { path: 'M-8 96 C-12 64 20 52 50 56 C80 56 104 72 116 88 C112 98 90 98 70 98 H0 Z', fill: 'main' },
      { path: oval(66, 46, 16), fill: 'shade' },
      { path: oval(66, 46, 10), fill: 'accent' },
      { path: `${oval(94, 72, 3)} ${oval(116, 88, 3.4)}`, fill: 'ink' },
      { path: 'M100 88 L120 98 M102 84 L128 90', line: 'ink', width: 1 },
    ],
  },
  shark: {
    main: '#6f8596',
    parts: [
      {
        path: 'M-40 50 L-70 22 L-58 56 L-72 86 L-38 64 Z',
        fill: 'shade',
        move: { kind: 'wag', x: -38, y: 56, amount: 0.5, period: 1 },
      },
      { path: 'M30 34 L40 0 L70 36 Z', fill: 'shade' },
      { path: 'M-44 56 C0 26 90 22 136 54 C110 80 10 88 -44 60 Z', fill: 'main' },
      { path: 'M-30 62 C20 76 96 72 132 56 C110 80 10 86 -40 61 Z', fill: 'white' },
      { path: 'M48 70 L34 98 L74 72 Z', fill: 'shade' },
      { path: 'M102 66 L128 60', line: 'ink', width: 2 },
      { path: 'M84 44 V58 M78 44 V57 M90 45 V58', line: 'deep', width: 1.6 },
      { path: oval(110, 48, 2.8), fill: 'ink' },
    ],
  },
  octopus: {
    main: '#b0486a',
    parts: [
      ...[-1, 1].flatMap((side) =>
        [8, 20, 32].map(
          (reach) =>
            ({
              path: `M${50 + side * 8} 58 C${50 + side * (reach + 20)} 60 ${50 + side * (reach + 4)} 84 ${50 + side * (reach + 22)} 98`,
              line: reach === 20 ? 'shade' : 'main',
              width: 9,
              move: { kind: 'swing', x: 50, y: 56, amount: side * 4, period: 2 + reach / 20 },
            }) as const,
        ),
      ),
      { path: 'M20 50 C12 14 30 -4 50 -4 C70 -4 88 14 80 50 C76 68 24 68 20 50 Z', fill: 'main' },
      { path: `${oval(38, 40, 7)} ${oval(62, 40, 7)}`, fill: 'white' },
      { path: `${oval(39, 41, 3.6)} ${oval(61, 41, 3.6)}`, fill: 'ink' },
      { path: `${oval(34, 14, 4)} ${oval(50, 8, 3)} ${oval(64, 18, 4)}`, fill: 'light' },
    ],
  },
};
