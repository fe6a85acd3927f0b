import { oval, type Part } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

const BOWL: readonly Part[] = [
  { path: 'M-8 46 H108 C104 78 82 92 66 94 L70 100 H30 L34 94 C18 92 -4 78 -8 46 Z', fill: 'main' },
  { path: 'M60 46 H108 C104 78 82 92 66 94 L70 100 H52 C70 84 70 60 60 46 Z', fill: 'shade' },
  { path: 'M-8 46 H108 L107 53 H-7 Z', fill: 'light' },
];

const ORANGE_PARTS: readonly Part[] = [
  { path: oval(50, 54, 46), fill: 'main' },
  { path: 'M76 16 A46 46 0 0 1 34 97 C66 92 84 58 76 16 Z', fill: 'shade', alpha: 0.7 },
  { path: 'M50 12 C54 -2 72 -8 88 -4 C84 10 68 18 50 12 Z', fill: 'leaf' },
  { path: 'M44 10 h12 l-3 7 h-7 Z', fill: 'leafShade' },
  { path: oval(32, 38, 9, 6), fill: 'white', alpha: 0.4 },
];

/** Draws an orange of a heap: a circle, darker on the lower right, with a highlight and the mark of its stem. */
const heaped = (x: number, y: number, radius: number): readonly Part[] => [
  { path: oval(x, y, radius), fill: 'accent' },
  {
    path: `M${x + radius * 0.6} ${y - radius * 0.8} A${radius} ${radius} 0 0 1 ${x - radius * 0.3} ${y + radius * 0.95} C${x + radius * 0.4} ${y + radius * 0.7} ${x + radius * 0.8} ${y} ${x + radius * 0.6} ${y - radius * 0.8} Z`,
    fill: 'accentShade',
    alpha: 0.5,
  },
  { path: oval(x - radius * 0.35, y - radius * 0.4, radius * 0.2, radius * 0.14), fill: 'white', alpha: 0.55 },
];

const HEAP_OF_ORANGES: readonly Part[] = [
  ...heaped(50, 6, 21),
  { path: 'M50 -14 C56 -28 72 -30 84 -24 C78 -12 64 -6 50 -14 Z', fill: 'leaf' },
  ...heaped(6, 36, 20),
  ...heaped(94, 36, 20),
  ...heaped(30, 26, 21),
  ...heaped(72, 25, 21),
  ...heaped(50, 40, 21),
];

