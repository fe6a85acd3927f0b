import { oval, type Part, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { SWAYING } from './parts/plant-parts.ts';

const canes = (x: number, foot: number): readonly Part[] => [
  { path: `M${x} ${foot} L${x + 4} -20`, line: 'main', width: 7 },
  {
    path: `M${x - 3} ${foot - 22} h8 M${x - 2} ${foot - 46} h8 M${x - 1} ${foot - 70} h8 M${x} ${foot - 94} h8`,
    line: 'deep',
    width: 1.6,
  },
  {
    path: `M${x + 2} 10 q18 -14 28 -2 q-16 8 -28 2 Z M${x + 2} 30 q-20 -10 -28 4 q16 6 28 -4 Z M${x + 3} -12 q20 -10 26 4 q-16 4 -26 -4 Z`,
    fill: 'leaf',
  },
];

/** Trees and their parts. */
export const TREES = {
  tree: {
    words: {
      en: 'tree, oak, birch/birches, willow, apple tree, maple tree, maple',
      de: 'baum/bäume, eiche/eichen, linde/linden',
      fr: 'arbre, chêne',
      es: 'árbol/árboles, roble',
    },
    habitat: { lives: 'land', size: 0.42, outdoors: true },
    hasStem: true,
    followsFoliage: true,
    growth: {
      density: { hills: 0.25, village: 0.3, garden: 0.5, savanna: 0.14, road: 0.2 },
      stand: { spacing: 0.5, size: 0.34, depths: [0.04, 0.1, 0.2, 0.34] },
    },
    seat: { top: 0.6, width: 0.3, holds: 0.26 },
    drawing: {
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
          move: SWAYING,
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
          move: SWAYING,
        },
        {
          path: [oval(23, 37, 8), oval(33, 17, 9), oval(45, 6, 7), oval(56, 19, 7), oval(44, 36, 8)].join(' '),
          fill: 'light',
          alpha: 0.65,
          move: SWAYING,
        },
      ],
    },
  },
  pine: {
    words: {
      en: 'pine, fir, spruce, pine tree, fir tree, conifer',
      de: 'tanne/tannen, kiefer/kiefern, fichte/fichten',
      fr: 'sapin',
      es: 'pino, abeto',
    },
    habitat: { lives: 'land', size: 0.42, outdoors: true },
    hasStem: true,
    growth: {
      density: { mountains: 0.35, peaks: 0.15, forest: 1, snowfield: 0.3 },
      stand: { spacing: 0.34, size: 0.36, depths: [0.03, 0.08, 0.16, 0.3, 0.5] },
      inAutumn: 'tree',
    },
    drawing: {
      main: '#3f7257',
      parts: [
        { path: rectangle(46.5, 84, 7, 16), fill: 'wood' },
        { path: 'M50 34 L80 88 H20 Z', fill: 'shade', move: SWAYING },
        { path: 'M50 18 L74 66 H26 Z', fill: 'main', move: SWAYING },
        { path: 'M50 0 L68 44 H32 Z', fill: 'light', move: SWAYING },
        {
          path: 'M50 0 L68 44 H52 Z M50 44 L74 66 H52 Z M50 66 L80 88 H52 Z',
          fill: 'deep',
          alpha: 0.35,
          move: SWAYING,
        },
      ],
    },
  },
  palm: {
    words: {
      en: 'palm, palm tree, coconut tree',
      de: 'palme/palmen',
      fr: 'palmier',
      es: 'palmera',
    },
    habitat: { lives: 'land', size: 0.46, home: ['beach'], outdoors: true },
    hasStem: true,
    growth: { density: { jungle: 0.8 }, stand: { spacing: 0.5, size: 1.15, depths: [0.03, 0.1, 0.2] } },
    drawing: {
      main: '#4f9448',
      parts: [
        { path: 'M40 100 C44 74 48 52 58 28 L63 30 C56 54 52 76 51 100 Z', fill: 'wood' },
        {
          path: 'M60 28 C40 14 20 18 8 34 C26 30 42 30 60 30 Z M60 28 C52 6 36 -2 20 2 C36 8 48 18 60 30 Z M60 28 C66 4 82 -4 98 2 C84 8 72 16 60 30 Z',
          fill: 'main',
          move: { ...SWAYING, x: 60, y: 30, amount: 3 },
        },
        {
          path: 'M60 28 C80 14 98 20 108 38 C92 32 76 30 60 30 Z M60 28 C44 32 30 44 26 62 C38 50 50 40 60 31 Z M60 28 C78 34 90 46 92 64 C82 50 72 40 60 31 Z',
          fill: 'shade',
          move: { ...SWAYING, x: 60, y: 30, amount: 3 },
        },
        { path: `${oval(56, 33, 3.6)} ${oval(64, 34, 3.6)}`, fill: 'wood' },
      ],
    },
  },
  blossom: {
    words: {
      en: 'cherry tree, cherry blossom, blossom, sakura',
      de: 'kirschbaum/kirschbäume, kirschblüte/kirschblüten',
      fr: 'cerisier',
      es: 'cerezo',
    },
    habitat: { lives: 'land', size: 0.44, outdoors: true },
    hasStem: true,
    drawing: {
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
          move: SWAYING,
        },
        {
          path: [oval(21, 40, 14), oval(71, 36, 15), oval(46, 42, 15), oval(33, 20, 15), oval(60, 18, 15)].join(' '),
          fill: 'main',
          move: SWAYING,
        },
        {
          path: [oval(18, 35, 7), oval(31, 15, 8), oval(56, 13, 8), oval(70, 30, 7), oval(45, 35, 7)].join(' '),
          fill: 'pale',
          alpha: 0.8,
          move: SWAYING,
        },
      ],
    },
  },
  cactus: {
    words: {
      en: 'cactus/cacti, saguaro',
      de: 'kaktus/kakteen',
    },
    habitat: { lives: 'land', size: 0.32, home: ['desert'] },
    growth: { density: { desert: 0.12 }, stand: { spacing: 0.55, size: 0.26, depths: [0.06, 0.16, 0.34, 0.6] } },
    drawing: {
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
  },
  bamboo: {
    words: {
      en: 'bamboo, bamboo stalk',
      de: 'Bambus',
    },
    habitat: { lives: 'land', size: 0.44, home: ['bamboo_forest'] },
    growth: {
      density: { jungle: 0.25, bamboo_forest: 1 },
      stand: { spacing: 0.62, size: 1.6, depths: [0.03, 0.1, 0.24] },
    },
    drawing: {
      main: '#7fa045',
      parts: [...canes(-20, 98), ...canes(14, 100), ...canes(46, 96), ...canes(80, 100), ...canes(114, 98)],
    },
  },
  branch: {
    words: {
      en: 'branch/branches, tree branch, twig',
    },
    habitat: { lives: 'land', size: 0.4, home: ['forest'] },
    seat: { top: 0.71, width: 0.5, holds: 0.8, posture: 'upright' },
    drawing: {
      main: '#6e4a32',
      parts: [
        { path: 'M-70 100 C-76 40 -72 0 -82 -140 H-46 C-50 -20 -50 40 -38 100 Z', fill: 'main' },
        { path: 'M-50 100 C-56 40 -56 0 -54 -140 H-46 C-50 -20 -50 40 -38 100 Z', fill: 'shade' },
        { path: 'M-56 52 C-20 34 40 30 120 20 C126 20 126 26 120 27 C60 36 0 44 -48 68 Z', fill: 'main' },
        { path: 'M60 28 L82 6 M96 23 L124 38', line: 'main', width: 4 },
        {
          path: 'M82 6 q20 -16 30 0 q-16 10 -30 0 Z M124 38 q22 -6 24 10 q-18 4 -24 -10 Z M120 22 q18 -14 28 0 q-14 10 -28 0 Z',
          fill: 'leaf',
        },
      ],
    },
  },
  leaf: {
    words: {
      en: 'leaf/leaves',
      de: 'Blatt/Blätter',
      fr: 'feuille/feuilles',
      es: 'hoja/hojas',
    },
    habitat: { lives: 'land', size: 0.26, home: ['garden', 'forest'] },
    seat: { top: 0.4, width: 0.9, holds: 1.4 },
    drawing: {
      main: '#5aa04a',
      parts: [
        { path: 'M-60 84 C-30 52 70 40 140 88 C90 110 -10 108 -60 84 Z', fill: 'main' },
        { path: 'M-60 84 C0 80 80 82 140 88', line: 'pale', width: 2.6 },
        { path: 'M-10 82 L6 66 M30 81 L50 62 M70 83 L88 68 M0 83 L14 98 M44 83 L60 99', line: 'pale', width: 1.4 },
      ],
    },
  },
} satisfies FigureKinds;
