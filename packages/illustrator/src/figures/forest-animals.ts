import { leg, oval, type Part } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { BODY, farLegs, nearLegs, tailSwing } from './parts/walking-parts.ts';

/** Draws a pointed head on a neck, with a muzzle of another colour. */
const snouted = (muzzle: 'white' | 'pale'): readonly Part[] => [
  {
    path: 'M68 56 L72 20 L84 31 C90 28 95 29 98 32 C106 38 112 44 122 49 C116 58 100 62 90 60 C86 66 78 70 72 68 Z',
    fill: 'main',
  },
  { path: 'M122 49 C116 58 100 63 88 60 C98 58 104 51 110 45 C114 47 118 48 122 49 Z', fill: muzzle },
  { path: 'M75 27 L82 34 L75 42 Z', fill: 'deep' },
  { path: `${oval(98, 41, 2.2)} ${oval(120, 49, 2.8, 2.3)}`, fill: 'ink' },
];

/** Animals of the woods and hills. */
export const FOREST_ANIMALS = {
  fox: {
    words: {
      en: 'fox/foxes, vixen',
      de: 'fuchs/füchse',
      fr: 'renard',
      es: 'zorro, zorra',
    },
    habitat: { lives: 'land', size: 0.27, home: ['forest', 'meadow', 'hills'] },
    crown: { ahead: 0.16, up: 0.76 },
    eyes: { ahead: 0.24, up: 0.57, width: 0.42 },
    wearsCostumes: true,
    drawing: {
      main: '#d96a2b',
      parts: [
        {
          path: 'M44 98 C10 106 -6 74 10 56 C16 72 30 80 48 82 Z',
          fill: 'shade',
          move: { kind: 'swing', x: 44, y: 94, amount: 6, period: 2.4 },
        },
        {
          path: 'M10 56 C2 64 0 74 4 84 C12 82 18 74 18 67 Z',
          fill: 'white',
          move: { kind: 'swing', x: 44, y: 94, amount: 6, period: 2.4 },
        },
        { path: 'M38 99 C28 82 34 58 50 48 L68 52 C75 66 74 86 72 99 Z', fill: 'main' },
        { path: 'M40 99 C36 88 44 76 55 80 C63 84 62 99 62 99 Z', fill: 'shade' },
        { path: 'M60 54 C70 58 72 74 69 86 C61 78 57 66 60 54 Z', fill: 'white' },
        { path: 'M62 99 L64 80 L72 80 L73 99 Z', fill: 'deep' },
        {
          path: 'M46 44 L43 15 L57 28 C62 26 68 27 72 30 L85 17 L83 41 C89 46 94 50 99 55 C88 61 72 63 61 59 C52 56 47 51 46 44 Z',
          fill: 'main',
        },
        { path: 'M99 55 C88 61 73 63 62 59 C71 57 78 51 85 46 C91 49 95 51 99 55 Z', fill: 'white' },
        { path: 'M46 21 L54 29 L48 36 Z M83 23 L81 34 L75 31 Z', fill: 'deep' },
        { path: `${oval(74, 43, 2.3)} ${oval(97.5, 54.5, 2.8, 2.3)}`, fill: 'ink' },
      ],
    },
    walking: {
      main: '#d96a2b',
      parts: [
        { path: 'M10 54 C-10 42 -40 50 -56 70 C-38 80 -10 74 14 64 Z', fill: 'shade', move: tailSwing(7, 1.2) },
        {
          path: 'M-56 70 C-52 62 -44 57 -36 54 C-38 62 -34 70 -28 75 C-38 77 -48 75 -56 70 Z',
          fill: 'white',
          move: tailSwing(7, 1.2),
        },
        ...farLegs(6),
        { path: BODY, fill: 'main' },
        { path: 'M62 72 C76 74 86 66 86 54 C78 62 68 66 58 70 Z', fill: 'white' },
        ...nearLegs(6.4),
        ...snouted('white'),
      ],
    },
  },
  wolf: {
    words: {
      en: 'wolf/wolves, husky/huskies, coyote, werewolf/werewolves',
      de: 'Wolf/Wölfe',
      fr: 'loup/loups',
      es: 'lobo/lobos',
    },
    habitat: { lives: 'land', size: 0.36, home: ['hills', 'forest', 'snowfield'] },
    gait: { walksWhenRidden: true },
    wearsCostumes: true,
    drawing: {
      main: '#7d8590',
      accent: '#3f4650',
      parts: [
        {
          path: 'M18 62 C2 64 -8 78 -14 90 C2 92 16 84 24 72 Z',
          fill: 'accent',
          move: { kind: 'swing', x: 18, y: 64, amount: 7, period: 1.6 },
        },
        leg('M28 72 L25 98', 'hind far', 'shade', 7),
        leg('M62 70 L65 98', 'front far', 'shade', 7),
        {
          path: 'M14 64 C14 50 30 50 46 50 C54 48 58 38 62 30 L82 36 C82 58 74 78 60 80 C46 82 30 80 22 78 C16 76 14 70 14 64 Z',
          fill: 'main',
        },
        leg('M20 74 L17 98', 'hind near', 'main', 7.5),
        leg('M56 74 L57 98', 'front near', 'main', 7.5),
        { path: 'M60 40 C56 24 62 12 72 8 L86 -14 L92 -10 L88 2 C90 10 88 18 84 26 L78 42 Z', fill: 'main' },
        { path: 'M62 22 L52 12 L68 10 Z', fill: 'accent' },
        { path: 'M88 2 L92 -10 L96 -4 L90 8 Z', fill: 'pale' },
        { path: `${oval(78, 8, 1.7)} ${oval(88, -13, 2.6)}`, fill: 'ink' },
        { path: 'M66 44 C70 56 70 66 64 76 C76 68 80 52 80 42 Z', fill: 'pale' },
      ],
    },
    walking: {
      main: '#7d8590',
      accent: '#3f4650',
      parts: [
        { path: 'M10 54 C-6 56 -24 66 -36 84 C-18 84 0 76 14 66 Z', fill: 'accent', move: tailSwing(8, 1.1) },
        ...farLegs(6.6),
        { path: BODY, fill: 'main' },
        { path: 'M62 72 C76 74 86 66 86 54 C78 62 68 66 58 70 Z', fill: 'pale' },
        { path: 'M10 52 C28 46 54 50 76 46 C60 56 30 54 10 58 Z', fill: 'accent', alpha: 0.6 },
        ...nearLegs(7),
        ...snouted('pale'),
      ],
    },
  },
  deer: {
    words: {
      en: 'deer/deer, fawn, stag, gazelle, antelope, doe, elk, moose/moose, reindeer/reindeer',
      de: 'hirsch/hirsche, reh/rehe, elch/elche',
      fr: 'cerf, biche',
      es: 'ciervo, venado',
    },
    habitat: { lives: 'land', size: 0.38, home: ['forest', 'mountains'] },
    gait: { walksWhenRidden: true },
    wearsCostumes: true,
    drawing: {
      main: '#a8693a',
      parts: [
        {
          path: 'M72 22 C66 12 70 4 64 -2 M70 14 C64 12 60 6 60 0 M78 22 C84 12 80 4 88 -2 M82 12 C88 10 92 6 92 -1',
          line: 'wood',
          width: 2,
        },
        leg('M27 66 L25 99', 'hind far', 'shade', 4.2),
        leg('M58 66 L60 99', 'front far', 'shade', 4.2),
        { path: 'M17 60 C12 56 10 50 12 46 C16 48 20 50 22 54 Z', fill: 'white' },
        {
          path: 'M16 58 C18 48 32 48 46 50 C56 50 62 44 65 32 L78 34 C76 50 72 66 62 70 C50 74 34 71 24 71 C18 69 15 64 16 58 Z',
          fill: 'main',
        },
        leg('M21 64 L18 99', 'hind near', 'main', 4.6),
        leg('M65 62 L67 99', 'front near', 'main', 4.6),
        { path: 'M64 34 C64 24 70 19 78 20 C86 22 92 29 97 33 C97 39 90 40 84 39 C78 42 70 42 64 40 Z', fill: 'main' },
        { path: 'M68 24 C60 22 55 18 54 14 C62 14 68 17 71 21 Z', fill: 'shade' },
        {
          path: `${oval(30, 56, 1.5)} ${oval(36, 60, 1.5)} ${oval(42, 55, 1.5)} ${oval(27, 62, 1.3)} ${oval(48, 60, 1.4)}`,
          fill: 'pale',
          alpha: 0.8,
        },
        { path: `${oval(79, 27, 1.7)} ${oval(95.5, 34, 2)}`, fill: 'ink' },
      ],
    },
  },
  bear: {
    words: {
      en: 'bear, grizzly/grizzlies',
      de: 'bär/bären',
      fr: 'ours/ours',
      es: 'oso',
    },
    habitat: { lives: 'land', size: 0.32, home: ['forest', 'mountains'] },
    gait: { walksWhenRidden: true },
    crown: { ahead: 0.3, up: 0.8 },
    eyes: { ahead: 0.32, up: 0.6, width: 0.36 },
    wearsCostumes: true,
    drawing: {
      main: '#6b4a35',
      parts: [
        leg('M26 72 L24 98', 'hind far', 'deep', 13),
        leg('M62 72 L64 98', 'front far', 'deep', 13),
        {
          path: 'M4 62 C4 40 26 34 46 38 C58 38 66 40 72 46 C80 56 76 80 62 82 C44 84 24 84 14 82 C6 78 4 70 4 62 Z',
          fill: 'main',
        },
        leg('M15 72 L14 98', 'hind near', 'main', 14),
        leg('M54 72 L54 98', 'front near', 'main', 14),
        { path: `${oval(70, 30, 5.5)} ${oval(84, 31, 4.8)}`, fill: 'shade' },
        {
          path: 'M62 46 C62 34 72 28 82 31 C92 34 94 42 100 47 C103 54 98 59 90 59 C82 64 68 62 64 56 Z',
          fill: 'main',
        },
        { path: 'M88 45 C94 43 100 46 102 50 C101 57 94 58 89 56 Z', fill: 'pale', alpha: 0.55 },
        { path: `${oval(83, 41, 1.9)} ${oval(101, 49, 2.8, 2.4)}`, fill: 'ink' },
      ],
    },
  },
  rabbit: {
    words: {
      en: 'rabbit, hare, bunny/bunnies',
      de: 'hase/hasen, kaninchen',
      fr: 'lapin, lièvre',
      es: 'conejo, liebre',
    },
    habitat: { lives: 'land', size: 0.22 },
    gait: { hop: { height: 0.3, lean: 0.16 } },
    crown: { ahead: 0.1, up: 0.8 },
    eyes: { ahead: 0.26, up: 0.52, width: 0.36 },
    wearsCostumes: true,
    drawing: {
      main: '#b9a58f',
      accent: '#e7a9a2',
      parts: [
        { path: 'M60 44 C50 30 46 8 54 2 C64 8 68 28 68 42 Z', fill: 'shade' },
        { path: 'M70 44 C66 28 70 6 79 3 C86 10 82 32 77 44 Z', fill: 'main' },
        { path: 'M72 40 C70 28 73 12 78 9 C81 15 79 30 75 41 Z', fill: 'accent', alpha: 0.8 },
        { path: oval(20, 84, 9, 8), fill: 'white' },
        { path: 'M22 98 C14 72 30 54 50 56 C66 56 76 72 72 98 Z', fill: 'main' },
        { path: 'M26 98 C24 82 38 74 50 82 C56 88 54 98 54 98 Z', fill: 'shade' },
        { path: 'M56 54 C56 42 66 37 76 39 C88 41 94 50 92 57 C88 66 74 68 64 65 C58 63 56 60 56 54 Z', fill: 'main' },
        { path: 'M24 98 C24 93 46 92 52 98 Z M62 98 C62 92 76 92 80 98 Z', fill: 'light' },
        { path: oval(78, 49, 2.6), fill: 'ink' },
        { path: oval(92, 54, 2.2, 1.8), fill: 'accent' },
      ],
    },
  },
  squirrel: {
    words: {
      en: 'squirrel, chipmunk, raccoon, hedgehog',
      de: 'Eichhörnchen/Eichhörnchen',
      fr: 'écureuil/écureuils',
      es: 'ardilla/ardillas',
    },
    habitat: { lives: 'land', size: 0.24, home: ['forest'] },
    gait: { hop: { height: 0.22, lean: 0.16 } },
    wearsCostumes: true,
    drawing: {
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
  },
  mouse: {
    words: {
      en: 'mouse/mice, rat, hamster, guinea pig',
      de: 'Maus/Mäuse',
      fr: 'souris',
      es: 'ratón/ratones',
    },
    habitat: { lives: 'land', size: 0.14, home: ['meadow', 'room'] },
    gait: { hop: { height: 0.03, lean: 0.02 } },
    wearsCostumes: true,
    drawing: {
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
  },
} satisfies FigureKinds;
