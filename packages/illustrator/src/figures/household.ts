import { oval, rectangle, rectangles } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Household objects. */
export const HOUSEHOLD = {
  vase: {
    words: {
      en: 'vase, pot, jar',
      de: 'vase/vasen, krug/krüge',
    },
    habitat: { lives: 'inside', size: 0.36, tabletop: true },
    drawing: {
      main: '#4a7f9a',
      accent: '#e8749e',
      parts: [
        {
          path: 'M48 46 C44 30 34 22 26 12 M52 46 C52 28 54 14 56 2 M54 46 C60 34 70 26 78 20',
          line: 'leaf',
          width: 2,
        },
        { path: `${oval(24, 9, 9)} ${oval(56, -2, 10)} ${oval(80, 17, 8.5)}`, fill: 'accent' },
        { path: `${oval(24, 9, 3.4)} ${oval(56, -2, 3.8)} ${oval(80, 17, 3.2)}`, fill: 'lamp' },
        {
          path: 'M40 44 H62 C58 56 74 62 74 78 C74 92 64 100 51 100 C38 100 28 92 28 78 C28 62 44 56 40 44 Z',
          fill: 'main',
        },
        { path: 'M54 44 H62 C58 56 74 62 74 78 C74 92 64 100 55 100 C66 82 58 62 54 44 Z', fill: 'shade' },
        { path: 'M34 72 C34 66 38 62 42 60 C38 68 38 76 40 84 C36 82 34 78 34 72 Z', fill: 'white', alpha: 0.5 },
      ],
    },
  },
  candle: {
    words: {
      en: 'candle',
      de: 'Kerze/Kerzen',
      fr: 'bougie/bougies',
      es: 'vela/velas',
    },
    habitat: { lives: 'inside', size: 0.28, tabletop: true },
    drawing: {
      main: '#f4ead2',
      parts: [
        { path: 'M38 36 H62 V92 H38 Z', fill: 'main' },
        { path: 'M54 36 H62 V92 H54 Z', fill: 'shade' },
        { path: 'M38 36 C42 44 44 54 41 60 L38 58 Z', fill: 'light' },
        { path: 'M50 36 V28', line: 'ink', width: 2 },
        {
          path: 'M50 2 C58 14 60 20 58 26 C55 32 45 32 42 26 C40 20 44 14 50 2 Z',
          fill: 'fire',
          move: { kind: 'flutter', x: 50, y: 30, amount: 0.18, period: 0.6 },
        },
        { path: 'M50 14 C54 20 54 24 53 27 C51 30 49 30 47 27 C46 24 47 20 50 14 Z', fill: 'lamp' },
        { path: 'M22 90 H78 C76 98 70 100 64 100 H36 C30 100 24 98 22 90 Z', fill: 'metal' },
      ],
    },
  },
  clock: {
    words: {
      en: 'clock, alarm clock, hourglass/hourglasses',
      de: 'uhr/uhren',
      fr: 'horloge',
      es: 'reloj/relojes',
    },
    habitat: { lives: 'inside', size: 0.3, tabletop: true },
    drawing: {
      main: '#8a5a3b',
      accent: '#f4efe4',
      parts: [
        { path: oval(50, 52, 48), fill: 'main' },
        { path: oval(50, 52, 40), fill: 'accent' },
        {
          path: 'M50 16 V22 M50 82 V88 M14 52 H20 M80 52 H86 M25 27 L29 31 M75 27 L71 31 M25 77 L29 73 M75 77 L71 73',
          line: 'ink',
          width: 2.4,
        },
        { path: 'M50 52 V32', line: 'ink', width: 4, move: { kind: 'spin', x: 50, y: 52, amount: 360, period: 60 } },
        {
          path: 'M50 52 L70 62',
          line: 'ink',
          width: 2.6,
          move: { kind: 'spin', x: 50, y: 52, amount: 360, period: 8 },
        },
        { path: oval(50, 52, 3.4), fill: 'ink' },
      ],
    },
  },
  book: {
    words: {
      en: 'book, novel, notebook',
      de: 'buch/bücher',
      fr: 'livre',
      es: 'libro',
    },
    habitat: { lives: 'inside', size: 0.2, tabletop: true },
    seat: { top: 0.3, width: 0.6, holds: 1.2 },
    drawing: {
      main: '#2f4f7f',
      accent: '#d8a53c',
      parts: [
        { path: 'M-16 84 L54 76 L116 88 L44 100 Z', fill: 'shade' },
        { path: 'M-14 70 L54 60 L114 72 L44 86 Z', fill: 'main' },
        { path: 'M-14 70 L44 86 V98 L-16 82 Z', fill: 'white' },
        { path: 'M44 86 L114 72 V84 L44 98 Z', fill: 'deep' },
        { path: 'M8 70 L54 64 L92 71 L44 81 Z', line: 'accent', width: 1.8 },
      ],
    },
  },
  teddy: {
    words: {
      en: 'teddy bear, teddy, stuffed animal, plush toy',
    },
    habitat: { lives: 'inside', size: 0.28 },
    drawing: {
      main: '#b07a45',
      accent: '#c8352e',
      parts: [
        { path: `${oval(30, 12, 11)} ${oval(70, 12, 11)}`, fill: 'shade' },
        { path: `${oval(30, 90, 14, 10)} ${oval(70, 90, 14, 10)}`, fill: 'shade' },
        { path: `${oval(18, 60, 9, 15)} ${oval(82, 60, 9, 15)}`, fill: 'shade' },
        { path: oval(50, 68, 28), fill: 'main' },
        { path: oval(50, 70, 17), fill: 'pale' },
        { path: oval(50, 28, 26, 24), fill: 'main' },
        { path: oval(50, 36, 12, 9), fill: 'pale' },
        { path: `${oval(40, 24, 2.6)} ${oval(60, 24, 2.6)} ${oval(50, 33, 4, 2.8)}`, fill: 'ink' },
        { path: 'M50 52 L36 45 V59 Z M50 52 L64 45 V59 Z', fill: 'accent' },
      ],
    },
  },
  piano: {
    words: {
      en: 'piano, grand piano, keyboard',
    },
    habitat: { lives: 'inside', size: 0.36 },
    seat: { top: 0.6, width: 0.6, holds: 0.6, posture: 'upright' },
    drawing: {
      main: '#26262b',
      parts: [
        { path: 'M-20 60 V100 M112 60 V100', line: 'main', width: 6 },
        { path: 'M10 40 L110 -16 L124 -10 L112 44 Z', fill: 'shade' },
        { path: 'M-32 42 H124 V66 H-32 Z', fill: 'main' },
        { path: 'M-32 46 H30 V54 H-32 Z', fill: 'white' },
        { path: 'M-26 46 v5 M-18 46 v5 M-6 46 v5 M2 46 v5 M10 46 v5 M22 46 v5', line: 'ink', width: 3 },
        { path: 'M124 42 V66', line: 'light', width: 2 },
      ],
    },
  },
  guitar: {
    words: {
      en: 'guitar, violin, cello, ukulele, lute',
      de: 'gitarre/gitarren, geige/geigen',
      fr: 'guitare, violon',
      es: 'guitarra, violín',
    },
    habitat: { lives: 'inside', size: 0.42 },
    held: { grip: { size: 0.6, ahead: 0.02, up: 0.18 } },
    drawing: {
      main: '#b8743a',
      parts: [
        { path: 'M46 -12 H54 L52.5 48 H47.5 Z', fill: 'wood' },
        { path: 'M43 -26 H57 L55 -10 H45 Z', fill: 'deep' },
        {
          path: 'M50 38 C70 36 70 52 64 60 C76 68 80 100 50 100 C20 100 24 68 36 60 C30 52 30 36 50 38 Z',
          fill: 'main',
        },
        {
          path: 'M54 38 C70 37 70 52 64 60 C76 68 80 100 52 100 C68 90 66 70 58 62 C64 54 62 44 54 38 Z',
          fill: 'shade',
        },
        { path: oval(50, 62, 7.5), fill: 'ink' },
        { path: 'M42 84 H58', line: 'ink', width: 3 },
        { path: 'M48.4 -24 V84 M50 -24 V84 M51.6 -24 V84', line: 'metal', width: 0.6 },
      ],
    },
  },
  laptop: {
    words: {
      en: 'laptop, computer, monitor screen, notebook computer',
    },
    habitat: { lives: 'inside', size: 0.26, tabletop: true },
    furnishes: { office: [{ x: 0.28, y: 0.302, size: 0.2, lift: 0.265 }] },
    seat: { top: 0.1, width: 0.3, holds: 0.6 },
    drawing: {
      main: '#c3c8ce',
      accent: '#2f6fd0',
      parts: [
        { path: 'M8 24 H92 V82 H8 Z', fill: 'ink' },
        { path: 'M12 28 H88 V78 H12 Z', fill: 'lamp' },
        { path: 'M12 28 H88 V78 H12 Z', fill: 'accent', alpha: 0.7 },
        { path: 'M20 38 H56 M20 48 H70 M20 58 H46', line: 'white', width: 3 },
        { path: 'M-8 98 L8 82 H92 L108 98 Z', fill: 'main' },
        { path: 'M-8 98 H108 V100 H-8 Z', fill: 'deep' },
      ],
    },
  },
  phone: {
    words: {
      en: 'phone, smartphone, mobile phone',
    },
    habitat: { lives: 'inside', size: 0.28, tabletop: true },
    drawing: {
      main: '#22252e',
      accent: '#2a9d93',
      parts: [
        {
          path: 'M26 4 C26 0 30 -2 34 -2 H66 C70 -2 74 0 74 4 V94 C74 98 70 100 66 100 H34 C30 100 26 98 26 94 Z',
          fill: 'main',
        },
        { path: rectangle(30, 6, 40, 84), fill: 'accent' },
        { path: rectangles([34, 47, 60], [12, 26, 40], 8, 8), fill: 'white', alpha: 0.8 },
      ],
    },
  },
  camera: {
    words: {
      en: 'vintage camera, photo camera, film camera, old camera',
    },
    habitat: { lives: 'inside', size: 0.24, tabletop: true },
    drawing: {
      main: '#3a3f4c',
      accent: '#c9793a',
      parts: [
        { path: 'M30 34 L38 20 H64 L72 34 Z', fill: 'shade' },
        { path: 'M-2 34 H102 V96 H-2 Z', fill: 'main' },
        { path: 'M-2 48 H102 V84 H-2 Z', fill: 'accent' },
        { path: oval(50, 66, 28), fill: 'metal' },
        { path: oval(50, 66, 22), fill: 'ink' },
        { path: oval(50, 66, 13), fill: 'glass' },
        { path: `${rectangle(8, 26, 16, 8)}`, fill: 'metal' },
      ],
    },
  },
  headphones: {
    words: {
      en: 'headphones/headphones, headset, earphones/earphones',
      de: 'kopfhörer',
      fr: 'casque audio',
      es: 'auriculares',
    },
    habitat: { lives: 'inside', size: 0.3, tabletop: true },
    drawing: {
      main: '#2f3440',
      accent: '#c8433a',
      parts: [
        { path: 'M14 66 C6 4 94 4 86 66', line: 'main', width: 9 },
        { path: 'M4 58 C-2 58 -4 94 6 96 H22 V58 Z M96 58 C102 58 104 94 94 96 H78 V58 Z', fill: 'main' },
        { path: 'M20 54 H32 V100 H20 Z M80 54 H68 V100 H80 Z', fill: 'accent' },
      ],
    },
  },
} satisfies FigureKinds;
