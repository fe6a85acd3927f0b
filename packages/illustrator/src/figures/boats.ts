import { oval, rectangles } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

const ROCKING = { kind: 'swing', x: 50, y: 92, amount: 2.2, period: 3.4 } as const;

/** Vessels on the water and below it. */
export const BOATS = {
  sailboat: {
    words: {
      en: 'boat, sailboat, sailing boat, sail, yacht, dinghy',
      de: 'boot/boote, segelboot/segelboote, segelschiff/segelschiffe, jacht/jachten',
      fr: 'bateau/bateaux, voilier, barque à voile',
      es: 'barco, velero, bote',
    },
    habitat: { lives: 'water', size: 0.42 },
    seat: { top: 0.16, width: 0.4, holds: 0.3 },
    drawing: {
      main: '#f4efe4',
      accent: '#a8452f',
      parts: [
        { path: 'M47 0 H49.5 V84 H47 Z', fill: 'wood', move: ROCKING },
        { path: 'M51 2 C74 22 84 52 86 74 C74 77 62 78 51 77 Z', fill: 'main', move: ROCKING },
        { path: 'M51 50 C64 52 76 52 84 60 L86 74 C74 77 62 78 51 77 Z', fill: 'shade', alpha: 0.6, move: ROCKING },
        { path: 'M45 10 C38 36 26 60 10 76 C22 78 34 78 45 77 Z', fill: 'light', move: ROCKING },
        { path: 'M2 82 H98 C94 92 86 98 76 100 H24 C14 98 6 92 2 82 Z', fill: 'accent', move: ROCKING },
        { path: 'M2 82 H98 L96.6 86 H3.6 Z', fill: 'white', move: ROCKING },
        { path: 'M12 94 C16 97 20 99 24 100 H76 C84 98 88 96 91 93 Z', fill: 'accentShade', move: ROCKING },
        { path: 'M49.5 -2 L62 2 L49.5 6 Z', fill: 'accent', move: ROCKING },
      ],
    },
  },
  ship: {
    words: {
      en: 'ship, vessel, steamer, ferry, cruise ship, tanker',
      de: 'schiff/schiffe, dampfer, fähre/fähren',
      fr: 'navire, paquebot',
      es: 'buque, navío',
    },
    habitat: { lives: 'water', size: 0.3 },
    seat: { top: 0.4, width: 0.6, holds: 0.3 },
    drawing: {
      main: '#2f3d57',
      accent: '#c8433a',
      parts: [
        { path: 'M40 22 h12 v24 h-12 Z M62 22 h12 v24 h-12 Z M84 22 h12 v24 h-12 Z', fill: 'accent' },
        { path: 'M40 22 h12 v6 h-12 Z M62 22 h12 v6 h-12 Z M84 22 h12 v6 h-12 Z', fill: 'ink' },
        { path: 'M8 58 H116 V72 H0 Z M24 44 H106 V58 H24 Z', fill: 'white' },
        {
          path:
            rectangles([30, 40, 50, 60, 70, 80, 90], [48], 5, 5) +
            rectangles([12, 22, 32, 42, 52, 62, 72, 82, 92, 102], [63], 4, 4),
          fill: 'lamp',
        },
        { path: 'M-24 66 L-14 70 H150 L138 100 H-10 Z', fill: 'main' },
        { path: 'M-12 93 H141 L138 100 H-10 Z', fill: 'accentShade' },
        { path: 'M128 70 V36 M128 36 L112 70', line: 'ink', width: 1.4 },
      ],
    },
  },
  rowboat: {
    words: {
      en: 'rowboat, rowing boat, canoe, kayak, raft, gondola, wooden boat, fishing boat, small boat, row boat',
      de: 'ruderboot/ruderboote, kanu/kanus, kahn/kähne',
      fr: 'barque, canoë',
    },
    habitat: { lives: 'water', size: 0.13, home: ['lake', 'river'] },
    seat: { top: 0.3, width: 0.6, holds: 1.4, posture: 'aboard', peopleSit: true },
    drawing: {
      main: '#8a5a3b',
      parts: [
        {
          path: 'M60 64 L96 96',
          line: 'wood',
          width: 3.5,
          move: { kind: 'swing', x: 60, y: 64, amount: 10, period: 2.4 },
        },
        { path: 'M36 60 C30 34 40 22 48 22 C58 22 64 40 62 62 Z', fill: 'accent' },
        { path: oval(48, 12, 11), fill: 'skin' },
        { path: 'M30 8 C36 -4 60 -4 66 8 Z', fill: 'wood' },
        { path: 'M-40 52 C-10 66 110 66 140 52 C132 84 112 100 92 100 H8 C-12 100 -32 84 -40 52 Z', fill: 'main' },
        { path: 'M-40 52 C-10 66 110 66 140 52 L138 60 C108 73 -8 73 -38 60 Z', fill: 'light' },
      ],
    },
  },
  pirate_ship: {
    words: {
      en: 'pirate ship, galleon, tall ship, frigate, viking ship, caravel, sailing ship',
      de: 'Piratenschiff/Piratenschiffe',
      fr: 'bateau pirate, navire pirate',
      es: 'barco pirata/barcos piratas',
    },
    habitat: { lives: 'water', size: 0.42, home: ['sea'] },
    seat: { top: 0.26, width: 0.6, holds: 0.24 },
    drawing: {
      main: '#6e4326',
      accent: '#efe4cc',
      parts: [
        { path: 'M30 84 V-16 M84 84 V2 M-2 80 V22', line: 'wood', width: 4 },
        { path: 'M-2 26 C14 34 14 52 2 62 L-20 60 C-10 48 -10 36 -16 28 Z', fill: 'accent' },
        { path: 'M4 -2 C30 4 58 2 62 -2 C70 14 70 24 62 34 C42 30 20 32 2 36 C10 22 10 10 4 -2 Z', fill: 'accent' },
        { path: 'M0 40 C30 36 58 38 66 40 C72 50 72 60 66 68 C42 64 20 66 -2 70 C6 58 6 50 0 40 Z', fill: 'accent' },
        {
          path: 'M64 14 C84 18 104 16 110 14 C116 30 116 52 108 62 C92 58 76 60 64 64 C72 46 72 30 64 14 Z',
          fill: 'accent',
        },
        {
          path: 'M30 -16 H58 L52 -8 L58 0 H30 Z',
          fill: 'ink',
          move: { kind: 'flutter', x: 30, y: -8, amount: 0.2, period: 0.8 },
        },
        { path: `${oval(42, -9, 4)} M36 -3 l12 0`, fill: 'white' },
        { path: 'M112 74 L150 54', line: 'wood', width: 4 },
        {
          path: 'M-40 58 L-12 62 L-10 74 H100 L128 66 C124 86 110 100 98 100 H0 C-22 100 -38 84 -40 58 Z',
          fill: 'main',
        },
        { path: 'M-10 74 H100 L128 66 L126 74 L100 82 H-14 L-38 70 L-39 62 L-12 68 Z', fill: 'light' },
        { path: rectangles([0, 20, 40, 60, 80], [86], 8, 6), fill: 'ink' },
      ],
    },
  },
  submarine: {
    words: {
      en: 'submarine, u boat',
      de: 'U-Boot/U-Boote',
      fr: 'sous-marin',
      es: 'submarino',
    },
    habitat: { lives: 'under', size: 0.26, home: ['underwater'] },
    drawing: {
      main: '#f2c230',
      accent: '#c8352e',
      parts: [
        {
          path: 'M-46 56 L-56 44 M-46 60 L-58 74',
          line: 'metal',
          width: 6,
          move: { kind: 'flutter', x: -50, y: 59, amount: 0.8, period: 0.5 },
        },
        { path: 'M58 8 V-18 H72', line: 'metal', width: 5 },
        { path: 'M32 32 L36 6 H70 L76 32 Z', fill: 'accent' },
        {
          path: 'M-50 58 C-44 30 0 26 50 26 C110 26 150 36 152 62 C150 88 110 98 50 98 C0 98 -44 88 -50 58 Z',
          fill: 'main',
        },
        { path: 'M-49 64 C0 78 110 78 152 64 C148 88 110 98 50 98 C0 98 -44 88 -49 64 Z', fill: 'shade' },
        { path: `${oval(16, 54, 13)} ${oval(56, 54, 13)} ${oval(96, 54, 13)}`, fill: 'accent' },
        { path: `${oval(16, 54, 9)} ${oval(56, 54, 9)} ${oval(96, 54, 9)}`, fill: 'lamp' },
      ],
    },
  },
} satisfies FigureKinds;
