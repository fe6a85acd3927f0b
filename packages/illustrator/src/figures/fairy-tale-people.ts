import { type Drawing, leg, oval, type Part, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { bootedLegs, limb } from './parts/legend-parts.ts';
import { arm, FACE, LONG_HAIR, ROBE } from './parts/person-parts.ts';

const TUNIC: readonly Part[] = [
  { path: 'M37 34 C44 28 56 28 63 34 L67 72 H33 Z', fill: 'main' },
  { path: 'M53 29 L63 34 L67 72 H54 Z', fill: 'shade' },
];
const plainFace = (tone: 'skin' | 'light' | 'white'): readonly Part[] => [
  { path: rectangle(46, 24, 8, 8), fill: tone },
  { path: oval(50, 16, 10, 11), fill: tone },
  { path: `${oval(51, 15, 1.3)} ${oval(57, 15, 1.3)}`, fill: 'ink' },
];
const WIZARD: Drawing = {
  main: '#4a3f8f',
  accent: '#e8c24a',
  parts: [
    ...ROBE,
    arm('M62 38 L80 50'),
    { path: 'M80 20 L84 99', line: 'wood', width: 3.4 },
    { path: oval(80, 14, 7), fill: 'lamp' },
    arm('M38 38 L28 60', 5, 'far'),
    ...FACE,
    { path: 'M40 20 C42 44 50 56 54 58 C58 52 62 36 60 20 C54 28 46 28 40 20 Z', fill: 'white' },
    { path: 'M28 12 C40 6 60 6 72 12 L60 6 L46 -34 L40 6 Z', fill: 'main' },
    { path: 'M40 6 C46 3 54 3 60 6 L58 1 C54 -1 46 -1 41 1 Z', fill: 'accent' },
    { path: `${oval(44, 60, 2)} ${oval(52, 76, 2)} ${oval(60, 64, 2)}`, fill: 'accent' },
  ],
};

/** People of fairy tales and legends. */
export const FAIRY_TALE_PEOPLE = {
  wizard: {
    words: {
      en: 'wizard, sorcerer, magician, mage, warlock',
      de: 'Zauberer/Zauberer',
      fr: 'magicien, sorcier',
      es: 'mago/magos',
    },
    habitat: { lives: 'land', size: 0.36, home: ['forest', 'hills'] },
    gait: { hop: { height: 0.02, lean: 0.02 } },
    person: { sits: true, dressed: true },
    costume: 'hat',
    drawing: WIZARD,
  },
  witch: {
    words: {
      en: 'witch/witches, sorceress',
      de: 'Hexe/Hexen',
      fr: 'sorcière/sorcières',
      es: 'bruja/brujas',
    },
    habitat: { lives: 'land', size: 0.36, home: ['forest'], flies: true },
    gait: { hop: { height: 0.02, lean: 0.02 } },
    person: { sits: true, dressed: true },
    costume: 'hat',
    drawing: {
      ...WIZARD,
      main: '#2c2538',
      accent: '#7d4bb5',
      parts: [...WIZARD.parts.filter((part) => part.fill !== 'white'), LONG_HAIR],
    },
  },
  elf: {
    words: {
      en: 'elf/elves, archer, elf archer, elven archer, elven warrior, robin hood, ranger',
      de: 'elf/elfen, bogenschütze',
      fr: 'elfe/elfes, archer',
      es: 'elfo/elfos, arquero',
    },
    habitat: { lives: 'land', size: 0.38, home: ['forest'] },
    person: { dressed: true },
    drawing: {
      main: '#4f7a46',
      accent: '#6e4f34',
      parts: [
        { path: 'M34 30 L26 66 L36 66 L40 32 Z', fill: 'wood' },
        { path: 'M26 30 L30 18 M30 30 L35 17 M34 30 L40 18', line: 'white', width: 2 },
        ...bootedLegs('accent', 7),
        ...TUNIC,
        { path: 'M33 58 H67 V63 H33 Z', fill: 'wood' },
        { path: 'M92 6 C108 22 108 54 92 70', line: 'wood', width: 3.4 },
        { path: 'M92 6 L66 38 L92 70', line: 'white', width: 0.9 },
        { path: 'M62 38 H104 M104 38 l-6 -4 M104 38 l-6 4', line: 'metal', width: 1.8 },
        limb('M60 37 L94 38', 'shade', 6),
        limb('M40 38 L58 42 L66 38', 'main', 6),
        ...plainFace('skin'),
        { path: 'M40 15 L28 6 L41 22 Z', fill: 'skin' },
        { path: 'M38 40 C34 4 48 -2 54 4 C62 6 62 12 60 12 C52 8 46 12 44 20 C43 30 42 36 38 40 Z', fill: 'lamp' },
      ],
    },
  },
  orc: {
    words: {
      en: 'orc, goblin, troll, ogre, barbarian, orc warrior, orc warrior with an axe, dwarf/dwarves',
      de: 'ork/orks, troll/trolle, zwerg/zwerge',
      fr: 'orque/orques, troll',
      es: 'orco/orcos, trol',
    },
    habitat: { lives: 'land', size: 0.4, home: ['hills', 'mountains'] },
    drawing: {
      main: '#6f8f46',
      accent: '#5a4030',
      parts: [
        ...bootedLegs('deep', 11),
        { path: 'M26 34 C40 24 60 24 74 34 L72 70 H28 Z', fill: 'main' },
        { path: 'M28 56 H72 L76 78 L64 74 L50 80 L36 74 L24 78 Z', fill: 'accent' },
        { path: 'M24 30 C30 22 42 24 44 34 L30 46 Z M76 30 C70 22 58 24 56 34 L70 46 Z', fill: 'metal' },
        limb('M30 40 L16 60', 'main', 11),
        { path: 'M92 92 L84 -4', line: 'wood', width: 4.6 },
        { path: 'M84 -2 C104 -16 118 0 116 26 C106 20 98 20 88 26 Z', fill: 'grey' },
        limb('M70 40 L88 54', 'shade', 11),
        { path: 'M36 14 C36 -4 64 -4 66 14 C66 28 58 34 50 34 C42 34 36 28 36 14 Z', fill: 'light' },
        { path: 'M36 12 L22 4 L38 22 Z M66 12 L80 4 L65 22 Z', fill: 'main' },
        { path: `${oval(46, 13, 1.8)} ${oval(58, 13, 1.8)} M40 8 l9 3 v-2 Z M64 8 l-9 3 v-2 Z`, fill: 'ink' },
        { path: 'M42 25 H62', line: 'ink', width: 2 },
        { path: 'M44 25 l2 -8 l3 8 Z M56 25 l2 -8 l3 8 Z', fill: 'white' },
      ],
    },
  },
  fairy: {
    words: {
      en: 'fairy/fairies, pixie, tinkerbell, sprite',
      de: 'fee/feen',
      fr: 'fée/fées',
      es: 'hada/hadas',
    },
    habitat: { lives: 'air', size: 0.28, home: ['forest', 'garden'], floatsIndoors: true },
    person: { dressed: true },
    drawing: {
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
        limb('M42 36 L30 52', 'skin', 4.4),
        limb('M58 36 L76 30', 'skin', 4.4),
        { path: 'M76 34 L86 14', line: 'wood', width: 2 },
        { path: 'M87 2 l3 7 l8 1 l-6 5 l2 8 l-7 -4 l-7 4 l2 -8 l-6 -5 l8 -1 Z', fill: 'lamp' },
        ...plainFace('skin'),
        { path: 'M38 30 C34 2 48 -6 54 2 C64 4 64 14 61 16 C52 8 46 12 44 20 C43 26 41 28 38 30 Z', fill: 'lamp' },
      ],
    },
  },
  mermaid: {
    words: {
      en: 'mermaid',
    },
    habitat: { lives: 'under', size: 0.34 },
    drawing: {
      main: '#2a9d93',
      accent: '#c8485a',
      parts: [
        { path: 'M42 54 C34 80 60 88 84 78 L104 66 L98 84 L110 98 L84 90 C50 104 20 88 36 52 Z', fill: 'main' },
        { path: 'M40 32 C45 29 55 29 60 32 L60 56 H38 Z', fill: 'skin' },
        { path: 'M40 36 L28 52 M60 36 L72 50', line: 'skin', width: 4.6 },
        { path: 'M40 36 H60 V43 H40 Z', fill: 'accent' },
        ...FACE,
        { ...LONG_HAIR, fill: 'accent' },
      ],
    },
  },
  angel: {
    words: {
      en: 'angel',
    },
    habitat: { lives: 'air', size: 0.34 },
    drawing: {
      main: '#f4f2ea',
      accent: '#f2c230',
      parts: [
        {
          path: 'M38 40 C10 10 -14 26 -20 50 C0 54 20 60 38 58 Z M62 40 C90 10 114 26 120 50 C100 54 80 60 62 58 Z',
          fill: 'white',
          move: { kind: 'beat', x: 50, y: 52, amount: 0.6, period: 1.6 },
        },
        ...ROBE,
        ...FACE,
        LONG_HAIR,
        { path: `${rectangle(40, -8, 20, 3)}`, fill: 'lamp' },
      ],
    },
  },
  superhero: {
    words: {
      en: 'superhero/superheroes, superman, supergirl, batman, spiderman',
      de: 'superheld/superhelden',
      fr: 'super-héros',
      es: 'superhéroe/superhéroes',
    },
    habitat: { lives: 'land', size: 0.38, home: ['city'], flies: true },
    person: { dressed: true },
    drawing: {
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
        limb('M36 38 L24 54 L34 62', 'main', 8),
        limb('M64 38 L78 52 L66 62', 'main', 8),
        ...plainFace('skin'),
        { path: 'M39 14 C38 -2 62 -2 61 12 C54 6 46 6 39 14 Z', fill: 'ink' },
        { path: 'M42 12 H61 V18 H42 Z', fill: 'accent' },
        { path: `${oval(51, 15, 1.6)} ${oval(57, 15, 1.6)}`, fill: 'white' },
      ],
    },
  },
} satisfies FigureKinds;