/** Fruit and vegetables. */
export const FRUIT = {
  apple: {
    words: {
      en: 'apple, fruit, pear, peach/peaches',
      de: 'apfel/äpfel, birne/birnen',
      fr: 'pomme',
      es: 'manzana',
    },
    habitat: { lives: 'inside', size: 0.22, tabletop: true },
    drawing: {
      main: '#c8352e',
      parts: [
        { path: 'M50 32 C48 20 52 10 60 4', line: 'wood', width: 4 },
        { path: 'M56 18 C64 4 80 4 90 8 C86 20 70 26 56 18 Z', fill: 'leaf' },
        {
          path: 'M50 34 C34 22 4 28 6 58 C8 84 30 100 42 98 C48 96 52 96 58 98 C70 100 92 84 94 58 C96 28 66 22 50 34 Z',
          fill: 'main',
        },
        { path: 'M72 30 C86 34 94 44 94 58 C92 84 70 100 58 98 C84 86 88 54 72 30 Z', fill: 'shade' },
        { path: 'M18 46 C22 36 32 34 36 36 C26 40 22 48 22 58 C18 56 16 52 18 46 Z', fill: 'white', alpha: 0.6 },
      ],
    },
  },
  fruit_bowl: {
    words: {
      en: 'bowl of fruit, fruit bowl, fruit basket, basket of fruit, basket of apples, salad, bowl',
      de: 'Obstschale, Schale mit Obst',
    },
    habitat: { lives: 'inside', size: 0.3, tabletop: true },
    drawing: {
      main: '#4f7fa8',
      accent: '#f2c230',
      parts: [
        { path: oval(22, 42, 19), fill: 'fire' },
        { path: 'M26 28 C36 6 74 0 96 14 C84 20 68 30 58 46 Z', fill: 'accent' },
        { path: oval(80, 42, 20), fill: 'leaf' },
        { path: oval(50, 36, 21), fill: 'skin' },
        { path: 'M50 36 m-21 0 a21 21 0 0 1 42 0 a21 21 0 0 1 -42 0 Z', fill: 'fire', alpha: 0.7 },
        { path: 'M50 17 C50 10 54 6 58 4 M80 24 q2 -8 6 -10', line: 'wood', width: 2.6 },
        { path: 'M40 26 q4 -6 10 -5', line: 'white', width: 2.4, alpha: 0.6 },
        ...BOWL,
      ],
    },
  },
  orange: {
    words: {
      en: 'orange fruit/oranges, mandarin, clementine, tangerine fruit/tangerines',
      de: 'Orangenfrucht/Orangen, Apfelsine/Apfelsinen, Mandarine/Mandarinen',
      fr: 'mandarine, clémentine',
      es: 'mandarina, fruta naranja/naranjas',
    },
    habitat: { lives: 'inside', size: 0.2, tabletop: true },
    drawing: {
      main: '#ee8a22',
      parts: ORANGE_PARTS,
    },
  },
  orange_bowl: {
    words: {
      en: 'bowl of oranges, basket of oranges, oranges in a bowl, plate of oranges, bowl of mandarins, bowl of tangerines, bowl of clementines',
      de: 'Schale mit Orangen, Schale Orangen, Orangen in einer Schale, Schüssel mit Orangen',
      fr: 'bol d oranges, coupe d oranges, corbeille d oranges',
      es: 'bol de naranjas, cuenco de naranjas, tazón de naranjas, frutero de naranjas',
    },
    habitat: { lives: 'inside', size: 0.25, tabletop: true },
    drawing: {
      main: '#4f7fa8',
      accent: '#ee8a22',
      parts: [...HEAP_OF_ORANGES, ...BOWL],
    },
  },
  banana: {
    words: {
      en: 'banana',
    },
    habitat: { lives: 'inside', size: 0.18, tabletop: true },
    drawing: {
      main: '#f2cf3a',
      parts: [
        { path: 'M8 40 C14 84 60 104 104 76 L108 82 C70 116 -2 100 -2 42 Z', fill: 'main' },
        { path: 'M8 40 C16 90 64 100 104 76 C60 92 26 76 8 40 Z', fill: 'light' },
        { path: 'M-2 42 L2 30 L9 31 L8 40 Z M104 76 L110 76 L108 82 Z', fill: 'wood' },
      ],
    },
  },
  strawberry: {
    words: {
      en: 'strawberry/strawberries',
      de: 'erdbeere/erdbeeren',
      fr: 'fraise/fraises',
      es: 'fresa/fresas',
    },
    habitat: { lives: 'inside', size: 0.2, tabletop: true },
    drawing: {
      main: '#d8323c',
      parts: [
        { path: 'M50 99 C22 86 8 56 18 36 C30 20 70 20 82 36 C92 56 78 86 50 99 Z', fill: 'main' },
        {
          path: 'M34 46 v4 M50 42 v4 M66 46 v4 M28 60 v4 M42 60 v4 M58 60 v4 M72 60 v4 M36 74 v4 M50 76 v4 M64 74 v4',
          line: 'lamp',
          width: 2.6,
        },
        {
          path: 'M50 34 C36 42 22 36 16 28 C28 28 32 22 36 18 C42 24 46 20 50 8 C54 20 58 24 64 18 C68 22 72 28 84 28 C78 36 64 42 50 34 Z',
          fill: 'leaf',
        },
      ],
    },
  },
  pumpkin: {
    words: {
      en: 'pumpkin, gourd',
      de: 'kürbis/kürbisse',
      fr: 'citrouille',
      es: 'calabaza',
    },
    habitat: { lives: 'land', size: 0.18 },
    crown: { ahead: 0, up: 0.86 },
    drawing: {
      main: '#e8792b',
      parts: [
        { path: 'M48 26 C46 14 52 8 60 6 L62 12 C56 14 56 20 57 27 Z', fill: 'leafShade' },
        { path: `${oval(24, 62, 24, 34)} ${oval(76, 62, 24, 34)}`, fill: 'shade' },
        { path: `${oval(38, 62, 22, 37)} ${oval(62, 62, 22, 37)}`, fill: 'main' },
        { path: oval(50, 62, 15, 38), fill: 'light' },
      ],
    },
  },
} satisfies FigureKinds;
