import { type Drawing, oval, type Part, rectangle, rectangles } from './drawing.ts';

/** Sights that people know by their outline. */
export const SIGHTS: Readonly<Record<string, Drawing>> = {
  golden_gate: {
    main: '#c4472e',
    parts: [
      { path: 'M-150 66 H250 V74 H-150 Z', fill: 'main' },
      {
        path: 'M-150 74 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l4 -3 M-150 83 H250',
        line: 'shade',
        width: 1.6,
      },
      {
        path: 'M-150 52 C-110 50 -60 20 -44 -6 C-14 44 10 60 50 60 C90 60 114 44 144 -6 C160 20 210 50 250 52',
        line: 'main',
        width: 2.6,
      },
      {
        path: 'M-120 46 V66 M-96 38 V66 M-72 22 V66 M-26 22 V66 M-8 42 V66 M12 54 V66 M32 59 V66 M68 59 V66 M88 54 V66 M108 42 V66 M126 22 V66 M172 22 V66 M196 38 V66 M220 46 V66',
        line: 'main',
        width: 1,
      },
      {
        path: 'M-52 -8 H-46 V100 H-54 Z M-42 -8 H-36 L-34 100 H-42 Z M136 -8 H142 V100 H134 Z M146 -8 H152 L154 100 H146 Z',
        fill: 'main',
      },
      {
        path: 'M-50 6 H-38 V12 H-50 Z M-50 28 H-38 V34 H-50 Z M-50 48 H-38 V54 H-50 Z M138 6 H150 V12 H138 Z M138 28 H150 V34 H138 Z M138 48 H150 V54 H138 Z',
        fill: 'shade',
      },
      { path: 'M-62 94 H-26 V101 H-62 Z M126 94 H162 V101 H126 Z', fill: 'grey' },
    ],
  },
  big_ben: {
    main: '#c9a86a',
    accent: '#f2ead2',
    parts: [
      { path: 'M66 62 H170 V100 H66 Z', fill: 'shade' },
      {
        path: 'M66 62 L72 50 L78 62 L88 50 L94 62 L104 50 L110 62 L120 50 L126 62 L136 50 L142 62 L152 50 L158 62 L166 50 L170 62 Z',
        fill: 'deep',
      },
      { path: rectangles([74, 88, 102, 116, 130, 144, 158], [70, 84], 6, 9), fill: 'lamp' },
      { path: 'M36 20 H64 V100 H36 Z', fill: 'main' },
      { path: 'M56 20 H64 V100 H56 Z', fill: 'shade' },
      { path: 'M42 46 V98 M47 46 V98 M53 46 V98 M58 46 V98', line: 'deep', width: 1.1 },
      { path: 'M33 14 H67 V42 H33 Z', fill: 'light' },
      { path: oval(50, 28, 11), fill: 'accent' },
      { path: oval(50, 28, 11), line: 'ink', width: 1.4 },
      { path: 'M50 28 V20 M50 28 L55 31', line: 'ink', width: 1.6 },
      { path: 'M32 10 H68 V15 H32 Z M36 10 L40 0 H60 L64 10 Z', fill: 'deep' },
      { path: 'M40 0 H60 L56 -8 H44 Z', fill: 'lamp' },
      { path: 'M42 -8 H58 L50 -36 Z', fill: 'deep' },
    ],
  },
  great_wall: {
    main: '#b79a74',
    parts: [
      {
        path: 'M-170 100 C-150 60 -110 40 -70 48 C-40 54 -20 70 20 62 C70 50 90 20 140 24 C190 28 220 50 260 40 V100 Z',
        fill: 'leaf',
      },
      {
        path: 'M-170 92 C-140 52 -100 36 -66 42 C-30 50 -10 64 24 56 C72 44 92 14 142 18 C186 22 220 44 260 34 V54 C220 64 186 42 142 38 C98 34 76 66 28 78 C-14 86 -34 70 -68 62 C-100 56 -130 72 -150 100 H-170 Z',
        fill: 'main',
      },
      {
        path: 'M-166 86 l4 -6 M-154 72 l6 -5 M-138 58 l7 -4 M-118 46 l8 -3 M-96 40 l9 0 M-74 40 l9 2 M-52 44 l8 3 M-30 51 l8 3 M-8 56 l9 1 M14 56 l9 -2 M36 50 l8 -4 M56 40 l7 -5 M76 29 l7 -4 M98 20 l9 -3 M166 22 l9 3 M188 29 l8 3 M210 35 l9 1 M234 36 l9 -1',
        line: 'light',
        width: 4.6,
      },
      {
        path: 'M-150 98 C-130 70 -100 54 -68 60 C-34 68 -14 84 28 76 C76 64 98 32 142 36 C186 40 220 62 260 52',
        line: 'shade',
        width: 2.6,
      },
      { path: 'M118 -14 H166 V44 H118 Z', fill: 'light' },
      { path: 'M146 -14 H166 V44 H146 Z', fill: 'shade' },
      {
        path: 'M112 -22 h8 v8 h-8 Z M126 -22 h8 v8 h-8 Z M140 -22 h8 v8 h-8 Z M154 -22 h8 v8 h-8 Z M166 -22 h6 v8 h-6 Z M112 -15 H172 V-9 H112 Z',
        fill: 'main',
      },
      { path: rectangles([126, 144], [2], 9, 14), fill: 'ink' },
      { path: 'M-96 22 H-62 V58 H-96 Z', fill: 'light' },
      {
        path: 'M-100 16 h7 v7 h-7 Z M-88 16 h7 v7 h-7 Z M-76 16 h7 v7 h-7 Z M-65 16 h7 v7 h-7 Z M-100 22 H-58 V27 H-100 Z',
        fill: 'main',
      },
      { path: rectangles([-90, -76], [34], 6, 10), fill: 'ink' },
    ],
  },
  taj_mahal: {
    main: '#f2ece2',
    parts: [
      {
        path: 'M-62 10 h10 v84 h-10 Z M152 10 h10 v84 h-10 Z M-64 34 h14 v4 h-14 Z M-64 62 h14 v4 h-14 Z M150 34 h14 v4 h-14 Z M150 62 h14 v4 h-14 Z',
        fill: 'light',
      },
      { path: 'M-64 10 C-64 -2 -50 -2 -50 10 Z M150 10 C150 -2 164 -2 164 10 Z', fill: 'shade' },
      { path: 'M0 46 H100 V92 H0 Z', fill: 'main' },
      { path: 'M70 46 H100 V92 H70 Z', fill: 'shade', alpha: 0.6 },
      { path: 'M30 36 H70 V92 H30 Z', fill: 'light' },
      { path: 'M28 32 C14 10 36 2 50 -22 C64 2 86 10 72 32 Z', fill: 'main' },
      { path: 'M60 -2 C76 12 82 18 72 32 H58 C68 18 64 4 56 -8 Z', fill: 'shade', alpha: 0.7 },
      { path: 'M50 -22 V-36', line: 'lamp', width: 2 },
      {
        path: 'M8 46 C0 36 10 32 15 24 C20 32 30 36 22 46 Z M78 46 C70 36 80 32 85 24 C90 32 100 36 92 46 Z',
        fill: 'main',
      },
      { path: 'M38 92 V60 C38 50 50 46 50 42 C50 46 62 50 62 60 V92 Z', fill: 'deep' },
      {
        path: 'M8 92 V76 C8 70 15 68 15 66 C15 68 22 70 22 76 V92 Z M78 92 V76 C78 70 85 68 85 66 C85 68 92 70 92 76 V92 Z M8 62 V54 C8 50 15 49 15 48 C15 49 22 50 22 54 V62 Z M78 62 V54 C78 50 85 49 85 48 C85 49 92 50 92 54 V62 Z',
        fill: 'deep',
        alpha: 0.75,
      },
      { path: 'M-80 92 H180 V100 H-80 Z', fill: 'shade' },
    ],
  },
  opera_house: {
    main: '#f4f1ea',
    accent: '#b98a6a',
    parts: [
      { path: 'M-70 84 H170 V100 H-70 Z', fill: 'accent' },
      { path: 'M-60 84 C-56 54 -40 38 -14 30 C-18 50 -18 66 -12 84 Z', fill: 'main' },
      { path: 'M-30 84 C-24 36 4 4 44 -14 C34 22 34 54 44 84 Z', fill: 'light' },
      { path: 'M44 -14 C34 22 34 54 44 84 H22 C16 50 22 14 44 -14 Z', fill: 'shade' },
      { path: 'M26 84 C32 48 54 22 88 8 C80 34 80 60 88 84 Z', fill: 'main' },
      { path: 'M88 8 C80 34 80 60 88 84 H68 C64 56 70 30 88 8 Z', fill: 'shade' },
      { path: 'M74 84 C80 58 98 42 124 34 C118 52 118 68 124 84 Z', fill: 'light' },
      { path: 'M160 84 C156 62 146 48 128 40 C132 56 132 70 128 84 Z', fill: 'main' },
      { path: rectangles([-60, -40, -20, 0, 20, 40, 60, 80, 100, 120, 140], [90], 10, 5), fill: 'lamp' },
    ],
  },
  liberty: {
    main: '#7fb5a0',
    accent: '#b9a98c',
    parts: [
      { path: 'M22 66 H78 L84 100 H16 Z', fill: 'accent' },
      { path: 'M14 94 H86 V101 H14 Z M20 64 H80 V69 H20 Z', fill: 'accentShade' },
      { path: 'M38 66 C36 44 38 30 44 22 H58 C64 32 64 46 66 66 Z', fill: 'main' },
      { path: 'M54 22 H58 C64 32 64 46 66 66 H56 C58 50 58 36 54 22 Z M42 36 L46 64 M50 30 L51 64', fill: 'shade' },
      { path: 'M46 26 L36 2 L34 -8', line: 'main', width: 5.4 },
      { path: 'M30 -10 H40 L38 -4 H32 Z', fill: 'lamp' },
      { path: 'M35 -26 C42 -18 40 -10 35 -10 C30 -10 28 -18 35 -26 Z', fill: 'fire' },
      { path: 'M58 30 L70 42', line: 'main', width: 5 },
      { path: 'M66 36 L78 32 L80 48 L68 50 Z', fill: 'light' },
      { path: oval(51, 14, 6.5, 8), fill: 'light' },
      { path: 'M43 10 L36 2 L45 6 L44 -4 L49 5 L52 -6 L54 5 L60 -3 L58 7 L66 3 L59 11 Z', fill: 'main' },
    ],
  },
  colosseum: {
    main: '#d3b58a',
    parts: [
      { path: 'M-60 96 V24 C-20 8 60 2 104 12 V30 L128 44 L160 52 V96 C110 106 -10 106 -60 96 Z', fill: 'main' },
      { path: 'M60 8 C80 7 94 9 104 12 V30 L128 44 L160 52 V96 C130 102 100 103 70 104 Z', fill: 'shade', alpha: 0.55 },
      ...[30, 54, 78].map(
        (y): Part => ({
          path: [-52, -34, -16, 2, 20, 38, 56, 74, 92, 110, 128, 144]
            .filter((x) => y > 50 || x < 96)
            .map((x) => `M${x} ${y + 16} V${y + 6} C${x} ${y - 3} ${x + 10} ${y - 3} ${x + 10} ${y + 6} V${y + 16} Z`)
            .join(' '),
          fill: 'deep',
        }),
      ),
      { path: 'M-60 50 C0 44 80 42 128 46 M-60 73 C0 69 100 69 160 74', line: 'light', width: 2.6 },
    ],
  },
  pisa: {
    main: '#ece3d2',
    parts: [
      { path: 'M26 100 L40 8 H68 L74 100 Z', fill: 'main' },
      { path: 'M60 8 H68 L74 100 H62 Z', fill: 'shade' },
      { path: 'M36 22 H72 M34 36 H73 M32 50 H74 M30 64 H74 M28 78 H75', line: 'deep', width: 2 },
      ...[26, 40, 54, 68].map(
        (y): Part => ({
          path: [38, 45, 52, 59, 66].map((x) => `M${x} ${y + 8} v-5 q2.4 -4 4.8 0 v5 Z`).join(' '),
          fill: 'deep',
        }),
      ),
      { path: 'M44 -8 H66 L68 8 H42 Z', fill: 'light' },
      { path: 'M48 6 v-7 q2.4 -4 4.8 0 v7 Z M58 6 v-7 q2.4 -4 4.8 0 v7 Z M44 92 v-8 q6 -6 12 0 v8 Z', fill: 'deep' },
    ],
  },
  stall: {
    main: '#c8573a',
    accent: '#e8b04a',
    parts: [
      { path: 'M-18 20 V100 M118 20 V100', line: 'wood', width: 4 },
      { path: 'M-16 36 H116 V66 H-16 Z', fill: 'ink', alpha: 0.35 },
      { path: 'M-20 66 H120 V98 H-20 Z', fill: 'wood' },
      { path: [-8, 8, 24].map((x) => oval(x, 60, 8)).join(' '), fill: 'fire' },
      { path: [42, 56, 70].map((x) => oval(x, 60, 7.5)).join(' '), fill: 'leaf' },
      { path: [86, 100].map((x) => oval(x, 59, 9)).join(' '), fill: 'accent' },
      { path: 'M-16 78 H50 V92 H-16 Z', fill: 'accentShade' },
      { path: 'M-34 22 L-20 -6 H120 L134 22 Z', fill: 'main' },
      { path: 'M-10 22 L-1 -6 H18 L14 22 Z M38 22 L40 -6 H60 L62 22 Z M86 22 L82 -6 H101 L110 22 Z', fill: 'pale' },
      {
        path: 'M-34 22 q12 12 24 0 q12 12 24 0 q12 12 24 0 q12 12 24 0 q12 12 24 0 q12 12 24 0 q12 12 24 0 Z',
        fill: 'shade',
      },
      { path: rectangle(20, 72, 60, 3), fill: 'accent' },
    ],
  },
};
