import { oval, type Part, rectangles } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Landmarks of Europe. */
export const EUROPEAN_LANDMARKS = {
  eiffel: {
    words: {
      en: 'eiffel tower, the eiffel tower',
      de: 'Eiffelturm',
      fr: 'tour eiffel',
      es: 'torre eiffel',
    },
    habitat: { lives: 'land', size: 0.56, home: ['old_town'], outdoors: true },
    drawing: {
      main: '#7d6a58',
      parts: [
        { path: 'M49 -40 H51 V-14 H49 Z', fill: 'deep' },
        { path: 'M46 -16 H54 L60 34 L88 100 H68 C66 80 58 74 50 74 C42 74 34 80 32 100 H12 L40 34 Z', fill: 'main' },
        { path: 'M46 -16 H54 L60 34 H40 Z M36 40 H64 L70 58 H30 Z', fill: 'shade' },
        {
          path: 'M43 4 L57 14 M57 4 L43 14 M42 18 L59 30 M58 18 L41 30 M34 44 L66 56 M66 44 L34 56 M26 66 L36 80 M74 66 L64 80 M20 82 L32 92 M80 82 L68 92',
          line: 'pale',
          width: 1.2,
        },
        { path: 'M38 33 H62 V38 H38 Z M26 58 H74 V64 H26 Z M44 -18 H56 V-14 H44 Z', fill: 'deep' },
      ],
    },
  },
  big_ben: {
    words: {
      en: 'big ben, clock tower, westminster',
    },
    habitat: { lives: 'land', size: 0.52, home: ['old_town'], outdoors: true },
    drawing: {
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
  },
  colosseum: {
    words: {
      en: 'colosseum, amphitheater, amphitheatre',
      de: 'kolosseum',
    },
    habitat: { lives: 'land', size: 0.34, home: ['hills'], outdoors: true },
    drawing: {
      main: '#d3b58a',
      parts: [
        { path: 'M-60 96 V24 C-20 8 60 2 104 12 V30 L128 44 L160 52 V96 C110 106 -10 106 -60 96 Z', fill: 'main' },
        {
          path: 'M60 8 C80 7 94 9 104 12 V30 L128 44 L160 52 V96 C130 102 100 103 70 104 Z',
          fill: 'shade',
          alpha: 0.55,
        },
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
  },
  pisa: {
    words: {
      en: 'leaning tower, tower of pisa, leaning tower of pisa, pisa',
    },
    habitat: { lives: 'land', size: 0.52, home: ['hills'], outdoors: true },
    drawing: {
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
  },
} satisfies FigureKinds;
