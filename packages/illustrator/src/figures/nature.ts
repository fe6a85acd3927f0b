import { oval, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Natural sights that are not alive. */
export const NATURE = {
  iceberg: {
    words: {
      en: 'iceberg, ice floe',
      de: 'Eisberg/Eisberge',
    },
    habitat: { lives: 'water', size: 0.34, home: ['sea'] },
    seat: { top: 0.78, width: 0.3, holds: 0.6 },
    drawing: {
      main: '#d4ecf6',
      parts: [
        {
          path: 'M-44 92 L-34 62 L-8 54 L6 20 L30 8 L52 26 L76 22 L104 52 L126 64 L142 92 C100 100 0 100 -44 92 Z',
          fill: 'main',
        },
        { path: 'M30 8 L52 26 L44 60 L60 96 L142 92 L126 64 L104 52 L76 22 L60 24 Z', fill: 'shade' },
        { path: 'M6 20 L30 8 L24 40 L-2 62 L-34 62 L-8 54 Z', fill: 'white' },
        { path: 'M76 22 L86 50 L104 52 M44 60 L86 64', line: 'white', width: 1.6 },
      ],
    },
  },
  waterfall: {
    words: {
      en: 'waterfall, cascade, niagara falls',
      de: 'Wasserfall/Wasserfälle',
      fr: 'cascade/cascades',
      es: 'cascada/cascadas',
    },
    habitat: { lives: 'land', size: 0.5, home: ['jungle', 'mountains'] },
    drawing: {
      main: '#7c8078',
      accent: '#cfe8f2',
      parts: [
        { path: 'M-46 100 L-40 30 L-12 -6 L30 -14 L34 100 Z', fill: 'main' },
        { path: 'M66 100 L70 -14 L108 -4 L134 34 L146 100 Z', fill: 'shade' },
        { path: 'M-40 30 L-12 -6 L30 -14 L31 4 L6 20 L-10 46 Z', fill: 'leafShade' },
        { path: 'M70 -14 L108 -4 L134 34 L110 40 L92 12 L70 6 Z', fill: 'leaf' },
        { path: 'M28 -14 C40 -20 60 -20 72 -14 L76 96 H24 Z', fill: 'accent' },
        {
          path: 'M34 -10 V92 M43 -14 V80 M52 -14 V94 M60 -12 V84 M68 -10 V92',
          line: 'white',
          width: 2.6,
          alpha: 0.8,
          move: { kind: 'flutter', x: 50, y: 96, amount: 0.12, period: 0.7 },
        },
        { path: `${oval(30, 96, 18, 7)} ${oval(52, 98, 22, 8)} ${oval(74, 96, 18, 7)}`, fill: 'white', alpha: 0.85 },
        { path: oval(50, 99, 90, 6), fill: 'accent', alpha: 0.7 },
      ],
    },
  },
  floating_island: {
    words: {
      en: 'floating island, sky island, floating island with a waterfall, floating castle',
    },
    habitat: { lives: 'air', size: 0.5, home: ['sky'] },
    gait: { flightSpeed: 0.004 },
    drawing: {
      main: '#8a6a52',
      parts: [
        {
          path: 'M-30 50 C-10 40 110 40 130 50 C124 64 104 66 98 78 C92 92 70 92 62 108 C56 122 46 122 42 108 C36 92 14 90 8 76 C2 64 -22 64 -30 50 Z',
          fill: 'main',
        },
        {
          path: 'M80 44 C108 44 124 46 130 50 C124 64 104 66 98 78 C92 92 70 92 62 108 C60 112 58 116 55 118 C60 92 84 84 84 64 Z',
          fill: 'deep',
          alpha: 0.6,
        },
        {
          path: 'M-34 50 C-24 34 20 38 50 36 C84 34 124 36 134 50 C120 58 104 52 92 58 C80 64 70 54 56 58 C40 64 26 54 10 58 C-4 62 -22 56 -34 50 Z',
          fill: 'leaf',
        },
        { path: 'M4 50 C6 62 4 84 6 118 H22 C20 90 22 64 22 50 Z', fill: 'glass', alpha: 0.9 },
        { path: 'M9 52 V112 M15 52 V116', line: 'white', width: 1.6 },
        { path: 'M-6 122 q20 -16 40 0 q-20 10 -40 0', fill: 'white', alpha: 0.5 },
        { path: 'M44 38 V22 M84 40 V18 M104 42 V28', line: 'wood', width: 3.4 },
        { path: `${oval(44, 14, 12, 14)} ${oval(84, 8, 14, 17)} ${oval(104, 22, 9, 11)}`, fill: 'leafShade' },
        { path: 'M56 38 V24 H74 V38 Z', fill: 'white' },
        { path: 'M52 25 L65 12 L78 25 Z', fill: 'fire' },
        { path: rectangle(62, 30, 6, 8), fill: 'wood' },
      ],
    },
  },
  campfire: {
    words: {
      en: 'campfire, fire, bonfire',
      de: 'lagerfeuer, feuer',
      fr: 'feu, feu de camp',
      es: 'hoguera, fuego',
    },
    habitat: { lives: 'land', size: 0.16, outdoors: true },
    drawing: {
      main: '#8a5a3b',
      parts: [
        {
          path: 'M50 6 C66 28 82 44 76 70 C72 88 28 88 24 70 C20 52 34 50 36 32 C44 38 48 26 50 6 Z',
          fill: 'fire',
          move: { kind: 'flutter', x: 50, y: 84, amount: 0.16, period: 0.45 },
        },
        {
          path: 'M50 38 C58 50 66 58 62 74 C58 84 42 84 38 74 C34 62 46 56 50 38 Z',
          fill: 'lamp',
          move: { kind: 'flutter', x: 50, y: 84, amount: 0.22, period: 0.33 },
        },
        { path: 'M16 98 L84 80 M16 80 L84 98', line: 'wood', width: 9 },
        { path: 'M84 80 L80 81 M16 80 L20 81', line: 'pale', width: 8 },
      ],
    },
  },
  flames: {
    words: {
      en: 'flames/flames, flame, burning, inferno, blaze, engulfed in flames, on fire/on fire',
      de: 'flamme/flammen',
      fr: 'flamme/flammes',
      es: 'llama/llamas',
    },
    habitat: { lives: 'land', size: 0.26 },
    drawing: {
      main: '#e8632e',
      parts: [
        {
          path: 'M-40 100 C-50 70 -30 60 -34 36 C-16 52 -14 60 -8 66 C-10 40 6 30 4 2 C26 22 30 40 28 56 C34 40 44 30 42 8 C66 30 60 50 70 62 C74 50 84 44 82 24 C104 46 92 64 108 72 C110 62 116 58 118 48 C136 70 140 88 132 100 Z',
          fill: 'fire',
          move: { kind: 'flutter', x: 50, y: 100, amount: 0.16, period: 0.5 },
        },
        {
          path: 'M-22 100 C-28 84 -16 76 -18 64 C-4 74 -2 84 4 88 C2 70 14 62 14 46 C28 60 30 74 32 82 C38 70 46 64 46 50 C60 62 58 76 64 84 C70 76 76 72 78 62 C90 74 88 84 98 90 C102 84 106 80 108 76 C116 86 118 94 116 100 Z',
          fill: 'lamp',
          move: { kind: 'flutter', x: 50, y: 100, amount: 0.22, period: 0.37 },
        },
      ],
    },
  },
} satisfies FigureKinds;
