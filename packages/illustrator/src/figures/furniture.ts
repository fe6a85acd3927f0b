import { oval, rectangle, rectangles } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Furniture. */
export const FURNITURE = {
  windowsill: {
    words: {
      en: 'windowsill, window sill, window ledge',
      de: 'Fensterbank/Fensterbänke, Fensterbrett/Fensterbretter',
      fr: 'rebord de fenêtre, rebord de la fenêtre, rebord d une fenêtre',
      es: 'alféizar, repisa de la ventana, repisa de una ventana',
    },
    habitat: { lives: 'inside', size: 0.19, underWindow: true },
    seat: { top: 0.99, width: 1.5, holds: 0.95, posture: 'upright', peopleSit: true },
    drawing: {
      main: '#efe6d6',
      parts: [
        { path: 'M-70 10 H170 V100 H-70 Z', fill: 'shade' },
        { path: [-62, 22, 106].map((x) => rectangle(x, 24, 56, 64)).join(' '), fill: 'main' },
        { path: [-62, 22, 106].map((x) => `M${x} 88 V24 H${x + 56}`).join(' '), line: 'deep', width: 1.4, alpha: 0.5 },
        { path: 'M-70 94 H170 V100 H-70 Z', fill: 'light' },
        { path: 'M-84 0 H184 V9 H-84 Z', fill: 'light' },
        { path: 'M-80 9 H180 V13 H-80 Z', fill: 'deep', alpha: 0.5 },
      ],
    },
  },
  chair: {
    words: {
      en: 'chair, armchair',
      de: 'stuhl/stühle, sessel',
    },
    habitat: { lives: 'inside', size: 0.42 },
    seat: { top: 0.42, width: 0.3, holds: 0.7, posture: 'upright', peopleSit: true },
    drawing: {
      main: '#c8773a',
      parts: [
        { path: 'M30 66 V99 M70 66 V99', line: 'wood', width: 4 },
        { path: 'M20 8 C34 2 66 2 80 8 L76 58 H24 Z', fill: 'main' },
        { path: 'M54 3 C64 4 74 5 80 8 L76 58 H58 Z', fill: 'shade' },
        { path: 'M12 54 H88 C92 60 90 70 86 74 H14 C10 70 8 60 12 54 Z', fill: 'light' },
        { path: 'M12 66 H88 L86 74 H14 Z', fill: 'deep' },
        { path: 'M16 74 L12 100 M84 74 L88 100', line: 'wood', width: 5 },
      ],
    },
  },
  table: {
    words: {
      en: 'table, desk',
      de: 'tisch/tische',
    },
    habitat: { lives: 'inside', size: 0.3 },
    isTable: true,
    furnishes: { office: [{ x: 0.28, y: 0.3, size: 0.34 }] },
    seat: { top: 0.78, width: 1.3, holds: 0.62, posture: 'upright' },
    drawing: {
      main: '#9a6a42',
      parts: [
        { path: 'M-24 34 L-30 100 M124 34 L130 100 M-2 34 L-4 92 M102 34 L104 92', line: 'shade', width: 7 },
        { path: 'M-40 22 H140 V36 H-40 Z', fill: 'main' },
        { path: 'M-40 22 H140 V27 H-40 Z', fill: 'light' },
      ],
    },
  },
  sofa: {
    words: {
      en: 'sofa, couch/couches, loveseat',
      de: 'Sofa/Sofas, Couch',
      fr: 'canapé/canapés',
      es: 'sofá/sofás',
    },
    habitat: { lives: 'inside', size: 0.3 },
    furnishes: { living_room: [{ x: 0.36, y: 0.2, size: 0.24 }] },
    seat: { top: 0.34, width: 1.2, holds: 0.62, posture: 'upright', peopleSit: true },
    drawing: {
      main: '#4f7f7a',
      parts: [
        { path: 'M-48 92 V100 M148 92 V100', line: 'wood', width: 7 },
        { path: 'M-44 28 C-40 16 -20 14 50 14 C120 14 140 16 144 28 V80 H-44 Z', fill: 'main' },
        { path: 'M50 15 V66', line: 'shade', width: 2.4 },
        { path: 'M-44 60 H50 V78 H-44 Z M50 60 H144 V78 H50 Z', fill: 'light' },
        { path: 'M-60 50 C-64 38 -40 36 -38 50 V94 H-60 Z M160 50 C164 38 140 36 138 50 V94 H160 Z', fill: 'shade' },
        { path: 'M-40 76 H140 V94 H-40 Z', fill: 'main' },
        { path: 'M96 38 L126 34 L130 62 L100 64 Z', fill: 'accent' },
      ],
    },
  },
  bed: {
    words: {
      en: 'bed, bunk',
      de: 'Bett/Betten',
      fr: 'lit/lits',
      es: 'cama/camas',
    },
    habitat: { lives: 'inside', size: 0.32 },
    furnishes: { bedroom: [{ x: 0.3, y: 0.2, size: 0.3 }] },
    seat: { top: 0.44, width: 1, holds: 0.55, posture: 'upright' },
    drawing: {
      main: '#5f7fae',
      parts: [
        { path: 'M-50 24 H-40 V98 H-50 Z M140 52 H150 V98 H140 Z', fill: 'wood' },
        { path: 'M-44 30 H-34 V88 H-44 Z', fill: 'wood' },
        { path: 'M-42 62 H144 V88 H-42 Z', fill: 'white' },
        { path: 'M-36 48 C-30 42 2 42 8 50 L6 64 H-36 Z', fill: 'white' },
        { path: 'M8 58 C50 50 110 54 146 60 V90 H8 Z', fill: 'main' },
        { path: 'M8 58 C12 64 12 80 8 90 H30 C32 78 30 64 26 56 Z', fill: 'light' },
      ],
    },
  },
  crib: {
    words: {
      en: 'crib, cradle, baby in a crib, baby sleeping in a crib, baby sleeping, sleeping baby/sleeping babies',
      de: 'wiege, kinderbett',
      fr: 'berceau',
      es: 'cuna',
    },
    habitat: { lives: 'inside', size: 0.36 },
    drawing: {
      main: '#e9dcc4',
      accent: '#8fb4d8',
      parts: [
        { path: 'M-40 30 H140 V46 H-40 Z', fill: 'shade' },
        { path: 'M-40 70 C0 56 100 56 140 70 V84 H-40 Z', fill: 'accent' },
        { path: 'M-24 66 C-24 52 16 50 20 64 Z', fill: 'white' },
        { path: oval(8, 56, 13, 12), fill: 'skin' },
        { path: 'M2 58 q3 2 6 0 M10 59 q3 2 6 0', line: 'ink', width: 1.4 },
        { path: 'M-4 50 C0 42 14 42 18 50 C10 48 2 48 -4 50 Z', fill: 'wood' },
        {
          path: [-30, -12, 6, 24, 42, 60, 78, 96, 114, 130].map((x) => `M${x} 44 V86`).join(' '),
          line: 'main',
          width: 3.4,
        },
        {
          path: 'M-46 40 H146 V48 H-46 Z M-46 84 H146 V92 H-46 Z M-46 26 H-36 V100 H-46 Z M136 26 H146 V100 H136 Z',
          fill: 'main',
        },
      ],
    },
  },
  fireplace: {
    words: {
      en: 'fireplace, hearth, stove',
      de: 'Kamin',
      fr: 'cheminée',
      es: 'chimenea',
    },
    habitat: { lives: 'inside', size: 0.42 },
    drawing: {
      main: '#a85f48',
      parts: [
        { path: 'M-20 0 H120 V100 H-20 Z', fill: 'main' },
        {
          path: 'M-20 12 H120 M-20 24 H120 M-20 36 H120 M-20 48 H120 M-20 60 H120 M-20 72 H120 M-20 84 H120 M0 0 V12 M36 0 V12 M72 0 V12 M-8 12 V24 M110 24 V36 M104 48 V60 M-6 36 V48 M-6 60 V72 M106 72 V84',
          line: 'deep',
          width: 1,
          alpha: 0.6,
        },
        { path: 'M-28 -8 H128 V4 H-28 Z', fill: 'wood' },
        { path: 'M14 98 V56 C14 34 86 34 86 56 V98 Z', fill: 'ink' },
        {
          path: 'M50 48 C60 62 76 70 72 86 C70 94 30 94 28 86 C24 74 38 72 40 60 C46 64 48 58 50 48 Z',
          fill: 'fire',
          move: { kind: 'flutter', x: 50, y: 94, amount: 0.16, period: 0.45 },
        },
        {
          path: 'M50 66 C56 74 62 78 60 88 C56 94 44 94 40 88 C38 80 48 76 50 66 Z',
          fill: 'lamp',
          move: { kind: 'flutter', x: 50, y: 94, amount: 0.22, period: 0.33 },
        },
        { path: 'M26 96 L74 90 M26 90 L74 96', line: 'wood', width: 5 },
      ],
    },
  },
  bathtub: {
    words: {
      en: 'bathtub, bath tub, bath, tub, jacuzzi',
      de: 'badewanne/badewannen',
      fr: 'baignoire',
      es: 'bañera',
    },
    habitat: { lives: 'inside', size: 0.26 },
    furnishes: { bathroom: [{ x: 0.26, y: 0.3, size: 0.26 }] },
    seat: { top: 0.52, width: 0.9, holds: 0.8 },
    drawing: {
      main: '#f4f4f0',
      accent: '#c9a24a',
      parts: [
        { path: 'M-40 46 V4 C-40 -14 -14 -14 -14 2', line: 'accent', width: 5 },
        { path: 'M-20 84 L-28 100 M120 84 L128 100', line: 'accent', width: 8 },
        {
          path: `${oval(0, 40, 15)} ${oval(24, 34, 17)} ${oval(50, 38, 15)} ${oval(76, 34, 16)} ${oval(100, 40, 14)}`,
          fill: 'white',
        },
        { path: 'M-52 42 H152 C152 80 130 96 110 96 H-10 C-30 96 -52 80 -52 42 Z', fill: 'main' },
        { path: 'M100 46 H152 C152 80 130 96 110 96 H80 C100 86 108 70 100 46 Z', fill: 'shade', alpha: 0.7 },
        { path: 'M-58 38 H158 V48 H-58 Z', fill: 'light' },
      ],
    },
  },
  shelf: {
    words: {},
    habitat: { lives: 'inside', size: 0.5 },
    furnishes: { library: [{ x: -0.45, y: 0.08, size: 0.5 }] },
    drawing: {
      main: '#8a5a3b',
      accent: '#c8352e',
      parts: [
        { path: 'M-40 -10 H140 V100 H-40 Z', fill: 'deep' },
        { path: rectangles([-34, -22, -2, 22, 46, 58, 94, 118], [-2, 54], 9, 27), fill: 'accent' },
        { path: rectangles([-11, 10, 34, 72, 106], [2, 58], 8, 23), fill: 'metal' },
        { path: rectangles([-30, -12, 8, 30, 70, 84, 110], [27], 10, 24), fill: 'lamp' },
        { path: rectangles([-18, 20, 44, 58, 98, 122], [30], 8, 21), fill: 'leaf' },
        {
          path: 'M-44 -14 H144 V-6 H-44 Z M-44 24 H144 V30 H-44 Z M-44 51 H144 V57 H-44 Z M-44 80 H144 V88 H-44 Z',
          fill: 'main',
        },
        { path: 'M-44 -10 H-36 V100 H-44 Z M136 -10 H144 V100 H136 Z', fill: 'main' },
      ],
    },
  },
  counter: {
    words: {},
    habitat: { lives: 'inside', size: 0.36 },
    furnishes: { kitchen: [{ x: 0.25, y: 0.1, size: 0.34 }] },
    drawing: {
      main: '#e3d9c8',
      accent: '#6f8596',
      parts: [
        { path: 'M-120 46 H220 V100 H-120 Z', fill: 'main' },
        { path: 'M-112 56 H-44 V92 H-112 Z M-36 56 H32 V92 H-36 Z M114 56 H212 V92 H114 Z', fill: 'light' },
        { path: 'M40 50 H106 V98 H40 Z', fill: 'metal' },
        { path: rectangle(48, 62, 50, 28), fill: 'ink' },
        { path: 'M-126 38 H226 V48 H-126 Z', fill: 'wood' },
        { path: 'M46 36 H76 V20 H46 Z M40 24 H82', fill: 'accent' },
        { path: 'M54 14 q-5 -8 0 -14 q5 -8 0 -14 M66 14 q-5 -8 0 -14', line: 'white', width: 2.4, alpha: 0.6 },
        { path: 'M-100 -40 H10 V-34 H-100 Z', fill: 'wood' },
        { path: rectangles([-92, -70, -48, -26, -8], [-58], 12, 18), fill: 'accent' },
        { path: rectangles([150, 168, 186], [16], 10, 22), fill: 'accentShade' },
      ],
    },
  },
  floor_lamp: {
    words: {
      en: 'floor lamp, desk lamp, table lamp, bedside lamp',
      de: 'stehlampe',
      fr: 'lampadaire',
    },
    habitat: { lives: 'inside', size: 0.46 },
    furnishes: { bedroom: [{ x: -0.5, y: 0.14, size: 0.42 }], living_room: [{ x: 0.8, y: 0.12, size: 0.44 }] },
    drawing: {
      main: '#f0d9a8',
      parts: [
        { path: 'M50 30 V96', line: 'ink', width: 3 },
        { path: oval(50, 97, 18, 3), fill: 'ink' },
        { path: 'M34 0 H66 L78 34 H22 Z', fill: 'lamp' },
        { path: 'M60 0 H66 L78 34 H64 Z', fill: 'main' },
      ],
    },
  },
} satisfies FigureKinds;
