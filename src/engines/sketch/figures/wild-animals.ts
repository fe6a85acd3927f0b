import { type Drawing, leg, oval } from './drawing.ts';

const HOOF = { tone: 'ink', width: 4, back: 4, front: 4 } as const;
const CLAW = { tone: 'fire', width: 2.6, back: 4, front: 7 } as const;

export const WILD_ANIMALS: Readonly<Record<string, Drawing>> = {
  lion: {
    main: '#d9a04c',
    accent: '#8a4f25',
    parts: [
      {
        path: 'M12 62 C-4 58 -6 44 0 34',
        line: 'main',
        width: 4,
        move: { kind: 'swing', x: 12, y: 62, amount: 8, period: 2.2 },
      },
      { path: oval(0, 32, 6, 7), fill: 'accent', move: { kind: 'swing', x: 12, y: 62, amount: 8, period: 2.2 } },
      leg('M24 72 L22 98', 'hind far', 'shade', 9),
      leg('M58 72 L60 98', 'front far', 'shade', 9),
      {
        path: 'M10 64 C10 48 30 46 48 48 C60 48 68 52 70 60 C70 74 62 80 50 80 C36 81 24 80 16 79 C11 76 10 70 10 64 Z',
        fill: 'main',
      },
      leg('M16 70 L13 98', 'hind near', 'main', 10),
      leg('M50 72 L50 98', 'front near', 'main', 10),
      {
        path: 'M70 14 C86 8 102 20 102 36 C106 50 98 64 84 66 C74 74 54 70 52 56 C44 44 48 22 70 14 Z',
        fill: 'accent',
      },
      { path: `${oval(64, 24, 5)} ${oval(90, 24, 5)}`, fill: 'shade' },
      { path: 'M62 38 C62 26 92 24 94 38 C97 44 98 48 97 52 C94 60 84 61 78 60 C66 58 62 50 62 38 Z', fill: 'main' },
      { path: 'M82 48 C88 44 98 46 98 51 C96 58 86 59 80 57 Z', fill: 'pale' },
      { path: `${oval(74, 38, 2)} ${oval(88, 38, 2)} M86 46 h9 l-4.5 4.5 Z`, fill: 'ink' },
    ],
  },
  cow: {
    main: '#f1ece2',
    accent: '#3a3030',
    parts: [
      {
        path: 'M4 44 C-6 56 -4 70 -6 78',
        line: 'shade',
        width: 2.6,
        move: { kind: 'swing', x: 4, y: 44, amount: 9, period: 1.9 },
      },
      leg('M26 72 L26 97', 'hind far', 'shade', 8, HOOF),
      leg('M60 72 L60 97', 'front far', 'shade', 8, HOOF),
      {
        path: 'M2 50 C2 38 20 36 44 37 C60 36 72 38 76 46 C80 62 74 76 60 78 C40 82 24 80 12 78 C4 74 2 62 2 50 Z',
        fill: 'main',
      },
      {
        path: 'M14 38 C26 34 36 44 30 54 C22 62 8 56 8 46 Z M48 40 C62 38 66 48 62 58 C54 66 44 60 44 50 Z M24 78 C26 66 40 66 42 78 Z',
        fill: 'accent',
      },
      leg('M14 70 L14 97', 'hind near', 'main', 9, HOOF),
      leg('M69 68 L70 97', 'front near', 'main', 9, HOOF),
      { path: 'M46 79 C46 86 58 86 58 78 Z', fill: 'skin' },
      { path: 'M68 34 C66 24 74 20 84 22 C92 22 98 28 100 38 C104 44 104 52 96 54 C86 56 76 54 72 46 Z', fill: 'main' },
      { path: 'M88 44 C96 40 106 44 103 51 C98 57 88 56 86 51 Z', fill: 'skin' },
      { path: 'M70 32 C60 30 56 36 58 42 C64 44 70 42 72 38 Z', fill: 'accent' },
      { path: 'M74 24 C70 18 70 12 74 8 M88 22 C90 16 94 12 92 7', line: 'wood', width: 2.6 },
      { path: `${oval(86, 34, 2)} ${oval(95, 48, 1.4)} ${oval(101, 47, 1.2)}`, fill: 'ink' },
    ],
  },
  pig: {
    main: '#eda5a5',
    parts: [
      { path: 'M6 54 C-4 52 -4 44 2 44 C8 44 4 52 -2 50', line: 'shade', width: 2.4 },
      leg('M28 74 L28 98', 'hind far', 'shade', 9),
      leg('M62 74 L62 98', 'front far', 'shade', 9),
      { path: 'M4 60 C4 40 28 34 48 36 C70 36 82 48 80 62 C78 78 66 86 46 86 C22 86 4 80 4 60 Z', fill: 'main' },
      leg('M18 72 L18 98', 'hind near', 'main', 10),
      leg('M70 72 L72 98', 'front near', 'main', 10),
      { path: 'M64 36 C62 28 66 24 72 26 L78 34 Z M86 34 C88 26 94 26 96 30 L92 40 Z', fill: 'deep' },
      { path: 'M62 52 C62 38 76 32 88 36 C98 40 102 50 100 58 C96 70 70 72 64 64 Z', fill: 'light' },
      { path: oval(98, 54, 7, 8.5), fill: 'shade' },
      { path: `${oval(96, 54, 1.5, 2.4)} ${oval(101, 54, 1.4, 2.4)} ${oval(84, 45, 2)}`, fill: 'ink' },
    ],
  },
  chicken: {
    main: '#f4ece0',
    accent: '#d8352e',
    parts: [
      leg('M42 78 L40 97', 'far', 'fire', 2.6, CLAW),
      leg('M54 78 L56 97', 'near', 'fire', 2.6, CLAW),
      {
        path: 'M14 34 C0 38 2 56 14 66 C22 88 62 90 74 68 C80 56 78 44 82 30 C78 18 64 16 58 28 C52 44 36 48 26 46 C20 44 18 38 14 34 Z',
        fill: 'main',
      },
      { path: 'M26 54 C36 48 54 50 58 62 C52 76 32 74 26 54 Z', fill: 'shade' },
      {
        path: 'M62 20 C58 10 66 8 68 14 C70 6 78 8 76 14 C82 10 86 16 80 22 Z M80 38 C86 40 86 48 81 48 C77 48 77 42 80 38 Z',
        fill: 'accent',
      },
      { path: 'M81 28 L93 33 L81 37 Z', fill: 'fire' },
      { path: oval(74, 28, 2.2), fill: 'ink' },
    ],
  },
  penguin: {
    main: '#2b3140',
    accent: '#f0a030',
    parts: [
      { path: 'M34 94 C26 94 24 100 30 100 H46 V94 Z M54 94 H66 C74 94 76 100 70 100 H54 Z', fill: 'accent' },
      {
        path: 'M28 44 C14 56 12 72 18 82 C26 76 30 62 34 50 Z M72 44 C86 56 88 72 82 82 C74 76 70 62 66 50 Z',
        fill: 'deep',
        move: { kind: 'swing', x: 50, y: 46, amount: 2.4, period: 1 },
      },
      { path: 'M50 2 C68 2 72 18 70 30 C80 46 82 96 50 97 C18 96 20 46 30 30 C28 18 32 2 50 2 Z', fill: 'main' },
      { path: 'M50 34 C66 34 72 56 69 74 C66 90 58 94 50 94 C42 94 34 90 31 74 C28 56 34 34 50 34 Z', fill: 'white' },
      { path: 'M36 24 C36 14 46 14 50 20 C54 14 64 14 64 24 C64 34 56 36 50 36 C44 36 36 34 36 24 Z', fill: 'white' },
      { path: 'M44 27 L56 27 L50 35 Z', fill: 'accent' },
      { path: `${oval(43, 22, 2.4)} ${oval(57, 22, 2.4)}`, fill: 'ink' },
    ],
  },
  camel: {
    main: '#c99a5f',
    accent: '#b5493a',
    parts: [
      leg('M24 64 L22 99', 'hind far', 'shade', 5),
      leg('M60 64 L62 99', 'front far', 'shade', 5),
      {
        path: 'M6 54 C6 46 12 44 16 40 C20 24 30 24 34 38 C38 42 42 42 44 38 C50 24 60 24 62 42 C68 48 72 46 74 36 C74 24 76 16 82 14 C90 10 98 14 102 20 C102 26 94 28 88 27 C86 40 86 56 74 64 C64 72 24 72 14 66 C8 62 6 58 6 54 Z',
        fill: 'main',
      },
      leg('M15 62 L12 99', 'hind near', 'main', 5.6),
      leg('M69 62 L71 99', 'front near', 'main', 5.6),
      { path: 'M32 36 C36 44 42 44 46 36 L52 64 H26 Z', fill: 'accent' },
      { path: 'M26 64 h26 v4 h-26 Z', fill: 'fire' },
      { path: 'M6 52 C0 58 0 66 2 72', line: 'shade', width: 2.2 },
      { path: `${oval(89, 18, 1.7)} ${oval(100, 20, 1.3)} M79 14 l3 -6 l3 5 Z`, fill: 'ink' },
    ],
  },
  giraffe: {
    main: '#e5b85c',
    accent: '#9a5f2a',
    parts: [
      leg('M30 64 L29 99', 'hind far', 'shade', 4),
      leg('M54 64 L55 99', 'front far', 'shade', 4),
      {
        path: 'M20 60 C20 50 34 48 46 48 C54 42 60 20 66 0 L75 2 C74 24 70 48 62 62 C56 70 32 70 26 70 C21 68 20 64 20 60 Z',
        fill: 'main',
      },
      leg('M24 62 L22 99', 'hind near', 'main', 4.6),
      leg('M60 60 L62 99', 'front near', 'main', 4.6),
      {
        path: `${oval(30, 56, 3.4)} ${oval(39, 60, 3)} ${oval(46, 54, 3.4)} ${oval(55, 52, 3)} ${oval(52, 62, 2.6)} ${oval(59, 40, 2.6)} ${oval(63, 30, 2.4)} ${oval(66, 18, 2.2)} ${oval(68, 8, 2)}`,
        fill: 'accent',
      },
      { path: 'M64 0 C62 -10 70 -14 76 -12 C84 -10 90 -4 94 0 C93 5 86 5 82 4 C76 6 66 6 64 0 Z', fill: 'main' },
      { path: 'M70 -12 V-20 M75 -12 L77 -20', line: 'accent', width: 2 },
      { path: 'M66 -8 C58 -12 56 -6 58 -3 C62 -2 65 -4 66 -6 Z', fill: 'shade' },
      { path: oval(79, -6, 1.6), fill: 'ink' },
      { path: 'M21 56 C14 62 16 72 14 78', line: 'accent', width: 2 },
    ],
  },
  frog: {
    main: '#62a83f',
    parts: [
      {
        path: 'M14 98 C2 90 6 66 24 62 C34 70 34 90 30 98 Z M86 98 C98 90 94 66 76 62 C66 70 66 90 70 98 Z',
        fill: 'shade',
      },
      { path: 'M20 70 C20 44 34 34 50 34 C66 34 80 44 80 70 C80 90 66 98 50 98 C34 98 20 90 20 70 Z', fill: 'main' },
      { path: 'M32 74 C32 60 68 60 68 74 C68 90 60 96 50 96 C40 96 32 90 32 74 Z', fill: 'pale' },
      { path: `${oval(33, 32, 11)} ${oval(67, 32, 11)}`, fill: 'main' },
      { path: `${oval(33, 31, 7.5)} ${oval(67, 31, 7.5)}`, fill: 'white' },
      { path: `${oval(34, 31, 4)} ${oval(66, 31, 4)}`, fill: 'ink' },
      { path: 'M32 52 C40 61 60 61 68 52', line: 'deep', width: 2.2 },
      { path: 'M38 99 L30 99 M62 99 L70 99 M40 98 V84 M60 98 V84', line: 'shade', width: 5 },
    ],
  },
  bee: {
    main: '#f2c230',
    parts: [
      {
        path: 'M48 40 C36 14 52 2 62 10 C70 18 62 34 54 42 Z M58 42 C64 16 84 12 88 22 C92 32 74 42 64 46 Z',
        fill: 'white',
        alpha: 0.8,
        move: { kind: 'beat', x: 56, y: 42, amount: 0.9, period: 0.16 },
      },
      { path: 'M14 62 C14 44 32 36 54 38 C76 40 88 50 88 62 C88 76 72 84 52 84 C32 84 14 78 14 62 Z', fill: 'main' },
      {
        path: 'M30 43 C26 56 26 70 31 80 L40 83 C35 70 35 54 39 40 Z M52 38 C48 52 48 70 53 84 L62 83 C58 70 58 54 61 39 Z',
        fill: 'ink',
      },
      { path: 'M14 60 L2 63 L14 67 Z', fill: 'ink' },
      { path: `${oval(78, 56, 3)}`, fill: 'ink' },
      { path: 'M82 46 C88 40 92 38 96 38 M76 43 C80 34 84 30 88 30', line: 'ink', width: 2 },
    ],
  },
};
