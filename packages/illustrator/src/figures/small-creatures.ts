import { oval } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Insects and other small creatures. */
export const SMALL_CREATURES = {
  bee: {
    words: {
      en: 'bee, bumblebee, wasp, firefly/fireflies',
      de: 'biene/bienen, hummel/hummeln',
      fr: 'abeille',
      es: 'abeja',
    },
    habitat: { lives: 'air', size: 0.11, home: ['meadow', 'garden'] },
    drawing: {
      main: '#f2c230',
      parts: [
        {
          path: 'M48 40 C36 14 52 2 62 10 C70 18 62 34 54 42 Z M58 42 C64 16 84 12 88 22 C92 32 74 42 64 46 Z',
          fill: 'white',
          alpha: 0.8,
          move: { kind: 'beat', x: 56, y: 42, amount: 0.9, period: 0.16 },
        },
        { path: 'M14 62 C14 44 32 36 54 38 C76 40 88 50 88 62 C88 76 72 84 52 84 C32 84 14 78 14 62 Z', fill: 'main' },
        {
          path: 'M30 43 C26 56 26 70 31 80 L40 83 C35 70 35 54 39 40 Z M52 38 C48 52 48 70 53 84 L62 83 C58 70 58 54 61 39 Z',
          fill: 'ink',
        },
        { path: 'M14 60 L2 63 L14 67 Z', fill: 'ink' },
        { path: `${oval(78, 56, 3)}`, fill: 'ink' },
        { path: 'M82 46 C88 40 92 38 96 38 M76 43 C80 34 84 30 88 30', line: 'ink', width: 2 },
      ],
    },
  },
  butterfly: {
    words: {
      en: 'butterfly/butterflies, moth, dragonfly/dragonflies',
      de: 'schmetterling/schmetterlinge, libelle/libellen',
      fr: 'papillon',
      es: 'mariposa',
    },
    habitat: { lives: 'air', size: 0.12, home: ['meadow', 'garden'], floatsIndoors: true },
    drawing: {
      main: '#e8792b',
      accent: '#f4d35e',
      parts: [
        {
          path: 'M52 52 C60 20 92 4 104 16 C112 32 86 56 54 56 Z',
          fill: 'shade',
          move: { kind: 'wag', x: 50, y: 55, amount: 0.75, period: 0.45 },
        },
        {
          path: 'M54 56 C80 58 96 76 84 88 C70 96 54 76 52 58 Z',
          fill: 'accent',
          move: { kind: 'wag', x: 50, y: 55, amount: 0.75, period: 0.45 },
        },
        {
          path: 'M48 52 C40 20 8 4 -4 16 C-12 32 14 56 46 56 Z',
          fill: 'main',
          move: { kind: 'wag', x: 50, y: 55, amount: 0.75, period: 0.45 },
        },
        {
          path: 'M46 56 C20 58 4 76 16 88 C30 96 46 76 48 58 Z',
          fill: 'accent',
          move: { kind: 'wag', x: 50, y: 55, amount: 0.75, period: 0.45 },
        },
        {
          path: `${oval(12, 26, 6)} ${oval(88, 26, 6)} ${oval(28, 78, 5)} ${oval(72, 78, 5)}`,
          fill: 'white',
          alpha: 0.75,
        },
        { path: `${oval(50, 58, 3.6, 22)} ${oval(50, 35, 4.6)}`, fill: 'ink' },
        { path: 'M49 32 C44 22 40 18 36 16 M51 32 C56 22 60 18 64 16', line: 'ink', width: 1.4 },
      ],
    },
  },
  ladybug: {
    words: {
      en: 'ladybug, ladybird, beetle',
      de: 'Marienkäfer/Marienkäfer',
      fr: 'coccinelle/coccinelles',
      es: 'mariquita',
    },
    habitat: { lives: 'land', size: 0.17, home: ['meadow'] },
    drawing: {
      main: '#d0342c',
      parts: [
        { path: 'M14 84 L6 98 M50 88 V100 M86 84 L92 98', line: 'ink', width: 4 },
        { path: 'M84 54 C104 48 116 62 112 76 C106 88 92 88 84 84 Z', fill: 'ink' },
        { path: 'M108 56 L120 44 M112 62 L126 54', line: 'ink', width: 2.6 },
        { path: 'M-6 84 C-10 44 20 26 50 26 C80 26 100 50 96 84 Z', fill: 'main' },
        { path: 'M40 27 C34 46 34 66 38 84', line: 'ink', width: 2.6 },
        {
          path: `${oval(18, 54, 8)} ${oval(14, 74, 6)} ${oval(56, 44, 7)} ${oval(62, 68, 8)} ${oval(82, 58, 6)}`,
          fill: 'ink',
        },
        { path: oval(106, 66, 3), fill: 'white' },
      ],
    },
  },
  snail: {
    words: {
      en: 'snail, slug',
      de: 'Schnecke/Schnecken',
      fr: 'escargot/escargots',
      es: 'caracol/caracoles',
    },
    habitat: { lives: 'land', size: 0.2, home: ['garden'] },
    gait: { hop: { height: 0, lean: 0 } },
    drawing: {
      main: '#c98a45',
      accent: '#a9b86a',
      parts: [
        {
          path: 'M-30 98 C0 84 60 92 84 86 C98 82 94 64 104 58 C120 56 124 76 114 88 C106 98 90 100 70 100 H-20 Z',
          fill: 'accent',
        },
        { path: 'M108 60 L104 40 M114 60 L120 42', line: 'accent', width: 3.4 },
        { path: `${oval(104, 38, 3.4)} ${oval(121, 40, 3.4)}`, fill: 'ink' },
        { path: oval(36, 56, 38), fill: 'main' },
        {
          path: 'M70 70 C84 30 30 2 10 34 C-4 62 26 86 46 70 C60 54 44 38 30 46 C24 52 28 62 36 60',
          line: 'deep',
          width: 5,
        },
      ],
    },
  },
  frog: {
    words: {
      en: 'frog, toad, gecko, lizard, chameleon',
      de: 'frosch/frösche',
      fr: 'grenouille',
      es: 'rana',
    },
    habitat: { lives: 'land', size: 0.18, home: ['lake', 'river'] },
    gait: { hop: { height: 0.4, lean: 0.12 } },
    crown: { ahead: 0, up: 0.8 },
    eyes: { ahead: 0, up: 0.69, width: 0.52 },
    wearsCostumes: true,
    drawing: {
      main: '#62a83f',
      parts: [
        {
          path: 'M14 98 C2 90 6 66 24 62 C34 70 34 90 30 98 Z M86 98 C98 90 94 66 76 62 C66 70 66 90 70 98 Z',
          fill: 'shade',
        },
        { path: 'M20 70 C20 44 34 34 50 34 C66 34 80 44 80 70 C80 90 66 98 50 98 C34 98 20 90 20 70 Z', fill: 'main' },
        { path: 'M32 74 C32 60 68 60 68 74 C68 90 60 96 50 96 C40 96 32 90 32 74 Z', fill: 'pale' },
        { path: `${oval(33, 32, 11)} ${oval(67, 32, 11)}`, fill: 'main' },
        { path: `${oval(33, 31, 7.5)} ${oval(67, 31, 7.5)}`, fill: 'white' },
        { path: `${oval(34, 31, 4)} ${oval(66, 31, 4)}`, fill: 'ink' },
        { path: 'M32 52 C40 61 60 61 68 52', line: 'deep', width: 2.2 },
        { path: 'M38 99 L30 99 M62 99 L70 99 M40 98 V84 M60 98 V84', line: 'shade', width: 5 },
      ],
    },
  },
  bat: {
    words: {
      en: 'bat',
      de: 'Fledermaus/Fledermäuse',
    },
    habitat: { lives: 'air', size: 0.15 },
    drawing: {
      main: '#6a5f8a',
      parts: [
        {
          path: 'M50 50 C30 30 -6 20 -40 36 C-24 40 -22 52 -22 62 C-8 52 4 58 8 70 C20 60 34 62 50 72 Z M50 50 C70 30 106 20 140 36 C124 40 122 52 122 62 C108 52 96 58 92 70 C80 60 66 62 50 72 Z',
          fill: 'main',
          move: { kind: 'beat', x: 50, y: 58, amount: 1.3, period: 0.36 },
        },
        { path: 'M38 44 L40 28 L47 36 H53 L60 28 L62 44 C64 66 58 82 50 84 C42 82 36 66 38 44 Z', fill: 'light' },
        { path: `${oval(46, 44, 2)} ${oval(54, 44, 2)}`, fill: 'white' },
      ],
    },
  },
  web: {
    words: {
      en: 'spider web, spiderweb, cobweb, spider',
    },
    habitat: { lives: 'land', size: 0.44, home: ['forest', 'garden'] },
    drawing: {
      main: '#eef2f6',
      parts: [
        { path: 'M-46 -20 L146 120 M146 -20 L-46 120 M50 -40 V140 M-60 50 H160', line: 'main', width: 1.3 },
        ...[16, 32, 50, 70].map(
          (r) =>
            ({
              path: [0, 1, 2, 3, 4, 5, 6, 7]
                .map((spoke) => {
                  const point = (turn: number, reach: number) =>
                    `${(50 + Math.cos((turn * Math.PI) / 4) * reach).toFixed(1)} ${(50 + Math.sin((turn * Math.PI) / 4) * reach).toFixed(1)}`;
                  return `M${point(spoke, r)} Q${point(spoke + 0.5, r * 0.8)} ${point(spoke + 1, r)}`;
                })
                .join(' '),
              line: 'main',
              width: 1.2,
            }) as const,
        ),
        {
          path: `${oval(66, 50, 2.4)} ${oval(50, 82, 2.6)} ${oval(27, 27, 2.6)} ${oval(85, 85, 2.6)} ${oval(0, 50, 2.6)} ${oval(61, 39, 2.2)} ${oval(100, 0, 2.6)} ${oval(50, 0, 2.4)} ${oval(36, 73, 2.2)}`,
          fill: 'glass',
        },
        { path: oval(54, 54, 7), fill: 'ink' },
        {
          path: 'M54 54 l-14 -8 M54 54 l-15 2 M54 54 l-12 10 M54 54 l14 -8 M54 54 l15 2 M54 54 l12 10',
          line: 'ink',
          width: 1.8,
        },
      ],
    },
  },
} satisfies FigureKinds;
