import { oval, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Aircraft. */
export const AIRCRAFT = {
  balloon: {
    words: {
      en: 'hot air balloon, airship, zeppelin, blimp',
      de: 'heißluftballon/heißluftballons, ballon/ballons, luftschiff',
      fr: 'montgolfière',
      es: 'globo',
    },
    habitat: { lives: 'air', size: 0.34 },
    gait: { flightSpeed: 0.012 },
    drawing: {
      main: '#d8503c',
      accent: '#f2c230',
      parts: [
        { path: 'M38 74 L43 88 M62 74 L57 88', line: 'wood', width: 1 },
        { path: 'M50 0 C80 0 92 24 88 40 C84 56 68 66 62 77 H38 C32 66 16 56 12 40 C8 24 20 0 50 0 Z', fill: 'main' },
        {
          path: 'M50 0 C66 0 72 24 70 40 C68 56 60 66 57 77 H43 C40 66 32 56 30 40 C28 24 34 0 50 0 Z',
          fill: 'accent',
        },
        { path: 'M50 0 C56 0 58 24 57 40 C56 56 53 66 52 77 H48 C47 66 44 56 43 40 C42 24 44 0 50 0 Z', fill: 'main' },
        {
          path: 'M70 6 C86 14 92 28 88 40 C84 56 68 66 62 77 H57 C64 62 80 50 80 32 C80 20 76 12 70 6 Z',
          fill: 'ink',
          alpha: 0.15,
        },
        { path: 'M24 14 C18 22 17 32 20 42 C14 32 14 20 24 14 Z', fill: 'white', alpha: 0.5 },
        { path: 'M42 88 H58 L56.5 100 H43.5 Z', fill: 'wood' },
        { path: 'M41 87 H59 V90 H41 Z', fill: 'deep' },
      ],
    },
  },
  airplane: {
    words: {
      en: 'airplane, aeroplane, plane, aircraft/aircraft, jet, biplane',
      de: 'flugzeug/flugzeuge',
      fr: 'avion',
      es: 'avión/aviones',
    },
    habitat: { lives: 'air', size: 0.13 },
    gait: { flightSpeed: 0.06 },
    drawing: {
      main: '#e9edf2',
      accent: '#2f6fd0',
      parts: [
        { path: 'M40 44 L14 18 H28 L72 42 Z', fill: 'grey' },
        { path: 'M-34 12 H-20 L2 42 L-26 44 Z', fill: 'accent' },
        { path: 'M-38 42 C10 34 92 32 122 44 C134 50 126 60 112 62 C70 68 10 66 -32 54 Z', fill: 'main' },
        {
          path: 'M-32 54 C10 66 70 68 112 62 C122 60 128 56 127 52 C70 60 10 58 -36 48 Z',
          fill: 'accent',
          alpha: 0.85,
        },
        { path: 'M104 42 C112 42 118 44 121 47 H106 Z', fill: 'glass' },
        { path: [0, 12, 24, 36, 48, 60, 72, 84].map((x) => oval(x, 47, 2.4)).join(' '), fill: 'glass' },
        { path: 'M30 56 L-12 96 H6 L70 58 Z', fill: 'shade' },
        { path: 'M26 66 h18 v8 h-18 Z', fill: 'metal' },
      ],
    },
  },
  helicopter: {
    words: {
      en: 'helicopter, chopper',
      de: 'Hubschrauber/Hubschrauber',
      fr: 'hélicoptère/hélicoptères',
      es: 'helicóptero/helicópteros',
    },
    habitat: { lives: 'air', size: 0.18 },
    gait: { flightSpeed: 0.05 },
    drawing: {
      main: '#2f6fa8',
      parts: [
        {
          path: 'M-54 40 L-64 22 M-54 40 L-44 58',
          line: 'metal',
          width: 4,
          move: { kind: 'spin', x: -54, y: 40, amount: 360, period: 0.4 },
        },
        { path: 'M-58 36 L30 44 V58 L-58 44 Z', fill: 'main' },
        {
          path: 'M20 66 C16 40 40 32 66 32 C100 32 116 52 118 68 C112 82 84 86 56 86 C34 86 22 80 20 66 Z',
          fill: 'main',
        },
        { path: 'M74 34 C98 36 112 52 116 66 H74 Z', fill: 'glass' },
        { path: rectangle(42, 46, 22, 20), fill: 'glass' },
        { path: 'M62 32 V18', line: 'ink', width: 4 },
        {
          path: 'M-36 17 H160',
          line: 'ink',
          width: 4,
          alpha: 0.8,
          move: { kind: 'flutter', x: 62, y: 17, amount: 0.9, period: 0.2 },
        },
        { path: 'M24 98 H116 M44 86 V98 M94 84 V98', line: 'metal', width: 4 },
      ],
    },
  },
  kite: {
    words: {
      en: 'kite',
    },
    habitat: { lives: 'air', size: 0.24 },
    gait: { flightSpeed: 0 },
    drawing: {
      main: '#d8503c',
      accent: '#f2c230',
      parts: [
        {
          path: 'M50 62 C40 80 60 90 48 108 C42 120 54 128 46 140',
          line: 'ink',
          width: 1,
          move: { kind: 'swing', x: 50, y: 62, amount: 10, period: 1.8 },
        },
        {
          path: 'M42 82 l12 4 l-12 4 Z M44 104 l12 4 l-12 4 Z M42 124 l12 4 l-12 4 Z',
          fill: 'accent',
          move: { kind: 'swing', x: 50, y: 62, amount: 10, period: 1.8 },
        },
        { path: 'M50 -4 L84 24 L50 64 L16 24 Z', fill: 'main' },
        { path: 'M50 -4 L84 24 H50 Z M50 64 L16 24 H50 Z', fill: 'accent' },
        { path: 'M50 -4 V64 M16 24 H84', line: 'wood', width: 1.4 },
      ],
    },
  },
} satisfies FigureKinds;
