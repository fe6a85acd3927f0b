import { leg, oval, rectangle } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

const METAL_BOOT = { tone: 'metal', width: 5, back: 6, front: 7 } as const;

/** Spacecraft and bodies in space. */
export const SPACE = {
  astronaut: {
    words: {
      en: 'astronaut, cosmonaut, spaceman/spacemen',
      de: 'astronaut/astronauten, raumfahrer',
      fr: 'astronaute',
      es: 'astronauta',
    },
    habitat: { lives: 'land', size: 0.34, home: ['moon_surface'] },
    person: { sits: true },
    costume: 'helmet',
    drawing: {
      main: '#eef0f4',
      accent: '#d8703c',
      parts: [
        { path: rectangle(26, 36, 48, 34), fill: 'grey' },
        leg('M43 68 L38 96', 'far', 'main', 13, METAL_BOOT),
        leg('M57 68 L63 96', 'near', 'main', 13, METAL_BOOT),
        {
          path: 'M34 42 L20 62',
          line: 'main',
          width: 11,
          move: { kind: 'swing', arm: 'far', x: 34, y: 42, amount: 9, period: 3 },
        },
        {
          path: 'M66 42 L82 30',
          line: 'main',
          width: 11,
          move: { kind: 'swing', x: 66, y: 42, amount: 12, period: 2.4 },
        },
        { path: 'M32 36 C40 32 60 32 68 36 L70 74 C60 78 40 78 30 74 Z', fill: 'main' },
        { path: 'M56 33 C62 34 66 35 68 36 L70 74 C66 76 62 77 58 77 Z', fill: 'shade' },
        { path: rectangle(41, 48, 18, 12), fill: 'metal' },
        { path: `${oval(46, 54, 2)} M52 51 h5 v2 h-5 Z`, fill: 'accent' },
        { path: oval(50, 18, 19), fill: 'main' },
        { path: 'M38 18 C38 7 46 6 54 7 C66 8 66 26 56 29 C46 31 38 28 38 18 Z', fill: 'ink' },
        { path: 'M42 15 C43 10 48 9 52 10 C47 12 45 15 44 19 Z', fill: 'glass', alpha: 0.9 },
        { path: 'M28 76 L20 64 M72 66 h-6', line: 'accent', width: 2 },
      ],
    },
  },
  robot: {
    words: {
      en: 'robot, android, cyborg, droid, mech/mechs, alien',
      de: 'roboter',
    },
    habitat: { lives: 'land', size: 0.34 },
    person: { sits: true },
    drawing: {
      main: '#8fa3b5',
      accent: '#f08a35',
      parts: [
        leg('M40 74 L40 94', 'far', 'metal', 9, { tone: 'deep', width: 8, back: 6, front: 7 }),
        leg('M60 74 L60 94', 'near', 'metal', 9, { tone: 'deep', width: 8, back: 6, front: 7 }),
        {
          path: 'M28 46 L14 58 L16 72',
          line: 'metal',
          width: 6,
          move: { kind: 'swing', arm: 'far', x: 28, y: 46, amount: 8, period: 2 },
        },
        {
          path: 'M72 46 L86 38 L88 24',
          line: 'metal',
          width: 6,
          move: { kind: 'swing', x: 72, y: 46, amount: 14, period: 1.4 },
        },
        { path: 'M28 40 H72 C76 40 76 76 72 78 H28 C24 76 24 40 28 40 Z', fill: 'main' },
        { path: 'M56 40 H72 C76 40 76 76 72 78 H56 Z', fill: 'shade' },
        { path: rectangle(36, 50, 28, 16), fill: 'deep' },
        { path: `${oval(43, 58, 3.4)} ${oval(57, 58, 3.4)}`, fill: 'lamp' },
        { path: 'M50 8 V-2', line: 'metal', width: 2.4 },
        { path: oval(50, -5, 4), fill: 'accent' },
        { path: 'M30 8 H70 C76 8 76 34 70 36 H30 C24 34 24 8 30 8 Z', fill: 'light' },
        { path: `${oval(41, 21, 6.5)} ${oval(60, 21, 6.5)}`, fill: 'ink' },
        { path: `${oval(42, 20, 3.4)} ${oval(61, 20, 3.4)}`, fill: 'lamp' },
        { path: 'M42 31 H59', line: 'deep', width: 2 },
      ],
    },
  },
  rocket: {
    words: {
      en: 'rocket, spaceship, spacecraft/spacecraft, shuttle',
      de: 'rakete/raketen, raumschiff/raumschiffe',
      fr: 'fusée',
      es: 'cohete',
    },
    habitat: { lives: 'space', size: 0.42, launchesFrom: 'desert' },
    gait: { flightSpeed: 0.01, flightTilt: 0.42 },
    drawing: {
      main: '#eef0f3',
      accent: '#d8453a',
      parts: [
        {
          path: 'M40 84 C42 100 48 108 50 122 C52 108 58 100 60 84 Z',
          fill: 'fire',
          move: { kind: 'flutter', x: 50, y: 84, amount: 0.3, period: 0.23 },
        },
        { path: 'M34 54 L16 76 V92 L36 80 Z M66 54 L84 76 V92 L64 80 Z', fill: 'accent' },
        { path: 'M50 -4 C66 12 72 38 66 82 H34 C28 38 34 12 50 -4 Z', fill: 'main' },
        { path: 'M54 0 C66 14 72 40 66 82 H56 C62 44 60 18 54 0 Z', fill: 'shade' },
        { path: 'M50 -4 C57 3 62 12 65 22 H35 C38 12 43 3 50 -4 Z', fill: 'accent' },
        { path: oval(50, 40, 9), fill: 'metal' },
        { path: oval(50, 40, 6.5), fill: 'glass' },
        { path: 'M38 82 H62 L60 88 H40 Z', fill: 'ink' },
        { path: 'M48 60 H52 V90 H48 Z', fill: 'accentShade' },
      ],
    },
  },
  ufo: {
    words: {
      en: 'ufo, flying saucer, saucer, alien ship',
    },
    habitat: { lives: 'air', size: 0.15 },
    drawing: {
      main: '#9aa4b5',
      accent: '#62e0c0',
      parts: [
        { path: 'M14 74 L-20 170 H120 L86 74 Z', fill: 'accent', alpha: 0.16 },
        { path: 'M18 50 C18 14 82 14 82 50 Z', fill: 'glass' },
        { path: 'M-40 58 C-10 36 110 36 140 58 C112 84 -12 84 -40 58 Z', fill: 'main' },
        { path: 'M-40 58 C-4 68 104 68 140 58 C112 84 -12 84 -40 58 Z', fill: 'deep' },
        {
          path: [-14, 12, 38, 64, 90, 114].map((x) => oval(x, x < 0 || x > 100 ? 66 : 70, 4.5)).join(' '),
          fill: 'lamp',
        },
      ],
    },
  },
  satellite: {
    words: {
      en: 'satellite, space station',
    },
    habitat: { lives: 'space', size: 0.2 },
    drawing: {
      main: '#c9ced8',
      accent: '#2f4fa0',
      parts: [
        { path: 'M-50 34 H20 V66 H-50 Z M80 34 H150 V66 H80 Z', fill: 'accent' },
        {
          path: 'M-32 34 V66 M-15 34 V66 M2 34 V66 M98 34 V66 M115 34 V66 M132 34 V66 M-50 50 H20 M80 50 H150',
          line: 'light',
          width: 1,
        },
        { path: 'M20 50 H80', line: 'metal', width: 4 },
        { path: 'M32 24 H68 V78 H32 Z', fill: 'main' },
        { path: 'M54 24 H68 V78 H54 Z', fill: 'shade' },
        { path: 'M34 24 C34 6 66 6 66 24 Z', fill: 'white' },
        { path: 'M50 10 V-4', line: 'metal', width: 2 },
        { path: oval(50, 88, 5), fill: 'lamp' },
      ],
    },
  },
  planet: {
    words: {
      en: 'planet, saturn, jupiter, mars, earth from space',
      de: 'planet/planeten',
    },
    habitat: { lives: 'space', size: 0.44, fillsSky: true },
    gait: { flightSpeed: 0.004 },
    drawing: {
      main: '#d9a066',
      accent: '#e9d3a8',
      parts: [
        {
          path: 'M-22 66 C-30 54 10 36 50 30 C86 24 122 24 124 34 L104 44 C80 36 20 48 -2 66 Z',
          fill: 'accentShade',
          alpha: 0.8,
        },
        { path: oval(50, 50, 46), fill: 'main' },
        {
          path: 'M6 38 C30 44 70 30 92 34 L95 44 C70 42 34 54 5 46 Z M5 58 C36 66 70 52 96 54 L94 62 C70 62 40 74 8 66 Z M20 84 C40 86 62 80 80 84 C70 92 34 96 20 84 Z',
          fill: 'light',
          alpha: 0.5,
        },
        { path: 'M50 4 C76 4 96 24 96 50 C96 76 76 96 50 96 C86 84 88 22 50 4 Z', fill: 'deep', alpha: 0.6 },
        {
          path: 'M-22 66 C-16 78 40 74 84 58 C112 48 126 40 124 34 C130 44 112 58 84 68 C44 82 -22 84 -22 66 Z',
          fill: 'accent',
        },
      ],
    },
  },
} satisfies FigureKinds;
