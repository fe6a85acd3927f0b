import { type Drawing, oval, type Part } from '../model/drawing.ts';

/** All features that a face can have. */
const FEATURES = [
  'man',
  'old',
  'beard',
  'glasses',
  'curly',
  'blonde',
  'redhead',
  'smile',
  'freckles',
  'suit',
  'crown',
] as const;

const HAIR: Readonly<Record<string, string>> = {
  old: '#c9c6c0',
  blonde: '#d9b35a',
  redhead: '#b0532a',
  curly: '#3a2620',
};
const CURLS: readonly (readonly [number, number, number])[] = [
  [26, 20, 13],
  [34, 6, 14],
  [50, -2, 15],
  [66, 4, 14],
  [76, 18, 13],
  [80, 34, 12],
  [22, 36, 12],
  [20, 52, 11],
  [82, 50, 11],
  [24, 64, 9],
  [80, 64, 9],
];

const NECK: readonly Part[] = [
  { path: 'M42 56 H60 V74 C60 84 42 84 42 74 Z', fill: 'skin' },
  { path: 'M42 62 C46 70 56 70 60 62 V70 C56 76 46 76 42 70 Z', fill: 'wood', alpha: 0.25 },
];
const FACE: readonly Part[] = [
  { path: `${oval(26.5, 40, 4, 7)} ${oval(75.5, 40, 4, 7)}`, fill: 'skin' },
  { path: 'M27 30 C27 4 75 4 75 30 C75 54 62 68 51 68 C40 68 27 54 27 30 Z', fill: 'skin' },
  {
    path: 'M62 12 C72 16 75 22 75 30 C75 54 62 68 51 68 C62 60 68 44 67 30 C67 22 65 16 62 12 Z',
    fill: 'wood',
    alpha: 0.12,
  },
];
const EYES: readonly Part[] = [
  { path: 'M35 33 q6 -4 10 0 M57 33 q5 -4 10 0', line: 'accent', width: 1.8 },
  { path: `${oval(40.5, 39, 3.4, 2.4)} ${oval(62, 39, 3.4, 2.4)}`, fill: 'white' },
  { path: `${oval(41, 39, 2.1)} ${oval(62.5, 39, 2.1)}`, fill: 'ink' },
  { path: 'M51 40 L49 49 L53 50', line: 'wood', width: 1.2, alpha: 0.6 },
  { path: `${oval(34, 50, 4, 2.6)} ${oval(67, 50, 4, 2.6)}`, fill: 'lip', alpha: 0.22 },
];
/** The shoulders continue below the picture's edge: a wider view shows more of them. */
const SHOULDERS: Part = {
  path: 'M-14 112 C-10 84 22 76 40 72 H62 C80 76 112 84 116 112 L124 260 H-22 Z',
  fill: 'main',
};
const SUIT: readonly Part[] = [
  { ...SHOULDERS, fill: 'ink' },
  { path: 'M38 73 L51 150 L64 73 Z', fill: 'white' },
  { path: 'M38 72 L28 80 L46 150 L51 160 Z M64 72 L74 80 L56 150 L51 160 Z', fill: 'shade' },
  { path: 'M47 78 H55 L53 84 L56 130 L51 138 L46 130 L49 84 Z', fill: 'main' },
];

const drawn = new Map<string, Drawing>();

/** Draws a head and shoulders with the named features. */
export function portraitOf(features: readonly string[]): Drawing {
  const key = FEATURES.filter((each) => features.includes(each)).join(' ');
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const has = (feature: (typeof FEATURES)[number]): boolean => features.includes(feature);
  const man = has('man') || has('beard');
  const parts: Part[] = [];
  if (has('curly')) parts.push({ path: CURLS.map(([x, y, radius]) => oval(x, y, radius)).join(' '), fill: 'accent' });
  else if (!man) parts.push({ path: 'M22 100 C10 40 20 -6 52 -6 C84 -6 92 40 80 100 Z', fill: 'accent' });
  parts.push(...(has('suit') ? SUIT : [SHOULDERS]), ...NECK, ...FACE);
  if (has('beard'))
    parts.push({
      path: 'M27 38 C26 66 40 80 51 80 C62 80 76 66 75 38 C72 50 64 50 60 48 C54 46 48 46 42 48 C38 50 30 50 27 38 Z',
      fill: 'accent',
    });
  parts.push(hairOf(man, has('curly')), ...EYES, mouthOf(has('smile'), man));
  if (has('old'))
    parts.push({
      path: 'M36 24 q14 -4 30 0 M38 19 q12 -3 26 0 M33 44 l-4 3 M70 44 l4 3 M41 52 l-3 6 M61 52 l3 6',
      line: 'wood',
      width: 0.9,
      alpha: 0.5,
    });
  if (has('freckles'))
    parts.push({
      path: [34, 38, 42, 60, 64, 68].flatMap((x) => [oval(x, 46, 0.7), oval(x + 1.5, 49, 0.7)]).join(' '),
      fill: 'wood',
      alpha: 0.7,
    });
  if (has('glasses'))
    parts.push(
      { path: `${oval(40.5, 39, 8.6, 7.6)} ${oval(62.5, 39, 8.6, 7.6)}`, fill: 'white', alpha: 0.2 },
      {
        path: `${oval(40.5, 39, 8.6, 7.6)} ${oval(62.5, 39, 8.6, 7.6)} M49 38 q2.5 -2.5 5 0 M32 37 L26 34 M71 37 L76 34`,
        line: 'ink',
        width: 1.9,
      },
    );
  if (has('crown'))
    parts.push({ path: 'M26 10 L20 -18 L36 -4 L51 -26 L66 -4 L82 -18 L76 10 C60 2 42 2 26 10 Z', fill: 'lamp' });
  const drawing = { main: has('suit') ? '#8f2f3a' : '#3f6f8f', accent: hairColour(features), parts };
  drawn.set(key, drawing);
  return drawing;
}

function hairColour(features: readonly string[]): string {
  return HAIR[['old', 'blonde', 'redhead', 'curly'].find((each) => features.includes(each)) ?? ''] ?? '#4a3023';
}

function hairOf(man: boolean, curly: boolean): Part {
  if (curly)
    return {
      path: [
        [32, 16, 9],
        [42, 8, 10],
        [54, 6, 10],
        [66, 12, 9],
        [73, 22, 7],
        [28, 25, 7],
      ]
        .map(([x = 0, y = 0, r = 0]) => oval(x, y, r))
        .join(' '),
      fill: 'accent',
    };
  if (man)
    return {
      path: 'M25 38 C20 6 36 -6 54 -4 C74 -2 82 12 77 38 C75 34 74 28 72 22 C60 20 48 18 40 12 C36 18 30 20 29 26 C27 30 27 34 25 38 Z',
      fill: 'accent',
    };
  return {
    path: 'M24 40 C20 -2 48 -4 54 4 C70 0 84 14 78 44 C76 30 70 20 56 12 C48 22 32 22 28 30 C27 34 26 38 24 40 Z',
    fill: 'accent',
  };
}

function mouthOf(smiles: boolean, man: boolean): Part {
  if (smiles) return { path: 'M40 53 C46 56 56 56 62 53 C60 63 42 63 40 53 Z', fill: 'white' };
  if (man) return { path: 'M44 57 C48 59 54 59 58 57', line: 'wood', width: 1.8, alpha: 0.8 };
  return { path: 'M43 56 C48 54 54 54 59 56 C55 61 47 61 43 56 Z', fill: 'lip', alpha: 0.9 };
}
