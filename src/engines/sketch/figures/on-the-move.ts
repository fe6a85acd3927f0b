import { type Drawing, leg, oval, type Part } from './drawing.ts';

const BODY = 'M6 56 C8 46 28 46 48 48 C64 48 76 44 84 50 C90 58 84 70 72 73 C54 77 32 72 20 74 C8 73 3 64 6 56 Z';
const PAW = { tone: 'deep', width: 5, back: 1, front: 3 } as const;

const farLegs = (width: number): readonly Part[] => [
  leg('M24 66 L20 98', 'hind far', 'shade', width, PAW),
  leg('M74 66 L76 98', 'front far', 'shade', width, PAW),
];
const nearLegs = (width: number): readonly Part[] => [
  leg('M17 66 L13 98', 'hind near', 'main', width, PAW),
  leg('M67 66 L67 98', 'front near', 'main', width, PAW),
];
const swish = (amount: number, period: number) => ({ kind: 'swing', x: 10, y: 56, amount, period }) as const;

/** A pointed head on a neck, with a muzzle of its own colour. */
const snouted = (muzzle: 'white' | 'pale'): readonly Part[] => [
  {
    path: 'M68 56 L72 20 L84 31 C90 28 95 29 98 32 C106 38 112 44 122 49 C116 58 100 62 90 60 C86 66 78 70 72 68 Z',
    fill: 'main',
  },
  { path: 'M122 49 C116 58 100 63 88 60 C98 58 104 51 110 45 C114 47 118 48 122 49 Z', fill: muzzle },
  { path: 'M75 27 L82 34 L75 42 Z', fill: 'deep' },
  { path: `${oval(98, 41, 2.2)} ${oval(120, 49, 2.8, 2.3)}`, fill: 'ink' },
];

/** How those stand who are otherwise drawn sitting or howling, when they walk or run. */
export const ON_THE_MOVE: Readonly<Record<string, Drawing>> = {
  fox: {
    main: '#d96a2b',
    parts: [
      { path: 'M10 54 C-10 42 -40 50 -56 70 C-38 80 -10 74 14 64 Z', fill: 'shade', move: swish(7, 1.2) },
      {
        path: 'M-56 70 C-52 62 -44 57 -36 54 C-38 62 -34 70 -28 75 C-38 77 -48 75 -56 70 Z',
        fill: 'white',
        move: swish(7, 1.2),
      },
      ...farLegs(6),
      { path: BODY, fill: 'main' },
      { path: 'M62 72 C76 74 86 66 86 54 C78 62 68 66 58 70 Z', fill: 'white' },
      ...nearLegs(6.4),
      ...snouted('white'),
    ],
  },
  wolf: {
    main: '#7d8590',
    accent: '#3f4650',
    parts: [
      { path: 'M10 54 C-6 56 -24 66 -36 84 C-18 84 0 76 14 66 Z', fill: 'accent', move: swish(8, 1.1) },
      ...farLegs(6.6),
      { path: BODY, fill: 'main' },
      { path: 'M62 72 C76 74 86 66 86 54 C78 62 68 66 58 70 Z', fill: 'pale' },
      { path: 'M10 52 C28 46 54 50 76 46 C60 56 30 54 10 58 Z', fill: 'accent', alpha: 0.6 },
      ...nearLegs(7),
      ...snouted('pale'),
    ],
  },
  cat: {
    main: '#5a5f6e',
    accent: '#e8b84a',
    parts: [
      { path: 'M10 54 C-16 52 -22 30 -12 14', line: 'shade', width: 6.5, move: swish(9, 1.8) },
      ...farLegs(6.4),
      { path: BODY, fill: 'main' },
      ...nearLegs(7),
      {
        path: 'M70 42 L70 14 L83 26 C87 25 93 25 97 27 L108 14 L109 42 C109 56 100 62 90 62 C79 62 70 55 70 42 Z',
        fill: 'main',
      },
      { path: 'M73 20 L80 27 L74 33 Z M105 20 L99 28 L105 33 Z', fill: 'accent', alpha: 0.45 },
      { path: `${oval(84, 42, 4, 4.6)} ${oval(100, 42, 4, 4.6)}`, fill: 'accent' },
      { path: `${oval(85, 42, 1.4, 4)} ${oval(101, 42, 1.4, 4)} M90.5 49 h5 l-2.5 3 Z`, fill: 'ink' },
      { path: 'M80 51 L66 49 M80 53 L66 55 M105 51 L120 48 M105 53 L120 55', line: 'white', width: 0.8, alpha: 0.7 },
    ],
  },
};
