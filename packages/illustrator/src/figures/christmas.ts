import { oval, type Part, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { bootedLegs, limb } from './parts/legend-parts.ts';
import { TREES } from './trees.ts';

/** Draws a leg of an animal that gallops through the air. */
const trot = (x: number, path: string, amount: number): Part => ({
  path,
  line: 'wood',
  width: 4,
  move: { kind: 'swing', x, y: 74, amount, period: 0.62 },
});
const bulb = (x: number, y: number): string => oval(x, y, 3.4, 4.4);

/** Figures of Christmas and winter. */
export const CHRISTMAS = {
  santa: {
    words: {
      en: 'santa, santa claus, father christmas',
      de: 'weihnachtsmann, nikolaus',
      fr: 'père noël',
      es: 'papá noel',
    },
    habitat: { lives: 'land', size: 0.36, home: ['snowfield'] },
    costume: 'hat',
    drawing: {
      main: '#c8322c',
      accent: '#f4f2ea',
      parts: [
        { path: 'M-4 42 C-24 44 -26 92 -2 96 C26 100 34 76 22 58 C16 48 8 44 4 34 Z', fill: 'wood' },
        ...bootedLegs('deep', 11),
        { path: 'M26 40 C36 30 62 30 72 40 C82 56 80 78 74 84 H26 C18 76 18 56 26 40 Z', fill: 'main' },
        { path: 'M20 80 H80 V88 H20 Z M46 34 H54 V82 H46 Z', fill: 'accent' },
        { path: 'M20 64 H80 V70 H20 Z', fill: 'ink' },
        { path: rectangle(44, 62, 12, 10), fill: 'lamp' },
        limb('M30 44 L10 40', 'shade', 10),
        {
          ...limb('M70 44 L90 28', 'main', 10),
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
  },
  sleigh: {
    words: {
      en: 'sleigh, sled, sledge, santa claus with a sleigh, santa sleigh, reindeer sleigh, santa with reindeer, santa claus with a sleigh and reindeer, santa and his reindeer, santa claus and his reindeer',
      de: 'schlitten',
      fr: 'traîneau',
      es: 'trineo',
    },
    habitat: { lives: 'air', size: 0.17, home: ['snowfield'] },
    drawing: {
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
  },
  snowman: {
    words: {
      en: 'snowman/snowmen',
      de: 'schneemann/schneemänner',
      fr: 'bonhomme de neige',
      es: 'muñeco de nieve',
    },
    habitat: { lives: 'land', size: 0.3, home: ['snowfield'] },
    drawing: {
      main: '#f4f8fc',
      accent: '#c8433a',
      parts: [
        { path: 'M30 48 L8 32 M14 37 L8 42 M70 48 L92 30 M86 35 L93 38', line: 'wood', width: 2.6 },
        { path: oval(50, 79, 25, 22), fill: 'main' },
        { path: oval(50, 47, 18.5, 17), fill: 'main' },
        { path: 'M60 62 C72 66 78 84 68 97 C76 92 78 74 72 66 Z', fill: 'shade' },
        { path: oval(50, 24, 13), fill: 'main' },
        { path: 'M34 14 H66 V10 H60 V-6 H40 V10 H34 Z', fill: 'ink' },
        {
          path: 'M40 6 H60 V10 H40 Z M37 34 C44 40 56 40 63 34 L65 40 C56 45 44 45 36 40 Z M56 41 L64 56 L57 58 L51 43 Z',
          fill: 'accent',
        },
        {
          path: `${oval(46, 21, 1.8)} ${oval(55, 21, 1.8)} ${oval(50, 50, 2)} ${oval(50, 58, 2)} ${oval(50, 74, 2.2)}`,
          fill: 'ink',
        },
        { path: 'M50 24 L66 27 L50 29 Z', fill: 'fire' },
      ],
    },
  },
  xmas_tree: {
    words: {
      en: 'christmas tree, decorated tree',
      de: 'Weihnachtsbaum/Weihnachtsbäume',
      fr: 'sapin de noël',
      es: 'árbol de navidad',
    },
    habitat: { lives: 'inside', size: 0.52 },
    hasStem: true,
    drawing: {
      main: '#2f6f4a',
      parts: [
        ...TREES.pine.drawing.parts,
        { path: `${oval(42, 36, 3)} ${oval(60, 48, 3)} ${oval(36, 60, 3)} ${oval(66, 72, 3)}`, fill: 'fire' },
        {
          path: `${oval(54, 30, 3)} ${oval(48, 50, 3)} ${oval(56, 62, 3)} ${oval(34, 76, 3)} ${oval(50, 78, 3)}`,
          fill: 'lamp',
        },
        { path: 'M50 -12 L53 -3 L62 -3 L55 2 L58 11 L50 6 L42 11 L45 2 L38 -3 L47 -3 Z', fill: 'lamp' },
      ],
    },
  },
  fairy_lights: {
    words: {
      en: 'fairy lights/fairy lights, string lights/string lights, christmas lights/christmas lights',
      de: 'lichterkette/lichterketten',
    },
    habitat: { lives: 'inside', size: 0.34, floatsIndoors: true },
    drawing: {
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
  },
  gift: {
    words: {
      en: 'gift, present, box/boxes, parcel',
      de: 'geschenk/geschenke',
      fr: 'cadeau/cadeaux',
      es: 'regalo',
    },
    habitat: { lives: 'inside', size: 0.24 },
    drawing: {
      main: '#c8352e',
      accent: '#f2c230',
      parts: [
        { path: rectangle(4, 42, 92, 58), fill: 'main' },
        { path: rectangle(62, 42, 34, 58), fill: 'shade' },
        { path: rectangle(-2, 28, 104, 16), fill: 'light' },
        { path: `${rectangle(42, 28, 16, 72)}`, fill: 'accent' },
        { path: 'M50 28 C30 30 14 20 22 8 C32 0 46 12 50 28 C54 12 68 0 78 8 C86 20 70 30 50 28 Z', fill: 'accent' },
        {
          path: 'M50 28 C40 26 30 22 32 14 C38 12 46 18 50 28 C54 18 62 12 68 14 C70 22 60 26 50 28 Z',
          fill: 'accentShade',
        },
      ],
    },
  },
} satisfies FigureKinds;
