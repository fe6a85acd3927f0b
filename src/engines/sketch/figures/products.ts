import { type Drawing, oval, type Part, rectangle, rectangles } from './drawing.ts';

const bulb = (x: number, y: number): string => oval(x, y, 3.4, 4.4);

/** What people photograph to sell, and what furnishes a home. */
export const PRODUCTS: Readonly<Record<string, Drawing>> = {
  perfume: {
    main: '#e8b0a0',
    accent: '#c9a24a',
    parts: [
      {
        path: 'M24 40 H76 C82 40 84 44 84 50 V92 C84 97 80 100 76 100 H24 C20 100 16 97 16 92 V50 C16 44 18 40 24 40 Z',
        fill: 'glass',
      },
      { path: 'M22 52 H78 V92 C78 94 76 95 74 95 H26 C24 95 22 94 22 92 Z', fill: 'main', alpha: 0.9 },
      { path: 'M64 52 H78 V92 C78 94 76 95 74 95 H66 Z', fill: 'shade' },
      { path: rectangle(40, 28, 20, 12), fill: 'accentShade' },
      { path: 'M34 0 H66 V28 H34 Z', fill: 'accent' },
      { path: 'M38 2 H44 V26 H38 Z', fill: 'white', alpha: 0.6 },
      { path: 'M22 46 L28 46 V92 L22 90 Z', fill: 'white', alpha: 0.55 },
      { path: 'M36 66 H64 V82 H36 Z', fill: 'pale' },
      { path: 'M42 72 H58 M44 77 H56', line: 'accentShade', width: 1.6 },
    ],
  },
  bottle: {
    main: '#4f7f6a',
    accent: '#e9dfc8',
    parts: [
      {
        path: 'M40 4 H60 V26 C60 36 76 38 76 54 V92 C76 97 72 100 68 100 H32 C28 100 24 97 24 92 V54 C24 38 40 36 40 26 Z',
        fill: 'main',
      },
      { path: 'M62 38 C70 42 76 44 76 54 V92 C76 97 72 100 68 100 H62 Z', fill: 'shade' },
      { path: rectangle(38, -6, 24, 14), fill: 'wood' },
      { path: 'M24 56 H76 V86 H24 Z', fill: 'accent' },
      { path: 'M34 66 H66 M38 74 H62', line: 'ink', width: 2 },
      { path: 'M31 50 C34 44 40 42 43 36', line: 'white', width: 3, alpha: 0.7 },
    ],
  },
  watch: {
    main: '#2c3444',
    accent: '#c9a24a',
    parts: [
      { path: 'M34 -6 H66 L70 26 H30 Z M30 74 H70 L66 106 H34 Z', fill: 'wood' },
      { path: 'M50 80 V100 M50 0 V18', line: 'pale', width: 1.4 },
      { path: oval(50, 50, 34), fill: 'accent' },
      { path: 'M84 46 h7 v8 h-7 Z', fill: 'accentShade' },
      { path: oval(50, 50, 28), fill: 'main' },
      {
        path: 'M50 25 v6 M50 69 v6 M25 50 h6 M69 50 h6 M32 32 l4 4 M68 32 l-4 4 M32 68 l4 -4 M68 68 l-4 -4',
        line: 'accent',
        width: 2.2,
      },
      { path: 'M50 50 L40 36 M50 50 L66 42', line: 'white', width: 2.8 },
      {
        path: 'M50 50 L56 70',
        line: 'fire',
        width: 1.2,
        move: { kind: 'spin', x: 50, y: 50, amount: 360, period: 60 },
      },
      { path: 'M34 32 C42 24 58 24 66 30 C56 30 44 34 36 46 Z', fill: 'white', alpha: 0.18 },
    ],
  },
  bag: {
    main: '#9a5a34',
    accent: '#c9a24a',
    parts: [
      { path: 'M28 42 C26 0 74 0 72 42', line: 'deep', width: 5 },
      { path: 'M8 40 H92 L98 94 C98 98 94 100 90 100 H10 C6 100 2 98 2 94 Z', fill: 'main' },
      { path: 'M8 40 H92 L94 60 C70 74 30 74 6 60 Z', fill: 'light' },
      { path: rectangle(44, 60, 12, 14), fill: 'accent' },
    ],
  },
  headphones: {
    main: '#2f3440',
    accent: '#c8433a',
    parts: [
      { path: 'M14 66 C6 4 94 4 86 66', line: 'main', width: 9 },
      { path: 'M4 58 C-2 58 -4 94 6 96 H22 V58 Z M96 58 C102 58 104 94 94 96 H78 V58 Z', fill: 'main' },
      { path: 'M20 54 H32 V100 H20 Z M80 54 H68 V100 H80 Z', fill: 'accent' },
    ],
  },
  ring: {
    main: '#d8b24a',
    parts: [
      { path: oval(50, 68, 28, 28), line: 'main', width: 8 },
      { path: 'M34 20 H66 L76 32 L50 52 L24 32 Z', fill: 'glass' },
      { path: 'M34 20 L42 32 L50 20 L58 32 L66 20 M24 32 H76 M42 32 L50 52 L58 32', line: 'white', width: 1.6 },
      { path: 'M38 46 L50 52 L62 46', line: 'shade', width: 4 },
    ],
  },
  tshirt: {
    main: '#f2efe6',
    parts: [
      {
        path: 'M30 10 L4 24 L-8 52 L14 60 L22 46 V98 H78 V46 L86 60 L108 52 L96 24 L70 10 C64 22 36 22 30 10 Z',
        fill: 'main',
      },
      { path: 'M62 18 L70 10 L96 24 L108 52 L86 60 L78 46 V98 H64 Z', fill: 'shade', alpha: 0.6 },
      { path: 'M36 12 C42 26 58 26 64 12', line: 'shade', width: 3 },
      { path: oval(50, 54, 13), fill: 'accent' },
    ],
  },
  plant: {
    main: '#b8633a',
    parts: [
      {
        path: 'M50 70 C46 40 30 26 14 22 M50 70 C54 36 66 20 84 14 M50 70 C50 40 48 20 46 0 M50 70 C40 54 24 52 8 54 M50 70 C60 54 78 50 94 50',
        line: 'leafShade',
        width: 2.4,
      },
      {
        path: 'M14 22 C4 4 26 6 38 34 C28 38 18 34 14 22 Z M84 14 C98 -2 96 26 66 38 C64 26 70 16 84 14 Z M8 54 C-8 44 16 36 36 56 C26 64 12 62 8 54 Z M94 50 C110 40 92 34 66 54 C74 62 88 60 94 50 Z',
        fill: 'leaf',
      },
      { path: 'M46 0 C36 -18 62 -18 56 6 C56 20 52 32 48 38 C42 28 42 12 46 0 Z', fill: 'leafShade' },
      { path: 'M24 68 H76 L70 100 H30 Z', fill: 'main' },
      { path: 'M20 64 H80 V73 H20 Z', fill: 'light' },
    ],
  },
  bathtub: {
    main: '#f4f4f0',
    accent: '#c9a24a',
    parts: [
      { path: 'M-40 46 V4 C-40 -14 -14 -14 -14 2', line: 'accent', width: 5 },
      { path: 'M-20 84 L-28 100 M120 84 L128 100', line: 'accent', width: 8 },
      {
        path: `${oval(0, 40, 15)} ${oval(24, 34, 17)} ${oval(50, 38, 15)} ${oval(76, 34, 16)} ${oval(100, 40, 14)}`,
        fill: 'white',
      },
      { path: 'M-52 42 H152 C152 80 130 96 110 96 H-10 C-30 96 -52 80 -52 42 Z', fill: 'main' },
      { path: 'M100 46 H152 C152 80 130 96 110 96 H80 C100 86 108 70 100 46 Z', fill: 'shade', alpha: 0.7 },
      { path: 'M-58 38 H158 V48 H-58 Z', fill: 'light' },
    ],
  },
  crib: {
    main: '#e9dcc4',
    accent: '#8fb4d8',
    parts: [
      { path: 'M-40 30 H140 V46 H-40 Z', fill: 'shade' },
      { path: 'M-40 70 C0 56 100 56 140 70 V84 H-40 Z', fill: 'accent' },
      { path: 'M-24 66 C-24 52 16 50 20 64 Z', fill: 'white' },
      { path: oval(8, 56, 13, 12), fill: 'skin' },
      { path: 'M2 58 q3 2 6 0 M10 59 q3 2 6 0', line: 'ink', width: 1.4 },
      { path: 'M-4 50 C0 42 14 42 18 50 C10 48 2 48 -4 50 Z', fill: 'wood' },
      {
        path: [-30, -12, 6, 24, 42, 60, 78, 96, 114, 130].map((x) => `M${x} 44 V86`).join(' '),
        line: 'main',
        width: 3.4,
      },
      {
        path: 'M-46 40 H146 V48 H-46 Z M-46 84 H146 V92 H-46 Z M-46 26 H-36 V100 H-46 Z M136 26 H146 V100 H136 Z',
        fill: 'main',
      },
    ],
  },
  floor_lamp: {
    main: '#f0d9a8',
    parts: [
      { path: 'M50 30 V96', line: 'ink', width: 3 },
      { path: oval(50, 97, 18, 3), fill: 'ink' },
      { path: 'M34 0 H66 L78 34 H22 Z', fill: 'lamp' },
      { path: 'M60 0 H66 L78 34 H64 Z', fill: 'main' },
    ],
  },
  fairy_lights: {
    main: '#3a3f4a',
    parts: [
      { path: 'M-110 10 C-80 44 -40 44 -10 14 C20 46 60 48 90 14 C120 46 170 44 210 10', line: 'main', width: 1.6 },
      {
        path: (
          [
            [-92, 28],
            [-70, 38],
            [-46, 38],
            [-26, 28],
            [8, 30],
            [30, 40],
            [54, 40],
            [76, 28],
            [106, 30],
            [130, 40],
            [156, 38],
            [184, 28],
          ] as const
        )
          .map(([x, y]) => bulb(x, y))
          .join(' '),
        fill: 'lamp',
        move: { kind: 'flutter', x: 50, y: 24, amount: 0.05, period: 1.4 },
      },
    ],
  },
  menorah: {
    main: '#d8b24a',
    parts: [
      ...[8, 22, 36].map(
        (reach): Part => ({
          path: `M${50 - reach} 46 V52 C${50 - reach} ${62 + reach * 0.5} ${50 + reach} ${62 + reach * 0.5} ${50 + reach} 52 V46`,
          line: 'main',
          width: 4,
        }),
      ),
      { path: 'M50 40 V94', line: 'main', width: 5 },
      { path: 'M26 94 H74 V100 H26 Z', fill: 'shade' },
      { path: rectangles([11.5, 25.5, 39.5, 55.5, 69.5, 83.5], [26], 5, 20) + rectangle(47, 18, 6, 22), fill: 'white' },
      {
        path: `${[14, 28, 42, 58, 72, 86]
          .map((x) => `M${x} 12 C${x + 4} 18 ${x + 4} 25 ${x} 26 C${x - 4} 25 ${x - 4} 18 ${x} 12 Z`)
          .join(' ')} M50 2 C55 9 54 17 50 18 C46 17 45 9 50 2 Z`,
        fill: 'fire',
        move: { kind: 'flutter', x: 50, y: 26, amount: 0.12, period: 0.6 },
      },
    ],
  },
  egg_basket: {
    main: '#b8834a',
    accent: '#d878a8',
    parts: [
      { path: 'M8 62 C6 -4 94 -4 92 62', line: 'main', width: 5 },
      { path: oval(26, 54, 14, 18), fill: 'accent' },
      { path: oval(76, 54, 14, 18), fill: 'lamp' },
      { path: oval(50, 48, 15, 20), fill: 'glass' },
      { path: 'M13 52 h26 M15 60 h22', line: 'white', width: 3 },
      { path: 'M36 44 l5 5 l5 -5 l5 5 l5 -5 l5 5 l3 -3', line: 'fire', width: 2.6 },
      { path: `${oval(72, 48, 2.4)} ${oval(80, 54, 2.4)} ${oval(72, 60, 2.4)}`, fill: 'accent' },
      { path: 'M0 60 H100 L88 100 H12 Z', fill: 'main' },
      { path: 'M3 70 H97 M6 80 H94 M9 90 H91 M24 60 L28 100 M50 60 V100 M76 60 L72 100', line: 'shade', width: 3 },
    ],
  },
  treasure_chest: {
    main: '#8a5230',
    accent: '#d8b24a',
    parts: [
      { path: 'M-16 52 C-16 14 -2 6 14 6 H100 C112 6 120 20 116 52 Z', fill: 'deep' },
      {
        path: [-2, 14, 30, 46, 62, 78, 94].map((x, at) => oval(x, at % 2 === 0 ? 50 : 44, 11, 8)).join(' '),
        fill: 'lamp',
      },
      { path: `${oval(22, 38, 6)} ${oval(70, 37, 6)}`, fill: 'fire' },
      { path: 'M40 40 L50 30 L60 40 L50 50 Z', fill: 'glass' },
      { path: 'M-16 54 H116 V98 H-16 Z', fill: 'main' },
      {
        path: 'M-16 54 H116 V62 H-16 Z M-16 54 H-4 V98 H-16 Z M104 54 H116 V98 H104 Z M42 54 H58 V76 H42 Z',
        fill: 'accent',
      },
      { path: oval(50, 66, 3), fill: 'ink' },
    ],
  },
  trophy: {
    main: '#e0b13c',
    parts: [
      { path: 'M24 14 C0 10 2 48 32 50 M76 14 C100 10 98 48 68 50', line: 'shade', width: 5 },
      { path: 'M20 4 H80 C80 40 68 58 56 62 V76 H66 V86 H34 V76 H44 V62 C32 58 20 40 20 4 Z', fill: 'main' },
      { path: 'M62 4 H80 C80 40 68 58 56 62 C62 46 64 26 62 4 Z', fill: 'shade' },
      { path: 'M50 16 l4 9 l10 1 l-8 6 l3 10 l-9 -6 l-9 6 l3 -10 l-8 -6 l10 -1 Z', fill: 'pale' },
      { path: 'M26 86 H74 V100 H26 Z', fill: 'wood' },
    ],
  },
};
