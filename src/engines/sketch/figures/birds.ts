import { type Drawing, oval } from './drawing.ts';

const BEAT = { kind: 'beat', x: 48, y: 58, amount: 1.35, period: 0.55 } as const;
const SOAR = { ...BEAT, amount: 1.2, glides: true } as const;

export const BIRDS: Readonly<Record<string, Drawing>> = {
  bird: {
    main: '#2f4a73',
    accent: '#d7683f',
    parts: [
      { path: 'M50 54 C58 30 80 12 104 6 C98 30 84 50 62 62 Z', fill: 'shade', move: BEAT },
      { path: 'M20 66 L-6 56 L-12 66 L-4 70 L-14 78 L20 72 Z', fill: 'deep' },
      {
        path: 'M14 68 C26 54 50 48 70 50 C78 44 90 46 94 53 L106 57 L94 61 C88 74 62 82 42 78 C30 76 20 74 14 68 Z',
        fill: 'main',
      },
      { path: 'M46 74 C62 78 82 72 92 60 C84 60 66 60 56 66 Z', fill: 'accent' },
      { path: 'M44 58 C36 36 20 16 -6 8 C0 34 18 56 40 68 Z', fill: 'light', move: BEAT },
      { path: 'M94 53 L106 57 L94 61 Z', fill: 'accent' },
      { path: oval(86, 54, 2.2), fill: 'ink' },
    ],
  },
  gull: {
    main: '#f2f4f6',
    accent: '#eda62e',
    parts: [
      { path: 'M54 58 C62 38 84 26 118 26 C104 38 88 54 66 66 Z', fill: 'grey', move: { ...SOAR, period: 0.95 } },
      { path: 'M102 26 L124 25 L108 35 Z', fill: 'ink', move: { ...SOAR, period: 0.95 } },
      { path: 'M16 66 C32 54 58 50 74 52 C82 48 92 50 95 56 L106 59 L94 63 C84 74 54 80 36 74 L10 72 Z', fill: 'main' },
      { path: 'M46 60 C38 40 14 24 -22 26 C-6 40 14 58 40 68 Z', fill: 'grey', move: { ...SOAR, period: 0.95 } },
      { path: 'M-6 25 L-28 25 L-12 36 Z', fill: 'ink', move: { ...SOAR, period: 0.95 } },
      { path: 'M95 56 L106 59 L94 63 Z', fill: 'accent' },
      { path: oval(87, 56, 2), fill: 'ink' },
    ],
  },
  eagle: {
    main: '#5b4030',
    accent: '#e9b23b',
    parts: [
      {
        path: 'M52 56 C58 40 78 22 120 18 C118 24 112 26 110 28 C112 32 104 34 102 36 C104 40 94 42 92 44 C92 50 78 60 62 66 Z',
        fill: 'shade',
        move: { ...SOAR, period: 1.2 },
      },
      { path: 'M14 70 L-8 70 L-4 76 L-10 82 L16 80 L28 72 Z', fill: 'white' },
      { path: 'M14 74 C28 58 56 52 74 54 C86 60 80 74 62 78 C44 82 26 80 14 74 Z', fill: 'main' },
      {
        path: 'M46 58 C40 38 16 20 -26 18 C-24 24 -18 26 -16 28 C-18 32 -10 34 -8 36 C-8 42 2 44 6 46 C12 58 26 64 42 68 Z',
        fill: 'main',
        move: { ...SOAR, period: 1.2 },
      },
      { path: 'M70 54 C76 48 88 48 92 55 C94 62 84 68 74 66 Z', fill: 'white' },
      { path: 'M91 53 C98 53 102 58 100 64 C96 62 92 62 91 61 Z', fill: 'accent' },
      { path: oval(86, 55, 1.8), fill: 'ink' },
    ],
  },
  owl: {
    main: '#8a6a4a',
    accent: '#f0b530',
    parts: [
      {
        path: 'M24 60 C18 30 30 14 32 4 L46 14 H54 L68 4 C70 14 82 30 76 60 C76 84 64 96 50 96 C36 96 24 84 24 60 Z',
        fill: 'main',
      },
      { path: 'M34 62 C36 50 44 46 50 50 C56 46 64 50 66 62 C66 80 58 90 50 90 C42 90 34 80 34 62 Z', fill: 'pale' },
      {
        path: 'M40 64 q3 4 6 0 M54 64 q3 4 6 0 M47 71 q3 4 6 0 M40 77 q3 4 6 0 M54 77 q3 4 6 0',
        line: 'shade',
        width: 1.6,
      },
      {
        path: 'M24 50 C14 64 18 82 28 88 C32 76 32 62 24 50 Z M76 50 C86 64 82 82 72 88 C68 76 68 62 76 50 Z',
        fill: 'shade',
      },
      { path: `${oval(39, 33, 12)} ${oval(61, 33, 12)}`, fill: 'white' },
      { path: `${oval(40, 33, 8)} ${oval(60, 33, 8)}`, fill: 'accent' },
      { path: `${oval(41, 33, 4.5)} ${oval(59, 33, 4.5)}`, fill: 'ink' },
      { path: 'M46 40 L50 49 L54 40 Z', fill: 'accentShade' },
      { path: 'M38 96 v4 M44 96 v4 M56 96 v4 M62 96 v4', line: 'accentShade', width: 2.6 },
    ],
  },
  duck: {
    main: '#e9c46a',
    accent: '#e8792b',
    parts: [
      {
        path: 'M6 58 C2 66 4 76 12 84 C26 98 62 98 78 84 C88 74 86 60 76 56 C74 50 78 46 82 40 L100 38 C104 34 100 30 94 30 C92 16 74 10 64 20 C54 30 62 44 58 54 C46 62 24 66 6 58 Z',
        fill: 'main',
      },
      { path: 'M24 66 C36 60 54 62 64 72 C56 86 34 86 24 66 Z', fill: 'shade' },
      { path: 'M90 28 C98 27 108 31 106 36 C102 40 94 40 88 38 Z', fill: 'accent' },
      { path: oval(80, 27, 2.8), fill: 'ink' },
    ],
  },
  butterfly: {
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
};
