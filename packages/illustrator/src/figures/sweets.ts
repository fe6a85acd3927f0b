import { oval, type Part } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { PLATE } from './parts/dish-parts.ts';

/** Cakes and sweets. */
export const SWEETS = {
  cake: {
    words: {
      en: 'cake, birthday cake, cupcake, pie, muffin, birthday cake with candles, cake with candles, strawberry cake, chocolate cake, wedding cake, cheesecake, apple pie, carrot cake',
      de: 'kuchen, torte/torten',
      fr: 'gâteau/gâteaux',
      es: 'pastel/pasteles, tarta',
    },
    habitat: { lives: 'inside', size: 0.26, tabletop: true },
    drawing: {
      main: '#f2b6c6',
      accent: '#8a5a3b',
      parts: [
        { path: 'M50 20 V6 M34 22 V10 M66 22 V10', line: 'white', width: 3 },
        { path: `${oval(50, 1, 2.4, 4)} ${oval(34, 5, 2.4, 4)} ${oval(66, 5, 2.4, 4)}`, fill: 'lamp' },
        { path: 'M14 26 H86 V94 H14 Z', fill: 'accent' },
        { path: 'M14 60 H86 V68 H14 Z', fill: 'white' },
        {
          path: 'M10 24 C10 18 90 18 90 24 V40 C86 50 80 50 78 42 C74 56 66 54 64 42 C60 50 52 52 50 42 C46 58 38 54 36 42 C32 50 26 48 24 42 C20 52 12 48 10 40 Z',
          fill: 'main',
        },
        { path: 'M-6 94 H106 C102 100 -2 100 -6 94 Z', fill: 'metal' },
      ],
    },
  },
  ice_cream: {
    words: {
      en: 'ice cream, ice cream cone, gelato, popsicle, sundae',
      de: 'Eistüte',
      fr: 'glace',
      es: 'helado/helados',
    },
    habitat: { lives: 'inside', size: 0.36, tabletop: true },
    drawing: {
      main: '#f4b6c8',
      accent: '#f3e3c0',
      parts: [
        { path: 'M22 46 L50 100 L78 46 Z', fill: 'wood' },
        { path: 'M22 46 L50 100 L78 46 Z', fill: 'lamp', alpha: 0.5 },
        { path: 'M32 46 L60 80 M46 46 L66 68 M68 46 L40 80 M54 46 L34 68', line: 'wood', width: 1.6 },
        { path: `${oval(32, 38, 19)}`, fill: 'accent' },
        { path: `${oval(68, 38, 19)}`, fill: 'wood' },
        { path: 'M26 26 C26 4 74 4 74 26 C74 38 26 38 26 26 Z', fill: 'main' },
        { path: oval(50, 2, 6), fill: 'fire' },
        { path: 'M50 -3 C52 -10 58 -13 62 -12', line: 'leaf', width: 1.8 },
      ],
    },
  },
  donut: {
    words: {
      en: 'donut, doughnut, bagel',
    },
    habitat: { lives: 'inside', size: 0.24, tabletop: true },
    drawing: {
      main: '#f29ab8',
      parts: [
        {
          path: 'M50 20 a40 40 0 1 0 .1 0 Z M50 46 a14 14 0 1 1 -.1 0 Z',
          fill: 'wood',
        },
        {
          path: 'M50 22 C76 22 90 42 88 58 C84 68 78 60 72 68 C66 78 58 70 50 76 C42 84 34 70 28 70 C20 72 14 64 12 58 C10 40 26 22 50 22 Z M50 46 a14 14 0 1 1 -.1 0 Z',
          fill: 'main',
        },
        { path: 'M30 38 l5 3 M46 30 l5 0 M66 36 l4 4 M74 52 l2 5 M26 56 l4 -4 M40 68 l4 3', line: 'lamp', width: 2.6 },
      ],
    },
  },
  pancakes: {
    words: {
      en: 'pancakes/pancakes, pancake/pancakes, stack of pancakes, waffle/waffles',
      de: 'pfannkuchen',
      fr: 'crêpe/crêpes, pancakes',
      es: 'tortitas, panqueques',
    },
    habitat: { lives: 'inside', size: 0.26, tabletop: true },
    drawing: {
      main: '#d9994a',
      accent: '#8f4a1e',
      parts: [
        ...PLATE,
        ...[82, 70, 58, 46].flatMap((y): Part[] => [
          {
            path: `M4 ${y} C4 ${y - 12} 96 ${y - 12} 96 ${y} V${y + 4} C96 ${y + 12} 4 ${y + 12} 4 ${y + 4} Z`,
            fill: 'main',
          },
          {
            path: `M4 ${y} C4 ${y + 9} 96 ${y + 9} 96 ${y} V${y + 4} C96 ${y + 12} 4 ${y + 12} 4 ${y + 4} Z`,
            fill: 'pale',
          },
        ]),
        { path: oval(50, 45, 45, 8), fill: 'light' },
        {
          path: 'M18 44 C30 34 74 34 84 44 C90 50 86 70 82 70 C78 70 80 54 72 53 C66 53 66 82 60 82 C54 82 58 56 48 54 C38 54 38 66 33 66 C28 66 32 52 18 44 Z',
          fill: 'accent',
          alpha: 0.85,
        },
        { path: 'M42 32 L62 34 L60 44 L40 42 Z', fill: 'lamp' },
        { path: `${oval(28, 38, 6)} ${oval(74, 40, 6)}`, fill: 'fire' },
        { path: `${oval(20, 84, 6)} ${oval(84, 87, 5.5)}`, fill: 'accentShade' },
      ],
    },
  },
  croissant: {
    words: {
      en: 'croissant, pastry/pastries',
      de: 'croissant/croissants, hörnchen',
      fr: 'croissant/croissants',
      es: 'cruasán',
    },
    habitat: { lives: 'inside', size: 0.22, tabletop: true },
    drawing: {
      main: '#d08b3a',
      parts: [
        ...PLATE,
        {
          path: 'M-14 84 C-8 56 22 40 50 40 C78 40 108 56 114 84 C104 90 92 84 86 76 C76 66 62 62 50 62 C38 62 24 66 14 76 C8 84 -4 90 -14 84 Z',
          fill: 'main',
        },
        {
          path: 'M28 45 C34 54 34 62 28 68 M50 40 V62 M72 45 C66 54 66 62 72 68 M6 58 C14 62 18 68 15 76 M94 58 C86 62 82 68 85 76',
          line: 'deep',
          width: 2.4,
        },
        { path: 'M34 46 C44 42 56 42 66 46 C56 48 44 48 34 46 Z', fill: 'light' },
      ],
    },
  },
  cookies: {
    words: {
      en: 'cookie/cookies, biscuit/biscuits, plate of cookies, chocolate chip cookies, macaron/macarons, chocolates/chocolates',
      de: 'keks/kekse, plätzchen',
      fr: 'biscuit/biscuits',
      es: 'galleta/galletas',
    },
    habitat: { lives: 'inside', size: 0.22, tabletop: true },
    drawing: {
      main: '#c88a4a',
      accent: '#4a2c1c',
      parts: [
        ...PLATE,
        ...(
          [
            [18, 82],
            [80, 82],
            [50, 84],
            [34, 70],
            [66, 70],
            [50, 56],
          ] as const
        ).flatMap(([x, y]): Part[] => [
          { path: oval(x, y, 24, 9), fill: 'shade' },
          { path: oval(x, y - 2, 24, 9), fill: 'main' },
          {
            path: `${oval(x - 10, y - 4, 3, 2)} ${oval(x + 2, y - 6, 3, 2)} ${oval(x + 12, y - 2, 3, 2)} ${oval(x - 2, y + 2, 3, 2)}`,
            fill: 'accent',
          },
        ]),
      ],
    },
  },
} satisfies FigureKinds;
