import { type Drawing, oval, type Part } from './drawing.ts';

const petals = (count: number, reach: number, width: number, from: number): string =>
  Array.from({ length: count }, (_, petal) => {
    const turn = (petal / count) * Math.PI * 2;
    const at = (distance: number, aside: number): string =>
      `${(50 + Math.cos(turn) * distance - Math.sin(turn) * aside).toFixed(1)} ${(50 + Math.sin(turn) * distance + Math.cos(turn) * aside).toFixed(1)}`;
    return `M${at(from, 0)} C${at(from + (reach - from) * 0.4, width)} ${at(from + (reach - from) * 0.7, width)} ${at(reach, 0)} C${at(from + (reach - from) * 0.7, -width)} ${at(from + (reach - from) * 0.4, -width)} ${at(from, 0)} Z`;
  }).join(' ');

const rays = (from: number, to: number, count: number, turned: number): string =>
  Array.from({ length: count }, (_, ray) => {
    const turn = ((ray + turned) / count) * Math.PI * 2;
    const at = (distance: number): string =>
      `${(50 + Math.cos(turn) * distance).toFixed(1)} ${(50 + Math.sin(turn) * distance).toFixed(1)}`;
    return `M${at(from)} L${at(to)}`;
  }).join(' ');

const burst = (line: Part['line'], width: number, path: string): Part => ({
  path,
  ...(line === undefined ? {} : { line }),
  width,
  move: { kind: 'bloom', x: 50, y: 50, amount: 1, period: 2.2 },
});

/** Ornaments, fire, and what is put on. */
export const TOKENS: Readonly<Record<string, Drawing>> = {
  mandala: {
    main: '#c9952e',
    accent: '#7a3b6e',
    parts: [
      { path: oval(50, 50, 50), fill: 'deep' },
      { path: petals(16, 50, 7, 30), fill: 'main' },
      { path: petals(16, 46, 3.6, 32), fill: 'accent' },
      { path: oval(50, 50, 33), fill: 'accentShade' },
      { path: petals(12, 34, 7, 14), fill: 'light' },
      { path: petals(12, 30, 3.6, 18), fill: 'accent' },
      { path: oval(50, 50, 17), fill: 'deep' },
      { path: petals(8, 17, 5, 3), fill: 'main' },
      { path: oval(50, 50, 5), fill: 'pale' },
      { path: rays(37, 38.4, 32, 0.5), line: 'pale', width: 1.6 },
    ],
  },
  firework: {
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
  flames: {
    main: '#e8632e',
    parts: [
      {
        path: 'M-40 100 C-50 70 -30 60 -34 36 C-16 52 -14 60 -8 66 C-10 40 6 30 4 2 C26 22 30 40 28 56 C34 40 44 30 42 8 C66 30 60 50 70 62 C74 50 84 44 82 24 C104 46 92 64 108 72 C110 62 116 58 118 48 C136 70 140 88 132 100 Z',
        fill: 'fire',
        move: { kind: 'flutter', x: 50, y: 100, amount: 0.16, period: 0.5 },
      },
      {
        path: 'M-22 100 C-28 84 -16 76 -18 64 C-4 74 -2 84 4 88 C2 70 14 62 14 46 C28 60 30 74 32 82 C38 70 46 64 46 50 C60 62 58 76 64 84 C70 76 76 72 78 62 C90 74 88 84 98 90 C102 84 106 80 108 76 C116 86 118 94 116 100 Z',
        fill: 'lamp',
        move: { kind: 'flutter', x: 50, y: 100, amount: 0.22, period: 0.37 },
      },
    ],
  },
  jack_o_lantern: {
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
  necktie: {
    main: '#2c3444',
    accent: '#c8322c',
    parts: [
      { path: 'M50 8 C20 8 -2 30 -6 92 C20 104 80 104 106 92 C102 30 80 8 50 8 Z', fill: 'main' },
      { path: 'M30 10 L50 62 L70 10 Z', fill: 'white' },
      {
        path: 'M30 10 L16 26 L28 34 L20 42 L48 84 L50 62 Z M70 10 L84 26 L72 34 L80 42 L52 84 L50 62 Z',
        fill: 'shade',
      },
      { path: 'M44 12 H56 L53 22 L58 54 L50 66 L42 54 L47 22 Z', fill: 'accent' },
    ],
  },
  helmet: {
    main: '#eef0f4',
    accent: '#2f3a58',
    parts: [
      { path: oval(50, 50, 50), fill: 'glass', alpha: 0.34 },
      { path: oval(50, 50, 50), line: 'main', width: 7 },
      { path: 'M6 82 C20 104 80 104 94 82 L98 100 H2 Z', fill: 'main' },
      { path: 'M18 34 C24 18 38 10 52 10 C38 16 28 26 24 42 Z', fill: 'white', alpha: 0.8 },
    ],
  },
  crown: {
    main: '#e8b93c',
    accent: '#c8322c',
    parts: [
      { path: 'M4 96 L-6 30 L24 58 L50 8 L76 58 L106 30 L96 96 Z', fill: 'main' },
      { path: 'M4 96 L1 78 H99 L96 96 Z', fill: 'shade' },
      { path: `${oval(-6, 28, 6)} ${oval(50, 6, 7)} ${oval(106, 28, 6)} ${oval(50, 70, 8)}`, fill: 'accent' },
    ],
  },
  sunglasses: {
    main: '#1f2229',
    parts: [
      { path: 'M-8 34 H108 L104 44 H-4 Z', fill: 'main' },
      { path: 'M-4 38 H44 V62 C44 84 2 84 -2 62 Z M56 38 H104 L102 62 C98 84 56 84 56 62 Z', fill: 'main' },
      { path: 'M6 46 L24 46 L10 62 Z M66 46 L84 46 L70 62 Z', fill: 'glass', alpha: 0.7 },
    ],
  },
};
