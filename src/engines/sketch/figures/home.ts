import { type Drawing, oval, rectangle, rectangles } from './drawing.ts';

export const HOME: Readonly<Record<string, Drawing>> = {
  sofa: {
    main: '#4f7f7a',
    parts: [
      { path: 'M-48 92 V100 M148 92 V100', line: 'wood', width: 7 },
      { path: 'M-44 28 C-40 16 -20 14 50 14 C120 14 140 16 144 28 V80 H-44 Z', fill: 'main' },
      { path: 'M50 15 V66', line: 'shade', width: 2.4 },
      { path: 'M-44 60 H50 V78 H-44 Z M50 60 H144 V78 H50 Z', fill: 'light' },
      { path: 'M-60 50 C-64 38 -40 36 -38 50 V94 H-60 Z M160 50 C164 38 140 36 138 50 V94 H160 Z', fill: 'shade' },
      { path: 'M-40 76 H140 V94 H-40 Z', fill: 'main' },
      { path: 'M96 38 L126 34 L130 62 L100 64 Z', fill: 'accent' },
    ],
  },
  bed: {
    main: '#5f7fae',
    parts: [
      { path: 'M-50 24 H-40 V98 H-50 Z M140 52 H150 V98 H140 Z', fill: 'wood' },
      { path: 'M-44 30 H-34 V88 H-44 Z', fill: 'wood' },
      { path: 'M-42 62 H144 V88 H-42 Z', fill: 'white' },
      { path: 'M-36 48 C-30 42 2 42 8 50 L6 64 H-36 Z', fill: 'white' },
      { path: 'M8 58 C50 50 110 54 146 60 V90 H8 Z', fill: 'main' },
      { path: 'M8 58 C12 64 12 80 8 90 H30 C32 78 30 64 26 56 Z', fill: 'light' },
    ],
  },
  fireplace: {
    main: '#a85f48',
    parts: [
      { path: 'M-20 0 H120 V100 H-20 Z', fill: 'main' },
      {
        path: 'M-20 12 H120 M-20 24 H120 M-20 36 H120 M-20 48 H120 M-20 60 H120 M-20 72 H120 M-20 84 H120 M0 0 V12 M36 0 V12 M72 0 V12 M-8 12 V24 M110 24 V36 M104 48 V60 M-6 36 V48 M-6 60 V72 M106 72 V84',
        line: 'deep',
        width: 1,
        alpha: 0.6,
      },
      { path: 'M-28 -8 H128 V4 H-28 Z', fill: 'wood' },
      { path: 'M14 98 V56 C14 34 86 34 86 56 V98 Z', fill: 'ink' },
      {
        path: 'M50 48 C60 62 76 70 72 86 C70 94 30 94 28 86 C24 74 38 72 40 60 C46 64 48 58 50 48 Z',
        fill: 'fire',
        move: { kind: 'flutter', x: 50, y: 94, amount: 0.16, period: 0.45 },
      },
      {
        path: 'M50 66 C56 74 62 78 60 88 C56 94 44 94 40 88 C38 80 48 76 50 66 Z',
        fill: 'lamp',
        move: { kind: 'flutter', x: 50, y: 94, amount: 0.22, period: 0.33 },
      },
      { path: 'M26 96 L74 90 M26 90 L74 96', line: 'wood', width: 5 },
    ],
  },
  candle: {
    main: '#f4ead2',
    parts: [
      { path: 'M38 36 H62 V92 H38 Z', fill: 'main' },
      { path: 'M54 36 H62 V92 H54 Z', fill: 'shade' },
      { path: 'M38 36 C42 44 44 54 41 60 L38 58 Z', fill: 'light' },
      { path: 'M50 36 V28', line: 'ink', width: 2 },
      {
        path: 'M50 2 C58 14 60 20 58 26 C55 32 45 32 42 26 C40 20 44 14 50 2 Z',
        fill: 'fire',
        move: { kind: 'flutter', x: 50, y: 30, amount: 0.18, period: 0.6 },
      },
      { path: 'M50 14 C54 20 54 24 53 27 C51 30 49 30 47 27 C46 24 47 20 50 14 Z', fill: 'lamp' },
      { path: 'M22 90 H78 C76 98 70 100 64 100 H36 C30 100 24 98 22 90 Z', fill: 'metal' },
    ],
  },
  bench: {
    main: '#8a5a3b',
    parts: [
      { path: 'M-36 58 V100 M136 58 V100 M-36 12 V60 M136 12 V60', line: 'ink', width: 5 },
      { path: 'M-50 16 H150 V25 H-50 Z M-50 31 H150 V40 H-50 Z', fill: 'main' },
      { path: 'M-52 56 H152 V66 H-52 Z', fill: 'light' },
      { path: 'M-52 63 H152 V69 H-52 Z', fill: 'shade' },
    ],
  },
  hat: {
    main: '#7b2f3a',
    accent: '#e8c24a',
    parts: [
      { path: 'M-6 84 C20 74 80 74 106 84 C100 98 0 98 -6 84 Z', fill: 'main' },
      { path: 'M20 82 L24 26 C30 18 70 18 76 26 L80 82 C66 90 34 90 20 82 Z', fill: 'main' },
      { path: 'M56 20 C66 20 74 22 76 26 L80 82 C74 86 66 88 58 88 Z', fill: 'shade' },
      { path: 'M20 80 L21 66 C38 74 62 74 79 66 L80 80 C66 90 34 90 20 80 Z', fill: 'accent' },
    ],
  },
  laptop: {
    main: '#c3c8ce',
    accent: '#2f6fd0',
    parts: [
      { path: 'M8 24 H92 V82 H8 Z', fill: 'ink' },
      { path: 'M12 28 H88 V78 H12 Z', fill: 'lamp' },
      { path: 'M12 28 H88 V78 H12 Z', fill: 'accent', alpha: 0.7 },
      { path: 'M20 38 H56 M20 48 H70 M20 58 H46', line: 'white', width: 3 },
      { path: 'M-8 98 L8 82 H92 L108 98 Z', fill: 'main' },
      { path: 'M-8 98 H108 V100 H-8 Z', fill: 'deep' },
    ],
  },
  phone: {
    main: '#22252e',
    accent: '#2a9d93',
    parts: [
      {
        path: 'M26 4 C26 0 30 -2 34 -2 H66 C70 -2 74 0 74 4 V94 C74 98 70 100 66 100 H34 C30 100 26 98 26 94 Z',
        fill: 'main',
      },
      { path: rectangle(30, 6, 40, 84), fill: 'accent' },
      { path: rectangles([34, 47, 60], [12, 26, 40], 8, 8), fill: 'white', alpha: 0.8 },
    ],
  },
  camera: {
    main: '#3a3f4c',
    accent: '#c9793a',
    parts: [
      { path: 'M30 34 L38 20 H64 L72 34 Z', fill: 'shade' },
      { path: 'M-2 34 H102 V96 H-2 Z', fill: 'main' },
      { path: 'M-2 48 H102 V84 H-2 Z', fill: 'accent' },
      { path: oval(50, 66, 28), fill: 'metal' },
      { path: oval(50, 66, 22), fill: 'ink' },
      { path: oval(50, 66, 13), fill: 'glass' },
      { path: `${rectangle(8, 26, 16, 8)}`, fill: 'metal' },
    ],
  },
  piano: {
    main: '#26262b',
    parts: [
      { path: 'M-20 60 V100 M112 60 V100', line: 'main', width: 6 },
      { path: 'M10 40 L110 -16 L124 -10 L112 44 Z', fill: 'shade' },
      { path: 'M-32 42 H124 V66 H-32 Z', fill: 'main' },
      { path: 'M-32 46 H30 V54 H-32 Z', fill: 'white' },
      { path: 'M-26 46 v5 M-18 46 v5 M-6 46 v5 M2 46 v5 M10 46 v5 M22 46 v5', line: 'ink', width: 3 },
      { path: 'M124 42 V66', line: 'light', width: 2 },
    ],
  },
  teddy: {
    main: '#b07a45',
    accent: '#c8352e',
    parts: [
      { path: `${oval(30, 12, 11)} ${oval(70, 12, 11)}`, fill: 'shade' },
      { path: `${oval(30, 90, 14, 10)} ${oval(70, 90, 14, 10)}`, fill: 'shade' },
      { path: `${oval(18, 60, 9, 15)} ${oval(82, 60, 9, 15)}`, fill: 'shade' },
      { path: oval(50, 68, 28), fill: 'main' },
      { path: oval(50, 70, 17), fill: 'pale' },
      { path: oval(50, 28, 26, 24), fill: 'main' },
      { path: oval(50, 36, 12, 9), fill: 'pale' },
      { path: `${oval(40, 24, 2.6)} ${oval(60, 24, 2.6)} ${oval(50, 33, 4, 2.8)}`, fill: 'ink' },
      { path: 'M50 52 L36 45 V59 Z M50 52 L64 45 V59 Z', fill: 'accent' },
    ],
  },
  shoe: {
    main: '#c8352e',
    parts: [
      { path: 'M-18 88 H118 V98 H-18 Z', fill: 'white' },
      { path: 'M-18 88 V44 C-6 52 14 50 20 40 L36 36 C52 62 84 62 108 72 C116 76 118 82 118 88 Z', fill: 'main' },
      { path: 'M82 65 C100 68 118 74 118 88 H84 Z', fill: 'white' },
      { path: 'M34 52 l14 -8 M42 60 l14 -8 M52 66 l14 -8', line: 'white', width: 3 },
      { path: 'M-10 76 C10 82 40 76 62 84', line: 'white', width: 5 },
    ],
  },
  shelf: {
    main: '#8a5a3b',
    accent: '#c8352e',
    parts: [
      { path: 'M-40 -10 H140 V100 H-40 Z', fill: 'deep' },
      { path: rectangles([-34, -22, -2, 22, 46, 58, 94, 118], [-2, 54], 9, 27), fill: 'accent' },
      { path: rectangles([-11, 10, 34, 72, 106], [2, 58], 8, 23), fill: 'metal' },
      { path: rectangles([-30, -12, 8, 30, 70, 84, 110], [27], 10, 24), fill: 'lamp' },
      { path: rectangles([-18, 20, 44, 58, 98, 122], [30], 8, 21), fill: 'leaf' },
      {
        path: 'M-44 -14 H144 V-6 H-44 Z M-44 24 H144 V30 H-44 Z M-44 51 H144 V57 H-44 Z M-44 80 H144 V88 H-44 Z',
        fill: 'main',
      },
      { path: 'M-44 -10 H-36 V100 H-44 Z M136 -10 H144 V100 H136 Z', fill: 'main' },
    ],
  },
  counter: {
    main: '#e3d9c8',
    accent: '#6f8596',
    parts: [
      { path: 'M-120 46 H220 V100 H-120 Z', fill: 'main' },
      { path: 'M-112 56 H-44 V92 H-112 Z M-36 56 H32 V92 H-36 Z M114 56 H212 V92 H114 Z', fill: 'light' },
      { path: 'M40 50 H106 V98 H40 Z', fill: 'metal' },
      { path: rectangle(48, 62, 50, 28), fill: 'ink' },
      { path: 'M-126 38 H226 V48 H-126 Z', fill: 'wood' },
      { path: 'M46 36 H76 V20 H46 Z M40 24 H82', fill: 'accent' },
      { path: 'M54 14 q-5 -8 0 -14 q5 -8 0 -14 M66 14 q-5 -8 0 -14', line: 'white', width: 2.4, alpha: 0.6 },
      { path: 'M-100 -40 H10 V-34 H-100 Z', fill: 'wood' },
      { path: rectangles([-92, -70, -48, -26, -8], [-58], 12, 18), fill: 'accent' },
      { path: rectangles([150, 168, 186], [16], 10, 22), fill: 'accentShade' },
    ],
  },
  bouquet: {
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
};
