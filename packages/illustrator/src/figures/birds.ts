import { type Drawing, oval, type Part } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { FAR_WING, NEAR_WING, wingBeat } from './parts/wing-parts.ts';

const BEATING = { kind: 'beat', x: 48, y: 58, amount: 1.35, period: 0.55 } as const;
const SOARING = { ...BEATING, amount: 1.2, glides: true } as const;
const OWL: Drawing = {
  main: '#8a6a4a',
  accent: '#f0b530',
  parts: [
    {
      path: 'M24 60 C18 30 30 14 32 4 L46 14 H54 L68 4 C70 14 82 30 76 60 C76 84 64 96 50 96 C36 96 24 84 24 60 Z',
      fill: 'main',
    },
    { path: 'M34 62 C36 50 44 46 50 50 C56 46 64 50 66 62 C66 80 58 90 50 90 C42 90 34 80 34 62 Z', fill: 'pale' },
    {
      path: 'M40 64 q3 4 6 0 M54 64 q3 4 6 0 M47 71 q3 4 6 0 M40 77 q3 4 6 0 M54 77 q3 4 6 0',
      line: 'shade',
      width: 1.6,
    },
    {
      path: 'M24 50 C14 64 18 82 28 88 C32 76 32 62 24 50 Z M76 50 C86 64 82 82 72 88 C68 76 68 62 76 50 Z',
      fill: 'shade',
    },
    { path: `${oval(39, 33, 12)} ${oval(61, 33, 12)}`, fill: 'white' },
    { path: `${oval(40, 33, 8)} ${oval(60, 33, 8)}`, fill: 'accent' },
    { path: `${oval(41, 33, 4.5)} ${oval(59, 33, 4.5)}`, fill: 'ink' },
    { path: 'M46 40 L50 49 L54 40 Z', fill: 'accentShade' },
    { path: 'M38 96 v4 M44 96 v4 M56 96 v4 M62 96 v4', line: 'accentShade', width: 2.6 },
  ],
};
const DUCK: Drawing = {
  main: '#e9c46a',
  accent: '#e8792b',
  parts: [
    {
      path: 'M6 58 C2 66 4 76 12 84 C26 98 62 98 78 84 C88 74 86 60 76 56 C74 50 78 46 82 40 L100 38 C104 34 100 30 94 30 C92 16 74 10 64 20 C54 30 62 44 58 54 C46 62 24 66 6 58 Z',
      fill: 'main',
    },
    { path: 'M24 66 C36 60 54 62 64 72 C56 86 34 86 24 66 Z', fill: 'shade' },
    { path: 'M90 28 C98 27 108 31 106 36 C102 40 94 40 88 38 Z', fill: 'accent' },
    { path: oval(80, 27, 2.8), fill: 'ink' },
  ],
};
const SWAN: Drawing = {
  main: '#f7f5f0',
  accent: '#e8792b',
  parts: [
    {
      path: 'M-12 62 C0 70 30 58 52 62 C70 66 78 58 76 44 C74 30 62 20 66 6 C70 -8 90 -8 94 6 L84 12 C80 6 76 8 76 14 C78 28 92 40 90 62 C88 88 66 98 40 98 C10 98 -8 86 -12 62 Z',
      fill: 'main',
    },
    { path: 'M-12 62 C10 54 40 56 56 70 C50 90 20 92 0 82 C-6 78 -10 70 -12 62 Z', fill: 'shade', alpha: 0.6 },
    { path: 'M92 2 L108 10 L92 14 L86 10 Z', fill: 'accent' },
    { path: oval(86, 5, 2), fill: 'ink' },
  ],
};
/** Wings to both sides, for birds that face the viewer. */
const SPREAD_WINGS: readonly Part[] = [
  {
    path: 'M34 46 C14 16 -20 8 -46 14 C-38 24 -40 30 -34 36 C-36 42 -26 48 -22 50 C-18 60 4 66 34 66 Z M66 46 C86 16 120 8 146 14 C138 24 140 30 134 36 C136 42 126 48 122 50 C118 60 96 66 66 66 Z',
    fill: 'main',
    move: wingBeat(50, 56, 0.8),
  },
  {
    path: 'M34 56 C10 46 -10 44 -30 46 C-22 52 -10 62 34 66 Z M66 56 C90 46 110 44 130 46 C122 52 110 62 66 66 Z',
    fill: 'shade',
    move: wingBeat(50, 56, 0.8),
  },
];

