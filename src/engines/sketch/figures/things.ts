import { type Drawing, oval, rectangle } from './drawing.ts';

export const THINGS: Readonly<Record<string, Drawing>> = {
  planet: {
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
  campfire: {
    main: '#8a5a3b',
    parts: [
      {
        path: 'M50 6 C66 28 82 44 76 70 C72 88 28 88 24 70 C20 52 34 50 36 32 C44 38 48 26 50 6 Z',
        fill: 'fire',
        move: { kind: 'flutter', x: 50, y: 84, amount: 0.16, period: 0.45 },
      },
      {
        path: 'M50 38 C58 50 66 58 62 74 C58 84 42 84 38 74 C34 62 46 56 50 38 Z',
        fill: 'lamp',
        move: { kind: 'flutter', x: 50, y: 84, amount: 0.22, period: 0.33 },
      },
      { path: 'M16 98 L84 80 M16 80 L84 98', line: 'wood', width: 9 },
      { path: 'M84 80 L80 81 M16 80 L20 81', line: 'pale', width: 8 },
    ],
  },
  lantern: {
    main: '#3a3f4c',
    parts: [
      { path: 'M50 100 V34', line: 'main', width: 4 },
      { path: 'M40 100 H60 L56 92 H44 Z', fill: 'main' },
      { path: 'M40 12 H60 L56 34 H44 Z', fill: 'lamp' },
      { path: 'M40 12 H60 L56 34 H44 Z M50 12 V34', line: 'main', width: 1.8 },
      { path: 'M36 12 L50 0 L64 12 Z', fill: 'main' },
      { path: oval(50, -1, 2.4), fill: 'main' },
    ],
  },
  umbrella: {
    main: '#c8352e',
    accent: '#f4efe4',
    parts: [
      { path: 'M50 6 V90 C50 102 66 102 66 90', line: 'wood', width: 3.4 },
      {
        path: 'M-8 52 C-4 20 24 6 50 6 C76 6 104 20 108 52 C100 44 88 44 80 52 C72 44 60 44 50 52 C40 44 28 44 20 52 C12 44 0 44 -8 52 Z',
        fill: 'main',
      },
      { path: 'M50 6 C36 14 24 32 20 52 C28 44 40 44 50 52 C60 44 72 44 80 52 C76 32 64 14 50 6 Z', fill: 'accent' },
      { path: 'M50 6 C76 6 104 20 108 52 C100 44 88 44 80 52 C76 32 64 14 50 6 Z', fill: 'shade' },
      { path: 'M50 6 V-2', line: 'wood', width: 3 },
    ],
  },
  cup: {
    main: '#f0e8da',
    accent: '#6b4430',
    parts: [
      {
        path: 'M44 22 C36 12 50 6 42 -6 M58 22 C50 12 64 6 56 -6',
        line: 'white',
        width: 2.4,
        alpha: 0.55,
        move: { kind: 'flutter', x: 50, y: 22, amount: 0.25, period: 2.2 },
      },
      { path: 'M78 44 C100 42 100 76 72 74', line: 'main', width: 6 },
      { path: 'M16 36 H82 C82 70 76 92 62 96 H36 C22 92 16 70 16 36 Z', fill: 'main' },
      { path: 'M64 36 H82 C82 70 76 92 62 96 H54 C64 84 66 60 64 36 Z', fill: 'shade' },
      { path: oval(49, 36, 33, 7), fill: 'light' },
      { path: oval(49, 37, 29, 5), fill: 'accent' },
      { path: oval(50, 97, 50, 4.5), fill: 'pale' },
    ],
  },
  book: {
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
  apple: {
    main: '#c8352e',
    parts: [
      { path: 'M50 32 C48 20 52 10 60 4', line: 'wood', width: 4 },
      { path: 'M56 18 C64 4 80 4 90 8 C86 20 70 26 56 18 Z', fill: 'leaf' },
      {
        path: 'M50 34 C34 22 4 28 6 58 C8 84 30 100 42 98 C48 96 52 96 58 98 C70 100 92 84 94 58 C96 28 66 22 50 34 Z',
        fill: 'main',
      },
      { path: 'M72 30 C86 34 94 44 94 58 C92 84 70 100 58 98 C84 86 88 54 72 30 Z', fill: 'shade' },
      { path: 'M18 46 C22 36 32 34 36 36 C26 40 22 48 22 58 C18 56 16 52 18 46 Z', fill: 'white', alpha: 0.6 },
    ],
  },
  vase: {
    main: '#4a7f9a',
    accent: '#e8749e',
    parts: [
      { path: 'M48 46 C44 30 34 22 26 12 M52 46 C52 28 54 14 56 2 M54 46 C60 34 70 26 78 20', line: 'leaf', width: 2 },
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
  chair: {
    main: '#c8773a',
    parts: [
      { path: 'M30 66 V99 M70 66 V99', line: 'wood', width: 4 },
      { path: 'M20 8 C34 2 66 2 80 8 L76 58 H24 Z', fill: 'main' },
      { path: 'M54 3 C64 4 74 5 80 8 L76 58 H58 Z', fill: 'shade' },
      { path: 'M12 54 H88 C92 60 90 70 86 74 H14 C10 70 8 60 12 54 Z', fill: 'light' },
      { path: 'M12 66 H88 L86 74 H14 Z', fill: 'deep' },
      { path: 'M16 74 L12 100 M84 74 L88 100', line: 'wood', width: 5 },
    ],
  },
  table: {
    main: '#9a6a42',
    parts: [
      { path: 'M-24 34 L-30 100 M124 34 L130 100 M-2 34 L-4 92 M102 34 L104 92', line: 'shade', width: 7 },
      { path: 'M-40 22 H140 V36 H-40 Z', fill: 'main' },
      { path: 'M-40 22 H140 V27 H-40 Z', fill: 'light' },
    ],
  },
  pumpkin: {
    main: '#e8792b',
    parts: [
      { path: 'M48 26 C46 14 52 8 60 6 L62 12 C56 14 56 20 57 27 Z', fill: 'leafShade' },
      { path: `${oval(24, 62, 24, 34)} ${oval(76, 62, 24, 34)}`, fill: 'shade' },
      { path: `${oval(38, 62, 22, 37)} ${oval(62, 62, 22, 37)}`, fill: 'main' },
      { path: oval(50, 62, 15, 38), fill: 'light' },
    ],
  },
  cake: {
    main: '#f2b6c6',
    accent: '#8a5a3b',
    parts: [
      { path: 'M50 20 V6 M34 22 V10 M66 22 V10', line: 'white', width: 3 },
      { path: `${oval(50, 1, 2.4, 4)} ${oval(34, 5, 2.4, 4)} ${oval(66, 5, 2.4, 4)}`, fill: 'lamp' },
      { path: 'M14 26 H86 V94 H14 Z', fill: 'accent' },
      { path: 'M14 60 H86 V68 H14 Z', fill: 'white' },
      {
        path: 'M10 24 C10 18 90 18 90 24 V40 C86 50 80 50 78 42 C74 56 66 54 64 42 C60 50 52 52 50 42 C46 58 38 54 36 42 C32 50 26 48 24 42 C20 52 12 48 10 40 Z',
        fill: 'main',
      },
      { path: 'M-6 94 H106 C102 100 -2 100 -6 94 Z', fill: 'metal' },
    ],
  },
  ball: {
    main: '#d8453a',
    accent: '#f7f4ec',
    parts: [
      { path: oval(50, 50, 50), fill: 'main' },
      { path: 'M50 0 C30 24 30 76 50 100 C18 96 0 74 0 50 C0 26 18 4 50 0 Z', fill: 'accent' },
      { path: 'M50 0 C82 4 100 26 100 50 C100 74 82 96 50 100 C86 84 88 20 50 0 Z', fill: 'shade' },
      { path: 'M16 30 C20 18 30 12 38 12 C28 20 24 28 22 38 C18 38 16 34 16 30 Z', fill: 'white', alpha: 0.6 },
    ],
  },
  guitar: {
    main: '#b8743a',
    parts: [
      { path: 'M46 -12 H54 L52.5 48 H47.5 Z', fill: 'wood' },
      { path: 'M43 -26 H57 L55 -10 H45 Z', fill: 'deep' },
      { path: 'M50 38 C70 36 70 52 64 60 C76 68 80 100 50 100 C20 100 24 68 36 60 C30 52 30 36 50 38 Z', fill: 'main' },
      { path: 'M54 38 C70 37 70 52 64 60 C76 68 80 100 52 100 C68 90 66 70 58 62 C64 54 62 44 54 38 Z', fill: 'shade' },
      { path: oval(50, 62, 7.5), fill: 'ink' },
      { path: 'M42 84 H58', line: 'ink', width: 3 },
      { path: 'M48.4 -24 V84 M50 -24 V84 M51.6 -24 V84', line: 'metal', width: 0.6 },
    ],
  },
  heart: {
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
  star: {
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
  crystal: {
    main: '#7fd0d8',
    parts: [
      { path: 'M14 98 L-4 60 L8 38 L24 60 L26 98 Z M76 98 L74 54 L92 30 L104 58 L88 98 Z', fill: 'shade' },
      { path: 'M8 38 L14 98 L26 98 L24 60 Z M92 30 L88 98 L76 98 L74 54 Z', fill: 'main' },
      { path: 'M50 0 L26 30 L32 100 H50 Z', fill: 'light' },
      { path: 'M50 0 L74 32 L68 100 H50 Z', fill: 'main' },
      { path: 'M50 0 L58 34 L54 100 H50 L42 34 Z', fill: 'white', alpha: 0.55 },
    ],
  },
  clock: {
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
      { path: 'M50 52 L70 62', line: 'ink', width: 2.6, move: { kind: 'spin', x: 50, y: 52, amount: 360, period: 8 } },
      { path: oval(50, 52, 3.4), fill: 'ink' },
    ],
  },
  gift: {
    main: '#c8352e',
    accent: '#f2c230',
    parts: [
      { path: rectangle(4, 42, 92, 58), fill: 'main' },
      { path: rectangle(62, 42, 34, 58), fill: 'shade' },
      { path: rectangle(-2, 28, 104, 16), fill: 'light' },
      { path: `${rectangle(42, 28, 16, 72)}`, fill: 'accent' },
      { path: 'M50 28 C30 30 14 20 22 8 C32 0 46 12 50 28 C54 12 68 0 78 8 C86 20 70 30 50 28 Z', fill: 'accent' },
      {
        path: 'M50 28 C40 26 30 22 32 14 C38 12 46 18 50 28 C54 18 62 12 68 14 C70 22 60 26 50 28 Z',
        fill: 'accentShade',
      },
    ],
  },
};
