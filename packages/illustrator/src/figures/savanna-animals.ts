import { leg, oval } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { FARM_ANIMALS } from './farm-animals.ts';

/** Animals of the savanna and the desert. */
export const SAVANNA_ANIMALS = {
  lion: {
    words: {
      en: 'lion, lioness/lionesses, panther',
      de: 'löwe/löwen',
      fr: 'lion',
      es: 'león/leones',
    },
    habitat: { lives: 'land', size: 0.32, home: ['meadow'] },
    gait: { walksWhenRidden: true },
    eyes: { ahead: 0.3, up: 0.62, width: 0.42 },
    wearsCostumes: true,
    drawing: {
      main: '#d9a04c',
      accent: '#8a4f25',
      parts: [
        {
          path: 'M12 62 C-4 58 -6 44 0 34',
          line: 'main',
          width: 4,
          move: { kind: 'swing', x: 12, y: 62, amount: 8, period: 2.2 },
        },
        { path: oval(0, 32, 6, 7), fill: 'accent', move: { kind: 'swing', x: 12, y: 62, amount: 8, period: 2.2 } },
        leg('M24 72 L22 98', 'hind far', 'shade', 9),
        leg('M58 72 L60 98', 'front far', 'shade', 9),
        {
          path: 'M10 64 C10 48 30 46 48 48 C60 48 68 52 70 60 C70 74 62 80 50 80 C36 81 24 80 16 79 C11 76 10 70 10 64 Z',
          fill: 'main',
        },
        leg('M16 70 L13 98', 'hind near', 'main', 10),
        leg('M50 72 L50 98', 'front near', 'main', 10),
        {
          path: 'M70 14 C86 8 102 20 102 36 C106 50 98 64 84 66 C74 74 54 70 52 56 C44 44 48 22 70 14 Z',
          fill: 'accent',
        },
        { path: `${oval(64, 24, 5)} ${oval(90, 24, 5)}`, fill: 'shade' },
        { path: 'M62 38 C62 26 92 24 94 38 C97 44 98 48 97 52 C94 60 84 61 78 60 C66 58 62 50 62 38 Z', fill: 'main' },
        { path: 'M82 48 C88 44 98 46 98 51 C96 58 86 59 80 57 Z', fill: 'pale' },
        { path: `${oval(74, 38, 2)} ${oval(88, 38, 2)} M86 46 h9 l-4.5 4.5 Z`, fill: 'ink' },
      ],
    },
  },
  elephant: {
    words: {
      en: 'elephant, mammoth',
      de: 'elefant/elefanten',
      fr: 'éléphant',
      es: 'elefante',
    },
    habitat: { lives: 'land', size: 0.38 },
    gait: { walksWhenRidden: true },
    wearsCostumes: true,
    seat: { top: 0.86, width: 0.3, holds: 0.5, peopleSit: true },
    drawing: {
      main: '#8d8f9c',
      parts: [
        { path: 'M2 50 C-4 60 -2 70 -4 76', line: 'shade', width: 2.4 },
        leg('M30 68 L30 98', 'hind far', 'deep', 13),
        leg('M56 68 L57 98', 'front far', 'deep', 13),
        {
          path: 'M2 56 C0 30 22 22 44 26 C58 26 68 36 70 50 C70 66 64 78 54 80 C36 82 18 82 10 78 C4 72 2 64 2 56 Z',
          fill: 'main',
        },
        leg('M16 68 L15 98', 'hind near', 'main', 14),
        leg('M64 68 L65 98', 'front near', 'main', 14),
        {
          path: 'M60 40 C62 24 74 18 86 24 C96 28 98 40 97 52 C96 68 100 80 108 82 L105 88 C92 88 88 74 86 60 C78 64 66 60 62 54 Z',
          fill: 'main',
        },
        { path: 'M88 60 C92 68 98 70 104 66 C100 64 97 60 96 54 Z', fill: 'white' },
        {
          path: 'M74 28 C58 16 48 32 52 50 C54 62 66 66 74 56 C80 48 80 36 74 28 Z',
          fill: 'shade',
          move: { kind: 'flutter', x: 74, y: 40, amount: 0.12, period: 2.6 },
        },
        { path: oval(87, 37, 1.8), fill: 'ink' },
      ],
    },
  },
  giraffe: {
    words: {
      en: 'giraffe',
      de: 'giraffe/giraffen',
      fr: 'girafe',
      es: 'jirafa',
    },
    habitat: { lives: 'land', size: 0.44, home: ['meadow'] },
    gait: { walksWhenRidden: true },
    drawing: {
      main: '#e5b85c',
      accent: '#9a5f2a',
      parts: [
        leg('M30 64 L29 99', 'hind far', 'shade', 4),
        leg('M54 64 L55 99', 'front far', 'shade', 4),
        {
          path: 'M20 60 C20 50 34 48 46 48 C54 42 60 20 66 0 L75 2 C74 24 70 48 62 62 C56 70 32 70 26 70 C21 68 20 64 20 60 Z',
          fill: 'main',
        },
        leg('M24 62 L22 99', 'hind near', 'main', 4.6),
        leg('M60 60 L62 99', 'front near', 'main', 4.6),
        {
          path: `${oval(30, 56, 3.4)} ${oval(39, 60, 3)} ${oval(46, 54, 3.4)} ${oval(55, 52, 3)} ${oval(52, 62, 2.6)} ${oval(59, 40, 2.6)} ${oval(63, 30, 2.4)} ${oval(66, 18, 2.2)} ${oval(68, 8, 2)}`,
          fill: 'accent',
        },
        { path: 'M64 0 C62 -10 70 -14 76 -12 C84 -10 90 -4 94 0 C93 5 86 5 82 4 C76 6 66 6 64 0 Z', fill: 'main' },
        { path: 'M70 -12 V-20 M75 -12 L77 -20', line: 'accent', width: 2 },
        { path: 'M66 -8 C58 -12 56 -6 58 -3 C62 -2 65 -4 66 -6 Z', fill: 'shade' },
        { path: oval(79, -6, 1.6), fill: 'ink' },
        { path: 'M21 56 C14 62 16 72 14 78', line: 'accent', width: 2 },
      ],
    },
  },
  zebra: {
    words: {
      en: 'zebra',
      de: 'Zebra/Zebras',
      fr: 'zèbre/zèbres',
      es: 'cebra/cebras',
    },
    habitat: { lives: 'land', size: 0.36, home: ['savanna'] },
    gait: { walksWhenRidden: true },
    seat: { top: 0.5, width: 0.2, holds: 0.8 },
    drawing: {
      main: '#f2efe8',
      accent: '#26262b',
      parts: [
        ...FARM_ANIMALS.horse.drawing.parts,
        {
          path: 'M18 45 C22 52 20 60 16 66 M28 44 C32 52 31 62 28 68 M38 45 C42 52 41 62 39 68 M48 46 C52 52 52 62 50 68 M58 42 C62 50 62 60 60 66 M62 34 L74 42 M66 27 L78 34 M70 19 L80 26',
          line: 'accent',
          width: 3,
        },
      ],
    },
  },
  camel: {
    words: {
      en: 'camel, dromedary/dromedaries, llama, alpaca',
      de: 'kamel/kamele',
      fr: 'chameau/chameaux',
      es: 'camello',
    },
    habitat: { lives: 'land', size: 0.36, home: ['desert'] },
    gait: { walksWhenRidden: true },
    seat: { top: 0.62, width: 0.2, holds: 0.6, peopleSit: true },
    drawing: {
      main: '#c99a5f',
      accent: '#b5493a',
      parts: [
        leg('M24 64 L22 99', 'hind far', 'shade', 5),
        leg('M60 64 L62 99', 'front far', 'shade', 5),
        {
          path: 'M6 54 C6 46 12 44 16 40 C20 24 30 24 34 38 C38 42 42 42 44 38 C50 24 60 24 62 42 C68 48 72 46 74 36 C74 24 76 16 82 14 C90 10 98 14 102 20 C102 26 94 28 88 27 C86 40 86 56 74 64 C64 72 24 72 14 66 C8 62 6 58 6 54 Z',
          fill: 'main',
        },
        leg('M15 62 L12 99', 'hind near', 'main', 5.6),
        leg('M69 62 L71 99', 'front near', 'main', 5.6),
        { path: 'M32 36 C36 44 42 44 46 36 L52 64 H26 Z', fill: 'accent' },
        { path: 'M26 64 h26 v4 h-26 Z', fill: 'fire' },
        { path: 'M6 52 C0 58 0 66 2 72', line: 'shade', width: 2.2 },
        { path: `${oval(89, 18, 1.7)} ${oval(100, 20, 1.3)} M79 14 l3 -6 l3 5 Z`, fill: 'ink' },
      ],
    },
  },
} satisfies FigureKinds;
