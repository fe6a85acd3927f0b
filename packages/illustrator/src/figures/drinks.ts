import { oval, type Part, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

const glass = (foot: number): readonly Part[] => [
  { path: `M28 12 H72 L66 ${foot} H34 Z`, fill: 'glass', alpha: 0.55 },
  { path: `M34 16 L38 ${foot - 6}`, line: 'white', width: 3, alpha: 0.8 },
];

/** Drinks and their vessels. */
export const DRINKS = {
  cup: {
    words: {
      en: 'cup, mug, coffee, espresso, cappuccino, tea, teacup, glass of water',
      de: 'tasse/tassen, kaffee, tee',
      fr: 'tasse, café, thé',
      es: 'taza, café con leche, té',
    },
    habitat: { lives: 'inside', size: 0.26, tabletop: true },
    drawing: {
      main: '#f0e8da',
      accent: '#6b4430',
      parts: [
        {
          path: 'M44 22 C36 12 50 6 42 -6 M58 22 C50 12 64 6 56 -6',
          line: 'white',
          width: 2.4,
          alpha: 0.55,
          move: { kind: 'flutter', x: 50, y: 22, amount: 0.25, period: 2.2 },
        },
        { path: 'M78 44 C100 42 100 76 72 74', line: 'main', width: 6 },
        { path: 'M16 36 H82 C82 70 76 92 62 96 H36 C22 92 16 70 16 36 Z', fill: 'main' },
        { path: 'M64 36 H82 C82 70 76 92 62 96 H54 C64 84 66 60 64 36 Z', fill: 'shade' },
        { path: oval(49, 36, 33, 7), fill: 'light' },
        { path: oval(49, 37, 29, 5), fill: 'accent' },
        { path: oval(50, 97, 50, 4.5), fill: 'pale' },
      ],
    },
  },
  wine: {
    words: {
      en: 'wine, glass of wine, wine glass, champagne, glass of champagne, glasses of wine, red wine, white wine',
      de: 'Wein, Weinglas',
      fr: 'vin, verre de vin',
      es: 'vino, copa de vino',
    },
    habitat: { lives: 'inside', size: 0.32, tabletop: true },
    drawing: {
      main: '#7d1f38',
      parts: [
        { path: 'M50 58 V96', line: 'white', width: 3.4 },
        { path: oval(50, 97, 20, 3), fill: 'white' },
        { path: 'M26 6 C20 34 30 60 50 60 C70 60 80 34 74 6 Z', fill: 'white', alpha: 0.5 },
        { path: 'M24 24 C24 44 34 58 50 58 C66 58 76 44 76 24 Z', fill: 'main' },
        { path: oval(50, 24, 26, 4), fill: 'light' },
        { path: 'M31 12 C29 24 31 38 36 46', line: 'white', width: 2.6, alpha: 0.7 },
      ],
    },
  },
  teapot: {
    words: {
      en: 'teapot, kettle',
      de: 'Teekanne',
      fr: 'théière',
      es: 'tetera',
    },
    habitat: { lives: 'inside', size: 0.28, tabletop: true },
    drawing: {
      main: '#4f8f8a',
      accent: '#f2e6c8',
      parts: [
        { path: 'M18 50 C-12 42 -14 84 20 84', line: 'main', width: 7 },
        { path: 'M80 78 C94 74 98 52 114 40 L106 34 C92 44 88 54 78 58 Z', fill: 'main' },
        { path: 'M50 30 C82 30 92 54 88 74 C84 92 72 98 50 98 C28 98 16 92 12 74 C8 54 18 30 50 30 Z', fill: 'main' },
        { path: 'M56 30 C84 32 92 54 88 74 C84 92 72 98 56 98 C78 82 78 48 56 30 Z', fill: 'shade' },
        { path: 'M28 34 C34 24 66 24 72 34 C62 40 38 40 28 34 Z', fill: 'light' },
        { path: oval(50, 22, 6), fill: 'accent' },
        { path: 'M14 62 C34 72 66 72 86 62', line: 'accent', width: 3 },
      ],
    },
  },
  juice: {
    words: {
      en: 'juice, orange juice, glass of orange juice, glass of juice, glass of milk, lemonade, smoothie, milkshake, iced tea, iced coffee, glass of lemonade',
      de: 'saft, orangensaft, limonade, smoothie',
      fr: "jus, jus d'orange, limonade",
      es: 'zumo/zumos, jugo/jugos, limonada',
    },
    habitat: { lives: 'inside', size: 0.28, tabletop: true },
    drawing: {
      main: '#f29a2e',
      parts: [
        { path: 'M58 24 L70 -14 L84 -18', line: 'white', width: 4 },
        ...glass(100),
        { path: 'M30 30 H70 L65.6 97 H34.4 Z', fill: 'main' },
        { path: 'M56 30 H70 L65.6 97 H58 Z', fill: 'shade' },
        { path: oval(50, 30, 20, 3.4), fill: 'light' },
        { path: oval(76, 18, 13), fill: 'lamp' },
        { path: oval(76, 18, 10), fill: 'fire' },
        { path: 'M76 8 V28 M66 18 H86 M69 11 L83 25 M83 11 L69 25', line: 'lamp', width: 1.2 },
      ],
    },
  },
  cocktail: {
    words: {
      en: 'cocktail, margarita, martini, mojito, cocktail with lime',
      de: 'cocktail/cocktails',
      fr: 'cocktail/cocktails',
      es: 'cóctel/cócteles',
    },
    habitat: { lives: 'inside', size: 0.32, tabletop: true },
    drawing: {
      main: '#5fc0b0',
      accent: '#d8503c',
      parts: [
        { path: 'M62 26 L84 -24', line: 'accent', width: 3 },
        { path: 'M6 14 H94 L53 58 V92 H47 V58 Z', fill: 'glass', alpha: 0.65 },
        { path: 'M18 26 H82 L52 57 H48 Z', fill: 'main' },
        { path: oval(50, 26, 32, 3.4), fill: 'light' },
        { path: 'M24 96 C24 90 76 90 76 96 V99 H24 Z', fill: 'glass' },
        { path: oval(14, 12, 13), fill: 'leaf' },
        { path: oval(14, 12, 10), fill: 'pale' },
        { path: 'M14 3 V21 M5 12 H23', line: 'leaf', width: 1.6 },
        { path: 'M70 -2 C58 -22 78 -32 96 -26 C100 -14 90 0 70 -2 Z', fill: 'accent' },
      ],
    },
  },
  beer: {
    words: {
      en: 'beer, pint of beer, glass of beer, mug of beer',
      de: 'bier/biere',
      fr: 'bière/bières',
      es: 'cerveza/cervezas',
    },
    habitat: { lives: 'inside', size: 0.28, tabletop: true },
    drawing: {
      main: '#e8a92e',
      parts: [
        { path: 'M76 34 C98 30 98 80 74 76', line: 'glass', width: 7 },
        { path: 'M22 24 H78 L74 98 H26 Z', fill: 'main' },
        { path: 'M60 24 H78 L74 98 H62 Z', fill: 'shade' },
        { path: 'M34 34 V92 M46 34 V92', line: 'light', width: 3, alpha: 0.7 },
        {
          path: 'M18 28 C12 12 28 8 32 12 C36 0 54 0 58 10 C66 4 84 10 82 26 C82 34 70 30 66 36 C60 42 54 32 48 34 C40 40 34 32 28 34 C22 36 18 34 18 28 Z',
          fill: 'white',
        },
      ],
    },
  },
  can: {
    words: {
      en: 'can of soda, soda can, cola, soda, cola can, energy drink, beer can, tin can',
      de: 'dose/dosen',
    },
    habitat: { lives: 'inside', size: 0.26, tabletop: true },
    drawing: {
      main: '#c8352e',
      parts: [
        { path: 'M28 16 L34 8 H66 L72 16 V90 L66 99 H34 L28 90 Z', fill: 'main' },
        { path: 'M58 8 H66 L72 16 V90 L66 99 H58 Z', fill: 'shade' },
        { path: 'M34 8 H66 L70 14 H30 Z M30 93 H70 L66 99 H34 Z', fill: 'grey' },
        { path: 'M28 56 C42 40 58 70 72 50 V62 C58 82 42 52 28 68 Z', fill: 'white' },
        { path: rectangle(35, 18, 5, 70), fill: 'white', alpha: 0.35 },
      ],
    },
  },
  bottle: {
    words: {
      en: 'bottle, bottle of wine, wine bottle, bottle of beer, bottle of olive oil, shampoo, skincare bottle, cosmetic bottle, cream jar, lotion, serum, water bottle, champagne bottle, bottle of champagne, whiskey, olive oil',
      de: 'flasche/flaschen',
      fr: 'bouteille/bouteilles',
      es: 'botella/botellas',
    },
    habitat: { lives: 'inside', size: 0.36, tabletop: true },
    drawing: {
      main: '#4f7f6a',
      accent: '#e9dfc8',
      parts: [
        {
          path: 'M40 4 H60 V26 C60 36 76 38 76 54 V92 C76 97 72 100 68 100 H32 C28 100 24 97 24 92 V54 C24 38 40 36 40 26 Z',
          fill: 'main',
        },
        { path: 'M62 38 C70 42 76 44 76 54 V92 C76 97 72 100 68 100 H62 Z', fill: 'shade' },
        { path: rectangle(38, -6, 24, 14), fill: 'wood' },
        { path: 'M24 56 H76 V86 H24 Z', fill: 'accent' },
        { path: 'M34 66 H66 M38 74 H62', line: 'ink', width: 2 },
        { path: 'M31 50 C34 44 40 42 43 36', line: 'white', width: 3, alpha: 0.7 },
      ],
    },
  },
} satisfies FigureKinds;
