import { type Drawing, oval, rectangle, rectangles, wheel } from './drawing.ts';

const ROCK = { kind: 'swing', x: 50, y: 92, amount: 2.2, period: 3.4 } as const;

export const VEHICLES: Readonly<Record<string, Drawing>> = {
  sailboat: {
    main: '#f4efe4',
    accent: '#a8452f',
    parts: [
      { path: 'M47 0 H49.5 V84 H47 Z', fill: 'wood', move: ROCK },
      { path: 'M51 2 C74 22 84 52 86 74 C74 77 62 78 51 77 Z', fill: 'main', move: ROCK },
      { path: 'M51 50 C64 52 76 52 84 60 L86 74 C74 77 62 78 51 77 Z', fill: 'shade', alpha: 0.6, move: ROCK },
      { path: 'M45 10 C38 36 26 60 10 76 C22 78 34 78 45 77 Z', fill: 'light', move: ROCK },
      { path: 'M2 82 H98 C94 92 86 98 76 100 H24 C14 98 6 92 2 82 Z', fill: 'accent', move: ROCK },
      { path: 'M2 82 H98 L96.6 86 H3.6 Z', fill: 'white', move: ROCK },
      { path: 'M12 94 C16 97 20 99 24 100 H76 C84 98 88 96 91 93 Z', fill: 'accentShade', move: ROCK },
      { path: 'M49.5 -2 L62 2 L49.5 6 Z', fill: 'accent', move: ROCK },
    ],
  },
  ship: {
    main: '#2f3d57',
    accent: '#c8433a',
    parts: [
      { path: 'M40 22 h12 v24 h-12 Z M62 22 h12 v24 h-12 Z M84 22 h12 v24 h-12 Z', fill: 'accent' },
      { path: 'M40 22 h12 v6 h-12 Z M62 22 h12 v6 h-12 Z M84 22 h12 v6 h-12 Z', fill: 'ink' },
      { path: 'M8 58 H116 V72 H0 Z M24 44 H106 V58 H24 Z', fill: 'white' },
      {
        path:
          rectangles([30, 40, 50, 60, 70, 80, 90], [48], 5, 5) +
          rectangles([12, 22, 32, 42, 52, 62, 72, 82, 92, 102], [63], 4, 4),
        fill: 'lamp',
      },
      { path: 'M-24 66 L-14 70 H150 L138 100 H-10 Z', fill: 'main' },
      { path: 'M-12 93 H141 L138 100 H-10 Z', fill: 'accentShade' },
      { path: 'M128 70 V36 M128 36 L112 70', line: 'ink', width: 1.4 },
    ],
  },
  rowboat: {
    main: '#8a5a3b',
    parts: [
      {
        path: 'M60 64 L96 96',
        line: 'wood',
        width: 3.5,
        move: { kind: 'swing', x: 60, y: 64, amount: 10, period: 2.4 },
      },
      { path: 'M36 60 C30 34 40 22 48 22 C58 22 64 40 62 62 Z', fill: 'accent' },
      { path: oval(48, 12, 11), fill: 'skin' },
      { path: 'M30 8 C36 -4 60 -4 66 8 Z', fill: 'wood' },
      { path: 'M-40 52 C-10 66 110 66 140 52 C132 84 112 100 92 100 H8 C-12 100 -32 84 -40 52 Z', fill: 'main' },
      { path: 'M-40 52 C-10 66 110 66 140 52 L138 60 C108 73 -8 73 -38 60 Z', fill: 'light' },
    ],
  },
  car: {
    main: '#c8352e',
    parts: [
      {
        path: 'M-26 62 C-30 62 -34 66 -34 72 V84 H134 V70 C134 60 118 56 100 54 L80 28 C76 23 70 20 62 20 H20 C12 20 6 24 2 30 L-12 56 Z',
        fill: 'main',
      },
      { path: 'M10 32 C12 28 16 26 20 26 H44 V52 H-2 Z M50 26 H64 C70 26 73 28 76 32 L91 52 H50 Z', fill: 'glass' },
      { path: 'M-34 72 H134 V84 H-34 Z', fill: 'shade' },
      ...wheel(0, 84, 16, 'metal'),
      ...wheel(98, 84, 16, 'metal'),
      { path: `${oval(129, 66, 5, 4)}`, fill: 'lamp' },
      { path: rectangle(-34, 64, 6, 7), fill: 'accent' },
    ],
  },
  train: {
    main: '#2f6b5a',
    accent: '#c8433a',
    parts: [
      { path: 'M-150 98 H190', line: 'metal', width: 2 },
      {
        path: 'M128 30 C120 10 140 4 132 -14 C150 -20 160 0 150 12 C146 18 146 24 146 30 Z',
        fill: 'white',
        alpha: 0.45,
      },
      { path: 'M-140 34 H-22 V84 H-140 Z', fill: 'accent' },
      { path: 'M-144 28 H-18 V36 H-144 Z', fill: 'shade' },
      { path: rectangles([-132, -108, -84, -60], [44], 17, 17), fill: 'lamp' },
      { path: 'M-8 18 H42 V84 H-8 Z M42 42 H150 V84 H42 Z', fill: 'main' },
      { path: 'M42 42 H150 V50 H42 Z', fill: 'light', alpha: 0.5 },
      { path: 'M-14 12 H48 V20 H-14 Z M126 24 H144 V42 H128 Z M76 34 C76 28 92 28 92 34 V42 H76 Z', fill: 'deep' },
      { path: rectangle(4, 28, 26, 20), fill: 'lamp' },
      { path: 'M150 84 L170 98 H144 V84 Z', fill: 'accentShade' },
      ...[-122, -92, -64, -38, 8, 40, 76, 108, 136].flatMap((x) => wheel(x, 86, x > 0 && x < 60 ? 13 : 10, 'metal')),
      { path: oval(152, 56, 5), fill: 'lamp' },
    ],
  },
  bicycle: {
    main: '#2a9d93',
    parts: [
      { path: `${oval(10, 74, 25)} ${oval(92, 74, 25)}`, line: 'ink', width: 3.4 },
      {
        path: 'M10 49 V99 M-15 74 H35 M-8 56 L28 92 M28 56 L-8 92',
        line: 'metal',
        width: 0.7,
        move: { kind: 'roll', x: 10, y: 74, amount: 25, period: 1 },
      },
      {
        path: 'M92 49 V99 M67 74 H117 M74 56 L110 92 M110 56 L74 92',
        line: 'metal',
        width: 0.7,
        move: { kind: 'roll', x: 92, y: 74, amount: 25, period: 1 },
      },
      { path: 'M10 74 L34 38 L74 36 L46 76 L10 74 M34 38 L46 76 M74 36 L92 74', line: 'main', width: 3.6 },
      { path: 'M74 36 L70 22 M70 22 L84 20 M34 38 L31 28 M22 27 H40', line: 'ink', width: 3.4 },
      { path: oval(46, 76, 5), fill: 'metal' },
    ],
  },
  balloon: {
    main: '#d8503c',
    accent: '#f2c230',
    parts: [
      { path: 'M38 74 L43 88 M62 74 L57 88', line: 'wood', width: 1 },
      { path: 'M50 0 C80 0 92 24 88 40 C84 56 68 66 62 77 H38 C32 66 16 56 12 40 C8 24 20 0 50 0 Z', fill: 'main' },
      { path: 'M50 0 C66 0 72 24 70 40 C68 56 60 66 57 77 H43 C40 66 32 56 30 40 C28 24 34 0 50 0 Z', fill: 'accent' },
      { path: 'M50 0 C56 0 58 24 57 40 C56 56 53 66 52 77 H48 C47 66 44 56 43 40 C42 24 44 0 50 0 Z', fill: 'main' },
      {
        path: 'M70 6 C86 14 92 28 88 40 C84 56 68 66 62 77 H57 C64 62 80 50 80 32 C80 20 76 12 70 6 Z',
        fill: 'ink',
        alpha: 0.15,
      },
      { path: 'M24 14 C18 22 17 32 20 42 C14 32 14 20 24 14 Z', fill: 'white', alpha: 0.5 },
      { path: 'M42 88 H58 L56.5 100 H43.5 Z', fill: 'wood' },
      { path: 'M41 87 H59 V90 H41 Z', fill: 'deep' },
    ],
  },
  airplane: {
    main: '#e9edf2',
    accent: '#2f6fd0',
    parts: [
      { path: 'M40 44 L14 18 H28 L72 42 Z', fill: 'grey' },
      { path: 'M-34 12 H-20 L2 42 L-26 44 Z', fill: 'accent' },
      { path: 'M-38 42 C10 34 92 32 122 44 C134 50 126 60 112 62 C70 68 10 66 -32 54 Z', fill: 'main' },
      { path: 'M-32 54 C10 66 70 68 112 62 C122 60 128 56 127 52 C70 60 10 58 -36 48 Z', fill: 'accent', alpha: 0.85 },
      { path: 'M104 42 C112 42 118 44 121 47 H106 Z', fill: 'glass' },
      { path: [0, 12, 24, 36, 48, 60, 72, 84].map((x) => oval(x, 47, 2.4)).join(' '), fill: 'glass' },
      { path: 'M30 56 L-12 96 H6 L70 58 Z', fill: 'shade' },
      { path: 'M26 66 h18 v8 h-18 Z', fill: 'metal' },
    ],
  },
  rocket: {
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
  ufo: {
    main: '#9aa4b5',
    accent: '#62e0c0',
    parts: [
      { path: 'M14 74 L-20 170 H120 L86 74 Z', fill: 'accent', alpha: 0.16 },
      { path: 'M18 50 C18 14 82 14 82 50 Z', fill: 'glass' },
      { path: 'M-40 58 C-10 36 110 36 140 58 C112 84 -12 84 -40 58 Z', fill: 'main' },
      { path: 'M-40 58 C-4 68 104 68 140 58 C112 84 -12 84 -40 58 Z', fill: 'deep' },
      { path: [-14, 12, 38, 64, 90, 114].map((x) => oval(x, x < 0 || x > 100 ? 66 : 70, 4.5)).join(' '), fill: 'lamp' },
    ],
  },
  kite: {
    main: '#d8503c',
    accent: '#f2c230',
    parts: [
      {
        path: 'M50 62 C40 80 60 90 48 108 C42 120 54 128 46 140',
        line: 'ink',
        width: 1,
        move: { kind: 'swing', x: 50, y: 62, amount: 10, period: 1.8 },
      },
      {
        path: 'M42 82 l12 4 l-12 4 Z M44 104 l12 4 l-12 4 Z M42 124 l12 4 l-12 4 Z',
        fill: 'accent',
        move: { kind: 'swing', x: 50, y: 62, amount: 10, period: 1.8 },
      },
      { path: 'M50 -4 L84 24 L50 64 L16 24 Z', fill: 'main' },
      { path: 'M50 -4 L84 24 H50 Z M50 64 L16 24 H50 Z', fill: 'accent' },
      { path: 'M50 -4 V64 M16 24 H84', line: 'wood', width: 1.4 },
    ],
  },
  satellite: {
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
};