/** Birds of the sky, the water and the ice. */
export const BIRDS = {
  bird: {
    words: {
      en: 'bird, swallow, dove, pigeon, sparrow, robin, crow, raven, hummingbird, finch, magpie',
      de: 'vogel/vögel, schwalbe/schwalben, taube/tauben, rabe/raben',
      fr: 'oiseau/oiseaux, hirondelle, corbeau/corbeaux',
      es: 'pájaro, ave, golondrina, cuervo',
    },
    habitat: { lives: 'air', size: 0.1 },
    drawing: {
      main: '#2f4a73',
      accent: '#d7683f',
      parts: [
        { path: 'M50 54 C58 30 80 12 104 6 C98 30 84 50 62 62 Z', fill: 'shade', move: BEATING },
        { path: 'M20 66 L-6 56 L-12 66 L-4 70 L-14 78 L20 72 Z', fill: 'deep' },
        {
          path: 'M14 68 C26 54 50 48 70 50 C78 44 90 46 94 53 L106 57 L94 61 C88 74 62 82 42 78 C30 76 20 74 14 68 Z',
          fill: 'main',
        },
        { path: 'M46 74 C62 78 82 72 92 60 C84 60 66 60 56 66 Z', fill: 'accent' },
        { path: 'M44 58 C36 36 20 16 -6 8 C0 34 18 56 40 68 Z', fill: 'light', move: BEATING },
        { path: 'M94 53 L106 57 L94 61 Z', fill: 'accent' },
        { path: oval(86, 54, 2.2), fill: 'ink' },
      ],
    },
  },
  gull: {
    words: {
      en: 'gull, seagull, albatross/albatrosses',
      de: 'möwe/möwen',
      fr: 'mouette, goéland',
      es: 'gaviota',
    },
    habitat: { lives: 'air', size: 0.09, home: ['sea', 'cliffs'] },
    drawing: {
      main: '#f2f4f6',
      accent: '#eda62e',
      parts: [
        { path: 'M54 58 C62 38 84 26 118 26 C104 38 88 54 66 66 Z', fill: 'grey', move: { ...SOARING, period: 0.95 } },
        { path: 'M102 26 L124 25 L108 35 Z', fill: 'ink', move: { ...SOARING, period: 0.95 } },
        {
          path: 'M16 66 C32 54 58 50 74 52 C82 48 92 50 95 56 L106 59 L94 63 C84 74 54 80 36 74 L10 72 Z',
          fill: 'main',
        },
        { path: 'M46 60 C38 40 14 24 -22 26 C-6 40 14 58 40 68 Z', fill: 'grey', move: { ...SOARING, period: 0.95 } },
        { path: 'M-6 25 L-28 25 L-12 36 Z', fill: 'ink', move: { ...SOARING, period: 0.95 } },
        { path: 'M95 56 L106 59 L94 63 Z', fill: 'accent' },
        { path: oval(87, 56, 2), fill: 'ink' },
      ],
    },
  },
  eagle: {
    words: {
      en: 'eagle, hawk, falcon',
      de: 'adler, falke/falken',
      fr: 'aigle, faucon',
      es: 'águila, halcón',
    },
    habitat: { lives: 'air', size: 0.17, home: ['mountains', 'peaks'] },
    drawing: {
      main: '#5b4030',
      accent: '#e9b23b',
      parts: [
        {
          path: 'M52 56 C58 40 78 22 120 18 C118 24 112 26 110 28 C112 32 104 34 102 36 C104 40 94 42 92 44 C92 50 78 60 62 66 Z',
          fill: 'shade',
          move: { ...SOARING, period: 1.2 },
        },
        { path: 'M14 70 L-8 70 L-4 76 L-10 82 L16 80 L28 72 Z', fill: 'white' },
        { path: 'M14 74 C28 58 56 52 74 54 C86 60 80 74 62 78 C44 82 26 80 14 74 Z', fill: 'main' },
        {
          path: 'M46 58 C40 38 16 20 -26 18 C-24 24 -18 26 -16 28 C-18 32 -10 34 -8 36 C-8 42 2 44 6 46 C12 58 26 64 42 68 Z',
          fill: 'main',
          move: { ...SOARING, period: 1.2 },
        },
        { path: 'M70 54 C76 48 88 48 92 55 C94 62 84 68 74 66 Z', fill: 'white' },
        { path: 'M91 53 C98 53 102 58 100 64 C96 62 92 62 91 61 Z', fill: 'accent' },
        { path: oval(86, 55, 1.8), fill: 'ink' },
      ],
    },
  },
  owl: {
    words: {
      en: 'owl',
      de: 'eule/eulen',
      fr: 'hibou/hiboux, chouette',
      es: 'búho, lechuza',
    },
    habitat: { lives: 'land', size: 0.26, home: ['forest'], flies: true },
    eyes: { ahead: 0, up: 0.67, width: 0.5 },
    wearsCostumes: true,
    drawing: OWL,
    flying: {
      ...OWL,
      // Omits folded wings and the feet on the branch.
      parts: [
        ...SPREAD_WINGS,
        ...OWL.parts.filter(({ path, line }) => line !== 'accentShade' && !path.startsWith('M24 50')),
      ],
    },
  },
  duck: {
    words: {
      en: 'duck, goose/geese',
      de: 'ente/enten',
      fr: 'canard',
      es: 'pato',
    },
    habitat: { lives: 'water', size: 0.14, home: ['lake'], flies: true },
    eyes: { ahead: 0.26, up: 0.73, width: 0.3 },
    wearsCostumes: true,
    drawing: DUCK,
    flying: { ...DUCK, parts: [FAR_WING, ...DUCK.parts, NEAR_WING] },
  },
  swan: {
    words: {
      en: 'swan',
      de: 'Schwan/Schwäne',
      fr: 'cygne/cygnes',
      es: 'cisne/cisnes',
    },
    habitat: { lives: 'water', size: 0.2, home: ['lake'], flies: true },
    drawing: SWAN,
    flying: { ...SWAN, parts: [FAR_WING, ...SWAN.parts, NEAR_WING] },
  },
  penguin: {
    words: {
      en: 'penguin, puffin',
      de: 'pinguin/pinguine',
      fr: 'pingouin, manchot',
      es: 'pingüino',
    },
    habitat: { lives: 'land', size: 0.26, home: ['snowfield'] },
    gait: { hop: { height: 0.015, lean: 0.1 } },
    crown: { ahead: 0.04, up: 0.94 },
    eyes: { ahead: 0, up: 0.78, width: 0.32 },
    wearsCostumes: true,
    drawing: {
      main: '#2b3140',
      accent: '#f0a030',
      parts: [
        { path: 'M34 94 C26 94 24 100 30 100 H46 V94 Z M54 94 H66 C74 94 76 100 70 100 H54 Z', fill: 'accent' },
        {
          path: 'M28 44 C14 56 12 72 18 82 C26 76 30 62 34 50 Z M72 44 C86 56 88 72 82 82 C74 76 70 62 66 50 Z',
          fill: 'deep',
          move: { kind: 'swing', x: 50, y: 46, amount: 2.4, period: 1 },
        },
        { path: 'M50 2 C68 2 72 18 70 30 C80 46 82 96 50 97 C18 96 20 46 30 30 C28 18 32 2 50 2 Z', fill: 'main' },
        { path: 'M50 34 C66 34 72 56 69 74 C66 90 58 94 50 94 C42 94 34 90 31 74 C28 56 34 34 50 34 Z', fill: 'white' },
        { path: 'M36 24 C36 14 46 14 50 20 C54 14 64 14 64 24 C64 34 56 36 50 36 C44 36 36 34 36 24 Z', fill: 'white' },
        { path: 'M44 27 L56 27 L50 35 Z', fill: 'accent' },
        { path: `${oval(43, 22, 2.4)} ${oval(57, 22, 2.4)}`, fill: 'ink' },
      ],
    },
  },
} satisfies FigureKinds;
