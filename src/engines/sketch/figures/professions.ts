import { type Drawing, leg, oval, type Part, rectangle } from './drawing.ts';
import { PEOPLE } from './people.ts';
import { portraitOf } from './portraits.ts';

const FACE: readonly Part[] = [
  { path: rectangle(46, 24, 8, 8), fill: 'skin' },
  { path: oval(50, 16, 10, 11), fill: 'skin' },
  { path: `${oval(51, 15, 1.3)} ${oval(57, 15, 1.3)}`, fill: 'ink' },
];
const SHOE = { tone: 'ink', width: 4, back: 4, front: 6 } as const;
const LEGS: readonly Part[] = [
  leg('M46 64 L43 97', 'far', 'accent', 8, SHOE),
  leg('M55 64 L59 97', 'near', 'accent', 8, SHOE),
];
const TORSO: readonly Part[] = [
  { path: 'M37 34 C44 28 56 28 63 34 L65 68 H35 Z', fill: 'main' },
  { path: 'M53 29 L63 34 L65 68 H54 Z', fill: 'shade' },
];
/** An arm; one with a side swings as its owner walks, one without holds something. */
const arm = (path: string, turn = 5, side?: 'near' | 'far'): Part => {
  const [, x = '50', y = '36'] = /^M(\d+) (\d+)/.exec(path) ?? [];
  const swing = { kind: 'swing', x: Number(x), y: Number(y), amount: turn, period: 2.2 } as const;
  return { path, line: 'main', width: 7, move: side === undefined ? swing : { ...swing, arm: side } };
};
const ROBE: readonly Part[] = [
  { path: 'M38 32 C44 28 56 28 62 32 L74 98 H26 Z', fill: 'main' },
  { path: 'M54 29 L62 32 L74 98 H56 Z', fill: 'shade' },
];
const CROWN: Part = { path: 'M39 8 L38 -6 L45 1 L50 -9 L55 1 L62 -6 L61 8 Z', fill: 'lamp' };
const LONG_HAIR: Part = {
  path: 'M38 36 C34 6 44 0 52 2 C64 3 66 16 63 34 C61 28 61 18 58 11 C50 10 46 14 44 22 C43 30 41 34 38 36 Z',
  fill: 'wood',
};
const WIZARD: Drawing = {
  main: '#4a3f8f',
  accent: '#e8c24a',
  parts: [
    ...ROBE,
    arm('M62 38 L80 50'),
    { path: 'M80 20 L84 99', line: 'wood', width: 3.4 },
    { path: oval(80, 14, 7), fill: 'lamp' },
    arm('M38 38 L28 60', 5, 'far'),
    ...FACE,
    { path: 'M40 20 C42 44 50 56 54 58 C58 52 62 36 60 20 C54 28 46 28 40 20 Z', fill: 'white' },
    { path: 'M28 12 C40 6 60 6 72 12 L60 6 L46 -34 L40 6 Z', fill: 'main' },
    { path: 'M40 6 C46 3 54 3 60 6 L58 1 C54 -1 46 -1 41 1 Z', fill: 'accent' },
    { path: `${oval(44, 60, 2)} ${oval(52, 76, 2)} ${oval(60, 64, 2)}`, fill: 'accent' },
  ],
};

