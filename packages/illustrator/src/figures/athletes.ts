import { leg, oval, type Part, rectangle, wheel } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { arm, FACE, SHOE, TORSO } from './parts/person-parts.ts';

/** Draws a head in profile on a neck, at a given position. */
const headAt = (x: number, y: number, hair: Part['fill'] = 'wood'): readonly Part[] => [
  { path: oval(x, y, 9.5, 10.5), fill: 'skin' },
  {
    path: `M${x - 11} ${y + 2} C${x - 14} ${y - 15} ${x + 8} ${y - 17} ${x + 9} ${y - 5} C${x + 2} ${y - 8} ${x - 4} ${y - 5} ${x - 6} ${y + 4} Z`,
    ...(hair === undefined ? {} : { fill: hair }),
  },
  { path: oval(x + 5, y - 1, 1.2), fill: 'ink' },
];

/** People at their sports. */
export const ATHLETES = {
  footballer: {
    words: {
      en: 'football player, soccer player, footballer, athlete, goalkeeper, football player kicking a ball, soccer player kicking a ball, player kicking a ball',
    },
    habitat: { lives: 'land', size: 0.36, home: ['stadium'] },
    person: { sits: true, dressed: true },
    drawing: {
      main: '#2f6fd0',
      accent: '#f4f2ea',
      parts: [
        leg('M46 66 L40 97', 'far', 'skin', 7, SHOE),
        {
          ...leg('M56 64 L76 76 L88 90', 'near', 'skin', 7, SHOE),
          move: { kind: 'swing', x: 56, y: 64, amount: 14, period: 1.1 },
        },
        { path: 'M36 58 H64 L70 74 L56 76 L50 68 L46 78 H36 Z', fill: 'accent' },
        arm('M38 38 L22 50', 5, 'far'),
        ...TORSO,
        { path: 'M46 42 H55 L49 58', line: 'white', width: 3 },
        arm('M62 38 L78 44', 5, 'near'),
        ...FACE,
        { path: 'M39 14 C38 -2 62 -2 61 12 C54 6 46 6 39 14 Z', fill: 'ink' },
        { path: oval(102, 90, 9), fill: 'white' },
        { path: 'M102 86 l4 3 l-2 5 h-4 l-2 -5 Z M94 86 l-1 5 M110 86 l1 5', fill: 'ink' },
      ],
    },
  },
  surfer: {
    words: {
      en: 'surfer, surfing, surfer riding a wave, surfer riding a big wave, surfboard, person surfing, man surfing, woman surfing',
      de: 'surfer, surferin',
      fr: 'surfeur/surfeurs',
      es: 'surfista/surfistas',
    },
    habitat: { lives: 'water', size: 0.36, home: ['sea'] },
    drawing: {
      main: '#e8b04a',
      accent: '#2f6fa8',
      parts: [
        {
          path: 'M-90 100 C-60 30 -10 -20 60 -24 C120 -26 160 10 150 40 C140 20 110 14 92 30 C70 50 60 84 70 100 Z',
          fill: 'accent',
        },
        {
          path: 'M150 40 C140 20 110 14 92 30 C84 38 78 48 74 58 C84 44 100 34 116 36 C130 38 140 46 142 54 C148 50 152 46 150 40 Z',
          fill: 'white',
        },
        {
          path: 'M-60 98 C-36 50 4 14 56 2 M-34 98 C-14 64 20 34 58 22 M-8 98 C8 74 32 56 56 46',
          line: 'accentShade',
          width: 2.6,
        },
        { path: 'M-16 84 C10 74 60 78 78 92 C50 98 10 98 -16 84 Z', fill: 'main' },
        { path: 'M-8 85 C20 80 56 84 72 91', line: 'fire', width: 2 },
        { path: 'M20 84 L14 66 L32 54 M48 86 L56 68 L40 54', line: 'skin', width: 6 },
        { path: 'M26 48 H48 L46 62 H26 Z', fill: 'ink' },
        { path: 'M28 28 C34 24 44 26 48 32 L46 54 H28 Z', fill: 'skin' },
        { path: 'M30 32 L4 40 M46 32 L72 24', line: 'skin', width: 5 },
        ...headAt(44, 14),
      ],
    },
  },
  skier: {
    words: {
      en: 'skier, snowboarder, skiing, snowboarding',
      de: 'skifahrer, skifahrerin',
      fr: 'skieur/skieurs',
      es: 'esquiador/esquiadores',
    },
    habitat: { lives: 'land', size: 0.32, home: ['snowfield'], needsSnow: true },
    drawing: {
      main: '#c8352e',
      accent: '#2c3444',
      parts: [
        { path: 'M-20 98 L110 98 C118 98 122 94 122 90 M-26 92 L104 92 C112 92 116 88 116 84', line: 'lamp', width: 3 },
        { path: 'M38 96 L58 76 L36 60 M46 92 L64 74 L44 58', line: 'accent', width: 8 },
        { path: 'M28 60 C30 40 50 30 66 32 L68 46 C58 52 52 58 48 66 Z', fill: 'main' },
        { path: 'M62 40 L84 52 M58 42 L78 58', line: 'main', width: 6 },
        { path: 'M84 52 L20 84 M78 58 L14 92', line: 'metal', width: 2 },
        { path: oval(74, 24, 10), fill: 'skin' },
        { path: 'M62 24 C60 8 84 6 86 20 L74 18 Z', fill: 'white' },
        { path: 'M74 20 H86 V26 H74 Z', fill: 'ink' },
        { path: 'M-30 98 q-10 -10 -22 -4 q4 -12 -10 -12 M-10 99 q-8 -8 -16 -2', line: 'white', width: 5, alpha: 0.8 },
      ],
    },
  },
  basketballer: {
    words: {
      en: 'basketball player, basketball player dunking, basketball game, slam dunk',
      de: 'basketballspieler',
    },
    habitat: { lives: 'land', size: 0.36, home: ['stadium'] },
    drawing: {
      main: '#e87a2e',
      accent: '#2c3444',
      parts: [
        { path: 'M46 64 L30 78 L14 72 M56 64 L70 80 L62 98', line: 'skin', width: 7 },
        { path: 'M8 66 L12 78 M58 99 h12', line: 'white', width: 5 },
        { path: 'M36 54 H66 L72 74 L56 76 L50 68 L40 80 L32 70 Z', fill: 'accent' },
        { path: 'M38 34 C44 28 58 28 64 34 L66 60 H36 Z', fill: 'main' },
        { path: 'M50 38 V52 M46 40 l4 -3', line: 'white', width: 3 },
        { path: 'M38 38 L20 48 L10 40', line: 'skin', width: 6 },
        { path: 'M62 36 L80 14 L88 -14', line: 'skin', width: 6 },
        ...headAt(52, 16, 'ink'),
        { path: oval(94, -26, 13), fill: 'fire' },
        {
          path: 'M81 -26 H107 M94 -39 V-13 M86 -37 C92 -30 92 -22 86 -15 M102 -37 C96 -30 96 -22 102 -15',
          line: 'ink',
          width: 1.2,
        },
        { path: 'M116 -50 H152 V-6 H116 Z', fill: 'white' },
        { path: 'M126 -32 H146 V-16 H126 Z', line: 'fire', width: 2 },
        { path: 'M96 -4 H134', line: 'fire', width: 3 },
        {
          path: 'M98 -3 L104 18 M106 -3 L110 18 M116 -3 L114 18 M126 -3 L120 18 M99 4 H126 M102 12 H122',
          line: 'white',
          width: 1.4,
        },
        { path: 'M140 -6 V100', line: 'metal', width: 4 },
      ],
    },
  },
  tennis_player: {
    words: {
      en: 'tennis player, tennis match, playing tennis, badminton player',
      de: 'tennisspieler, tennisspielerin',
    },
    habitat: { lives: 'land', size: 0.38, home: ['stadium'] },
    drawing: {
      main: '#f4f2ea',
      accent: '#2f6fd0',
      parts: [
        { path: 'M46 64 L34 82 L38 98 M56 64 L66 80 L60 98', line: 'skin', width: 6 },
        { path: 'M33 99 h11 M55 99 h12', line: 'white', width: 5 },
        { path: 'M38 52 H64 L70 72 H32 Z', fill: 'accent' },
        { path: 'M38 34 C44 28 58 28 64 34 L64 56 H38 Z', fill: 'main' },
        { path: 'M40 38 L24 50', line: 'skin', width: 5 },
        { path: 'M62 36 L78 26 L88 10', line: 'skin', width: 5 },
        { path: 'M88 10 L94 -4', line: 'wood', width: 3.6 },
        { path: oval(100, -20, 12, 16), line: 'fire', width: 3 },
        {
          path: 'M92 -30 V-10 M100 -36 V-4 M108 -30 V-10 M89 -26 H111 M88 -18 H112 M90 -10 H110',
          line: 'white',
          width: 0.9,
        },
        { path: oval(128, -30, 5.5), fill: 'lamp' },
        ...headAt(52, 16),
        { path: 'M40 10 C46 4 58 4 64 10 L74 13 H42 Z', fill: 'white' },
      ],
    },
  },
  boxer: {
    words: {
      en: 'boxer, boxing match, wrestler, fighter, boxing',
      de: 'boxer',
      fr: 'boxeur',
      es: 'boxeador',
    },
    habitat: { lives: 'land', size: 0.44, home: ['stadium'] },
    drawing: {
      main: '#c8352e',
      accent: '#2c3444',
      parts: [
        { path: 'M46 64 L38 97 M56 64 L64 97', line: 'skin', width: 8 },
        { path: 'M32 99 h13 M58 99 h14', line: 'ink', width: 5 },
        { path: 'M34 54 H66 L70 76 H53 L50 68 L46 76 H30 Z', fill: 'accent' },
        { path: 'M34 53 H66 V58 H34 Z', fill: 'white' },
        { path: 'M36 32 C44 26 58 26 66 32 L66 54 H35 Z', fill: 'skin' },
        { path: 'M38 36 L34 52 L52 42', line: 'skin', width: 7 },
        { path: 'M64 36 L74 48 L84 34', line: 'skin', width: 7 },
        ...headAt(52, 14, 'ink'),
        { path: `${oval(58, 38, 9)} ${oval(88, 30, 10)}`, fill: 'main' },
        { path: 'M78 36 l8 5 M50 44 l8 4', line: 'white', width: 3 },
        { path: 'M-60 40 H20 M80 56 H160 M-60 62 H26 M72 78 H160', line: 'white', width: 2, alpha: 0.5 },
      ],
    },
  },
  cyclist: {
    words: {
      en: 'cyclist, biker on a bicycle, bike racer, bicycle race, tour de france',
      de: 'radfahrer, radler',
      fr: 'cycliste/cyclistes',
      es: 'ciclista/ciclistas',
    },
    habitat: { lives: 'land', size: 0.26, home: ['road'] },
    gait: { driveSpeed: 0.28 },
    drawing: {
      main: '#f2c230',
      accent: '#2c3444',
      parts: [
        ...wheel(6, 76, 23, 'white'),
        ...wheel(96, 76, 23, 'white'),
        { path: 'M6 76 L32 44 L76 40 L48 78 L6 76 M32 44 L48 78 M76 40 L96 76', line: 'fire', width: 3.4 },
        { path: 'M76 40 L74 32 L86 30', line: 'ink', width: 3.4 },
        { path: 'M24 42 H40', line: 'ink', width: 4 },
        { path: 'M32 38 L54 54 L46 84', line: 'accent', width: 7 },
        { path: 'M26 40 C26 22 48 8 66 10 L68 22 C56 26 44 34 38 44 Z', fill: 'main' },
        { path: 'M62 18 L82 30', line: 'skin', width: 5 },
        { path: oval(74, 6, 9), fill: 'skin' },
        { path: 'M62 4 C62 -12 86 -10 86 2 L64 6 Z', fill: 'white' },
        { path: rectangle(66, -4, 14, 2), fill: 'fire' },
      ],
    },
  },
} satisfies FigureKinds;
