import { oval } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { SWAYING } from './parts/plant-parts.ts';

/** Draws a petal about (50, 28), turned clockwise by an angle in degrees. */
function petal(angle: number): string {
  const radians = (angle * Math.PI) / 180;
  const at = (x: number, y: number): string =>
    `${(50 + x * Math.cos(radians) - y * Math.sin(radians)).toFixed(2)} ${(28 + x * Math.sin(radians) + y * Math.cos(radians)).toFixed(2)}`;
  return `M${at(0, 0)} C${at(-16, -12)} ${at(-11, -30)} ${at(0, -30)} C${at(11, -30)} ${at(16, -12)} ${at(0, 0)} Z`;
}

/** Flowers and other small plants. */
export const FLOWERS = {
  flower: {
    words: {
      en: 'flower, daisy/daisies, poppy/poppies, lily/lilies, orchid, lotus',
      de: 'blume/blumen',
      fr: 'fleur, coquelicot',
      es: 'flor/flores',
    },
    habitat: { lives: 'land', size: 0.28, home: ['meadow', 'garden'] },
    worn: 'hair',
    growth: { density: { meadow: 0.8, garden: 1, jungle: 0.3 }, painted: 'flowers' },
    seat: { top: 0.9, width: 0.2, holds: 0.42 },
    drawing: {
      main: '#d8453a',
      accent: '#f2c230',
      parts: [
        { path: 'M50 100 C52 78 48 60 50 38', line: 'leaf', width: 3.4, move: SWAYING },
        {
          path: 'M51 84 C66 82 78 70 82 58 C66 60 54 70 51 84 Z M50 92 C36 90 24 80 20 68 C36 70 47 80 50 92 Z',
          fill: 'leafShade',
          move: SWAYING,
        },
        { path: [0, 72, 144, 216, 288].map((angle) => petal(angle)).join(' '), fill: 'shade', move: SWAYING },
        { path: [36, 108, 180, 252, 324].map((angle) => petal(angle)).join(' '), fill: 'main', move: SWAYING },
        { path: oval(50, 28, 9), fill: 'accent', move: SWAYING },
        { path: oval(50, 28, 5), fill: 'accentShade', move: SWAYING },
      ],
    },
  },
  sunflower: {
    words: {
      en: 'sunflower',
      de: 'Sonnenblume/Sonnenblumen',
      fr: 'tournesol/tournesols',
      es: 'girasol/girasoles',
    },
    habitat: { lives: 'land', size: 0.34, home: ['meadow', 'garden'] },
    worn: 'hair',
    hasStem: true,
    seat: { top: 0.84, width: 0.2, holds: 0.34 },
    drawing: {
      main: '#f2b91f',
      accent: '#5a3a22',
      parts: [
        { path: 'M50 42 C54 64 48 82 50 100', line: 'leaf', width: 4.4 },
        {
          path: 'M50 78 C62 60 80 62 86 68 C78 82 62 84 50 80 Z M50 88 C38 70 22 72 16 78 C24 92 38 94 50 90 Z',
          fill: 'leaf',
        },
        {
          path: Array.from({ length: 16 }, (_, petal) => {
            const turn = (petal * Math.PI) / 8;
            const at = (angle: number, reach: number) =>
              `${(50 + Math.cos(angle) * reach).toFixed(1)} ${(24 + Math.sin(angle) * reach).toFixed(1)}`;
            return `M${at(turn - 0.22, 15)} Q${at(turn - 0.2, 27)} ${at(turn, 33)} Q${at(turn + 0.2, 27)} ${at(turn + 0.22, 15)} Z`;
          }).join(' '),
          fill: 'main',
        },
        { path: oval(50, 24, 17), fill: 'accent' },
        { path: `${oval(50, 24, 11)}`, fill: 'accentShade' },
      ],
    },
  },
  rose: {
    words: {
      en: 'rose, peony/peonies',
      de: 'Rose/Rosen',
      fr: 'rose rouge',
      es: 'rosa roja',
    },
    habitat: { lives: 'land', size: 0.32, home: ['garden'] },
    worn: 'hair',
    seat: { top: 0.9, width: 0.2, holds: 0.34 },
    drawing: {
      main: '#c22a3a',
      parts: [
        { path: 'M50 40 C54 64 46 82 50 100', line: 'leafShade', width: 3.4 },
        {
          path: 'M50 74 C62 58 76 60 84 64 C76 78 62 80 50 76 Z M50 86 C38 70 24 72 16 76 C24 90 38 92 50 88 Z',
          fill: 'leaf',
        },
        {
          path: 'M20 14 C20 40 36 50 50 50 C64 50 80 40 80 14 C72 20 66 16 62 10 C54 2 46 2 38 10 C34 16 28 20 20 14 Z',
          fill: 'main',
        },
        { path: 'M26 26 C36 36 50 34 56 22 C62 30 72 30 76 24 C74 40 62 50 50 50 C38 50 28 40 26 26 Z', fill: 'shade' },
        { path: 'M42 16 C46 8 58 10 58 18 C56 26 44 26 42 20', line: 'deep', width: 2.6 },
      ],
    },
  },
  tulip: {
    words: {
      en: 'tulip',
      de: 'Tulpe/Tulpen',
      fr: 'tulipe/tulipes',
      es: 'tulipán/tulipanes',
    },
    habitat: { lives: 'land', size: 0.28, home: ['meadow', 'garden'] },
    worn: 'hair',
    seat: { top: 0.9, width: 0.2, holds: 0.34 },
    drawing: {
      main: '#e04a5a',
      parts: [
        { path: 'M50 40 V100', line: 'leaf', width: 4 },
        {
          path: 'M50 98 C30 84 26 60 30 52 C42 64 50 80 50 98 Z M50 98 C70 84 74 64 70 56 C58 68 50 82 50 98 Z',
          fill: 'leaf',
        },
        { path: 'M28 4 C36 10 42 12 50 0 C58 12 64 10 72 4 C78 28 68 46 50 46 C32 46 22 28 28 4 Z', fill: 'main' },
        { path: 'M50 0 C60 16 60 32 50 46 C40 32 40 16 50 0 Z', fill: 'light' },
      ],
    },
  },
  bouquet: {
    words: {
      en: 'bouquet, bouquet of roses, bouquet of flowers, roses in a vase, flowers in a vase, vase of flowers, vase of roses, vase with flowers, bouquet of roses in a vase, bouquet of flowers in a vase, flower arrangement',
      de: 'Blumenstrauß, Rosenstrauß',
      fr: 'bouquet, bouquet de fleurs',
      es: 'ramo de flores, ramo',
    },
    habitat: { lives: 'inside', size: 0.4, tabletop: true },
    drawing: {
      main: '#c8352e',
      accent: '#4a7f9a',
      parts: [
        { path: 'M50 62 L18 26 M50 62 L34 10 M50 62 L52 4 M50 62 L70 12 M50 62 L86 30', line: 'leaf', width: 2.4 },
        { path: 'M10 44 q14 -12 24 4 q-14 8 -24 -4 Z M66 48 q12 -16 26 -4 q-10 14 -26 4 Z', fill: 'leafShade' },
        {
          path: `${oval(16, 22, 13)} ${oval(84, 26, 13)} ${oval(34, 6, 13)} ${oval(68, 8, 13)} ${oval(50, 28, 14)} ${oval(51, -8, 13)} ${oval(30, 36, 11)} ${oval(72, 38, 11)}`,
          fill: 'main',
        },
        {
          path: 'M10 22 q6 -8 12 0 q-4 6 -8 2 M78 26 q6 -8 12 0 q-4 6 -8 2 M28 6 q6 -8 12 0 q-4 6 -8 2 M62 8 q6 -8 12 0 q-4 6 -8 2 M43 28 q7 -9 14 0 q-5 7 -9 2 M45 -8 q6 -8 12 0 q-4 6 -8 2',
          line: 'deep',
          width: 1.8,
        },
        { path: 'M34 50 H68 L63 66 C74 74 72 100 50 100 C30 100 28 74 38 66 Z', fill: 'accent' },
        { path: 'M54 50 H68 L63 66 C74 74 72 100 54 100 C64 84 60 66 54 50 Z', fill: 'accentShade' },
      ],
    },
  },
  plant: {
    words: {
      en: 'plant, houseplant, potted plant, monstera, fern, bonsai',
      de: 'pflanze/pflanzen, zimmerpflanze',
      fr: 'plante/plantes',
      es: 'planta/plantas',
    },
    habitat: { lives: 'inside', size: 0.3 },
    furnishes: {
      living_room: [{ x: -0.82, y: 0.2, size: 0.3 }],
      bathroom: [{ x: -0.84, y: 0.16, size: 0.28 }],
      office: [{ x: -0.84, y: 0.16, size: 0.3 }],
    },
    drawing: {
      main: '#b8633a',
      parts: [
        {
          path: 'M50 70 C46 40 30 26 14 22 M50 70 C54 36 66 20 84 14 M50 70 C50 40 48 20 46 0 M50 70 C40 54 24 52 8 54 M50 70 C60 54 78 50 94 50',
          line: 'leafShade',
          width: 2.4,
        },
        {
          path: 'M14 22 C4 4 26 6 38 34 C28 38 18 34 14 22 Z M84 14 C98 -2 96 26 66 38 C64 26 70 16 84 14 Z M8 54 C-8 44 16 36 36 56 C26 64 12 62 8 54 Z M94 50 C110 40 92 34 66 54 C74 62 88 60 94 50 Z',
          fill: 'leaf',
        },
        { path: 'M46 0 C36 -18 62 -18 56 6 C56 20 52 32 48 38 C42 28 42 12 46 0 Z', fill: 'leafShade' },
        { path: 'M24 68 H76 L70 100 H30 Z', fill: 'main' },
        { path: 'M20 64 H80 V73 H20 Z', fill: 'light' },
      ],
    },
  },
  mushroom: {
    words: {
      en: 'mushroom, toadstool, fungus/fungi',
      de: 'pilz/pilze, fliegenpilz/fliegenpilze',
      fr: 'champignon',
      es: 'seta, hongo',
    },
    habitat: { lives: 'land', size: 0.22, home: ['forest'] },
    hasStem: true,
    seat: { top: 0.92, width: 0.4, holds: 0.6 },
    drawing: {
      main: '#c8352e',
      parts: [
        { path: 'M38 54 C42 70 40 86 34 98 C42 101 60 101 68 98 C60 86 60 70 62 54 Z', fill: 'white' },
        { path: 'M54 54 C56 70 58 86 60 99 C64 99 66 99 68 98 C60 86 60 70 62 54 Z', fill: 'grey' },
        { path: 'M2 56 C2 22 28 4 50 4 C74 4 98 22 98 56 C84 64 68 60 50 60 C32 60 16 64 2 56 Z', fill: 'main' },
        { path: 'M2 56 C16 64 32 60 50 60 C68 60 84 64 98 56 C86 52 68 50 50 50 C32 50 14 52 2 56 Z', fill: 'deep' },
        {
          path: `${oval(34, 26, 8, 6.5)} ${oval(62, 20, 6.5, 5)} ${oval(78, 40, 6, 5)} ${oval(18, 44, 5, 4)} ${oval(51, 40, 6, 5)}`,
          fill: 'white',
        },
      ],
    },
  },
} satisfies FigureKinds;
