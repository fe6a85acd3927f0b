import { oval, rectangles } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Landmarks beyond Europe. */
export const WORLD_LANDMARKS = {
  golden_gate: {
    words: {
      en: 'golden gate, golden gate bridge, suspension bridge, brooklyn bridge',
    },
    habitat: { lives: 'water', size: 0.36, home: ['river'] },
    drawing: {
      main: '#c4472e',
      parts: [
        { path: 'M-150 66 H250 V74 H-150 Z', fill: 'main' },
        {
          path: 'M-150 74 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l12 -8 l12 8 l4 -3 M-150 83 H250',
          line: 'shade',
          width: 1.6,
        },
        {
          path: 'M-150 52 C-110 50 -60 20 -44 -6 C-14 44 10 60 50 60 C90 60 114 44 144 -6 C160 20 210 50 250 52',
          line: 'main',
          width: 2.6,
        },
        {
          path: 'M-120 46 V66 M-96 38 V66 M-72 22 V66 M-26 22 V66 M-8 42 V66 M12 54 V66 M32 59 V66 M68 59 V66 M88 54 V66 M108 42 V66 M126 22 V66 M172 22 V66 M196 38 V66 M220 46 V66',
          line: 'main',
          width: 1,
        },
        {
          path: 'M-52 -8 H-46 V100 H-54 Z M-42 -8 H-36 L-34 100 H-42 Z M136 -8 H142 V100 H134 Z M146 -8 H152 L154 100 H146 Z',
          fill: 'main',
        },
        {
          path: 'M-50 6 H-38 V12 H-50 Z M-50 28 H-38 V34 H-50 Z M-50 48 H-38 V54 H-50 Z M138 6 H150 V12 H138 Z M138 28 H150 V34 H138 Z M138 48 H150 V54 H138 Z',
          fill: 'shade',
        },
        { path: 'M-62 94 H-26 V101 H-62 Z M126 94 H162 V101 H126 Z', fill: 'grey' },
      ],
    },
  },
  great_wall: {
    words: {
      en: 'great wall, great wall of china',
      de: 'chinesische mauer',
    },
    habitat: { lives: 'land', size: 0.36, home: ['mountains'], outdoors: true },
    drawing: {
      main: '#b79a74',
      parts: [
        {
          path: 'M-170 100 C-150 60 -110 40 -70 48 C-40 54 -20 70 20 62 C70 50 90 20 140 24 C190 28 220 50 260 40 V100 Z',
          fill: 'leaf',
        },
        {
          path: 'M-170 92 C-140 52 -100 36 -66 42 C-30 50 -10 64 24 56 C72 44 92 14 142 18 C186 22 220 44 260 34 V54 C220 64 186 42 142 38 C98 34 76 66 28 78 C-14 86 -34 70 -68 62 C-100 56 -130 72 -150 100 H-170 Z',
          fill: 'main',
        },
        {
          path: 'M-166 86 l4 -6 M-154 72 l6 -5 M-138 58 l7 -4 M-118 46 l8 -3 M-96 40 l9 0 M-74 40 l9 2 M-52 44 l8 3 M-30 51 l8 3 M-8 56 l9 1 M14 56 l9 -2 M36 50 l8 -4 M56 40 l7 -5 M76 29 l7 -4 M98 20 l9 -3 M166 22 l9 3 M188 29 l8 3 M210 35 l9 1 M234 36 l9 -1',
          line: 'light',
          width: 4.6,
        },
        {
          path: 'M-150 98 C-130 70 -100 54 -68 60 C-34 68 -14 84 28 76 C76 64 98 32 142 36 C186 40 220 62 260 52',
          line: 'shade',
          width: 2.6,
        },
        { path: 'M118 -14 H166 V44 H118 Z', fill: 'light' },
        { path: 'M146 -14 H166 V44 H146 Z', fill: 'shade' },
        {
          path: 'M112 -22 h8 v8 h-8 Z M126 -22 h8 v8 h-8 Z M140 -22 h8 v8 h-8 Z M154 -22 h8 v8 h-8 Z M166 -22 h6 v8 h-6 Z M112 -15 H172 V-9 H112 Z',
          fill: 'main',
        },
        { path: rectangles([126, 144], [2], 9, 14), fill: 'ink' },
        { path: 'M-96 22 H-62 V58 H-96 Z', fill: 'light' },
        {
          path: 'M-100 16 h7 v7 h-7 Z M-88 16 h7 v7 h-7 Z M-76 16 h7 v7 h-7 Z M-65 16 h7 v7 h-7 Z M-100 22 H-58 V27 H-100 Z',
          fill: 'main',
        },
        { path: rectangles([-90, -76], [34], 6, 10), fill: 'ink' },
      ],
    },
  },
  taj_mahal: {
    words: {
      en: 'taj mahal, mosque, mausoleum',
    },
    habitat: { lives: 'land', size: 0.36, home: ['garden'], outdoors: true },
    drawing: {
      main: '#f2ece2',
      parts: [
        {
          path: 'M-62 10 h10 v84 h-10 Z M152 10 h10 v84 h-10 Z M-64 34 h14 v4 h-14 Z M-64 62 h14 v4 h-14 Z M150 34 h14 v4 h-14 Z M150 62 h14 v4 h-14 Z',
          fill: 'light',
        },
        { path: 'M-64 10 C-64 -2 -50 -2 -50 10 Z M150 10 C150 -2 164 -2 164 10 Z', fill: 'shade' },
        { path: 'M0 46 H100 V92 H0 Z', fill: 'main' },
        { path: 'M70 46 H100 V92 H70 Z', fill: 'shade', alpha: 0.6 },
        { path: 'M30 36 H70 V92 H30 Z', fill: 'light' },
        { path: 'M28 32 C14 10 36 2 50 -22 C64 2 86 10 72 32 Z', fill: 'main' },
        { path: 'M60 -2 C76 12 82 18 72 32 H58 C68 18 64 4 56 -8 Z', fill: 'shade', alpha: 0.7 },
        { path: 'M50 -22 V-36', line: 'lamp', width: 2 },
        {
          path: 'M8 46 C0 36 10 32 15 24 C20 32 30 36 22 46 Z M78 46 C70 36 80 32 85 24 C90 32 100 36 92 46 Z',
          fill: 'main',
        },
        { path: 'M38 92 V60 C38 50 50 46 50 42 C50 46 62 50 62 60 V92 Z', fill: 'deep' },
        {
          path: 'M8 92 V76 C8 70 15 68 15 66 C15 68 22 70 22 76 V92 Z M78 92 V76 C78 70 85 68 85 66 C85 68 92 70 92 76 V92 Z M8 62 V54 C8 50 15 49 15 48 C15 49 22 50 22 54 V62 Z M78 62 V54 C78 50 85 49 85 48 C85 49 92 50 92 54 V62 Z',
          fill: 'deep',
          alpha: 0.75,
        },
        { path: 'M-80 92 H180 V100 H-80 Z', fill: 'shade' },
      ],
    },
  },
  opera_house: {
    words: {
      en: 'opera house, sydney opera house',
    },
    habitat: { lives: 'land', size: 0.32, home: ['lake'], outdoors: true },
    drawing: {
      main: '#f4f1ea',
      accent: '#b98a6a',
      parts: [
        { path: 'M-70 84 H170 V100 H-70 Z', fill: 'accent' },
        { path: 'M-60 84 C-56 54 -40 38 -14 30 C-18 50 -18 66 -12 84 Z', fill: 'main' },
        { path: 'M-30 84 C-24 36 4 4 44 -14 C34 22 34 54 44 84 Z', fill: 'light' },
        { path: 'M44 -14 C34 22 34 54 44 84 H22 C16 50 22 14 44 -14 Z', fill: 'shade' },
        { path: 'M26 84 C32 48 54 22 88 8 C80 34 80 60 88 84 Z', fill: 'main' },
        { path: 'M88 8 C80 34 80 60 88 84 H68 C64 56 70 30 88 8 Z', fill: 'shade' },
        { path: 'M74 84 C80 58 98 42 124 34 C118 52 118 68 124 84 Z', fill: 'light' },
        { path: 'M160 84 C156 62 146 48 128 40 C132 56 132 70 128 84 Z', fill: 'main' },
        { path: rectangles([-60, -40, -20, 0, 20, 40, 60, 80, 100, 120, 140], [90], 10, 5), fill: 'lamp' },
      ],
    },
  },
  liberty: {
    words: {
      en: 'statue of liberty, statue, monument',
      fr: 'statue de la liberté',
    },
    habitat: { lives: 'water', size: 0.52, home: ['sea'], outdoors: true },
    drawing: {
      main: '#7fb5a0',
      accent: '#b9a98c',
      parts: [
        { path: 'M22 66 H78 L84 100 H16 Z', fill: 'accent' },
        { path: 'M14 94 H86 V101 H14 Z M20 64 H80 V69 H20 Z', fill: 'accentShade' },
        { path: 'M38 66 C36 44 38 30 44 22 H58 C64 32 64 46 66 66 Z', fill: 'main' },
        { path: 'M54 22 H58 C64 32 64 46 66 66 H56 C58 50 58 36 54 22 Z M42 36 L46 64 M50 30 L51 64', fill: 'shade' },
        { path: 'M46 26 L36 2 L34 -8', line: 'main', width: 5.4 },
        { path: 'M30 -10 H40 L38 -4 H32 Z', fill: 'lamp' },
        { path: 'M35 -26 C42 -18 40 -10 35 -10 C30 -10 28 -18 35 -26 Z', fill: 'fire' },
        { path: 'M58 30 L70 42', line: 'main', width: 5 },
        { path: 'M66 36 L78 32 L80 48 L68 50 Z', fill: 'light' },
        { path: oval(51, 14, 6.5, 8), fill: 'light' },
        { path: 'M43 10 L36 2 L45 6 L44 -4 L49 5 L52 -6 L54 5 L60 -3 L58 7 L66 3 L59 11 Z', fill: 'main' },
      ],
    },
  },
  pyramid: {
    words: {
      en: 'pyramid, ziggurat',
      de: 'pyramide/pyramiden',
      fr: 'pyramide',
      es: 'pirámide',
    },
    habitat: { lives: 'land', size: 0.32, home: ['desert'], outdoors: true },
    drawing: {
      main: '#d9ae6b',
      parts: [
        { path: 'M40 4 L-34 100 H64 Z', fill: 'light' },
        { path: 'M40 4 L134 100 H64 Z', fill: 'shade' },
        {
          path: 'M26 22 L47 22 M12 40 L51 40 M-2 58 L55 58 M-16 76 L59 76 M-26 90 L62 90',
          line: 'main',
          width: 1,
          alpha: 0.6,
        },
      ],
    },
  },
} satisfies FigureKinds;
