import { oval, rectangle, rectangles } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { TREES } from './trees.ts';

/** Buildings that stand by themselves. */
export const BUILDINGS = {
  house: {
    words: {
      en: 'house, home, villa, mansion, chalet, lodge, school, cottage, cabin, hut, farmhouse, barn, shed, bungalow',
      de: 'haus/häuser, hütte/hütten, bauernhof/bauernhöfe, scheune/scheunen',
      fr: 'maison, chalet, cabane, ferme',
      es: 'casa, cabaña, granja',
    },
    habitat: { lives: 'land', size: 0.27, building: true },
    village: 'dwelling',
    seat: { top: 0.92, width: 0.3, holds: 0.3 },
    drawing: {
      main: '#e9dcc3',
      accent: '#b5493a',
      parts: [
        { path: rectangle(74, 12, 11, 30), fill: 'grey' },
        { path: 'M6 46 H94 V100 H6 Z', fill: 'main' },
        { path: 'M64 46 H94 V100 H64 Z', fill: 'shade' },
        { path: 'M-2 49 L24 10 H84 L102 49 Z', fill: 'accent' },
        { path: 'M64 49 L74 10 H84 L102 49 Z', fill: 'accentShade' },
        { path: rectangle(28, 66, 16, 34), fill: 'wood' },
        { path: oval(41, 84, 1.3), fill: 'lamp' },
        {
          path: `${rectangle(10, 62, 13, 15)} ${rectangle(49, 62, 12, 15)} ${rectangle(72, 62, 14, 15)}`,
          fill: 'lamp',
        },
        {
          path: 'M16.5 62 v15 M10 69.5 h13 M55 62 v15 M49 69.5 h12 M79 62 v15 M72 69.5 h14',
          line: 'white',
          width: 1.3,
        },
      ],
    },
  },
  castle: {
    words: {
      en: 'castle, fortress/fortresses, palace, citadel',
      de: 'burg/burgen, schloss/schlösser, festung/festungen',
      fr: 'château/châteaux, palais/palais',
      es: 'castillo, palacio',
    },
    habitat: { lives: 'land', size: 0.44, building: true },
    seat: { top: 0.9, width: 0.3, holds: 0.3 },
    drawing: {
      main: '#b9b2a8',
      accent: '#8c4f5e',
      parts: [
        { path: 'M38 30 H62 V100 H38 Z M34 30 v-8 h6 v5 h5 v-5 h10 v5 h5 v-5 h6 v8 Z', fill: 'shade' },
        { path: 'M32 23 L50 -8 L68 23 Z', fill: 'accentShade' },
        { path: 'M50 -8 V-20 M50 -20 L62 -16 L50 -12', line: 'accent', width: 1.5 },
        {
          path: 'M2 60 H98 V100 H2 Z M2 60 v-6 h7 v6 h7 v-6 h7 v6 h7 v-6 h7 v6 h7 v-6 h7 v6 h7 v-6 h7 v6 h7 v-6 h7 v6 h7 v-6 h7 v6 Z',
          fill: 'main',
        },
        { path: 'M-6 44 H18 V100 H-6 Z M82 44 H106 V100 H82 Z', fill: 'light' },
        { path: 'M8 44 H18 V100 H8 Z M96 44 H106 V100 H96 Z', fill: 'shade' },
        { path: 'M-10 45 L6 14 L22 45 Z M78 45 L94 14 L110 45 Z', fill: 'accent' },
        { path: 'M6 14 L22 45 H10 Z M94 14 L110 45 H98 Z', fill: 'accentShade' },
        { path: 'M40 100 V82 C40 70 60 70 60 82 V100 Z', fill: 'wood' },
        {
          path: `${rectangle(3, 56, 5, 10)} ${rectangle(91, 56, 5, 10)} ${rectangle(47, 38, 6, 11)} ${rectangle(26, 74, 5, 8)} ${rectangle(69, 74, 5, 8)}`,
          fill: 'lamp',
        },
      ],
    },
  },
  lighthouse: {
    words: {
      en: 'lighthouse, beacon',
      de: 'leuchtturm/leuchttürme',
      fr: 'phare',
      es: 'faro',
    },
    habitat: { lives: 'land', size: 0.5, home: ['cliffs', 'beach'], building: true },
    beam: { up: 0.78 },
    drawing: {
      main: '#f3efe6',
      accent: '#c8433a',
      parts: [
        { path: 'M22 100 C26 92 38 90 50 92 C64 90 76 92 80 100 Z', fill: 'grey' },
        { path: 'M38 30 H62 L68 95 H32 Z', fill: 'main' },
        { path: 'M37 41 H63 L64.4 56 H35.6 Z M34.5 68 H65.5 L67 83 H33 Z', fill: 'accent' },
        { path: 'M53 30 H62 L68 95 H56 Z', fill: 'ink', alpha: 0.14 },
        { path: rectangle(33, 27, 34, 4), fill: 'ink' },
        { path: rectangle(41, 14, 18, 13), fill: 'lamp' },
        { path: 'M47 14 V27 M53 14 V27', line: 'ink', width: 1 },
        { path: 'M38 14 C40 6 46 3 50 0 C54 3 60 6 62 14 Z', fill: 'accentShade' },
        { path: `${rectangle(48, 60, 4, 6)} M46 95 V86 C46 82 54 82 54 86 V95 Z`, fill: 'wood' },
      ],
    },
  },
  tower: {
    words: {
      en: 'tower, turret, obelisk',
      de: 'turm/türme',
      fr: 'tour',
      es: 'torre',
    },
    habitat: { lives: 'land', size: 0.5, home: ['hills', 'mountains'], building: true },
    drawing: {
      main: '#a8a29a',
      accent: '#6b4a5e',
      parts: [
        { path: 'M36 22 H64 L67 100 H33 Z', fill: 'main' },
        { path: 'M53 22 H64 L67 100 H56 Z', fill: 'shade' },
        { path: 'M30 22 v-9 h7 v4 h6 v-4 h14 v4 h6 v-4 h7 v9 l-4 4 H34 Z', fill: 'light' },
        { path: 'M33 14 L50 -10 L67 14 Z', fill: 'accent' },
        { path: `${rectangle(47, 34, 6, 10)} ${rectangle(44, 54, 5, 9)} ${rectangle(54, 70, 5, 9)}`, fill: 'lamp' },
        { path: 'M43 100 V88 C43 82 57 82 57 88 V100 Z', fill: 'wood' },
      ],
    },
  },
  church: {
    words: {
      en: 'church/churches, chapel, cathedral, monastery/monasteries',
      de: 'kirche/kirchen, kapelle/kapellen, dom',
      fr: 'église, cathédrale',
      es: 'iglesia, catedral',
    },
    habitat: { lives: 'land', size: 0.42, building: true },
    village: 'landmark',
    drawing: {
      main: '#efe6d6',
      accent: '#5c6b7a',
      parts: [
        { path: 'M38 58 H98 V100 H38 Z', fill: 'main' },
        { path: 'M32 60 L46 36 H92 L104 60 Z', fill: 'accent' },
        { path: 'M16 34 H42 V100 H16 Z', fill: 'light' },
        { path: 'M31 34 H42 V100 H31 Z', fill: 'shade' },
        { path: 'M12 36 L29 2 L46 36 Z', fill: 'accentShade' },
        { path: 'M29 2 V-10 M25 -6 H33', line: 'ink', width: 1.8 },
        { path: 'M24 100 V84 C24 78 34 78 34 84 V100 Z', fill: 'wood' },
        {
          path: 'M50 86 V72 C50 66 57 66 57 72 V86 Z M65 86 V72 C65 66 72 66 72 72 V86 Z M80 86 V72 C80 66 87 66 87 72 V86 Z',
          fill: 'lamp',
        },
        { path: oval(29, 52, 5), fill: 'lamp' },
      ],
    },
  },
  windmill: {
    words: {
      en: 'windmill, mill, wind turbine',
      de: 'windmühle/windmühlen, mühle/mühlen',
      fr: 'moulin, moulin à vent',
      es: 'molino',
    },
    habitat: { lives: 'land', size: 0.42, building: true },
    drawing: {
      main: '#ece3d0',
      accent: '#9a5a3c',
      parts: [
        { path: 'M36 38 H64 L72 100 H28 Z', fill: 'main' },
        { path: 'M52 38 H64 L72 100 H56 Z', fill: 'shade' },
        { path: 'M32 40 C34 26 42 20 50 18 C58 20 66 26 68 40 Z', fill: 'accent' },
        { path: 'M44 100 V86 C44 80 56 80 56 86 V100 Z', fill: 'wood' },
        { path: `${rectangle(46, 52, 7, 8)} ${rectangle(46, 70, 7, 8)}`, fill: 'lamp' },
        {
          path: 'M50 34 L92 10 M50 34 L74 76 M50 34 L8 58 M50 34 L26 -8',
          line: 'wood',
          width: 1.8,
          move: { kind: 'spin', x: 50, y: 34, amount: 360, period: 9 },
        },
        {
          path: 'M58 32 L90 13 L95 22 L63 41 Z M52 42 L71 74 L62 79 L43 47 Z M42 36 L10 55 L5 46 L37 27 Z M48 26 L29 -6 L38 -11 L57 21 Z',
          fill: 'white',
          alpha: 0.9,
          move: { kind: 'spin', x: 50, y: 34, amount: 360, period: 9 },
        },
        { path: oval(50, 34, 3.4), fill: 'ink' },
      ],
    },
  },
  pagoda: {
    words: {
      en: 'pagoda, shrine, temple, torii, dojo',
      de: 'pagode/pagoden',
    },
    habitat: { lives: 'land', size: 0.44, outdoors: true },
    drawing: {
      main: '#c8433a',
      accent: '#3a3f4c',
      parts: [
        {
          path: `${rectangle(26, 74, 48, 26)} ${rectangle(31, 48, 38, 18)} ${rectangle(36, 24, 28, 16)}`,
          fill: 'main',
        },
        {
          path: `${rectangle(54, 74, 20, 26)} ${rectangle(52, 48, 17, 18)} ${rectangle(52, 24, 12, 16)}`,
          fill: 'shade',
        },
        {
          path: 'M6 72 C20 72 26 66 30 58 H70 C74 66 80 72 94 72 L92 77 H8 Z M13 46 C26 46 30 40 34 34 H66 C70 40 74 46 87 46 L85 51 H15 Z M20 22 C32 22 40 14 50 4 C60 14 68 22 80 22 L78 27 H22 Z',
          fill: 'accent',
        },
        { path: 'M50 4 V-10 M46 -3 H54', line: 'accent', width: 2 },
        { path: `${rectangle(44, 82, 12, 18)}`, fill: 'wood' },
        {
          path:
            rectangles([32, 62], [82], 7, 9) + rectangles([36, 48, 58], [53], 6, 8) + rectangles([41, 53], [29], 6, 8),
          fill: 'lamp',
        },
      ],
    },
  },
  tent: {
    words: {
      en: 'tent, camp, teepee, campsite, yurt',
      de: 'zelt/zelte',
      fr: 'tente',
    },
    habitat: { lives: 'land', size: 0.2, home: ['mountains', 'forest'], outdoors: true },
    drawing: {
      main: '#e2a13c',
      accent: '#c8573a',
      parts: [
        { path: 'M50 8 L-12 100 H112 Z', fill: 'main' },
        { path: 'M50 8 L112 100 H70 Z', fill: 'shade' },
        { path: 'M50 8 L26 100 H70 Z', fill: 'lamp' },
        { path: 'M50 8 L26 100 H46 Z', fill: 'accent' },
        { path: 'M50 8 L44 0 M50 8 L56 0 M-12 100 L-24 104 M112 100 L124 104', line: 'wood', width: 2 },
      ],
    },
  },
  treehouse: {
    words: {
      en: 'treehouse, tree house, treehouse in a big oak tree, treehouse in a tree',
      de: 'Baumhaus/Baumhäuser',
    },
    habitat: { lives: 'land', size: 0.62, home: ['meadow', 'forest'], outdoors: true },
    hasStem: true,
    drawing: {
      main: '#9a6a42',
      accent: '#b5452f',
      parts: [
        ...TREES.tree.drawing.parts,
        { path: 'M44 58 L24 100 M52 60 L34 100 M36 76 h12 M30 88 h13', line: 'wood', width: 2.4 },
        { path: 'M24 54 H86 V60 H24 Z', fill: 'wood' },
        { path: 'M32 30 H78 V55 H32 Z', fill: 'accent', alpha: 0.3 },
        { path: 'M32 30 H78 V55 H32 Z', fill: 'skin' },
        { path: 'M26 32 L55 10 L84 32 Z', fill: 'accent' },
        { path: rectangle(38, 38, 11, 17), fill: 'wood' },
        { path: rectangle(58, 38, 13, 10), fill: 'lamp' },
      ],
    },
  },
} satisfies FigureKinds;
