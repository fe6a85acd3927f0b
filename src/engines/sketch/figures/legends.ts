import { type Drawing, leg, oval, type Part, rectangle } from './drawing.ts';

const BOOT = { tone: 'ink', width: 4.4, back: 4, front: 6 } as const;
const legs = (tone: 'accent' | 'deep' | 'white', width: number): readonly Part[] => [
  leg('M46 64 L42 97', 'far', tone, width, BOOT),
  leg('M55 64 L59 97', 'near', tone, width, BOOT),
];
const TUNIC: readonly Part[] = [
  { path: 'M37 34 C44 28 56 28 63 34 L67 72 H33 Z', fill: 'main' },
  { path: 'M53 29 L63 34 L67 72 H54 Z', fill: 'shade' },
];
const face = (tone: 'skin' | 'light' | 'white'): readonly Part[] => [
  { path: rectangle(46, 24, 8, 8), fill: tone },
  { path: oval(50, 16, 10, 11), fill: tone },
  { path: `${oval(51, 15, 1.3)} ${oval(57, 15, 1.3)}`, fill: 'ink' },
];
const arm = (path: string, line: Part['line'] = 'main', width = 7): Part => ({
  path,
  ...(line === undefined ? {} : { line }),
  width,
});

/** A leg of what gallops through the air. */
const trot = (x: number, path: string, amount: number): Part => ({
  path,
  line: 'wood',
  width: 4,
  move: { kind: 'swing', x, y: 74, amount, period: 0.62 },
});

