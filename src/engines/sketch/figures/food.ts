import { type Drawing, oval, rectangle } from './drawing.ts';

export const FOOD: Readonly<Record<string, Drawing>> = {
  pizza: {
    main: '#f0c25a',
    accent: '#c8402e',
    parts: [
      { path: oval(50, 84, 92, 16), fill: 'white' },
      { path: oval(50, 82, 78, 15), fill: 'wood' },
      { path: oval(50, 77, 78, 17), fill: 'shade' },
      { path: oval(50, 75, 68, 13.5), fill: 'main' },
      {
        path: `${oval(16, 72, 11, 3.4)} ${oval(48, 67, 11, 3)} ${oval(84, 73, 11, 3.4)} ${oval(34, 81, 12, 3.6)} ${oval(68, 82, 12, 3.6)}`,
        fill: 'accent',
      },
      {
        path: 'M30 70 q6 -5 10 0 q-5 4 -10 0 Z M60 75 q6 -5 10 0 q-5 4 -10 0 Z M2 78 q6 -5 10 0 q-5 4 -10 0 Z',
        fill: 'leaf',
      },
      { path: 'M50 75 L118 75 M50 75 L4 66 M50 75 L16 87 M50 75 L74 63', line: 'shade', width: 1.4, alpha: 0.7 },
    ],
  },
  burger: {
    main: '#d9963f',
    accent: '#c8402e',
    parts: [
      {
        path: 'M96 98 V48 M106 98 V42 M116 98 V52 M124 98 V46 M101 98 V56 M111 98 V60',
        line: 'lamp',
        width: 6.5,
      },
      { path: 'M86 62 C100 68 118 68 132 62 L126 98 H92 Z', fill: 'accent' },
      { path: 'M4 82 H84 C86 92 80 99 70 99 H18 C8 99 2 92 4 82 Z', fill: 'shade' },
      { path: 'M0 72 H88 V82 C80 88 8 88 0 82 Z', fill: 'wood' },
      { path: 'M2 66 H86 L74 78 L58 70 L44 80 L28 70 L14 78 Z', fill: 'lamp' },
      { path: 'M0 60 C10 70 18 60 26 66 C36 72 44 60 54 66 C64 72 74 60 88 64 V56 H0 Z', fill: 'leaf' },
      { path: 'M2 58 C2 26 22 16 44 16 C66 16 86 26 86 58 Z', fill: 'main' },
      {
        path: 'M24 34 l5 -3 M40 26 l6 0 M58 32 l6 3 M34 42 l5 -2 M52 42 l5 2 M70 44 l5 3',
        line: 'pale',
        width: 2.4,
      },
    ],
  },
  sushi: {
    main: '#f4f0e6',
    accent: '#f08a5a',
    parts: [
      { path: 'M-46 84 H146 L138 96 H-38 Z', fill: 'ink' },
      { path: 'M-46 84 H146 L143 88 H-43 Z', fill: 'grey' },
      ...[-12, 42, 96].map(
        (x) => ({ path: `M${x - 22} 84 V64 C${x - 18} 54 ${x + 18} 54 ${x + 22} 64 V84 Z`, fill: 'main' }) as const,
      ),
      ...[-12, 42, 96].map(
        (x) =>
          ({
            path: `M${x - 26} 66 C${x - 22} 44 ${x + 22} 44 ${x + 26} 66 C${x + 14} 60 ${x - 14} 60 ${x - 26} 66 Z`,
            fill: 'accent',
          }) as const,
      ),
      ...[-12, 42, 96].map(
        (x) =>
          ({ path: `M${x - 14} 55 l6 7 M${x - 1} 51 l4 9 M${x + 12} 53 l3 9`, line: 'white', width: 1.8 }) as const,
      ),
      { path: 'M-40 74 L150 50 M-40 79 L150 60', line: 'wood', width: 3 },
    ],
  },
  ice_cream: {
    main: '#f4b6c8',
    accent: '#f3e3c0',
    parts: [
      { path: 'M22 46 L50 100 L78 46 Z', fill: 'wood' },
      { path: 'M22 46 L50 100 L78 46 Z', fill: 'lamp', alpha: 0.5 },
      { path: 'M32 46 L60 80 M46 46 L66 68 M68 46 L40 80 M54 46 L34 68', line: 'wood', width: 1.6 },
      { path: `${oval(32, 38, 19)}`, fill: 'accent' },
      { path: `${oval(68, 38, 19)}`, fill: 'wood' },
      { path: 'M26 26 C26 4 74 4 74 26 C74 38 26 38 26 26 Z', fill: 'main' },
      { path: oval(50, 2, 6), fill: 'fire' },
      { path: 'M50 -3 C52 -10 58 -13 62 -12', line: 'leaf', width: 1.8 },
    ],
  },
  wine: {
    main: '#7d1f38',
    parts: [
      { path: 'M50 58 V96', line: 'white', width: 3.4 },
      { path: oval(50, 97, 20, 3), fill: 'white' },
      { path: 'M26 6 C20 34 30 60 50 60 C70 60 80 34 74 6 Z', fill: 'white', alpha: 0.5 },
      { path: 'M24 24 C24 44 34 58 50 58 C66 58 76 44 76 24 Z', fill: 'main' },
      { path: oval(50, 24, 26, 4), fill: 'light' },
      { path: 'M31 12 C29 24 31 38 36 46', line: 'white', width: 2.6, alpha: 0.7 },
    ],
  },
  cheese: {
    main: '#f2c84b',
    parts: [
      { path: 'M-10 98 H112', line: 'wood', width: 6 },
      { path: 'M0 60 L96 38 C104 44 108 52 108 60 Z', fill: 'light' },
      { path: 'M0 60 H108 V94 H0 Z', fill: 'main' },
      {
        path: `${oval(24, 74, 8, 6)} ${oval(58, 84, 10, 6)} ${oval(84, 70, 8, 5)} ${oval(62, 52, 8, 3)}`,
        fill: 'deep',
      },
    ],
  },
  fruit_bowl: {
    main: '#4f7fa8',
    accent: '#f2c230',
    parts: [
      { path: oval(22, 42, 19), fill: 'fire' },
      { path: 'M26 28 C36 6 74 0 96 14 C84 20 68 30 58 46 Z', fill: 'accent' },
      { path: oval(80, 42, 20), fill: 'leaf' },
      { path: oval(50, 36, 21), fill: 'skin' },
      { path: 'M50 36 m-21 0 a21 21 0 0 1 42 0 a21 21 0 0 1 -42 0 Z', fill: 'fire', alpha: 0.7 },
      { path: 'M50 17 C50 10 54 6 58 4 M80 24 q2 -8 6 -10', line: 'wood', width: 2.6 },
      { path: 'M40 26 q4 -6 10 -5', line: 'white', width: 2.4, alpha: 0.6 },
      { path: 'M-8 46 H108 C104 78 82 92 66 94 L70 100 H30 L34 94 C18 92 -4 78 -8 46 Z', fill: 'main' },
      { path: 'M60 46 H108 C104 78 82 92 66 94 L70 100 H52 C70 84 70 60 60 46 Z', fill: 'shade' },
      { path: 'M-8 46 H108 L107 53 H-7 Z', fill: 'light' },
    ],
  },
  banana: {
    main: '#f2cf3a',
    parts: [
      { path: 'M8 40 C14 84 60 104 104 76 L108 82 C70 116 -2 100 -2 42 Z', fill: 'main' },
      { path: 'M8 40 C16 90 64 100 104 76 C60 92 26 76 8 40 Z', fill: 'light' },
      { path: 'M-2 42 L2 30 L9 31 L8 40 Z M104 76 L110 76 L108 82 Z', fill: 'wood' },
    ],
  },
  teapot: {
    main: '#4f8f8a',
    accent: '#f2e6c8',
    parts: [
      { path: 'M18 50 C-12 42 -14 84 20 84', line: 'main', width: 7 },
      { path: 'M80 78 C94 74 98 52 114 40 L106 34 C92 44 88 54 78 58 Z', fill: 'main' },
      { path: 'M50 30 C82 30 92 54 88 74 C84 92 72 98 50 98 C28 98 16 92 12 74 C8 54 18 30 50 30 Z', fill: 'main' },
      { path: 'M56 30 C84 32 92 54 88 74 C84 92 72 98 56 98 C78 82 78 48 56 30 Z', fill: 'shade' },
      { path: 'M28 34 C34 24 66 24 72 34 C62 40 38 40 28 34 Z', fill: 'light' },
      { path: oval(50, 22, 6), fill: 'accent' },
      { path: 'M14 62 C34 72 66 72 86 62', line: 'accent', width: 3 },
    ],
  },
  bread: {
    main: '#c98a45',
    parts: [
      { path: 'M-6 98 H110', line: 'wood', width: 6 },
      { path: 'M0 92 C-8 60 10 48 50 48 C92 48 110 60 104 92 C90 98 14 98 0 92 Z', fill: 'main' },
      { path: 'M20 58 q6 10 2 22 M44 54 q6 12 2 26 M68 54 q6 12 2 26', line: 'pale', width: 5 },
    ],
  },
  donut: {
    main: '#f29ab8',
    parts: [
      {
        path: 'M50 20 a40 40 0 1 0 .1 0 Z M50 46 a14 14 0 1 1 -.1 0 Z',
        fill: 'wood',
      },
      {
        path: 'M50 22 C76 22 90 42 88 58 C84 68 78 60 72 68 C66 78 58 70 50 76 C42 84 34 70 28 70 C20 72 14 64 12 58 C10 40 26 22 50 22 Z M50 46 a14 14 0 1 1 -.1 0 Z',
        fill: 'main',
      },
      { path: 'M30 38 l5 3 M46 30 l5 0 M66 36 l4 4 M74 52 l2 5 M26 56 l4 -4 M40 68 l4 3', line: 'lamp', width: 2.6 },
    ],
  },
  picnic: {
    main: '#c8352e',
    accent: '#8a5a3b',
    parts: [
      { path: 'M-20 84 L30 68 H120 L90 100 H-60 Z', fill: 'white' },
      {
        path: 'M-8 80 H108 L103 85 H-24 Z M-42 93 H96 L91 99 H-58 Z M8 75 H0 L-34 100 H-22 Z M48 68 H38 L12 100 H26 Z M84 68 H74 L58 100 H72 Z',
        fill: 'main',
        alpha: 0.85,
      },
      { path: 'M4 62 H60 L54 88 H10 Z', fill: 'accent' },
      { path: 'M2 58 H62 V65 H2 Z', fill: 'lamp' },
      { path: 'M12 60 C12 30 52 30 52 60', line: 'accent', width: 4 },
      { path: oval(80, 82, 7), fill: 'fire' },
      { path: `${rectangle(-10, 66, 10, 22)} ${rectangle(-7, 56, 4, 12)}`, fill: 'leafShade' },
    ],
  },
};
