import { type Drawing, leg, oval } from './drawing.ts';

const HOOF = { tone: 'ink', width: 4.4, back: 1.6, front: 2.4 } as const;

export const ANIMALS: Readonly<Record<string, Drawing>> = {
  fox: {
    main: '#d96a2b',
    parts: [
      {
        path: 'M44 98 C10 106 -6 74 10 56 C16 72 30 80 48 82 Z',
        fill: 'shade',
        move: { kind: 'swing', x: 44, y: 94, amount: 6, period: 2.4 },
      },
      {
        path: 'M10 56 C2 64 0 74 4 84 C12 82 18 74 18 67 Z',
        fill: 'white',
        move: { kind: 'swing', x: 44, y: 94, amount: 6, period: 2.4 },
      },
      { path: 'M38 99 C28 82 34 58 50 48 L68 52 C75 66 74 86 72 99 Z', fill: 'main' },
      { path: 'M40 99 C36 88 44 76 55 80 C63 84 62 99 62 99 Z', fill: 'shade' },
      { path: 'M60 54 C70 58 72 74 69 86 C61 78 57 66 60 54 Z', fill: 'white' },
      { path: 'M62 99 L64 80 L72 80 L73 99 Z', fill: 'deep' },
      {
        path: 'M46 44 L43 15 L57 28 C62 26 68 27 72 30 L85 17 L83 41 C89 46 94 50 99 55 C88 61 72 63 61 59 C52 56 47 51 46 44 Z',
        fill: 'main',
      },
      { path: 'M99 55 C88 61 73 63 62 59 C71 57 78 51 85 46 C91 49 95 51 99 55 Z', fill: 'white' },
      { path: 'M46 21 L54 29 L48 36 Z M83 23 L81 34 L75 31 Z', fill: 'deep' },
      { path: `${oval(74, 43, 2.3)} ${oval(97.5, 54.5, 2.8, 2.3)}`, fill: 'ink' },
    ],
  },
  cat: {
    main: '#5a5f6e',
    accent: '#e8b84a',
    parts: [
      {
        path: 'M64 94 C88 100 94 78 84 64',
        line: 'shade',
        width: 7,
        move: { kind: 'swing', x: 64, y: 94, amount: 7, period: 2.8 },
      },
      { path: 'M31 100 C24 76 34 54 50 52 C66 54 76 76 69 100 Z', fill: 'main' },
      { path: 'M42 100 C38 84 42 66 50 62 C58 66 62 84 58 100 Z', fill: 'light', alpha: 0.5 },
      {
        path: 'M30 36 L29 8 L46 22 C49 21 52 21 55 22 L71 8 L70 36 C71 50 62 56 50 56 C38 56 29 50 30 36 Z',
        fill: 'main',
      },
      { path: 'M33 15 L42 23 L34 29 Z M67 15 L58 23 L66 29 Z', fill: 'accent', alpha: 0.45 },
      { path: `${oval(42, 37, 4.4, 4.8)} ${oval(58, 37, 4.4, 4.8)}`, fill: 'accent' },
      { path: `${oval(42, 37, 1.5, 4.2)} ${oval(58, 37, 1.5, 4.2)} M47.5 44 h5 l-2.5 3 Z`, fill: 'ink' },
      { path: 'M36 46 L20 43 M36 48 L20 50 M64 46 L80 43 M64 48 L80 50', line: 'white', width: 0.8, alpha: 0.7 },
      { path: 'M41 100 v-9 M59 100 v-9', line: 'deep', width: 1.2 },
    ],
  },
  dog: {
    main: '#b07a45',
    accent: '#c8433a',
    parts: [
      {
        path: 'M18 62 C6 56 4 44 8 38',
        line: 'main',
        width: 6,
        move: { kind: 'swing', x: 18, y: 62, amount: 16, period: 0.7 },
      },
      leg('M27 72 L24 98', 'hind far', 'shade', 7.5),
      leg('M62 72 L64 98', 'front far', 'shade', 7.5),
      {
        path: 'M16 64 C16 52 28 50 44 52 C54 52 60 46 64 40 L78 52 C78 66 72 78 58 78 C46 80 30 78 22 78 C17 76 16 70 16 64 Z',
        fill: 'main',
      },
      leg('M21 72 L17 98', 'hind near', 'main', 8),
      leg('M56 72 L56 98', 'front near', 'main', 8),
      {
        path: 'M60 44 C58 28 66 20 78 22 C86 23 88 29 90 33 L99 37 C101 43 96 47 90 48 C86 54 76 58 68 54 Z',
        fill: 'main',
      },
      { path: 'M66 24 C57 22 54 36 58 48 C66 46 70 36 72 28 Z', fill: 'deep' },
      { path: 'M61 49 L74 57', line: 'accent', width: 4 },
      { path: `${oval(81, 33, 2)} ${oval(98, 38.5, 3, 2.4)}`, fill: 'ink' },
      { path: 'M90 46 C86 47 83 46 81 44', line: 'ink', width: 1.1 },
    ],
  },
  horse: {
    main: '#7b4a2d',
    accent: '#2e1d17',
    parts: [
      {
        path: 'M10 52 C-6 58 -4 78 -8 88 C4 84 8 70 14 60 Z',
        fill: 'accent',
        move: { kind: 'swing', x: 11, y: 54, amount: 8, period: 2 },
      },
      leg('M24 62 L20 80 L24 97', 'hind far', 'shade', 5.6, HOOF),
      leg('M62 62 L65 80 L62 97', 'front far', 'shade', 5.6, HOOF),
      {
        path: 'M8 54 C10 42 26 42 42 45 C54 46 60 38 66 22 L84 20 C80 40 78 58 66 66 C52 72 34 68 22 68 C12 68 7 62 8 54 Z',
        fill: 'main',
      },
      leg('M15 60 L10 80 L14 97', 'hind near', 'main', 6, HOOF),
      leg('M70 58 L75 78 L74 97', 'front near', 'main', 6, HOOF),
      {
        path: 'M64 26 C66 14 72 8 80 8 L82 2 L85 9 C92 13 98 24 101 32 C100 38 95 39 91 36 C86 33 82 33 78 32 Z',
        fill: 'main',
      },
      { path: 'M80 6 C68 6 60 18 57 30 C55 38 52 42 46 44 C58 44 62 36 66 28 C70 18 74 14 80 12 Z', fill: 'accent' },
      { path: `${oval(86, 17, 1.5)} ${oval(98.5, 33, 1.2)}`, fill: 'ink' },
    ],
  },
  deer: {
    main: '#a8693a',
    parts: [
      {
        path: 'M72 22 C66 12 70 4 64 -2 M70 14 C64 12 60 6 60 0 M78 22 C84 12 80 4 88 -2 M82 12 C88 10 92 6 92 -1',
        line: 'wood',
        width: 2,
      },
      leg('M27 66 L25 99', 'hind far', 'shade', 4.2),
      leg('M58 66 L60 99', 'front far', 'shade', 4.2),
      { path: 'M17 60 C12 56 10 50 12 46 C16 48 20 50 22 54 Z', fill: 'white' },
      {
        path: 'M16 58 C18 48 32 48 46 50 C56 50 62 44 65 32 L78 34 C76 50 72 66 62 70 C50 74 34 71 24 71 C18 69 15 64 16 58 Z',
        fill: 'main',
      },
      leg('M21 64 L18 99', 'hind near', 'main', 4.6),
      leg('M65 62 L67 99', 'front near', 'main', 4.6),
      { path: 'M64 34 C64 24 70 19 78 20 C86 22 92 29 97 33 C97 39 90 40 84 39 C78 42 70 42 64 40 Z', fill: 'main' },
      { path: 'M68 24 C60 22 55 18 54 14 C62 14 68 17 71 21 Z', fill: 'shade' },
      {
        path: `${oval(30, 56, 1.5)} ${oval(36, 60, 1.5)} ${oval(42, 55, 1.5)} ${oval(27, 62, 1.3)} ${oval(48, 60, 1.4)}`,
        fill: 'pale',
        alpha: 0.8,
      },
      { path: `${oval(79, 27, 1.7)} ${oval(95.5, 34, 2)}`, fill: 'ink' },
    ],
  },
  rabbit: {
    main: '#b9a58f',
    accent: '#e7a9a2',
    parts: [
      { path: 'M60 44 C50 30 46 8 54 2 C64 8 68 28 68 42 Z', fill: 'shade' },
      { path: 'M70 44 C66 28 70 6 79 3 C86 10 82 32 77 44 Z', fill: 'main' },
      { path: 'M72 40 C70 28 73 12 78 9 C81 15 79 30 75 41 Z', fill: 'accent', alpha: 0.8 },
      { path: oval(20, 84, 9, 8), fill: 'white' },
      { path: 'M22 98 C14 72 30 54 50 56 C66 56 76 72 72 98 Z', fill: 'main' },
      { path: 'M26 98 C24 82 38 74 50 82 C56 88 54 98 54 98 Z', fill: 'shade' },
      { path: 'M56 54 C56 42 66 37 76 39 C88 41 94 50 92 57 C88 66 74 68 64 65 C58 63 56 60 56 54 Z', fill: 'main' },
      { path: 'M24 98 C24 93 46 92 52 98 Z M62 98 C62 92 76 92 80 98 Z', fill: 'light' },
      { path: oval(78, 49, 2.6), fill: 'ink' },
      { path: oval(92, 54, 2.2, 1.8), fill: 'accent' },
    ],
  },
  bear: {
    main: '#6b4a35',
    parts: [
      leg('M26 72 L24 98', 'hind far', 'deep', 13),
      leg('M62 72 L64 98', 'front far', 'deep', 13),
      {
        path: 'M4 62 C4 40 26 34 46 38 C58 38 66 40 72 46 C80 56 76 80 62 82 C44 84 24 84 14 82 C6 78 4 70 4 62 Z',
        fill: 'main',
      },
      leg('M15 72 L14 98', 'hind near', 'main', 14),
      leg('M54 72 L54 98', 'front near', 'main', 14),
      { path: `${oval(70, 30, 5.5)} ${oval(84, 31, 4.8)}`, fill: 'shade' },
      { path: 'M62 46 C62 34 72 28 82 31 C92 34 94 42 100 47 C103 54 98 59 90 59 C82 64 68 62 64 56 Z', fill: 'main' },
      { path: 'M88 45 C94 43 100 46 102 50 C101 57 94 58 89 56 Z', fill: 'pale', alpha: 0.55 },
      { path: `${oval(83, 41, 1.9)} ${oval(101, 49, 2.8, 2.4)}`, fill: 'ink' },
    ],
  },
  elephant: {
    main: '#8d8f9c',
    parts: [
      { path: 'M2 50 C-4 60 -2 70 -4 76', line: 'shade', width: 2.4 },
      leg('M30 68 L30 98', 'hind far', 'deep', 13),
      leg('M56 68 L57 98', 'front far', 'deep', 13),
      {
        path: 'M2 56 C0 30 22 22 44 26 C58 26 68 36 70 50 C70 66 64 78 54 80 C36 82 18 82 10 78 C4 72 2 64 2 56 Z',
        fill: 'main',
      },
      leg('M16 68 L15 98', 'hind near', 'main', 14),
      leg('M64 68 L65 98', 'front near', 'main', 14),
      {
        path: 'M60 40 C62 24 74 18 86 24 C96 28 98 40 97 52 C96 68 100 80 108 82 L105 88 C92 88 88 74 86 60 C78 64 66 60 62 54 Z',
        fill: 'main',
      },
      { path: 'M88 60 C92 68 98 70 104 66 C100 64 97 60 96 54 Z', fill: 'white' },
      {
        path: 'M74 28 C58 16 48 32 52 50 C54 62 66 66 74 56 C80 48 80 36 74 28 Z',
        fill: 'shade',
        move: { kind: 'flutter', x: 74, y: 40, amount: 0.12, period: 2.6 },
      },
      { path: oval(87, 37, 1.8), fill: 'ink' },
    ],
  },
  sheep: {
    main: '#efeae0',
    accent: '#3b3535',
    parts: [
      leg('M30 72 L30 99', 'hind far', 'accent', 4.6),
      leg('M70 72 L70 99', 'front far', 'accent', 4.6),
      leg('M42 72 L42 99', 'hind near', 'accent', 4.6),
      leg('M60 72 L60 99', 'front near', 'accent', 4.6),
      {
        path: [
          oval(24, 58, 14),
          oval(38, 46, 16),
          oval(56, 45, 16),
          oval(72, 54, 14),
          oval(68, 68, 14),
          oval(50, 72, 15),
          oval(32, 70, 14),
          oval(48, 58, 18),
        ].join(' '),
        fill: 'main',
      },
      { path: 'M74 44 C78 38 90 38 94 46 C98 56 96 66 90 68 C82 68 74 56 74 44 Z', fill: 'accent' },
      { path: 'M78 46 C72 44 68 46 66 50 C72 53 76 52 79 50 Z', fill: 'accentShade' },
      { path: `${oval(78, 40, 7)} ${oval(86, 37, 6)}`, fill: 'main' },
      { path: oval(89, 51, 1.6), fill: 'white' },
    ],
  },
};
