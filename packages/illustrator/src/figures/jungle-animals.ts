import { type Drawing, leg, oval } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { FAR_WING, NEAR_WING } from './parts/wing-parts.ts';

const PARROT: Drawing = {
  main: '#c8352e',
  accent: '#2f6fd0',
  parts: [
    { path: 'M-30 90 C20 86 90 92 130 84', line: 'wood', width: 7 },
    { path: 'M34 66 L14 124 L28 120 L36 130 L50 76 Z', fill: 'accent' },
    { path: 'M36 86 C22 62 30 18 58 8 C84 6 88 30 82 44 C80 66 66 86 48 90 Z', fill: 'main' },
    { path: 'M38 44 C28 58 30 76 40 88 C56 80 62 62 58 42 Z', fill: 'lamp' },
    { path: 'M36 56 C28 66 30 78 40 88 C52 82 58 72 59 60 Z', fill: 'accent' },
    { path: 'M64 14 C76 10 84 18 82 30 C76 34 66 32 62 26 Z', fill: 'white' },
    { path: 'M80 18 C94 16 98 30 88 42 C86 34 80 32 77 30 Z', fill: 'ink' },
    { path: oval(71, 21, 3), fill: 'ink' },
  ],
};

/** Animals of the jungle. */
export const JUNGLE_ANIMALS = {
  tiger: {
    words: {
      en: 'tiger, tigress, leopard, cheetah, jaguar',
      de: 'Tiger/Tiger',
      fr: 'tigre/tigres',
      es: 'tigre/tigres',
    },
    habitat: { lives: 'land', size: 0.32, home: ['jungle'] },
    gait: { walksWhenRidden: true },
    eyes: { ahead: 0.38, up: 0.66, width: 0.36 },
    wearsCostumes: true,
    drawing: {
      main: '#e8862e',
      accent: '#26262b',
      parts: [
        {
          path: 'M14 58 C-6 52 -12 30 0 22',
          line: 'main',
          width: 6,
          move: { kind: 'swing', x: 14, y: 58, amount: 9, period: 2 },
        },
        leg('M28 72 L26 97', 'hind far', 'shade', 9),
        leg('M66 70 L69 97', 'front far', 'shade', 9),
        {
          path: 'M10 62 C10 44 34 46 54 46 C68 44 84 48 84 60 C84 76 70 80 56 80 C40 82 24 80 16 76 C12 72 10 68 10 62 Z',
          fill: 'main',
        },
        leg('M20 72 L18 97', 'hind near', 'main', 10),
        leg('M58 72 L59 97', 'front near', 'main', 10),
        {
          path: 'M66 44 C64 26 74 18 86 18 C100 18 108 28 106 42 C104 54 96 60 86 60 C76 60 68 54 66 44 Z',
          fill: 'main',
        },
        { path: `${oval(72, 20, 6)} ${oval(98, 19, 6)}`, fill: 'main' },
        { path: 'M80 46 C84 42 98 42 102 47 C100 58 84 58 80 46 Z', fill: 'white' },
        { path: `${oval(82, 34, 2.2)} ${oval(96, 34, 2.2)} ${oval(91, 43, 3.2, 2.2)}`, fill: 'ink' },
        {
          path: 'M24 47 L28 60 M34 46 L37 62 M44 46 L47 62 M54 46 L56 60 M20 66 L28 70 M40 70 L44 78 M86 19 V27 M80 20 L81 26 M92 20 L91 26 M68 38 H74 M105 38 H100 M15 84 h8 M55 86 h8 M-6 36 h8 M-5 44 h8',
          line: 'accent',
          width: 3,
        },
      ],
    },
  },
  panda: {
    words: {
      en: 'panda',
      de: 'Panda/Pandas',
      fr: 'panda/pandas',
      es: 'panda/pandas',
    },
    habitat: { lives: 'land', size: 0.32, home: ['bamboo_forest'] },
    gait: { hop: { height: 0.02, lean: 0.07 } },
    crown: { ahead: 0, up: 0.94 },
    eyes: { ahead: 0, up: 0.76, width: 0.58 },
    wearsCostumes: true,
    drawing: {
      main: '#f4f2ea',
      parts: [
        { path: `${oval(30, 92, 16, 10)} ${oval(72, 92, 16, 10)}`, fill: 'ink' },
        { path: oval(50, 68, 32, 30), fill: 'main' },
        {
          path: 'M20 52 C16 66 22 78 34 80 L42 72 C34 66 32 58 34 48 Z M80 52 C84 66 78 78 66 80 L58 72 C66 66 68 58 66 48 Z',
          fill: 'ink',
        },
        { path: `${oval(26, 8, 10)} ${oval(74, 8, 10)}`, fill: 'ink' },
        { path: oval(50, 26, 30, 25), fill: 'main' },
        { path: `${oval(38, 24, 8, 9)} ${oval(62, 24, 8, 9)} ${oval(50, 35, 4, 3)}`, fill: 'ink' },
        { path: `${oval(39, 23, 2.6)} ${oval(61, 23, 2.6)}`, fill: 'white' },
        { path: 'M64 76 L92 30', line: 'leaf', width: 4 },
        { path: 'M84 44 q14 -10 20 0 q-12 6 -20 0 Z', fill: 'leaf' },
      ],
    },
  },
  monkey: {
    words: {
      en: 'monkey, chimpanzee, chimp, ape, gorilla, orangutan, lemur, monkey eating a banana',
      de: 'Affe/Affen',
      fr: 'singe/singes',
      es: 'mono/monos',
    },
    habitat: { lives: 'land', size: 0.3, home: ['jungle'] },
    crown: { ahead: 0, up: 0.94 },
    eyes: { ahead: 0, up: 0.74, width: 0.5 },
    wearsCostumes: true,
    drawing: {
      main: '#7a4d2e',
      parts: [
        {
          path: 'M26 82 C-6 92 -18 60 2 52',
          line: 'main',
          width: 5,
          move: { kind: 'swing', x: 26, y: 82, amount: 8, period: 2 },
        },
        { path: `${oval(34, 94, 14, 6)} ${oval(68, 94, 14, 6)}`, fill: 'deep' },
        { path: oval(50, 72, 24, 25), fill: 'main' },
        { path: oval(52, 74, 14, 17), fill: 'skin' },
        { path: `${oval(22, 26, 9)} ${oval(78, 26, 9)}`, fill: 'skin' },
        { path: oval(50, 26, 26, 24), fill: 'main' },
        { path: 'M34 24 C36 14 48 16 50 20 C52 16 64 14 66 24 C72 40 60 48 50 48 C40 48 28 40 34 24 Z', fill: 'skin' },
        { path: `${oval(42, 26, 2.6)} ${oval(58, 26, 2.6)}`, fill: 'ink' },
        { path: 'M42 38 C46 43 54 43 58 38', line: 'ink', width: 1.8 },
        { path: 'M32 62 C14 66 14 82 24 84', line: 'main', width: 7 },
        { path: 'M68 60 C86 60 88 48 84 42', line: 'main', width: 7 },
        { path: 'M78 44 C82 30 92 26 102 28 C98 38 92 46 80 48 Z', fill: 'lamp' },
        { path: 'M102 28 L106 25', line: 'wood', width: 3 },
      ],
    },
  },
  crocodile: {
    words: {
      en: 'crocodile, alligator',
      de: 'Krokodil/Krokodile',
      fr: 'crocodile/crocodiles',
      es: 'cocodrilo/cocodrilos',
    },
    habitat: { lives: 'land', size: 0.17, home: ['river'] },
    gait: { hop: { height: 0, lean: 0.015 } },
    drawing: {
      main: '#4f7a42',
      parts: [
        {
          path: 'M-2 78 C-40 74 -62 84 -78 96 C-50 98 -20 100 4 94 Z',
          fill: 'main',
          move: { kind: 'swing', x: 0, y: 86, amount: 4, period: 2.4 },
        },
        { path: 'M14 90 L6 100 M70 90 L78 100 M30 92 L34 100 M54 92 L50 100', line: 'shade', width: 8 },
        { path: 'M-8 78 C10 60 60 58 92 68 L170 76 L172 83 L96 88 C60 100 10 98 -8 92 Z', fill: 'main' },
        { path: 'M-8 84 C30 92 60 92 96 86 L172 82 L170 90 L96 96 C60 102 10 102 -8 94 Z', fill: 'pale' },
        { path: 'M108 84 l4 5 l4 -5 l4 5 l4 -5 l4 5 l4 -5 l4 5 l4 -5 l4 5 l4 -5 l4 5 l4 -5 Z', fill: 'white' },
        { path: 'M-10 72 l6 -9 l6 5 l8 -10 l8 6 l8 -9 l8 6 l8 -8 l8 8 l8 -5 l6 8 Z', fill: 'shade' },
        { path: oval(92, 66, 7), fill: 'main' },
        { path: oval(93, 65, 3.6), fill: 'lamp' },
        { path: oval(94, 65, 1.6), fill: 'ink' },
      ],
    },
  },
  parrot: {
    words: {
      en: 'parrot, macaw, toucan, cockatoo, parakeet',
      de: 'Papagei/Papageien',
      fr: 'perroquet/perroquets',
      es: 'loro/loros, papagayo',
    },
    habitat: { lives: 'land', size: 0.3, home: ['jungle'], flies: true },
    drawing: PARROT,
    flying: {
      ...PARROT,
      parts: [FAR_WING, ...PARROT.parts.filter(({ line }) => line !== 'wood'), { ...NEAR_WING, fill: 'accent' }],
    },
  },
  peacock: {
    words: {
      en: 'peacock',
      de: 'Pfau/Pfauen',
      fr: 'paon/paons',
      es: 'pavo real',
    },
    habitat: { lives: 'land', size: 0.38, home: ['garden'] },
    drawing: {
      main: '#1f5fae',
      accent: '#2a9d73',
      parts: [
        {
          path: 'M50 84 C-30 84 -48 20 -26 -8 C-6 -40 106 -40 126 -8 C148 20 130 84 50 84 Z',
          fill: 'accent',
          move: { kind: 'swing', x: 50, y: 84, amount: 1.5, period: 3 },
        },
        {
          path: 'M50 84 L-34 40 M50 84 L-32 10 M50 84 L-10 -16 M50 84 L22 -28 M50 84 L50 -32 M50 84 L78 -28 M50 84 L110 -16 M50 84 L132 10 M50 84 L134 40',
          line: 'accentShade',
          width: 2,
        },
        {
          path: [
            [-26, 44],
            [-26, 16],
            [-6, -8],
            [22, -20],
            [50, -24],
            [78, -20],
            [106, -8],
            [126, 16],
            [126, 44],
            [4, 30],
            [20, 10],
            [50, 4],
            [80, 10],
            [96, 30],
          ]
            .map(([x = 0, y = 0]) => oval(x, y, 7.5))
            .join(' '),
          fill: 'lamp',
        },
        {
          path: [
            [-26, 44],
            [-26, 16],
            [-6, -8],
            [22, -20],
            [50, -24],
            [78, -20],
            [106, -8],
            [126, 16],
            [126, 44],
            [4, 30],
            [20, 10],
            [50, 4],
            [80, 10],
            [96, 30],
          ]
            .map(([x = 0, y = 0]) => oval(x, y, 4.2))
            .join(' '),
          fill: 'main',
        },
        leg('M46 86 L44 99', 'far', 'wood', 3),
        leg('M55 86 L57 99', 'near', 'wood', 3),
        {
          path: 'M50 94 C28 94 28 66 42 56 C46 46 42 34 48 26 C56 18 66 26 62 36 C60 48 76 60 72 78 C70 90 62 94 50 94 Z',
          fill: 'main',
        },
        { path: 'M62 30 L72 34 L62 36 Z', fill: 'lamp' },
        { path: 'M52 24 L46 12 M54 23 L54 10 M56 24 L62 12', line: 'main', width: 2 },
        { path: oval(57, 29, 1.9), fill: 'white' },
      ],
    },
  },
} satisfies FigureKinds;