/** Those of tales, feasts and films. */
export const LEGENDS: Readonly<Record<string, Drawing>> = {
  elf: {
    main: '#4f7a46',
    accent: '#6e4f34',
    parts: [
      { path: 'M34 30 L26 66 L36 66 L40 32 Z', fill: 'wood' },
      { path: 'M26 30 L30 18 M30 30 L35 17 M34 30 L40 18', line: 'white', width: 2 },
      ...legs('accent', 7),
      ...TUNIC,
      { path: 'M33 58 H67 V63 H33 Z', fill: 'wood' },
      { path: 'M92 6 C108 22 108 54 92 70', line: 'wood', width: 3.4 },
      { path: 'M92 6 L66 38 L92 70', line: 'white', width: 0.9 },
      { path: 'M62 38 H104 M104 38 l-6 -4 M104 38 l-6 4', line: 'metal', width: 1.8 },
      arm('M60 37 L94 38', 'shade', 6),
      arm('M40 38 L58 42 L66 38', 'main', 6),
      ...face('skin'),
      { path: 'M40 15 L28 6 L41 22 Z', fill: 'skin' },
      { path: 'M38 40 C34 4 48 -2 54 4 C62 6 62 12 60 12 C52 8 46 12 44 20 C43 30 42 36 38 40 Z', fill: 'lamp' },
    ],
  },
  orc: {
    main: '#6f8f46',
    accent: '#5a4030',
    parts: [
      ...legs('deep', 11),
      { path: 'M26 34 C40 24 60 24 74 34 L72 70 H28 Z', fill: 'main' },
      { path: 'M28 56 H72 L76 78 L64 74 L50 80 L36 74 L24 78 Z', fill: 'accent' },
      { path: 'M24 30 C30 22 42 24 44 34 L30 46 Z M76 30 C70 22 58 24 56 34 L70 46 Z', fill: 'metal' },
      arm('M30 40 L16 60', 'main', 11),
      { path: 'M92 92 L84 -4', line: 'wood', width: 4.6 },
      { path: 'M84 -2 C104 -16 118 0 116 26 C106 20 98 20 88 26 Z', fill: 'grey' },
      arm('M70 40 L88 54', 'shade', 11),
      { path: 'M36 14 C36 -4 64 -4 66 14 C66 28 58 34 50 34 C42 34 36 28 36 14 Z', fill: 'light' },
      { path: 'M36 12 L22 4 L38 22 Z M66 12 L80 4 L65 22 Z', fill: 'main' },
      { path: `${oval(46, 13, 1.8)} ${oval(58, 13, 1.8)} M40 8 l9 3 v-2 Z M64 8 l-9 3 v-2 Z`, fill: 'ink' },
      { path: 'M42 25 H62', line: 'ink', width: 2 },
      { path: 'M44 25 l2 -8 l3 8 Z M56 25 l2 -8 l3 8 Z', fill: 'white' },
    ],
  },
  fairy: {
    main: '#e88ab8',
    accent: '#bfe3f0',
    parts: [
      {
        path: 'M44 40 C10 -6 -26 4 -22 30 C-18 48 20 54 44 48 Z M44 48 C10 50 -10 66 0 82 C14 92 40 72 46 54 Z',
        fill: 'accent',
        alpha: 0.85,
        move: { kind: 'wag', x: 46, y: 48, amount: 0.6, period: 0.3 },
      },
      {
        path: 'M54 38 C84 -10 118 0 114 28 C110 46 78 54 56 48 Z M56 48 C88 50 106 64 98 80 C84 90 60 72 54 54 Z',
        fill: 'accent',
        alpha: 0.75,
        move: { kind: 'wag', x: 54, y: 48, amount: 0.6, period: 0.3 },
      },
      leg('M47 70 L44 97', 'far', 'skin', 4.6, { tone: 'main', width: 4, back: 3, front: 5 }),
      leg('M54 70 L57 97', 'near', 'skin', 4.6, { tone: 'main', width: 4, back: 3, front: 5 }),
      { path: 'M42 34 H58 L60 50 L74 76 L64 72 L58 80 L50 73 L42 80 L36 72 L26 76 L40 50 Z', fill: 'main' },
      arm('M42 36 L30 52', 'skin', 4.4),
      arm('M58 36 L76 30', 'skin', 4.4),
      { path: 'M76 34 L86 14', line: 'wood', width: 2 },
      { path: 'M87 2 l3 7 l8 1 l-6 5 l2 8 l-7 -4 l-7 4 l2 -8 l-6 -5 l8 -1 Z', fill: 'lamp' },
      ...face('skin'),
      { path: 'M38 30 C34 2 48 -6 54 2 C64 4 64 14 61 16 C52 8 46 12 44 20 C43 26 41 28 38 30 Z', fill: 'lamp' },
    ],
  },
  phoenix: {
    main: '#e8632e',
    accent: '#f6b93b',
    parts: [
      {
        path: 'M40 70 C24 96 4 112 -30 118 C-6 104 10 88 20 66 Z M48 74 C44 104 32 124 14 138 C28 112 32 92 34 72 Z M52 72 C58 100 58 118 50 136 C48 112 46 92 44 74 Z',
        fill: 'accent',
        move: { kind: 'swing', x: 44, y: 70, amount: 5, period: 2 },
      },
      {
        path: 'M50 52 C56 20 90 -20 150 -30 C142 -18 144 -10 134 -4 C138 4 124 8 122 14 C124 22 108 26 106 30 C104 42 84 58 60 66 Z',
        fill: 'shade',
        move: { kind: 'beat', x: 52, y: 58, amount: 0.9, period: 1.4 },
      },
      {
        path: 'M44 52 C38 20 4 -20 -56 -30 C-48 -18 -50 -10 -40 -4 C-44 4 -30 8 -28 14 C-30 22 -14 26 -12 30 C-10 42 10 58 34 66 Z',
        fill: 'main',
        move: { kind: 'beat', x: 46, y: 58, amount: 0.9, period: 1.4 },
      },
      {
        path: 'M44 56 C36 30 8 0 -34 -16 C-14 6 0 34 34 62 Z',
        fill: 'accent',
        alpha: 0.8,
        move: { kind: 'beat', x: 46, y: 58, amount: 0.9, period: 1.4 },
      },
      {
        path: 'M30 64 C34 44 52 40 58 26 C58 14 76 10 82 20 L94 25 L82 30 C80 44 76 64 60 74 C48 82 32 80 30 64 Z',
        fill: 'main',
      },
      { path: 'M58 66 C68 60 74 48 76 36 C66 44 52 54 44 72 Z', fill: 'accent' },
      {
        path: 'M64 14 C58 2 62 -8 68 -12 C66 -4 70 0 72 10 Z M72 12 C72 2 78 -4 84 -6 C80 2 80 6 78 14 Z',
        fill: 'fire',
      },
      { path: 'M82 20 L94 25 L82 30 Z', fill: 'lamp' },
      { path: oval(75, 22, 2), fill: 'ink' },
      {
        path: 'M10 150 C20 130 36 134 40 118 C52 130 46 140 60 128 C72 136 74 148 86 136 C92 146 96 150 98 156 H2 Z',
        fill: 'fire',
        alpha: 0.9,
        move: { kind: 'flutter', x: 50, y: 156, amount: 0.2, period: 0.5 },
      },
    ],
  },
  dinosaur: {
    main: '#6f9a4a',
    accent: '#4a6a38',
    parts: [
      {
        path: 'M36 66 C4 56 -40 70 -84 62 C-60 86 -10 92 40 84 Z',
        fill: 'shade',
        move: { kind: 'swing', x: 34, y: 72, amount: 4, period: 2 },
      },
      leg('M40 74 L34 97', 'far', 'shade', 14, { tone: 'deep', width: 6, back: 4, front: 12 }),
      {
        path: 'M26 74 C24 52 44 46 56 34 C62 20 62 6 74 -2 C92 -10 124 -6 130 8 L130 18 C116 22 104 22 98 24 C96 50 92 72 72 84 C54 94 28 90 26 74 Z',
        fill: 'main',
      },
      { path: 'M98 24 C96 50 92 72 72 84 C78 66 76 44 82 26 Z', fill: 'pale' },
      { path: 'M84 20 C98 28 116 26 128 22 L122 30 C108 36 92 34 84 20 Z', fill: 'shade' },
      { path: 'M100 22 l3 6 l3 -6 l3 6 l3 -7 l3 6 l3 -7 l3 6 l3 -7 Z', fill: 'white' },
      { path: oval(88, 4, 3.6), fill: 'lamp' },
      { path: oval(89, 4, 1.7), fill: 'ink' },
      { path: oval(124, 5, 1.6), fill: 'ink' },
      { path: 'M84 50 L100 56 L98 64 M76 52 L90 60 L86 68', line: 'shade', width: 5 },
      { path: 'M60 22 l-9 -1 l5 9 Z M53 34 l-10 0 l6 9 Z M41 46 l-10 2 l8 7 Z M26 58 l-9 4 l9 5 Z', fill: 'accent' },
      leg('M56 76 L58 97', 'near', 'main', 16, { tone: 'deep', width: 6, back: 4, front: 13 }),
    ],
  },
  santa: {
    main: '#c8322c',
    accent: '#f4f2ea',
    parts: [
      { path: 'M-4 42 C-24 44 -26 92 -2 96 C26 100 34 76 22 58 C16 48 8 44 4 34 Z', fill: 'wood' },
      ...legs('deep', 11),
      { path: 'M26 40 C36 30 62 30 72 40 C82 56 80 78 74 84 H26 C18 76 18 56 26 40 Z', fill: 'main' },
      { path: 'M20 80 H80 V88 H20 Z M46 34 H54 V82 H46 Z', fill: 'accent' },
      { path: 'M20 64 H80 V70 H20 Z', fill: 'ink' },
      { path: rectangle(44, 62, 12, 10), fill: 'lamp' },
      arm('M30 44 L10 40', 'shade', 10),
      {
        ...arm('M70 44 L90 28', 'main', 10),
        move: { kind: 'swing', arm: 'near', x: 70, y: 44, amount: 12, period: 1.2 },
      },
      { path: oval(50, 20, 13, 13), fill: 'skin' },
      { path: 'M34 20 C34 50 46 54 52 54 C60 54 70 46 68 20 C60 30 42 30 34 20 Z', fill: 'white' },
      { path: `${oval(48, 17, 1.5)} ${oval(58, 17, 1.5)}`, fill: 'ink' },
      { path: oval(54, 22, 3), fill: 'fire' },
      { path: 'M36 8 C38 -16 62 -18 70 -8 C78 -4 84 6 84 14 C76 8 70 4 66 8 Z', fill: 'main' },
      { path: 'M34 6 H69 V13 H34 Z', fill: 'white' },
      { path: oval(84, 15, 5), fill: 'white' },
    ],
  },
  sleigh: {
    main: '#b02f2a',
    accent: '#d8b24a',
    parts: [
      { path: 'M-100 100 H10 C30 100 30 84 18 84 M-84 86 V98 M-20 86 V98', line: 'accent', width: 4 },
      {
        path: 'M-112 30 C-116 70 -104 88 -84 88 H0 C18 88 22 66 12 52 C4 62 -10 64 -24 62 C-48 60 -60 54 -70 24 C-84 14 -106 16 -112 30 Z',
        fill: 'main',
      },
      { path: 'M-112 30 C-106 16 -84 14 -70 24 L-74 30 C-86 22 -100 24 -106 34 Z', fill: 'accent' },
      { path: 'M-104 26 C-112 -6 -92 -12 -84 2 C-74 -2 -66 10 -72 26 Z', fill: 'wood' },
      { path: 'M-44 60 C-46 36 -18 34 -16 60 Z', fill: 'main' },
      { path: oval(-30, 26, 9), fill: 'skin' },
      { path: 'M-39 28 C-38 48 -22 48 -21 28 C-26 34 -34 34 -39 28 Z', fill: 'white' },
      { path: 'M-42 20 C-38 4 -22 4 -20 18 Z', fill: 'main' },
      { path: 'M-42 18 H-18 V23 H-42 Z', fill: 'white' },
      { path: 'M4 66 C60 60 100 64 170 62', line: 'accent', width: 1.6 },
      ...[70, 140].flatMap((x): Part[] => [
        trot(x - 16, `M${x - 16} 74 L${x - 26} 92`, 14),
        trot(x + 14, `M${x + 14} 74 L${x + 26} 88`, -16),
        {
          path: `M${x - 22} 66 C${x - 18} 54 ${x + 8} 58 ${x + 14} 56 C${x + 18} 48 ${x + 20} 42 ${x + 28} 40 L${x + 44} 48 C${x + 42} 54 ${x + 32} 54 ${x + 28} 56 C${x + 26} 70 ${x + 18} 78 ${x} 76 C${x - 14} 76 ${x - 22} 74 ${x - 22} 66 Z`,
          fill: 'wood',
        },
        {
          path: `M${x + 28} 40 C${x + 22} 30 ${x + 26} 24 ${x + 20} 18 M${x + 25} 30 L${x + 32} 24 M${x + 32} 40 C${x + 34} 32 ${x + 40} 28 ${x + 40} 20`,
          line: 'lamp',
          width: 2,
        },
        { path: oval(x + 44, 48, x === 140 ? 4 : 2.4), fill: x === 140 ? 'fire' : 'ink' },
      ]),
    ],
  },
  superhero: {
    main: '#2f5fb8',
    accent: '#c8322c',
    parts: [
      {
        path: 'M38 34 C10 44 -14 74 -26 104 C0 96 40 96 60 88 L62 34 Z',
        fill: 'accent',
        move: { kind: 'swing', x: 44, y: 34, amount: 4, period: 1.6 },
      },
      leg('M45 64 L40 97', 'far', 'main', 9, { tone: 'accent', width: 6, back: 4, front: 6 }),
      leg('M56 64 L61 97', 'near', 'main', 9, { tone: 'accent', width: 6, back: 4, front: 6 }),
      { path: 'M32 36 C42 28 58 28 68 36 L64 68 H36 Z', fill: 'main' },
      { path: 'M36 60 H64 L62 72 H54 L50 78 L46 72 H38 Z', fill: 'accent' },
      { path: 'M50 38 L60 44 L50 58 L40 44 Z', fill: 'lamp' },
      arm('M36 38 L24 54 L34 62', 'main', 8),
      arm('M64 38 L78 52 L66 62', 'main', 8),
      ...face('skin'),
      { path: 'M39 14 C38 -2 62 -2 61 12 C54 6 46 6 39 14 Z', fill: 'ink' },
      { path: 'M42 12 H61 V18 H42 Z', fill: 'accent' },
      { path: `${oval(51, 15, 1.6)} ${oval(57, 15, 1.6)}`, fill: 'white' },
    ],
  },
  skeleton: {
    main: '#efe9da',
    parts: [
      leg('M46 62 L43 97', 'far', 'main', 3.6, { tone: 'main', width: 3, back: 3, front: 6 }),
      leg('M55 62 L58 97', 'near', 'main', 3.6, { tone: 'main', width: 3, back: 3, front: 6 }),
      {
        path: 'M50 30 V60 M38 38 C44 44 56 44 62 38 M39 44 C44 50 56 50 61 44 M41 50 C46 55 54 55 59 50 M40 60 C44 68 56 68 60 60 Z',
        line: 'main',
        width: 3,
      },
      {
        path: 'M38 36 L28 50 L30 64',
        line: 'main',
        width: 3,
        move: { kind: 'swing', arm: 'far', x: 38, y: 36, amount: 8, period: 1.6 },
      },
      {
        path: 'M62 36 L72 50 L70 64',
        line: 'main',
        width: 3,
        move: { kind: 'swing', arm: 'near', x: 62, y: 36, amount: 8, period: 1.6 },
      },
      { path: 'M36 14 C36 -6 64 -6 64 14 C64 20 60 22 58 24 V31 H42 V24 C40 22 36 20 36 14 Z', fill: 'main' },
      { path: `${oval(44, 14, 4)} ${oval(56, 14, 4)} M50 18 l2 5 h-4 Z M46 26 v4 M50 26 v4 M54 26 v4`, fill: 'ink' },
    ],
  },
  floating_island: {
    main: '#8a6a52',
    parts: [
      {
        path: 'M-30 50 C-10 40 110 40 130 50 C124 64 104 66 98 78 C92 92 70 92 62 108 C56 122 46 122 42 108 C36 92 14 90 8 76 C2 64 -22 64 -30 50 Z',
        fill: 'main',
      },
      {
        path: 'M80 44 C108 44 124 46 130 50 C124 64 104 66 98 78 C92 92 70 92 62 108 C60 112 58 116 55 118 C60 92 84 84 84 64 Z',
        fill: 'deep',
        alpha: 0.6,
      },
      {
        path: 'M-34 50 C-24 34 20 38 50 36 C84 34 124 36 134 50 C120 58 104 52 92 58 C80 64 70 54 56 58 C40 64 26 54 10 58 C-4 62 -22 56 -34 50 Z',
        fill: 'leaf',
      },
      { path: 'M4 50 C6 62 4 84 6 118 H22 C20 90 22 64 22 50 Z', fill: 'glass', alpha: 0.9 },
      { path: 'M9 52 V112 M15 52 V116', line: 'white', width: 1.6 },
      { path: 'M-6 122 q20 -16 40 0 q-20 10 -40 0', fill: 'white', alpha: 0.5 },
      { path: 'M44 38 V22 M84 40 V18 M104 42 V28', line: 'wood', width: 3.4 },
      { path: `${oval(44, 14, 12, 14)} ${oval(84, 8, 14, 17)} ${oval(104, 22, 9, 11)}`, fill: 'leafShade' },
      { path: 'M56 38 V24 H74 V38 Z', fill: 'white' },
      { path: 'M52 25 L65 12 L78 25 Z', fill: 'fire' },
      { path: rectangle(62, 30, 6, 8), fill: 'wood' },
    ],
  },
};
