import { oval, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { rays } from './parts/ray-parts.ts';

const petals = (count: number, reach: number, width: number, from: number): string =>
  Array.from({ length: count }, (_, petal) => {
    const turn = (petal / count) * Math.PI * 2;
    const at = (distance: number, aside: number): string =>
      `${(50 + Math.cos(turn) * distance - Math.sin(turn) * aside).toFixed(1)} ${(50 + Math.sin(turn) * distance + Math.cos(turn) * aside).toFixed(1)}`;
    return `M${at(from, 0)} C${at(from + (reach - from) * 0.4, width)} ${at(from + (reach - from) * 0.7, width)} ${at(reach, 0)} C${at(from + (reach - from) * 0.7, -width)} ${at(from + (reach - from) * 0.4, -width)} ${at(from, 0)} Z`;
  }).join(' ');

/** Symbols, treasures and prizes. */
export const SYMBOLS = {
  heart: {
    words: {
      en: 'heart, love, valentine',
      de: 'herz/herzen',
      fr: 'cœur, coeur',
      es: 'corazón/corazones',
    },
    habitat: { lives: 'air', size: 0.32, floatsIndoors: true },
    gait: { flightSpeed: 0 },
    printedSize: 1,
    drawing: {
      main: '#d8354a',
      parts: [
        {
          path: 'M50 96 C20 70 0 52 0 30 C0 8 34 0 50 26 C66 0 100 8 100 30 C100 52 80 70 50 96 Z',
          fill: 'main',
          move: { kind: 'flutter', x: 50, y: 50, amount: 0.05, period: 1 },
        },
        {
          path: 'M50 26 C66 0 100 8 100 30 C100 52 80 70 50 96 C74 64 80 34 50 26 Z',
          fill: 'shade',
          move: { kind: 'flutter', x: 50, y: 50, amount: 0.05, period: 1 },
        },
        { path: 'M12 30 C12 20 22 14 30 18 C22 22 18 30 20 40 C14 40 12 36 12 30 Z', fill: 'white', alpha: 0.6 },
      ],
    },
  },
  star: {
    words: {
      en: 'star shape, big star',
    },
    habitat: { lives: 'air', size: 0.3, floatsIndoors: true },
    gait: { flightSpeed: 0 },
    printedSize: 1,
    drawing: {
      main: '#f2c230',
      parts: [
        { path: 'M50 0 L62 36 H100 L69 58 L81 95 L50 72 L19 95 L31 58 L0 36 H38 Z', fill: 'main' },
        {
          path: 'M50 0 L62 36 L50 50 Z M100 36 L69 58 L50 50 Z M81 95 L50 72 V50 Z M19 95 L31 58 L50 50 Z M0 36 H38 L50 50 Z',
          fill: 'shade',
          alpha: 0.6,
        },
      ],
    },
  },
  mandala: {
    words: {
      en: 'mandala, kaleidoscope, ornament, rosette, snowflake shape',
      de: 'mandala/mandalas',
      fr: 'mandala',
      es: 'mandala',
    },
    habitat: { lives: 'land', size: 0.5, home: ['plain'] },
    printedSize: 1.6,
    drawing: {
      main: '#c9952e',
      accent: '#7a3b6e',
      parts: [
        { path: oval(50, 50, 50), fill: 'deep' },
        { path: petals(16, 50, 7, 30), fill: 'main' },
        { path: petals(16, 46, 3.6, 32), fill: 'accent' },
        { path: oval(50, 50, 33), fill: 'accentShade' },
        { path: petals(12, 34, 7, 14), fill: 'light' },
        { path: petals(12, 30, 3.6, 18), fill: 'accent' },
        { path: oval(50, 50, 17), fill: 'deep' },
        { path: petals(8, 17, 5, 3), fill: 'main' },
        { path: oval(50, 50, 5), fill: 'pale' },
        { path: rays(37, 38.4, 32, 0.5), line: 'pale', width: 1.6 },
      ],
    },
  },
  crystal: {
    words: {
      en: 'crystal, gem, diamond, jewel',
    },
    habitat: { lives: 'land', size: 0.28 },
    drawing: {
      main: '#7fd0d8',
      parts: [
        { path: 'M14 98 L-4 60 L8 38 L24 60 L26 98 Z M76 98 L74 54 L92 30 L104 58 L88 98 Z', fill: 'shade' },
        { path: 'M8 38 L14 98 L26 98 L24 60 Z M92 30 L88 98 L76 98 L74 54 Z', fill: 'main' },
        { path: 'M50 0 L26 30 L32 100 H50 Z', fill: 'light' },
        { path: 'M50 0 L74 32 L68 100 H50 Z', fill: 'main' },
        { path: 'M50 0 L58 34 L54 100 H50 L42 34 Z', fill: 'white', alpha: 0.55 },
      ],
    },
  },
  ring: {
    words: {
      en: 'diamond ring, wedding ring, engagement ring, ring/ring',
      de: 'ring/ringe',
      fr: 'bague/bagues',
      es: 'anillo/anillos',
    },
    habitat: { lives: 'inside', size: 0.22, tabletop: true },
    drawing: {
      main: '#d8b24a',
      parts: [
        { path: oval(50, 68, 28, 28), line: 'main', width: 8 },
        { path: 'M34 20 H66 L76 32 L50 52 L24 32 Z', fill: 'glass' },
        { path: 'M34 20 L42 32 L50 20 L58 32 L66 20 M24 32 H76 M42 32 L50 52 L58 32', line: 'white', width: 1.6 },
        { path: 'M38 46 L50 52 L62 46', line: 'shade', width: 4 },
      ],
    },
  },
  perfume: {
    words: {
      en: 'perfume, perfume bottle, bottle of perfume, cologne, fragrance, parfum',
      de: 'parfüm, parfum',
      fr: 'parfum/parfums',
      es: 'perfume/perfumes',
    },
    habitat: { lives: 'inside', size: 0.32, tabletop: true },
    drawing: {
      main: '#e8b0a0',
      accent: '#c9a24a',
      parts: [
        {
          path: 'M24 40 H76 C82 40 84 44 84 50 V92 C84 97 80 100 76 100 H24 C20 100 16 97 16 92 V50 C16 44 18 40 24 40 Z',
          fill: 'glass',
        },
        { path: 'M22 52 H78 V92 C78 94 76 95 74 95 H26 C24 95 22 94 22 92 Z', fill: 'main', alpha: 0.9 },
        { path: 'M64 52 H78 V92 C78 94 76 95 74 95 H66 Z', fill: 'shade' },
        { path: rectangle(40, 28, 20, 12), fill: 'accentShade' },
        { path: 'M34 0 H66 V28 H34 Z', fill: 'accent' },
        { path: 'M38 2 H44 V26 H38 Z', fill: 'white', alpha: 0.6 },
        { path: 'M22 46 L28 46 V92 L22 90 Z', fill: 'white', alpha: 0.55 },
        { path: 'M36 66 H64 V82 H36 Z', fill: 'pale' },
        { path: 'M42 72 H58 M44 77 H56', line: 'accentShade', width: 1.6 },
      ],
    },
  },
  treasure_chest: {
    words: {
      en: 'treasure chest, treasure, pirate treasure, chest of gold',
      de: 'schatztruhe, schatz',
      fr: 'trésor, coffre au trésor',
      es: 'tesoro, cofre',
    },
    habitat: { lives: 'land', size: 0.28, home: ['beach', 'island'] },
    drawing: {
      main: '#8a5230',
      accent: '#d8b24a',
      parts: [
        { path: 'M-16 52 C-16 14 -2 6 14 6 H100 C112 6 120 20 116 52 Z', fill: 'deep' },
        {
          path: [-2, 14, 30, 46, 62, 78, 94].map((x, at) => oval(x, at % 2 === 0 ? 50 : 44, 11, 8)).join(' '),
          fill: 'lamp',
        },
        { path: `${oval(22, 38, 6)} ${oval(70, 37, 6)}`, fill: 'fire' },
        { path: 'M40 40 L50 30 L60 40 L50 50 Z', fill: 'glass' },
        { path: 'M-16 54 H116 V98 H-16 Z', fill: 'main' },
        {
          path: 'M-16 54 H116 V62 H-16 Z M-16 54 H-4 V98 H-16 Z M104 54 H116 V98 H104 Z M42 54 H58 V76 H42 Z',
          fill: 'accent',
        },
        { path: oval(50, 66, 3), fill: 'ink' },
      ],
    },
  },
  trophy: {
    words: {
      en: 'trophy/trophies, gold cup, world cup, medal',
      de: 'pokal/pokale',
      fr: 'trophée',
      es: 'trofeo',
    },
    habitat: { lives: 'inside', size: 0.34, tabletop: true },
    drawing: {
      main: '#e0b13c',
      parts: [
        { path: 'M24 14 C0 10 2 48 32 50 M76 14 C100 10 98 48 68 50', line: 'shade', width: 5 },
        { path: 'M20 4 H80 C80 40 68 58 56 62 V76 H66 V86 H34 V76 H44 V62 C32 58 20 40 20 4 Z', fill: 'main' },
        { path: 'M62 4 H80 C80 40 68 58 56 62 C62 46 64 26 62 4 Z', fill: 'shade' },
        { path: 'M50 16 l4 9 l10 1 l-8 6 l3 10 l-9 -6 l-9 6 l3 -10 l-8 -6 l10 -1 Z', fill: 'pale' },
        { path: 'M26 86 H74 V100 H26 Z', fill: 'wood' },
      ],
    },
  },
  ball: {
    words: {
      en: 'ball, beach ball, football, basketball/basketballs',
      de: 'ball/bälle, fußball',
      fr: 'ballon',
      es: 'pelota, balón',
    },
    habitat: { lives: 'land', size: 0.14 },
    drawing: {
      main: '#d8453a',
      accent: '#f7f4ec',
      parts: [
        { path: oval(50, 50, 50), fill: 'main' },
        { path: 'M50 0 C30 24 30 76 50 100 C18 96 0 74 0 50 C0 26 18 4 50 0 Z', fill: 'accent' },
        { path: 'M50 0 C82 4 100 26 100 50 C100 74 82 96 50 100 C86 84 88 20 50 0 Z', fill: 'shade' },
        { path: 'M16 30 C20 18 30 12 38 12 C28 20 24 28 22 38 C18 38 16 34 16 30 Z', fill: 'white', alpha: 0.6 },
      ],
    },
  },
  racket: {
    words: {
      en: 'tennis racket, racket, tennis racket and a ball, tennis racket and ball, badminton racket',
    },
    habitat: { lives: 'land', size: 0.3, home: ['stadium'] },
    drawing: {
      main: '#c8352e',
      accent: '#d8e24a',
      parts: [
        { path: 'M22 96 L42 62', line: 'ink', width: 6 },
        { path: 'M42 62 L48 52', line: 'main', width: 5 },
        { path: 'M48 52 C34 34 44 4 66 -2 C90 -6 100 24 88 44 C78 60 58 62 48 52 Z', line: 'main', width: 4.6 },
        {
          path: 'M52 8 L82 50 M62 2 L90 40 M46 18 L70 54 M44 30 L58 56 M74 -1 L94 28 M46 40 L86 6 M52 50 L94 16 M62 56 L94 30 M44 28 L74 0',
          line: 'white',
          width: 0.9,
        },
        { path: oval(110, 86, 13), fill: 'accent' },
        { path: 'M100 78 C108 84 108 92 101 96 M120 78 C112 84 112 92 119 96', line: 'white', width: 1.8 },
      ],
    },
  },
} satisfies FigureKinds;
