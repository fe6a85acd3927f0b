import { leg, oval, type Part, rectangle, rectangles } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { rays } from './parts/ray-parts.ts';

const burst = (line: Part['line'], width: number, path: string): Part => ({
  path,
  ...(line === undefined ? {} : { line }),
  width,
  move: { kind: 'bloom', x: 50, y: 50, amount: 1, period: 2.2 },
});

/** Figures of Halloween and of other festivals. */
export const FESTIVALS = {
  jack_o_lantern: {
    words: {
      en: 'jack o lantern, carved pumpkin, halloween pumpkin',
    },
    habitat: { lives: 'land', size: 0.24 },
    drawing: {
      main: '#e07a26',
      parts: [
        { path: 'M48 26 C46 14 52 6 62 4 L66 11 C60 14 57 20 57 26 Z', fill: 'leafShade' },
        { path: oval(24, 62, 27, 35), fill: 'shade' },
        { path: oval(76, 62, 27, 35), fill: 'shade' },
        { path: oval(37, 61, 26, 38), fill: 'main' },
        { path: oval(63, 61, 26, 38), fill: 'main' },
        { path: oval(50, 61, 22, 39), fill: 'light' },
        { path: 'M22 52 L34 36 L42 52 Z M58 52 L66 36 L78 52 Z M46 62 L50 55 L54 62 Z', fill: 'lamp' },
        {
          path: 'M16 66 C30 74 70 74 84 66 C80 86 66 92 50 92 C34 92 20 86 16 66 Z M36 71 V79 H44 V72 Z M58 72 V80 H66 V71 Z M46 91 V84 H54 V91 Z',
          fill: 'lamp',
        },
        { path: 'M36 70 h8 v9 h-8 Z M58 70 h8 v9 h-8 Z M46 84 h8 v9 h-8 Z', fill: 'main' },
      ],
    },
  },
  ghost: {
    words: {
      en: 'ghost, phantom, spirit',
      de: 'Gespenst/Gespenster, Geist',
      fr: 'fantôme/fantômes',
      es: 'fantasma/fantasmas',
    },
    habitat: { lives: 'land', size: 0.28, home: ['forest', 'room'] },
    gait: { hop: { height: 0.03, lean: 0.05 } },
    drawing: {
      main: '#eef2fa',
      parts: [
        {
          path: 'M18 92 C14 40 20 4 50 4 C80 4 86 40 82 92 L72 82 L61 94 L50 82 L39 94 L28 82 Z',
          fill: 'main',
          alpha: 0.9,
          move: { kind: 'swing', x: 50, y: 0, amount: 4, period: 3 },
        },
        { path: `${oval(42, 34, 5, 7)} ${oval(62, 34, 5, 7)} ${oval(52, 54, 5, 7)}`, fill: 'ink' },
      ],
    },
  },
  skeleton: {
    words: {
      en: 'skeleton, zombie, mummy/mummies, grim reaper, vampire',
      de: 'skelett/skelette, vampir',
      fr: 'squelette/squelettes, vampire',
      es: 'esqueleto/esqueletos, vampiro',
    },
    habitat: { lives: 'land', size: 0.34, home: ['forest'] },
    drawing: {
      main: '#efe9da',
      parts: [
        leg('M46 62 L43 97', 'far', 'main', 3.6, { tone: 'main', width: 3, back: 3, front: 6 }),
        leg('M55 62 L58 97', 'near', 'main', 3.6, { tone: 'main', width: 3, back: 3, front: 6 }),
        {
          path: 'M50 30 V60 M38 38 C44 44 56 44 62 38 M39 44 C44 50 56 50 61 44 M41 50 C46 55 54 55 59 50 M40 60 C44 68 56 68 60 60 Z',
          line: 'main',
          width: 3,
        },
        {
          path: 'M38 36 L28 50 L30 64',
          line: 'main',
          width: 3,
          move: { kind: 'swing', arm: 'far', x: 38, y: 36, amount: 8, period: 1.6 },
        },
        {
          path: 'M62 36 L72 50 L70 64',
          line: 'main',
          width: 3,
          move: { kind: 'swing', arm: 'near', x: 62, y: 36, amount: 8, period: 1.6 },
        },
        { path: 'M36 14 C36 -6 64 -6 64 14 C64 20 60 22 58 24 V31 H42 V24 C40 22 36 20 36 14 Z', fill: 'main' },
        { path: `${oval(44, 14, 4)} ${oval(56, 14, 4)} M50 18 l2 5 h-4 Z M46 26 v4 M50 26 v4 M54 26 v4`, fill: 'ink' },
      ],
    },
  },
  egg_basket: {
    words: {
      en: 'easter egg, easter basket, easter eggs in a basket, basket of eggs, basket of easter eggs, egg basket',
      de: 'osterei/ostereier, osterkorb',
    },
    habitat: { lives: 'land', size: 0.28, home: ['meadow', 'garden'] },
    drawing: {
      main: '#b8834a',
      accent: '#d878a8',
      parts: [
        { path: 'M8 62 C6 -4 94 -4 92 62', line: 'main', width: 5 },
        { path: oval(26, 54, 14, 18), fill: 'accent' },
        { path: oval(76, 54, 14, 18), fill: 'lamp' },
        { path: oval(50, 48, 15, 20), fill: 'glass' },
        { path: 'M13 52 h26 M15 60 h22', line: 'white', width: 3 },
        { path: 'M36 44 l5 5 l5 -5 l5 5 l5 -5 l5 5 l3 -3', line: 'fire', width: 2.6 },
        { path: `${oval(72, 48, 2.4)} ${oval(80, 54, 2.4)} ${oval(72, 60, 2.4)}`, fill: 'accent' },
        { path: 'M0 60 H100 L88 100 H12 Z', fill: 'main' },
        { path: 'M3 70 H97 M6 80 H94 M9 90 H91 M24 60 L28 100 M50 60 V100 M76 60 L72 100', line: 'shade', width: 3 },
      ],
    },
  },
  menorah: {
    words: {
      en: 'menorah, hanukkah, candelabra, menorah with candles',
    },
    habitat: { lives: 'inside', size: 0.36, tabletop: true },
    drawing: {
      main: '#d8b24a',
      parts: [
        ...[8, 22, 36].map(
          (reach): Part => ({
            path: `M${50 - reach} 46 V52 C${50 - reach} ${62 + reach * 0.5} ${50 + reach} ${62 + reach * 0.5} ${50 + reach} 52 V46`,
            line: 'main',
            width: 4,
          }),
        ),
        { path: 'M50 40 V94', line: 'main', width: 5 },
        { path: 'M26 94 H74 V100 H26 Z', fill: 'shade' },
        {
          path: rectangles([11.5, 25.5, 39.5, 55.5, 69.5, 83.5], [26], 5, 20) + rectangle(47, 18, 6, 22),
          fill: 'white',
        },
        {
          path: `${[14, 28, 42, 58, 72, 86]
            .map((x) => `M${x} 12 C${x + 4} 18 ${x + 4} 25 ${x} 26 C${x - 4} 25 ${x - 4} 18 ${x} 12 Z`)
            .join(' ')} M50 2 C55 9 54 17 50 18 C46 17 45 9 50 2 Z`,
          fill: 'fire',
          move: { kind: 'flutter', x: 50, y: 26, amount: 0.12, period: 0.6 },
        },
      ],
    },
  },
  firework: {
    words: {
      en: 'firework/fireworks, new year, new years eve',
      de: 'feuerwerk/feuerwerke, silvester',
      fr: "feu d'artifice/feux d'artifice",
      es: 'fuegos artificiales',
    },
    habitat: { lives: 'air', size: 0.3, home: ['city'], timeOfDay: 'night' },
    gait: { flightSpeed: 0 },
    drawing: {
      main: '#f2c230',
      accent: '#e8749e',
      parts: [
        burst('glow', 1.4, rays(12, 48, 20, 0)),
        burst('accentGlow', 1.2, rays(8, 36, 20, 0.5)),
        burst('glow', 4, rays(48, 48.4, 20, 0)),
        burst('accentGlow', 3.4, rays(37, 37.4, 20, 0.5)),
        burst('lamp', 2.2, rays(4, 16, 10, 0)),
      ],
    },
  },
  party_balloons: {
    words: {
      en: 'party balloon, balloon, birthday balloon',
      de: 'Luftballon/Luftballons',
    },
    habitat: { lives: 'air', size: 0.34, floatsIndoors: true },
    gait: { flightSpeed: 0.006 },
    held: { grip: { size: 0.8, ahead: 0.3, up: 0.44 } },
    printedSize: 1.3,
    drawing: {
      main: '#c8352e',
      accent: '#2f6fd0',
      parts: [
        {
          path: 'M22 40 C30 70 46 80 50 100 M50 28 V100 M78 40 C70 70 54 80 50 100 M36 8 C40 50 48 70 50 100 M66 8 C60 50 52 70 50 100',
          line: 'grey',
          width: 1,
        },
        { path: oval(34, -8, 17, 20), fill: 'leaf' },
        { path: oval(66, -8, 17, 20), fill: 'lamp' },
        { path: oval(20, 22, 17, 20), fill: 'accent' },
        { path: oval(80, 22, 17, 20), fill: 'fire' },
        { path: oval(50, 14, 18, 21), fill: 'main' },
        { path: 'M42 4 q2 -6 7 -7 M12 12 q2 -6 7 -7 M72 12 q2 -6 7 -7', line: 'white', width: 2.6, alpha: 0.7 },
      ],
    },
  },
} satisfies FigureKinds;
