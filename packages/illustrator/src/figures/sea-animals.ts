import { oval } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

const WAGGING = { kind: 'wag', x: 26, y: 50, amount: 0.6, period: 0.7 } as const;

/** Animals of the sea. */
export const SEA_ANIMALS = {
  fish: {
    words: {
      en: 'fish/fish, goldfish/goldfish, salmon/salmon, koi/koi',
      de: 'fisch/fische, goldfisch/goldfische',
      fr: 'poisson',
      es: 'pez/peces',
    },
    habitat: { lives: 'under', size: 0.13 },
    drawing: {
      main: '#f08a35',
      accent: '#f7c948',
      parts: [
        { path: 'M26 50 C12 38 2 26 -12 24 C-6 40 -6 60 -12 76 C2 74 12 62 26 50 Z', fill: 'accent', move: WAGGING },
        { path: 'M40 28 C52 6 76 8 84 26 Z M48 72 C54 88 68 90 74 74 Z', fill: 'accent' },
        { path: 'M18 50 C34 22 76 12 106 48 C78 88 34 78 18 50 Z', fill: 'main' },
        {
          path: 'M46 28 C40 42 40 58 46 72 C52 75 56 75 60 75 C54 60 54 40 60 25 C54 25 50 26 46 28 Z',
          fill: 'white',
          alpha: 0.85,
        },
        { path: 'M62 50 C56 44 50 46 48 54 C54 60 60 58 62 50 Z', fill: 'accentShade' },
        { path: oval(88, 43, 5.5), fill: 'white' },
        { path: oval(89.5, 43, 3), fill: 'ink' },
        { path: 'M104 51 C100 55 96 56 92 55', line: 'deep', width: 1.6 },
      ],
    },
  },
  whale: {
    words: {
      en: 'whale, orca',
      de: 'wal/wale',
      fr: 'baleine',
      es: 'ballena',
    },
    habitat: { lives: 'under', size: 0.3, home: ['sea'], surfaces: true },
    seat: { top: 0.7, width: 0.4, holds: 0.4 },
    drawing: {
      main: '#44658c',
      parts: [
        {
          path: 'M-6 46 C-30 40 -46 24 -52 14 C-38 12 -24 20 -16 28 C-16 14 -10 2 2 -4 C10 12 10 30 4 44 Z',
          fill: 'shade',
          move: { kind: 'swing', x: 4, y: 46, amount: 7, period: 3 },
        },
        {
          path: 'M-10 40 C10 36 24 20 60 18 C108 14 146 36 148 60 C146 84 110 96 72 92 C34 90 14 66 -10 50 Z',
          fill: 'main',
        },
        { path: 'M148 62 C140 84 108 96 72 92 C54 91 38 84 24 74 C60 82 112 78 148 62 Z', fill: 'pale' },
        { path: 'M60 90 C80 86 104 82 124 74 M48 86 C74 82 104 76 136 66', line: 'shade', width: 1.2, alpha: 0.6 },
        {
          path: 'M74 74 C70 92 58 104 42 106 C44 92 52 78 60 72 Z',
          fill: 'shade',
          move: { kind: 'swing', x: 68, y: 74, amount: 9, period: 3 },
        },
        { path: oval(122, 58, 2.6), fill: 'ink' },
      ],
    },
  },
  dolphin: {
    words: {
      en: 'dolphin, porpoise',
      de: 'delfin/delfine',
      fr: 'dauphin',
      es: 'delfín/delfines',
    },
    habitat: { lives: 'under', size: 0.2, home: ['sea', 'underwater'] },
    drawing: {
      main: '#6f8fae',
      parts: [
        {
          path: 'M4 78 C-10 76 -22 82 -30 92 C-24 72 -30 62 -34 54 C-20 56 -4 62 10 72 Z',
          fill: 'shade',
          move: { kind: 'swing', x: 8, y: 74, amount: 8, period: 1.4 },
        },
        { path: 'M50 26 C50 14 42 4 30 0 C30 12 30 22 34 32 Z', fill: 'shade' },
        {
          path: 'M-2 78 C14 42 54 16 92 30 C100 32 104 38 118 42 C122 46 116 50 104 50 C92 62 50 56 8 84 Z',
          fill: 'main',
        },
        { path: 'M104 50 C92 62 60 56 30 70 C48 52 84 46 104 50 Z', fill: 'pale' },
        { path: 'M70 52 C66 66 58 72 46 76 C48 66 52 58 58 52 Z', fill: 'shade' },
        { path: oval(93, 40, 2), fill: 'ink' },
      ],
    },
  },
  shark: {
    words: {
      en: 'shark',
      de: 'Hai/Haie',
      fr: 'requin/requins',
      es: 'tiburón/tiburones',
    },
    habitat: { lives: 'under', size: 0.22 },
    drawing: {
      main: '#6f8596',
      parts: [
        {
          path: 'M-40 50 L-70 22 L-58 56 L-72 86 L-38 64 Z',
          fill: 'shade',
          move: { kind: 'wag', x: -38, y: 56, amount: 0.5, period: 1 },
        },
        { path: 'M30 34 L40 0 L70 36 Z', fill: 'shade' },
        { path: 'M-44 56 C0 26 90 22 136 54 C110 80 10 88 -44 60 Z', fill: 'main' },
        { path: 'M-30 62 C20 76 96 72 132 56 C110 80 10 86 -40 61 Z', fill: 'white' },
        { path: 'M48 70 L34 98 L74 72 Z', fill: 'shade' },
        { path: 'M102 66 L128 60', line: 'ink', width: 2 },
        { path: 'M84 44 V58 M78 44 V57 M90 45 V58', line: 'deep', width: 1.6 },
        { path: oval(110, 48, 2.8), fill: 'ink' },
      ],
    },
  },
  octopus: {
    words: {
      en: 'octopus/octopuses, squid, kraken',
      de: 'Krake/Kraken, Oktopus',
      fr: 'pieuvre/pieuvres',
      es: 'pulpo/pulpos',
    },
    habitat: { lives: 'under', size: 0.34 },
    drawing: {
      main: '#b0486a',
      parts: [
        ...[-1, 1].flatMap((side) =>
          [8, 20, 32].map(
            (reach) =>
              ({
                path: `M${50 + side * 8} 58 C${50 + side * (reach + 20)} 60 ${50 + side * (reach + 4)} 84 ${50 + side * (reach + 22)} 98`,
                line: reach === 20 ? 'shade' : 'main',
                width: 9,
                move: { kind: 'swing', x: 50, y: 56, amount: side * 4, period: 2 + reach / 20 },
              }) as const,
          ),
        ),
        { path: 'M20 50 C12 14 30 -4 50 -4 C70 -4 88 14 80 50 C76 68 24 68 20 50 Z', fill: 'main' },
        { path: `${oval(38, 40, 7)} ${oval(62, 40, 7)}`, fill: 'white' },
        { path: `${oval(39, 41, 3.6)} ${oval(61, 41, 3.6)}`, fill: 'ink' },
        { path: `${oval(34, 14, 4)} ${oval(50, 8, 3)} ${oval(64, 18, 4)}`, fill: 'light' },
      ],
    },
  },
  jellyfish: {
    words: {
      en: 'jellyfish/jellyfish, medusa',
      de: 'qualle/quallen',
      fr: 'méduse',
      es: 'medusa',
    },
    habitat: { lives: 'under', size: 0.26 },
    gait: { flightSpeed: 0.006 },
    drawing: {
      main: '#d98ac4',
      accent: '#f2c4e4',
      parts: [
        {
          path: 'M24 44 C14 60 30 70 20 98 M38 46 C32 64 44 76 36 104 M52 46 C56 64 44 78 52 108 M64 46 C72 62 60 76 68 100 M76 44 C86 60 70 72 80 94',
          line: 'accent',
          width: 2.2,
          alpha: 0.75,
          move: { kind: 'flutter', x: 50, y: 44, amount: 0.14, period: 1.8 },
        },
        {
          path: 'M34 46 C30 62 40 70 34 84 C44 76 42 64 46 48 Z M54 48 C58 64 54 72 62 84 C64 72 66 62 64 46 Z',
          fill: 'light',
          alpha: 0.6,
        },
        {
          path: 'M10 46 C6 8 34 -2 50 -2 C66 -2 94 8 90 46 C84 40 78 42 76 47 C70 41 64 42 62 48 C56 42 46 42 42 48 C38 42 30 41 26 47 C22 42 16 41 10 46 Z',
          fill: 'main',
          alpha: 0.88,
        },
        { path: 'M20 30 C22 14 34 6 46 6 C36 12 28 20 26 32 Z', fill: 'white', alpha: 0.5 },
      ],
    },
  },
  turtle: {
    words: {
      en: 'turtle, tortoise',
      de: 'schildkröte/schildkröten',
      fr: 'tortue',
      es: 'tortuga',
    },
    habitat: { lives: 'under', size: 0.18 },
    seat: { top: 0.5, width: 0.3, holds: 0.6 },
    drawing: {
      main: '#4f7d4a',
      accent: '#a9b86a',
      parts: [
        {
          path: 'M70 62 C88 72 92 92 84 104 C70 98 58 82 54 70 Z M22 66 C8 74 -2 84 -4 92 C10 92 26 84 34 74 Z',
          fill: 'accentShade',
          move: { kind: 'swing', x: 58, y: 66, amount: 12, period: 1.8 },
        },
        { path: 'M86 50 C92 40 108 36 114 46 C118 56 108 62 96 62 C90 62 84 58 86 50 Z', fill: 'accent' },
        { path: 'M2 62 C8 30 40 16 64 26 C84 34 94 48 94 60 C70 72 26 74 2 62 Z', fill: 'main' },
        { path: 'M30 34 L48 26 L66 32 L64 52 L42 56 L26 50 Z', fill: 'light', alpha: 0.6 },
        { path: 'M30 34 L16 46 M26 50 L14 62 M42 56 L40 68 M64 52 L70 66 M66 32 L84 48', line: 'deep', width: 1.8 },
        { path: oval(106, 47, 2), fill: 'ink' },
      ],
    },
  },
} satisfies FigureKinds;
