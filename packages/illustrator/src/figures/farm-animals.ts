import { leg, oval } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

const HOOF = { tone: 'ink', width: 4.4, back: 1.6, front: 2.4 } as const;
const BROAD_HOOF = { tone: 'ink', width: 4, back: 4, front: 4 } as const;
const CLAW = { tone: 'fire', width: 2.6, back: 4, front: 7 } as const;

/** Animals of a farm. */
export const FARM_ANIMALS = {
  horse: {
    words: {
      en: 'horse, pony/ponies, stallion, mare',
      de: 'pferd/pferde, pony/ponys',
      fr: 'cheval/chevaux',
      es: 'caballo',
    },
    habitat: { lives: 'land', size: 0.36 },
    gait: { walksWhenRidden: true },
    crown: { ahead: 0.34, up: 0.9 },
    wearsCostumes: true,
    seat: { top: 0.5, width: 0.2, holds: 0.8, peopleSit: true },
    drawing: {
      main: '#7b4a2d',
      accent: '#2e1d17',
      parts: [
        {
          path: 'M10 52 C-6 58 -4 78 -8 88 C4 84 8 70 14 60 Z',
          fill: 'accent',
          move: { kind: 'swing', x: 11, y: 54, amount: 8, period: 2 },
        },
        leg('M24 62 L20 80 L24 97', 'hind far', 'shade', 5.6, HOOF),
        leg('M62 62 L65 80 L62 97', 'front far', 'shade', 5.6, HOOF),
        {
          path: 'M8 54 C10 42 26 42 42 45 C54 46 60 38 66 22 L84 20 C80 40 78 58 66 66 C52 72 34 68 22 68 C12 68 7 62 8 54 Z',
          fill: 'main',
        },
        leg('M15 60 L10 80 L14 97', 'hind near', 'main', 6, HOOF),
        leg('M70 58 L75 78 L74 97', 'front near', 'main', 6, HOOF),
        {
          path: 'M64 26 C66 14 72 8 80 8 L82 2 L85 9 C92 13 98 24 101 32 C100 38 95 39 91 36 C86 33 82 33 78 32 Z',
          fill: 'main',
        },
        { path: 'M80 6 C68 6 60 18 57 30 C55 38 52 42 46 44 C58 44 62 36 66 28 C70 18 74 14 80 12 Z', fill: 'accent' },
        { path: `${oval(86, 17, 1.5)} ${oval(98.5, 33, 1.2)}`, fill: 'ink' },
      ],
    },
  },
  cow: {
    words: {
      en: 'cow, bull, ox/oxen, buffalo/buffaloes, yak, cattle/cattle',
      de: 'kuh/kühe, stier/stiere',
      fr: 'vache, taureau/taureaux',
      es: 'vaca, toro',
    },
    habitat: { lives: 'land', size: 0.32, home: ['meadow', 'mountains'] },
    gait: { walksWhenRidden: true },
    wearsCostumes: true,
    drawing: {
      main: '#f1ece2',
      accent: '#3a3030',
      parts: [
        {
          path: 'M4 44 C-6 56 -4 70 -6 78',
          line: 'shade',
          width: 2.6,
          move: { kind: 'swing', x: 4, y: 44, amount: 9, period: 1.9 },
        },
        leg('M26 72 L26 97', 'hind far', 'shade', 8, BROAD_HOOF),
        leg('M60 72 L60 97', 'front far', 'shade', 8, BROAD_HOOF),
        {
          path: 'M2 50 C2 38 20 36 44 37 C60 36 72 38 76 46 C80 62 74 76 60 78 C40 82 24 80 12 78 C4 74 2 62 2 50 Z',
          fill: 'main',
        },
        {
          path: 'M14 38 C26 34 36 44 30 54 C22 62 8 56 8 46 Z M48 40 C62 38 66 48 62 58 C54 66 44 60 44 50 Z M24 78 C26 66 40 66 42 78 Z',
          fill: 'accent',
        },
        leg('M14 70 L14 97', 'hind near', 'main', 9, BROAD_HOOF),
        leg('M69 68 L70 97', 'front near', 'main', 9, BROAD_HOOF),
        { path: 'M46 79 C46 86 58 86 58 78 Z', fill: 'skin' },
        {
          path: 'M68 34 C66 24 74 20 84 22 C92 22 98 28 100 38 C104 44 104 52 96 54 C86 56 76 54 72 46 Z',
          fill: 'main',
        },
        { path: 'M88 44 C96 40 106 44 103 51 C98 57 88 56 86 51 Z', fill: 'skin' },
        { path: 'M70 32 C60 30 56 36 58 42 C64 44 70 42 72 38 Z', fill: 'accent' },
        { path: 'M74 24 C70 18 70 12 74 8 M88 22 C90 16 94 12 92 7', line: 'wood', width: 2.6 },
        { path: `${oval(86, 34, 2)} ${oval(95, 48, 1.4)} ${oval(101, 47, 1.2)}`, fill: 'ink' },
      ],
    },
  },
  sheep: {
    words: {
      en: 'sheep/sheep, lamb, goat',
      de: 'schaf/schafe, lamm/lämmer, ziege/ziegen',
      fr: 'mouton, agneau/agneaux, chèvre',
      es: 'oveja, cordero, cabra',
    },
    habitat: { lives: 'land', size: 0.22, home: ['meadow', 'hills'] },
    gait: { walksWhenRidden: true },
    wearsCostumes: true,
    drawing: {
      main: '#efeae0',
      accent: '#3b3535',
      parts: [
        leg('M30 72 L30 99', 'hind far', 'accent', 4.6),
        leg('M70 72 L70 99', 'front far', 'accent', 4.6),
        leg('M42 72 L42 99', 'hind near', 'accent', 4.6),
        leg('M60 72 L60 99', 'front near', 'accent', 4.6),
        {
          path: [
            oval(24, 58, 14),
            oval(38, 46, 16),
            oval(56, 45, 16),
            oval(72, 54, 14),
            oval(68, 68, 14),
            oval(50, 72, 15),
            oval(32, 70, 14),
            oval(48, 58, 18),
          ].join(' '),
          fill: 'main',
        },
        { path: 'M74 44 C78 38 90 38 94 46 C98 56 96 66 90 68 C82 68 74 56 74 44 Z', fill: 'accent' },
        { path: 'M78 46 C72 44 68 46 66 50 C72 53 76 52 79 50 Z', fill: 'accentShade' },
        { path: `${oval(78, 40, 7)} ${oval(86, 37, 6)}`, fill: 'main' },
        { path: oval(89, 51, 1.6), fill: 'white' },
      ],
    },
  },
  pig: {
    words: {
      en: 'pig, piglet, boar',
      de: 'schwein/schweine',
      fr: 'cochon',
      es: 'cerdo',
    },
    habitat: { lives: 'land', size: 0.24, home: ['meadow'] },
    gait: { walksWhenRidden: true },
    eyes: { ahead: 0.32, up: 0.55, width: 0.38 },
    wearsCostumes: true,
    drawing: {
      main: '#eda5a5',
      parts: [
        { path: 'M6 54 C-4 52 -4 44 2 44 C8 44 4 52 -2 50', line: 'shade', width: 2.4 },
        leg('M28 74 L28 98', 'hind far', 'shade', 9),
        leg('M62 74 L62 98', 'front far', 'shade', 9),
        { path: 'M4 60 C4 40 28 34 48 36 C70 36 82 48 80 62 C78 78 66 86 46 86 C22 86 4 80 4 60 Z', fill: 'main' },
        leg('M18 72 L18 98', 'hind near', 'main', 10),
        leg('M70 72 L72 98', 'front near', 'main', 10),
        { path: 'M64 36 C62 28 66 24 72 26 L78 34 Z M86 34 C88 26 94 26 96 30 L92 40 Z', fill: 'deep' },
        { path: 'M62 52 C62 38 76 32 88 36 C98 40 102 50 100 58 C96 70 70 72 64 64 Z', fill: 'light' },
        { path: oval(98, 54, 7, 8.5), fill: 'shade' },
        { path: `${oval(96, 54, 1.5, 2.4)} ${oval(101, 54, 1.4, 2.4)} ${oval(84, 45, 2)}`, fill: 'ink' },
      ],
    },
  },
  chicken: {
    words: {
      en: 'chicken, hen, rooster, cockerel, chick, turkey bird',
      de: 'huhn/hühner, hahn/hähne',
      fr: 'poule, coq',
      es: 'gallina, gallo',
    },
    habitat: { lives: 'land', size: 0.2, home: ['garden', 'meadow'] },
    wearsCostumes: true,
    drawing: {
      main: '#f4ece0',
      accent: '#d8352e',
      parts: [
        leg('M42 78 L40 97', 'far', 'fire', 2.6, CLAW),
        leg('M54 78 L56 97', 'near', 'fire', 2.6, CLAW),
        {
          path: 'M14 34 C0 38 2 56 14 66 C22 88 62 90 74 68 C80 56 78 44 82 30 C78 18 64 16 58 28 C52 44 36 48 26 46 C20 44 18 38 14 34 Z',
          fill: 'main',
        },
        { path: 'M26 54 C36 48 54 50 58 62 C52 76 32 74 26 54 Z', fill: 'shade' },
        {
          path: 'M62 20 C58 10 66 8 68 14 C70 6 78 8 76 14 C82 10 86 16 80 22 Z M80 38 C86 40 86 48 81 48 C77 48 77 42 80 38 Z',
          fill: 'accent',
        },
        { path: 'M81 28 L93 33 L81 37 Z', fill: 'fire' },
        { path: oval(74, 28, 2.2), fill: 'ink' },
      ],
    },
  },
} satisfies FigureKinds;
