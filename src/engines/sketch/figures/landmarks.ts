import { type Drawing, oval, type Part, rectangle, rectangles } from './drawing.ts';
import { PLANTS } from './plants.ts';

const canes = (x: number, foot: number): readonly Part[] => [
  { path: `M${x} ${foot} L${x + 4} -20`, line: 'main', width: 7 },
  {
    path: `M${x - 3} ${foot - 22} h8 M${x - 2} ${foot - 46} h8 M${x - 1} ${foot - 70} h8 M${x} ${foot - 94} h8`,
    line: 'deep',
    width: 1.6,
  },
  {
    path: `M${x + 2} 10 q18 -14 28 -2 q-16 8 -28 2 Z M${x + 2} 30 q-20 -10 -28 4 q16 6 28 -4 Z M${x + 3} -12 q20 -10 26 4 q-16 4 -26 -4 Z`,
    fill: 'leaf',
  },
];

export const LANDMARKS: Readonly<Record<string, Drawing>> = {
  eiffel: {
    main: '#7d6a58',
    parts: [
      { path: 'M49 -40 H51 V-14 H49 Z', fill: 'deep' },
      { path: 'M46 -16 H54 L60 34 L88 100 H68 C66 80 58 74 50 74 C42 74 34 80 32 100 H12 L40 34 Z', fill: 'main' },
      { path: 'M46 -16 H54 L60 34 H40 Z M36 40 H64 L70 58 H30 Z', fill: 'shade' },
      {
        path: 'M43 4 L57 14 M57 4 L43 14 M42 18 L59 30 M58 18 L41 30 M34 44 L66 56 M66 44 L34 56 M26 66 L36 80 M74 66 L64 80 M20 82 L32 92 M80 82 L68 92',
        line: 'pale',
        width: 1.2,
      },
      { path: 'M38 33 H62 V38 H38 Z M26 58 H74 V64 H26 Z M44 -18 H56 V-14 H44 Z', fill: 'deep' },
    ],
  },
  treehouse: {
    main: '#9a6a42',
    accent: '#b5452f',
    parts: [
      ...(PLANTS.tree?.parts ?? []),
      { path: 'M44 58 L24 100 M52 60 L34 100 M36 76 h12 M30 88 h13', line: 'wood', width: 2.4 },
      { path: 'M24 54 H86 V60 H24 Z', fill: 'wood' },
      { path: 'M32 30 H78 V55 H32 Z', fill: 'accent', alpha: 0.3 },
      { path: 'M32 30 H78 V55 H32 Z', fill: 'skin' },
      { path: 'M26 32 L55 10 L84 32 Z', fill: 'accent' },
      { path: rectangle(38, 38, 11, 17), fill: 'wood' },
      { path: rectangle(58, 38, 13, 10), fill: 'lamp' },
    ],
  },
  iceberg: {
    main: '#d4ecf6',
    parts: [
      {
        path: 'M-44 92 L-34 62 L-8 54 L6 20 L30 8 L52 26 L76 22 L104 52 L126 64 L142 92 C100 100 0 100 -44 92 Z',
        fill: 'main',
      },
      { path: 'M30 8 L52 26 L44 60 L60 96 L142 92 L126 64 L104 52 L76 22 L60 24 Z', fill: 'shade' },
      { path: 'M6 20 L30 8 L24 40 L-2 62 L-34 62 L-8 54 Z', fill: 'white' },
      { path: 'M76 22 L86 50 L104 52 M44 60 L86 64', line: 'white', width: 1.6 },
    ],
  },
  waterfall: {
    main: '#7c8078',
    accent: '#cfe8f2',
    parts: [
      { path: 'M-46 100 L-40 30 L-12 -6 L30 -14 L34 100 Z', fill: 'main' },
      { path: 'M66 100 L70 -14 L108 -4 L134 34 L146 100 Z', fill: 'shade' },
      { path: 'M-40 30 L-12 -6 L30 -14 L31 4 L6 20 L-10 46 Z', fill: 'leafShade' },
      { path: 'M70 -14 L108 -4 L134 34 L110 40 L92 12 L70 6 Z', fill: 'leaf' },
      { path: 'M28 -14 C40 -20 60 -20 72 -14 L76 96 H24 Z', fill: 'accent' },
      {
        path: 'M34 -10 V92 M43 -14 V80 M52 -14 V94 M60 -12 V84 M68 -10 V92',
        line: 'white',
        width: 2.6,
        alpha: 0.8,
        move: { kind: 'flutter', x: 50, y: 96, amount: 0.12, period: 0.7 },
      },
      { path: `${oval(30, 96, 18, 7)} ${oval(52, 98, 22, 8)} ${oval(74, 96, 18, 7)}`, fill: 'white', alpha: 0.85 },
      { path: oval(50, 99, 90, 6), fill: 'accent', alpha: 0.7 },
    ],
  },
  fence: {
    main: '#b08a5f',
    parts: [
      { path: 'M-90 48 H190 V58 H-90 Z M-90 76 H190 V86 H-90 Z', fill: 'shade' },
      ...[-80, -45, -10, 25, 60, 95, 130, 165].map(
        (x) => ({ path: `M${x} 100 V36 L${x + 8} 26 L${x + 16} 36 V100 Z`, fill: 'main' }) as const,
      ),
    ],
  },
  wall: {
    main: '#a85f48',
    parts: [
      { path: 'M-130 0 H230 V100 H-130 Z', fill: 'main' },
      {
        path: [0, 1, 2, 3, 4, 5, 6, 7]
          .map((row) => {
            const joints = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(
              (column) => `M${-130 + column * 40 + (row % 2) * 20} ${row * 12.5} v12.5`,
            );
            return `M-130 ${row * 12.5} H230 ${joints.slice(0, 9).join(' ')}`;
          })
          .join(' '),
        line: 'pale',
        width: 1.3,
        alpha: 0.7,
      },
      { path: 'M-134 -5 H234 V3 H-134 Z', fill: 'shade' },
    ],
  },
  skyscraper: {
    main: '#6f8596',
    parts: [
      { path: 'M49 -20 H51 V4 H49 Z', fill: 'deep' },
      { path: 'M26 16 L50 0 L74 16 V100 H26 Z', fill: 'main' },
      { path: 'M54 3 L74 16 V100 H54 Z', fill: 'shade' },
      { path: rectangles([30, 38, 46, 57, 65], [20, 28, 36, 44, 52, 60, 68, 76, 84], 5, 5), fill: 'lamp' },
    ],
  },
  cafe: {
    main: '#e3d2b4',
    accent: '#c8483a',
    parts: [
      { path: 'M-30 0 H130 V100 H-30 Z', fill: 'main' },
      { path: 'M-36 -6 H136 V6 H-36 Z', fill: 'wood' },
      { path: 'M-20 46 H44 V88 H-20 Z M86 46 H120 V88 H86 Z', fill: 'lamp' },
      { path: 'M-20 46 H44 V88 H-20 Z M86 46 H120 V88 H86 Z M12 46 V88', line: 'wood', width: 3 },
      { path: 'M54 48 H78 V100 H54 Z', fill: 'wood' },
      { path: 'M58 54 H74 V76 H58 Z', fill: 'glass' },
      { path: 'M-34 30 H134 L142 48 H-42 Z', fill: 'white' },
      {
        path: 'M-34 30 H-10 L-14 48 H-42 Z M14 30 H38 L38 48 H12 Z M62 30 H86 L90 48 H64 Z M110 30 H134 L142 48 H116 Z',
        fill: 'accent',
      },
    ],
  },
  townhouses: {
    main: '#d8b892',
    accent: '#b5452f',
    parts: [
      ...(
        [
          [-110, 20, 'accent'],
          [-50, -4, 'main'],
          [10, 12, 'light'],
          [70, -10, 'skin'],
          [130, 16, 'shade'],
        ] as const
      ).flatMap(([x, top, fill]): Part[] => [
        { path: `M${x} ${top} H${x + 60} V100 H${x} Z`, fill },
        {
          path: `M${x - 3} ${top + 2} L${x + 10} ${top - 18} H${x + 50} L${x + 63} ${top + 2} Z`,
          fill: 'ink',
          alpha: 0.75,
        },
        { path: rectangles([x + 8, x + 25, x + 42], [top + 12, top + 34], 10, 14), fill: 'lamp' },
        { path: `M${x + 6} 70 H${x + 54} L${x + 58} 80 H${x + 2} Z`, fill: 'accentShade' },
        { path: rectangle(x + 22, 82, 14, 18), fill: 'wood' },
      ]),
    ],
  },
  stand: {
    main: '#5f6f8f',
    parts: [
      { path: 'M-130 30 H230 V100 H-130 Z', fill: 'main' },
      { path: 'M-130 44 H230 M-130 58 H230 M-130 72 H230 M-130 86 H230', line: 'light', width: 2 },
      {
        path: rectangles([-120, -96, -60, -36, -12, 24, 36, 84, 96, 132, 168, 204], [36, 64, 78], 6, 6),
        fill: 'fire',
        alpha: 0.8,
      },
      { path: rectangles([-108, -72, -48, 0, 12, 48, 60, 108, 120, 156, 192], [36, 50, 78], 6, 6), fill: 'lamp' },
      { path: rectangles([-116, -84, -24, 30, 72, 110, 150, 180], [50, 64, 90], 6, 6), fill: 'skin' },
      { path: 'M-140 20 H240 L230 32 H-130 Z', fill: 'white' },
      { path: 'M-90 20 V-30 M190 20 V-30', line: 'metal', width: 4 },
      { path: `${rectangle(-106, -42, 32, 14)} ${rectangle(174, -42, 32, 14)}`, fill: 'lamp' },
    ],
  },
  party_balloons: {
    main: '#c8352e',
    accent: '#2f6fd0',
    parts: [
      {
        path: 'M22 40 C30 70 46 80 50 100 M50 28 V100 M78 40 C70 70 54 80 50 100 M36 8 C40 50 48 70 50 100 M66 8 C60 50 52 70 50 100',
        line: 'grey',
        width: 1,
      },
      { path: oval(34, -8, 17, 20), fill: 'leaf' },
      { path: oval(66, -8, 17, 20), fill: 'lamp' },
      { path: oval(20, 22, 17, 20), fill: 'accent' },
      { path: oval(80, 22, 17, 20), fill: 'fire' },
      { path: oval(50, 14, 18, 21), fill: 'main' },
      { path: 'M42 4 q2 -6 7 -7 M12 12 q2 -6 7 -7 M72 12 q2 -6 7 -7', line: 'white', width: 2.6, alpha: 0.7 },
    ],
  },
  sunflower: {
    main: '#f2b91f',
    accent: '#5a3a22',
    parts: [
      { path: 'M50 42 C54 64 48 82 50 100', line: 'leaf', width: 4.4 },
      {
        path: 'M50 78 C62 60 80 62 86 68 C78 82 62 84 50 80 Z M50 88 C38 70 22 72 16 78 C24 92 38 94 50 90 Z',
        fill: 'leaf',
      },
      {
        path: Array.from({ length: 16 }, (_, petal) => {
          const turn = (petal * Math.PI) / 8;
          const at = (angle: number, reach: number) =>
            `${(50 + Math.cos(angle) * reach).toFixed(1)} ${(24 + Math.sin(angle) * reach).toFixed(1)}`;
          return `M${at(turn - 0.22, 15)} Q${at(turn - 0.2, 27)} ${at(turn, 33)} Q${at(turn + 0.2, 27)} ${at(turn + 0.22, 15)} Z`;
        }).join(' '),
        fill: 'main',
      },
      { path: oval(50, 24, 17), fill: 'accent' },
      { path: `${oval(50, 24, 11)}`, fill: 'accentShade' },
    ],
  },
  rose: {
    main: '#c22a3a',
    parts: [
      { path: 'M50 40 C54 64 46 82 50 100', line: 'leafShade', width: 3.4 },
      {
        path: 'M50 74 C62 58 76 60 84 64 C76 78 62 80 50 76 Z M50 86 C38 70 24 72 16 76 C24 90 38 92 50 88 Z',
        fill: 'leaf',
      },
      {
        path: 'M20 14 C20 40 36 50 50 50 C64 50 80 40 80 14 C72 20 66 16 62 10 C54 2 46 2 38 10 C34 16 28 20 20 14 Z',
        fill: 'main',
      },
      { path: 'M26 26 C36 36 50 34 56 22 C62 30 72 30 76 24 C74 40 62 50 50 50 C38 50 28 40 26 26 Z', fill: 'shade' },
      { path: 'M42 16 C46 8 58 10 58 18 C56 26 44 26 42 20', line: 'deep', width: 2.6 },
    ],
  },
  tulip: {
    main: '#e04a5a',
    parts: [
      { path: 'M50 40 V100', line: 'leaf', width: 4 },
      {
        path: 'M50 98 C30 84 26 60 30 52 C42 64 50 80 50 98 Z M50 98 C70 84 74 64 70 56 C58 68 50 82 50 98 Z',
        fill: 'leaf',
      },
      { path: 'M28 4 C36 10 42 12 50 0 C58 12 64 10 72 4 C78 28 68 46 50 46 C32 46 22 28 28 4 Z', fill: 'main' },
      { path: 'M50 0 C60 16 60 32 50 46 C40 32 40 16 50 0 Z', fill: 'light' },
    ],
  },
  bamboo: {
    main: '#7fa045',
    parts: [...canes(-20, 98), ...canes(14, 100), ...canes(46, 96), ...canes(80, 100), ...canes(114, 98)],
  },
  branch: {
    main: '#6e4a32',
    parts: [
      { path: 'M-70 100 C-76 40 -72 0 -82 -140 H-46 C-50 -20 -50 40 -38 100 Z', fill: 'main' },
      { path: 'M-50 100 C-56 40 -56 0 -54 -140 H-46 C-50 -20 -50 40 -38 100 Z', fill: 'shade' },
      { path: 'M-56 52 C-20 34 40 30 120 20 C126 20 126 26 120 27 C60 36 0 44 -48 68 Z', fill: 'main' },
      { path: 'M60 28 L82 6 M96 23 L124 38', line: 'main', width: 4 },
      {
        path: 'M82 6 q20 -16 30 0 q-16 10 -30 0 Z M124 38 q22 -6 24 10 q-18 4 -24 -10 Z M120 22 q18 -14 28 0 q-14 10 -28 0 Z',
        fill: 'leaf',
      },
    ],
  },
  leaf: {
    main: '#5aa04a',
    parts: [
      { path: 'M-60 84 C-30 52 70 40 140 88 C90 110 -10 108 -60 84 Z', fill: 'main' },
      { path: 'M-60 84 C0 80 80 82 140 88', line: 'pale', width: 2.6 },
      { path: 'M-10 82 L6 66 M30 81 L50 62 M70 83 L88 68 M0 83 L14 98 M44 83 L60 99', line: 'pale', width: 1.4 },
    ],
  },
  xmas_tree: {
    main: '#2f6f4a',
    parts: [
      ...(PLANTS.pine?.parts ?? []),
      { path: `${oval(42, 36, 3)} ${oval(60, 48, 3)} ${oval(36, 60, 3)} ${oval(66, 72, 3)}`, fill: 'fire' },
      {
        path: `${oval(54, 30, 3)} ${oval(48, 50, 3)} ${oval(56, 62, 3)} ${oval(34, 76, 3)} ${oval(50, 78, 3)}`,
        fill: 'lamp',
      },
      { path: 'M50 -12 L53 -3 L62 -3 L55 2 L58 11 L50 6 L42 11 L45 2 L38 -3 L47 -3 Z', fill: 'lamp' },
    ],
  },
};