/** People told apart by what they wear and hold. */
export const PROFESSIONS: Readonly<Record<string, Drawing>> = {
  woman: {
    main: '#c8485a',
    accent: '#e6c49c',
    parts: [
      leg('M47 68 L45 97', 'far', 'skin', 5, SHOE),
      leg('M54 68 L57 97', 'near', 'skin', 5, SHOE),
      {
        path: 'M40 36 L32 58',
        line: 'skin',
        width: 4.6,
        move: { kind: 'swing', arm: 'far', x: 40, y: 36, amount: 5, period: 2.4 },
      },
      { path: 'M40 32 C45 29 55 29 60 32 L60 48 L72 78 H28 L40 48 Z', fill: 'main' },
      { path: 'M54 30 L60 32 L60 48 L72 78 H56 Z', fill: 'shade' },
      {
        path: 'M60 36 L68 57',
        line: 'skin',
        width: 4.6,
        move: { kind: 'swing', arm: 'near', x: 60, y: 36, amount: -5, period: 2.4 },
      },
      ...FACE,
      LONG_HAIR,
    ],
  },
  chef: {
    main: '#f2efe6',
    accent: '#3a4256',
    parts: [
      ...LEGS,
      arm('M38 38 L28 58'),
      ...TORSO,
      { path: `${oval(48, 44, 1.2)} ${oval(48, 52, 1.2)} ${oval(48, 60, 1.2)}`, fill: 'ink' },
      { path: 'M42 32 L50 38 L58 32', line: 'fire', width: 3.4 },
      { path: 'M74 52 L102 50', line: 'ink', width: 3 },
      { path: 'M96 50 H126 L121 60 H101 Z', fill: 'ink' },
      { path: 'M112 46 q-6 -8 0 -14 q6 -6 0 -14', line: 'white', width: 2.2, alpha: 0.7 },
      arm('M62 38 L78 53', 6),
      ...FACE,
      { path: 'M39 10 H61 V-2 C72 -4 70 -20 60 -18 C56 -26 44 -26 40 -18 C30 -20 28 -4 39 -2 Z', fill: 'white' },
      { path: 'M39 4 H61 V10 H39 Z', fill: 'grey' },
    ],
  },
  doctor: {
    main: '#f4f4f0',
    accent: '#4a7f9a',
    parts: [
      ...LEGS,
      arm('M38 38 L30 62', 5, 'far'),
      { path: 'M37 34 C44 28 56 28 63 34 L67 84 H33 Z', fill: 'main' },
      { path: 'M45 30 L50 52 L55 30 Z', fill: 'accent' },
      { path: 'M44 30 C40 48 48 56 52 54 C58 52 58 40 56 30', line: 'ink', width: 1.8 },
      { path: oval(52, 56, 3), fill: 'metal' },
      { path: 'M55 64 h8 M59 60 v8', line: 'fire', width: 2.4 },
      arm('M62 38 L70 62', 5, 'near'),
      ...FACE,
      { path: 'M39 14 C38 -2 62 -2 61 12 C54 6 46 6 39 14 Z', fill: 'wood' },
    ],
  },
  wizard: WIZARD,
  witch: {
    ...WIZARD,
    main: '#2c2538',
    accent: '#7d4bb5',
    parts: [...WIZARD.parts.filter((part) => part.fill !== 'white'), LONG_HAIR],
  },
  knight: {
    main: '#9aa3ad',
    accent: '#868e99',
    parts: [
      ...LEGS,
      { path: 'M68 64 L98 2', line: 'grey', width: 4 },
      { path: 'M62 56 L78 64', line: 'wood', width: 4 },
      arm('M62 38 L70 58', 3),
      ...TORSO,
      { path: 'M40 -4 C30 -12 26 -4 30 6 L44 2 Z', fill: 'fire' },
      { path: 'M38 6 C38 -6 62 -6 62 6 V30 H38 Z', fill: 'main' },
      { path: 'M46 12 H63 V17 H46 Z', fill: 'ink' },
      { path: 'M18 42 H46 C46 62 40 72 32 76 C24 72 18 62 18 42 Z', fill: 'fire' },
      { path: 'M32 46 V70 M22 54 H42', line: 'white', width: 4 },
    ],
  },
  samurai: {
    main: '#a8322c',
    accent: '#2c3040',
    parts: [
      leg('M44 62 L36 97', 'far', 'accent', 15, SHOE),
      leg('M56 62 L64 97', 'near', 'accent', 15, SHOE),
      { path: 'M66 58 C82 48 94 34 102 14', line: 'grey', width: 3.2 },
      ...TORSO,
      { path: 'M36 42 H64 M36 50 H64 M36 58 H65', line: 'ink', width: 1.6 },
      { path: 'M26 32 H40 V50 H24 Z M60 32 H74 L76 50 H60 Z', fill: 'shade' },
      arm('M62 40 L68 57', 3),
      ...FACE,
      { path: 'M32 16 C34 -6 66 -6 68 16 L60 9 H40 Z', fill: 'accent' },
      { path: 'M44 -2 L34 -20 L50 -6 L66 -20 L56 -2 Z', fill: 'lamp' },
    ],
  },
  king: {
    main: '#8f2740',
    accent: '#3a4256',
    parts: [
      ...ROBE,
      { path: 'M36 34 C44 42 56 42 64 34 L62 28 H38 Z', fill: 'white' },
      arm('M62 38 L74 56', 5, 'near'),
      ...FACE,
      { path: 'M41 20 C44 38 57 38 60 20 C54 26 46 26 41 20 Z', fill: 'wood' },
      CROWN,
    ],
  },
  queen: {
    main: '#b04a8f',
    accent: '#e6c49c',
    parts: [
      { path: 'M40 32 C45 29 55 29 60 32 L58 50 C74 60 82 80 84 98 H16 C18 80 26 60 42 50 Z', fill: 'main' },
      { path: 'M54 30 L60 32 L58 50 C74 60 82 80 84 98 H60 C62 70 56 50 54 30 Z', fill: 'shade' },
      { path: 'M40 36 L34 58 M60 36 L68 56', line: 'skin', width: 4.6 },
      ...FACE,
      LONG_HAIR,
      CROWN,
    ],
  },
  footballer: {
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
  family: {
    main: '#c8573a',
    accent: '#3f5f8a',
    parts: [
      ...(PEOPLE.couple?.parts ?? []).map((part) => part),
      { path: 'M108 82 L107 98 M115 82 L116 98', line: 'accent', width: 5 },
      { path: 'M102 62 C106 58 116 58 120 62 L122 86 H100 Z', fill: 'lamp' },
      { path: oval(111, 50, 9), fill: 'skin' },
      { path: 'M102 50 C100 36 122 36 120 50 C116 44 108 44 102 50 Z', fill: 'ink' },
      { path: 'M100 66 L92 60', line: 'skin', width: 3.6 },
    ],
  },
  portrait: portraitOf([]),
  ghost: {
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
  mermaid: {
    main: '#2a9d93',
    accent: '#c8485a',
    parts: [
      { path: 'M42 54 C34 80 60 88 84 78 L104 66 L98 84 L110 98 L84 90 C50 104 20 88 36 52 Z', fill: 'main' },
      { path: 'M40 32 C45 29 55 29 60 32 L60 56 H38 Z', fill: 'skin' },
      { path: 'M40 36 L28 52 M60 36 L72 50', line: 'skin', width: 4.6 },
      { path: 'M40 36 H60 V43 H40 Z', fill: 'accent' },
      ...FACE,
      { ...LONG_HAIR, fill: 'accent' },
    ],
  },
  angel: {
    main: '#f4f2ea',
    accent: '#f2c230',
    parts: [
      {
        path: 'M38 40 C10 10 -14 26 -20 50 C0 54 20 60 38 58 Z M62 40 C90 10 114 26 120 50 C100 54 80 60 62 58 Z',
        fill: 'white',
        move: { kind: 'beat', x: 50, y: 52, amount: 0.6, period: 1.6 },
      },
      ...ROBE,
      ...FACE,
      LONG_HAIR,
      { path: `${rectangle(40, -8, 20, 3)}`, fill: 'lamp' },
    ],
  },
};
