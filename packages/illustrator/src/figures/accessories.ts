import { oval, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Accessories that people and animals wear or carry. */
export const ACCESSORIES = {
  hat: {
    words: {
      en: 'hat, sombrero, top hat, baseball cap, cap',
      de: 'Hut/Hüte',
      fr: 'chapeau/chapeaux',
      es: 'sombrero/sombreros',
    },
    habitat: { lives: 'inside', size: 0.2, tabletop: true },
    worn: 'head',
    drawing: {
      main: '#7b2f3a',
      accent: '#e8c24a',
      parts: [
        { path: 'M-6 84 C20 74 80 74 106 84 C100 98 0 98 -6 84 Z', fill: 'main' },
        { path: 'M20 82 L24 26 C30 18 70 18 76 26 L80 82 C66 90 34 90 20 82 Z', fill: 'main' },
        { path: 'M56 20 C66 20 74 22 76 26 L80 82 C74 86 66 88 58 88 Z', fill: 'shade' },
        { path: 'M20 80 L21 66 C38 74 62 74 79 66 L80 80 C66 90 34 90 20 80 Z', fill: 'accent' },
      ],
    },
  },
  necktie: {
    words: {
      en: 'suit, necktie, tie, tuxedo, bow tie',
      de: 'krawatte/krawatten, anzug',
      fr: 'cravate',
      es: 'corbata',
    },
    habitat: { lives: 'inside', size: 0.2 },
    worn: 'chest',
    drawing: {
      main: '#2c3444',
      accent: '#c8322c',
      parts: [
        { path: 'M50 8 C20 8 -2 30 -6 92 C20 104 80 104 106 92 C102 30 80 8 50 8 Z', fill: 'main' },
        { path: 'M30 10 L50 62 L70 10 Z', fill: 'white' },
        {
          path: 'M30 10 L16 26 L28 34 L20 42 L48 84 L50 62 Z M70 10 L84 26 L72 34 L80 42 L52 84 L50 62 Z',
          fill: 'shade',
        },
        { path: 'M44 12 H56 L53 22 L58 54 L50 66 L42 54 L47 22 Z', fill: 'accent' },
      ],
    },
  },
  helmet: {
    words: {
      en: 'helmet, space helmet',
      de: 'helm/helme',
      fr: 'casque/casques',
      es: 'casco/cascos',
    },
    habitat: { lives: 'land', size: 0.2, home: ['moon_surface'], tabletop: true },
    worn: 'whole-head',
    drawing: {
      main: '#eef0f4',
      accent: '#2f3a58',
      parts: [
        { path: oval(50, 50, 50), fill: 'glass', alpha: 0.34 },
        { path: oval(50, 50, 50), line: 'main', width: 7 },
        { path: 'M6 82 C20 104 80 104 94 82 L98 100 H2 Z', fill: 'main' },
        { path: 'M18 34 C24 18 38 10 52 10 C38 16 28 26 24 42 Z', fill: 'white', alpha: 0.8 },
      ],
    },
  },
  crown: {
    words: {
      en: 'crown, tiara',
      de: 'krone/kronen',
      fr: 'couronne/couronnes',
      es: 'corona/coronas',
    },
    habitat: { lives: 'inside', size: 0.2, tabletop: true },
    worn: 'head-top',
    drawing: {
      main: '#e8b93c',
      accent: '#c8322c',
      parts: [
        { path: 'M4 96 L-6 30 L24 58 L50 8 L76 58 L106 30 L96 96 Z', fill: 'main' },
        { path: 'M4 96 L1 78 H99 L96 96 Z', fill: 'shade' },
        { path: `${oval(-6, 28, 6)} ${oval(50, 6, 7)} ${oval(106, 28, 6)} ${oval(50, 70, 8)}`, fill: 'accent' },
      ],
    },
  },
  sunglasses: {
    words: {
      en: 'sunglasses/sunglasses',
      de: 'sonnenbrille/sonnenbrillen',
      fr: 'lunettes de soleil',
      es: 'gafas de sol',
    },
    habitat: { lives: 'inside', size: 0.16, tabletop: true },
    worn: 'eyes',
    drawing: {
      main: '#1f2229',
      parts: [
        { path: 'M-8 34 H108 L104 44 H-4 Z', fill: 'main' },
        { path: 'M-4 38 H44 V62 C44 84 2 84 -2 62 Z M56 38 H104 L102 62 C98 84 56 84 56 62 Z', fill: 'main' },
        { path: 'M6 46 L24 46 L10 62 Z M66 46 L84 46 L70 62 Z', fill: 'glass', alpha: 0.7 },
      ],
    },
  },
  umbrella: {
    words: {
      en: 'umbrella, parasol',
      de: 'regenschirm/regenschirme, schirm/schirme',
      fr: 'parapluie',
      es: 'paraguas/paraguas',
    },
    habitat: { lives: 'land', size: 0.26 },
    held: { carried: true, overhead: true },
    drawing: {
      main: '#c8352e',
      accent: '#f4efe4',
      parts: [
        { path: 'M50 6 V90 C50 102 66 102 66 90', line: 'wood', width: 3.4 },
        {
          path: 'M-8 52 C-4 20 24 6 50 6 C76 6 104 20 108 52 C100 44 88 44 80 52 C72 44 60 44 50 52 C40 44 28 44 20 52 C12 44 0 44 -8 52 Z',
          fill: 'main',
        },
        { path: 'M50 6 C36 14 24 32 20 52 C28 44 40 44 50 52 C60 44 72 44 80 52 C76 32 64 14 50 6 Z', fill: 'accent' },
        { path: 'M50 6 C76 6 104 20 108 52 C100 44 88 44 80 52 C76 32 64 14 50 6 Z', fill: 'shade' },
        { path: 'M50 6 V-2', line: 'wood', width: 3 },
      ],
    },
  },
  tshirt: {
    words: {
      en: 't shirt, shirt, tshirt, hoodie, sweater, jersey',
      de: 'hemd/hemden, pullover',
    },
    habitat: { lives: 'inside', size: 0.36 },
    isGarment: true,
    drawing: {
      main: '#f2efe6',
      parts: [
        {
          path: 'M30 10 L4 24 L-8 52 L14 60 L22 46 V98 H78 V46 L86 60 L108 52 L96 24 L70 10 C64 22 36 22 30 10 Z',
          fill: 'main',
        },
        { path: 'M62 18 L70 10 L96 24 L108 52 L86 60 L78 46 V98 H64 Z', fill: 'shade', alpha: 0.6 },
        { path: 'M36 12 C42 26 58 26 64 12', line: 'shade', width: 3 },
        { path: oval(50, 54, 13), fill: 'accent' },
      ],
    },
  },
  shoe: {
    words: {
      en: 'shoe, sneaker, boot, trainer',
    },
    habitat: { lives: 'inside', size: 0.18 },
    pluralCount: 2,
    drawing: {
      main: '#c8352e',
      parts: [
        { path: 'M-18 88 H118 V98 H-18 Z', fill: 'white' },
        { path: 'M-18 88 V44 C-6 52 14 50 20 40 L36 36 C52 62 84 62 108 72 C116 76 118 82 118 88 Z', fill: 'main' },
        { path: 'M82 65 C100 68 118 74 118 88 H84 Z', fill: 'white' },
        { path: 'M34 52 l14 -8 M42 60 l14 -8 M52 66 l14 -8', line: 'white', width: 3 },
        { path: 'M-10 76 C10 82 40 76 62 84', line: 'white', width: 5 },
      ],
    },
  },
  bag: {
    words: {
      en: 'bag, handbag, purse, backpack, suitcase, leather bag, tote bag',
      de: 'tasche/taschen, rucksack',
      fr: 'sac/sacs',
      es: 'bolso/bolsos, mochila',
    },
    habitat: { lives: 'inside', size: 0.32, tabletop: true },
    drawing: {
      main: '#9a5a34',
      accent: '#c9a24a',
      parts: [
        { path: 'M28 42 C26 0 74 0 72 42', line: 'deep', width: 5 },
        { path: 'M8 40 H92 L98 94 C98 98 94 100 90 100 H10 C6 100 2 98 2 94 Z', fill: 'main' },
        { path: 'M8 40 H92 L94 60 C70 74 30 74 6 60 Z', fill: 'light' },
        { path: rectangle(44, 60, 12, 14), fill: 'accent' },
      ],
    },
  },
  watch: {
    words: {
      en: 'watch/watches, wrist watch/wrist watches, wristwatch/wristwatches, smartwatch/smartwatches, luxury watch, pocket watch',
      de: 'armbanduhr/armbanduhren',
      fr: 'montre/montres',
      es: 'reloj de pulsera',
    },
    habitat: { lives: 'inside', size: 0.3, tabletop: true },
    drawing: {
      main: '#2c3444',
      accent: '#c9a24a',
      parts: [
        { path: 'M34 -6 H66 L70 26 H30 Z M30 74 H70 L66 106 H34 Z', fill: 'wood' },
        { path: 'M50 80 V100 M50 0 V18', line: 'pale', width: 1.4 },
        { path: oval(50, 50, 34), fill: 'accent' },
        { path: 'M84 46 h7 v8 h-7 Z', fill: 'accentShade' },
        { path: oval(50, 50, 28), fill: 'main' },
        {
          path: 'M50 25 v6 M50 69 v6 M25 50 h6 M69 50 h6 M32 32 l4 4 M68 32 l-4 4 M32 68 l4 -4 M68 68 l-4 -4',
          line: 'accent',
          width: 2.2,
        },
        { path: 'M50 50 L40 36 M50 50 L66 42', line: 'white', width: 2.8 },
        {
          path: 'M50 50 L56 70',
          line: 'fire',
          width: 1.2,
          move: { kind: 'spin', x: 50, y: 50, amount: 360, period: 60 },
        },
        { path: 'M34 32 C42 24 58 24 66 30 C56 30 44 34 36 46 Z', fill: 'white', alpha: 0.18 },
      ],
    },
  },
} satisfies FigureKinds;
