import { oval, type Part, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { PLATE } from './parts/dish-parts.ts';

const STEAM: Part = {
  path: 'M34 26 q-8 -10 0 -18 q8 -8 0 -18 M54 24 q-8 -10 0 -18 q8 -8 0 -18',
  line: 'white',
  width: 3,
  alpha: 0.45,
  move: { kind: 'swing', x: 44, y: 30, amount: 4, period: 2.4 },
};
const bowl = (tone: 'main' | 'accent'): readonly Part[] => [
  { path: 'M-10 46 C-8 82 16 98 34 98 H66 C84 98 108 82 110 46 Z', fill: tone },
  { path: 'M72 46 H110 C108 82 84 98 66 98 H58 C76 90 84 70 72 46 Z', fill: 'ink', alpha: 0.14 },
  { path: oval(50, 46, 60, 13), fill: 'white' },
];

/** Savoury dishes. */
export const MEALS = {
  pizza: {
    words: {
      en: 'pizza',
      de: 'Pizza/Pizzen',
      fr: 'pizza/pizzas',
      es: 'pizza/pizzas',
    },
    habitat: { lives: 'inside', size: 0.3, tabletop: true },
    drawing: {
      main: '#f0c25a',
      accent: '#c8402e',
      parts: [
        { path: oval(50, 84, 92, 16), fill: 'white' },
        { path: oval(50, 82, 78, 15), fill: 'wood' },
        { path: oval(50, 77, 78, 17), fill: 'shade' },
        { path: oval(50, 75, 68, 13.5), fill: 'main' },
        {
          path: `${oval(16, 72, 11, 3.4)} ${oval(48, 67, 11, 3)} ${oval(84, 73, 11, 3.4)} ${oval(34, 81, 12, 3.6)} ${oval(68, 82, 12, 3.6)}`,
          fill: 'accent',
        },
        {
          path: 'M30 70 q6 -5 10 0 q-5 4 -10 0 Z M60 75 q6 -5 10 0 q-5 4 -10 0 Z M2 78 q6 -5 10 0 q-5 4 -10 0 Z',
          fill: 'leaf',
        },
        { path: 'M50 75 L118 75 M50 75 L4 66 M50 75 L16 87 M50 75 L74 63', line: 'shade', width: 1.4, alpha: 0.7 },
      ],
    },
  },
  burger: {
    words: {
      en: 'burger, hamburger, cheeseburger, burger and fries, fries, sandwich, hot dog',
      de: 'Burger/Burger',
      fr: 'hamburger/hamburgers',
      es: 'hamburguesa/hamburguesas',
    },
    habitat: { lives: 'inside', size: 0.26, tabletop: true },
    drawing: {
      main: '#d9963f',
      accent: '#c8402e',
      parts: [
        {
          path: 'M96 98 V48 M106 98 V42 M116 98 V52 M124 98 V46 M101 98 V56 M111 98 V60',
          line: 'lamp',
          width: 6.5,
        },
        { path: 'M86 62 C100 68 118 68 132 62 L126 98 H92 Z', fill: 'accent' },
        { path: 'M4 82 H84 C86 92 80 99 70 99 H18 C8 99 2 92 4 82 Z', fill: 'shade' },
        { path: 'M0 72 H88 V82 C80 88 8 88 0 82 Z', fill: 'wood' },
        { path: 'M2 66 H86 L74 78 L58 70 L44 80 L28 70 L14 78 Z', fill: 'lamp' },
        { path: 'M0 60 C10 70 18 60 26 66 C36 72 44 60 54 66 C64 72 74 60 88 64 V56 H0 Z', fill: 'leaf' },
        { path: 'M2 58 C2 26 22 16 44 16 C66 16 86 26 86 58 Z', fill: 'main' },
        {
          path: 'M24 34 l5 -3 M40 26 l6 0 M58 32 l6 3 M34 42 l5 -2 M52 42 l5 2 M70 44 l5 3',
          line: 'pale',
          width: 2.4,
        },
      ],
    },
  },
  sushi: {
    words: {
      en: 'sushi, sushi roll, sashimi',
    },
    habitat: { lives: 'inside', size: 0.34, tabletop: true },
    drawing: {
      main: '#f4f0e6',
      accent: '#f08a5a',
      parts: [
        { path: 'M-46 84 H146 L138 96 H-38 Z', fill: 'ink' },
        { path: 'M-46 84 H146 L143 88 H-43 Z', fill: 'grey' },
        ...[-12, 42, 96].map(
          (x) => ({ path: `M${x - 22} 84 V64 C${x - 18} 54 ${x + 18} 54 ${x + 22} 64 V84 Z`, fill: 'main' }) as const,
        ),
        ...[-12, 42, 96].map(
          (x) =>
            ({
              path: `M${x - 26} 66 C${x - 22} 44 ${x + 22} 44 ${x + 26} 66 C${x + 14} 60 ${x - 14} 60 ${x - 26} 66 Z`,
              fill: 'accent',
            }) as const,
        ),
        ...[-12, 42, 96].map(
          (x) =>
            ({ path: `M${x - 14} 55 l6 7 M${x - 1} 51 l4 9 M${x + 12} 53 l3 9`, line: 'white', width: 1.8 }) as const,
        ),
        { path: 'M-40 74 L150 50 M-40 79 L150 60', line: 'wood', width: 3 },
      ],
    },
  },
  ramen: {
    words: {
      en: 'ramen/ramen, bowl of ramen, noodles/noodles, noodle soup, pho, udon, bowl of noodles',
      de: 'nudelsuppe, ramen',
    },
    habitat: { lives: 'inside', size: 0.25, tabletop: true },
    drawing: {
      main: '#c8433a',
      accent: '#e0a04c',
      parts: [
        ...bowl('main'),
        { path: oval(50, 46, 53, 10), fill: 'accent' },
        {
          path: 'M8 45 q10 -7 20 0 t20 0 t20 0 t20 0 M14 50 q10 -7 20 0 t20 0 t20 0 M22 40 q10 -6 20 0 t20 0',
          line: 'pale',
          width: 2.6,
        },
        { path: oval(30, 42, 14, 8), fill: 'white' },
        { path: oval(30, 42, 7, 4), fill: 'lamp' },
        { path: 'M66 46 L72 20 L96 22 L92 46 Z', fill: 'leafShade' },
        { path: 'M52 52 q4 -4 8 0 M42 52 q4 -4 8 0 M64 52 q4 -4 8 0', line: 'leaf', width: 3 },
        { path: 'M56 40 L120 -14 M62 42 L128 -8', line: 'wood', width: 3.4 },
        STEAM,
      ],
    },
  },
  soup: {
    words: {
      en: 'soup, bowl of soup, stew, curry, chili, porridge, bowl of rice, poke bowl, cereal, bowl of cereal',
      de: 'suppe/suppen, eintopf',
      fr: 'soupe/soupes',
      es: 'sopa/sopas',
    },
    habitat: { lives: 'inside', size: 0.24, tabletop: true },
    drawing: {
      main: '#6f8fae',
      accent: '#d8743a',
      parts: [
        ...bowl('main'),
        { path: oval(50, 46, 53, 10), fill: 'accent' },
        { path: 'M30 46 q10 -7 22 0 q-10 7 -22 0', fill: 'white', alpha: 0.7 },
        { path: 'M60 43 q6 -5 12 0 q-5 5 -12 0 Z M44 40 q6 -4 11 0 q-5 4 -11 0 Z', fill: 'leaf' },
        STEAM,
      ],
    },
  },
  pasta: {
    words: {
      en: 'spaghetti/spaghetti, pasta/pasta, plate of pasta, plate of spaghetti, lasagna, risotto, bowl of pasta, spaghetti with tomato sauce',
      de: 'spaghetti, nudeln, pasta',
      fr: 'spaghettis, pâtes',
      es: 'espaguetis, pasta',
    },
    habitat: { lives: 'inside', size: 0.26, tabletop: true },
    drawing: {
      main: '#efc867',
      accent: '#c23a2a',
      parts: [
        ...PLATE,
        { path: 'M4 86 C2 62 26 46 50 46 C76 46 98 62 96 86 C76 92 24 92 4 86 Z', fill: 'main' },
        {
          path: 'M10 80 q14 -14 28 0 t28 0 t26 0 M14 70 q12 -14 26 0 t26 0 t18 0 M28 60 q10 -12 22 0 t22 0 M6 86 q14 -10 30 0 t30 0 t24 0',
          line: 'shade',
          width: 2.4,
        },
        {
          path: 'M22 62 C26 40 76 38 80 62 C74 72 66 62 58 70 C48 76 44 64 36 70 C30 74 24 70 22 62 Z',
          fill: 'accent',
        },
        { path: `${oval(38, 50, 8)} ${oval(58, 46, 8)} ${oval(66, 58, 7)}`, fill: 'wood' },
        { path: 'M46 40 q8 -10 16 -2 q-6 8 -16 2 Z', fill: 'leaf' },
        { path: 'M108 40 V96 M104 40 V56 M112 40 V56', line: 'metal', width: 2.4 },
      ],
    },
  },
  roast: {
    words: {
      en: 'roast turkey, turkey dinner, thanksgiving turkey, thanksgiving dinner, thanksgiving turkey dinner, roast chicken, roasted chicken, roast, christmas dinner, turkey',
      de: 'braten, gans',
      fr: 'rôti, dinde',
      es: 'pavo, asado',
    },
    habitat: { lives: 'inside', size: 0.26, tabletop: true },
    drawing: {
      main: '#b8692e',
      accent: '#f0dcc0',
      parts: [
        { path: oval(50, 92, 92, 10), fill: 'metal' },
        { path: oval(50, 89, 92, 10), fill: 'grey' },
        {
          path: 'M-34 88 q8 -16 18 -4 q4 -14 16 -2 q6 -8 14 2 M86 88 q6 -14 16 -4 q8 -12 16 -2 q8 -8 14 4',
          fill: 'leaf',
        },
        { path: 'M2 84 C-4 50 26 30 54 32 C86 34 104 56 98 84 C80 92 20 92 2 84 Z', fill: 'main' },
        { path: 'M20 50 C30 38 54 36 66 42 C52 44 34 50 24 62 Z', fill: 'light', alpha: 0.8 },
        {
          path: 'M60 78 C56 58 76 50 88 60 L122 46 C130 40 136 50 128 54 C134 60 124 66 120 60 L96 76 C88 88 66 90 60 78 Z',
          fill: 'shade',
        },
        { path: 'M114 50 L126 45 C132 42 136 50 128 54 C134 58 126 65 120 60 Z', fill: 'accent' },
        { path: `${oval(-18, 84, 8)} ${oval(112, 86, 7)}`, fill: 'fire' },
      ],
    },
  },
  dinner: {
    words: {
      en: 'steak, dinner, meal, breakfast plate, bbq, barbecue, plate of food, grilled chicken, fried chicken, schnitzel',
      de: 'steak/steaks, abendessen',
    },
    habitat: { lives: 'inside', size: 0.22, tabletop: true },
    drawing: {
      main: '#8f4a30',
      accent: '#e8c85a',
      parts: [
        ...PLATE,
        { path: 'M4 84 C0 66 24 60 40 62 C56 62 60 76 54 84 C44 92 12 92 4 84 Z', fill: 'main' },
        { path: 'M14 70 L26 84 M24 66 L36 82 M36 66 L46 80', line: 'ink', width: 2, alpha: 0.5 },
        { path: 'M60 84 l8 -18 l6 16 l8 -20 l4 20 l8 -14 l2 16 Z', fill: 'accent' },
        { path: `${oval(56, 62, 8)} ${oval(68, 56, 7)} ${oval(62, 70, 6)}`, fill: 'leaf' },
        { path: 'M-30 50 V98 M-34 50 V64 M-26 50 V64 M130 50 V98', line: 'metal', width: 3 },
      ],
    },
  },
  cheese: {
    words: {
      en: 'cheese',
      de: 'Käse',
      fr: 'fromage',
      es: 'queso',
    },
    habitat: { lives: 'inside', size: 0.18, tabletop: true },
    drawing: {
      main: '#f2c84b',
      parts: [
        { path: 'M-10 98 H112', line: 'wood', width: 6 },
        { path: 'M0 60 L96 38 C104 44 108 52 108 60 Z', fill: 'light' },
        { path: 'M0 60 H108 V94 H0 Z', fill: 'main' },
        {
          path: `${oval(24, 74, 8, 6)} ${oval(58, 84, 10, 6)} ${oval(84, 70, 8, 5)} ${oval(62, 52, 8, 3)}`,
          fill: 'deep',
        },
      ],
    },
  },
  bread: {
    words: {
      en: 'bread, loaf/loaves, baguette',
      de: 'Brot/Brote',
      fr: 'pain, baguette',
      es: 'pan',
    },
    habitat: { lives: 'inside', size: 0.22, tabletop: true },
    drawing: {
      main: '#c98a45',
      parts: [
        { path: 'M-6 98 H110', line: 'wood', width: 6 },
        { path: 'M0 92 C-8 60 10 48 50 48 C92 48 110 60 104 92 C90 98 14 98 0 92 Z', fill: 'main' },
        { path: 'M20 58 q6 10 2 22 M44 54 q6 12 2 26 M68 54 q6 12 2 26', line: 'pale', width: 5 },
      ],
    },
  },
  picnic: {
    words: {
      en: 'picnic, picnic basket, picnic blanket',
      de: 'Picknick',
      fr: 'pique-nique',
      es: 'picnic',
    },
    habitat: { lives: 'land', size: 0.16, home: ['garden'], outdoors: true },
    drawing: {
      main: '#c8352e',
      accent: '#8a5a3b',
      parts: [
        { path: 'M-20 84 L30 68 H120 L90 100 H-60 Z', fill: 'white' },
        {
          path: 'M-8 80 H108 L103 85 H-24 Z M-42 93 H96 L91 99 H-58 Z M8 75 H0 L-34 100 H-22 Z M48 68 H38 L12 100 H26 Z M84 68 H74 L58 100 H72 Z',
          fill: 'main',
          alpha: 0.85,
        },
        { path: 'M4 62 H60 L54 88 H10 Z', fill: 'accent' },
        { path: 'M2 58 H62 V65 H2 Z', fill: 'lamp' },
        { path: 'M12 60 C12 30 52 30 52 60', line: 'accent', width: 4 },
        { path: oval(80, 82, 7), fill: 'fire' },
        { path: `${rectangle(-10, 66, 10, 22)} ${rectangle(-7, 56, 4, 12)}`, fill: 'leafShade' },
      ],
    },
  },
} satisfies FigureKinds;
