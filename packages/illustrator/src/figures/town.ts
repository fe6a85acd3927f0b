import { oval, type Part, rectangle, rectangles } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Objects along the streets of a town. */
export const TOWN = {
  skyscraper: {
    words: {
      en: 'skyscraper, office building, apartment building, high rise',
    },
    habitat: { lives: 'land', size: 0.56, home: ['city'], building: true },
    drawing: {
      main: '#6f8596',
      parts: [
        { path: 'M49 -20 H51 V4 H49 Z', fill: 'deep' },
        { path: 'M26 16 L50 0 L74 16 V100 H26 Z', fill: 'main' },
        { path: 'M54 3 L74 16 V100 H54 Z', fill: 'shade' },
        { path: rectangles([30, 38, 46, 57, 65], [20, 28, 36, 44, 52, 60, 68, 76, 84], 5, 5), fill: 'lamp' },
      ],
    },
  },
  cafe: {
    words: {
      en: 'cafe, café, coffee shop, bakery, restaurant, shop, store, bookshop, bookstore, pub, bistro',
      de: 'Café/Cafés',
    },
    habitat: { lives: 'land', size: 0.38, home: ['old_town', 'city'], building: true },
    drawing: {
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
  },
  townhouses: {
    words: {
      en: 'row houses, townhouses, town houses',
    },
    habitat: { lives: 'land', size: 0.4, home: ['old_town'], building: true },
    furnishes: {
      market: [
        { x: -0.86, y: 0.06, size: 0.4 },
        { x: 0.86, y: 0.06, size: 0.38 },
        { x: 0, y: 0.03, size: 0.3 },
      ],
      old_town: [
        { x: -0.86, y: 0.06, size: 0.4 },
        { x: 0.86, y: 0.06, size: 0.38 },
        { x: 0, y: 0.03, size: 0.3 },
      ],
      canal: [
        { x: -0.86, y: 0.06, size: 0.4 },
        { x: 0.86, y: 0.06, size: 0.38 },
        { x: 0, y: 0.03, size: 0.3 },
      ],
    },
    drawing: {
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
  },
  stall: {
    words: {
      en: 'market stall, stall, food stand, lemonade stand, food truck',
      de: 'marktstand',
    },
    habitat: { lives: 'land', size: 0.36, home: ['old_town'], outdoors: true },
    furnishes: {
      market: [
        { x: -0.72, y: 0.2, size: 0.3 },
        { x: 0.74, y: 0.22, size: 0.3 },
        { x: 0.04, y: 0.14, size: 0.26 },
      ],
    },
    drawing: {
      main: '#c8573a',
      accent: '#e8b04a',
      parts: [
        { path: 'M-18 20 V100 M118 20 V100', line: 'wood', width: 4 },
        { path: 'M-16 36 H116 V66 H-16 Z', fill: 'ink', alpha: 0.35 },
        { path: 'M-20 66 H120 V98 H-20 Z', fill: 'wood' },
        { path: [-8, 8, 24].map((x) => oval(x, 60, 8)).join(' '), fill: 'fire' },
        { path: [42, 56, 70].map((x) => oval(x, 60, 7.5)).join(' '), fill: 'leaf' },
        { path: [86, 100].map((x) => oval(x, 59, 9)).join(' '), fill: 'accent' },
        { path: 'M-16 78 H50 V92 H-16 Z', fill: 'accentShade' },
        { path: 'M-34 22 L-20 -6 H120 L134 22 Z', fill: 'main' },
        { path: 'M-10 22 L-1 -6 H18 L14 22 Z M38 22 L40 -6 H60 L62 22 Z M86 22 L82 -6 H101 L110 22 Z', fill: 'pale' },
        {
          path: 'M-34 22 q12 12 24 0 q12 12 24 0 q12 12 24 0 q12 12 24 0 q12 12 24 0 q12 12 24 0 q12 12 24 0 Z',
          fill: 'shade',
        },
        { path: rectangle(20, 72, 60, 3), fill: 'accent' },
      ],
    },
  },
  stand: {
    words: {},
    habitat: { lives: 'land', size: 0.2, home: ['stadium'] },
    furnishes: {
      stadium: [
        { x: -0.62, y: 0.02, size: 0.2 },
        { x: 0.62, y: 0.02, size: 0.2 },
        { x: 0, y: 0.02, size: 0.2 },
      ],
    },
    drawing: {
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
  },
  bridge: {
    words: {
      en: 'bridge, viaduct, aqueduct',
      de: 'brücke/brücken',
      fr: 'pont',
      es: 'puente',
    },
    habitat: { lives: 'water', size: 0.24, home: ['river'], building: true },
    seat: { top: 0.6, width: 1, holds: 0.55 },
    drawing: {
      main: '#a89f94',
      parts: [
        { path: 'M-70 56 C-20 34 120 34 170 56 V70 H-70 Z', fill: 'main' },
        {
          path: 'M-70 66 H170 V112 H150 C150 82 110 82 110 112 H94 C94 76 6 76 6 112 H-10 C-10 82 -50 82 -50 112 H-70 Z',
          fill: 'shade',
        },
        { path: 'M-70 54 C-20 32 120 32 170 54', line: 'light', width: 4 },
      ],
    },
  },
  wall: {
    words: {
      en: 'brick wall, stone wall, wall',
      de: 'Mauer/Mauern',
    },
    habitat: { lives: 'land', size: 0.34, home: ['city'] },
    seat: { top: 0.98, width: 1.6, holds: 0.5, posture: 'upright', peopleSit: true },
    drawing: {
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
  },
  fence: {
    words: {
      en: 'fence, picket fence, gate',
      de: 'Zaun/Zäune',
      fr: 'clôture',
      es: 'valla',
    },
    habitat: { lives: 'land', size: 0.26, home: ['meadow'], outdoors: true },
    seat: { top: 0.66, width: 1.2, holds: 0.8, posture: 'upright', peopleSit: true },
    drawing: {
      main: '#b08a5f',
      parts: [
        { path: 'M-90 48 H190 V58 H-90 Z M-90 76 H190 V86 H-90 Z', fill: 'shade' },
        ...[-80, -45, -10, 25, 60, 95, 130, 165].map(
          (x) => ({ path: `M${x} 100 V36 L${x + 8} 26 L${x + 16} 36 V100 Z`, fill: 'main' }) as const,
        ),
      ],
    },
  },
  bench: {
    words: {
      en: 'bench/benches, park bench',
      de: 'Bank/Bänke, Parkbank',
      fr: 'banc/bancs',
    },
    habitat: { lives: 'land', size: 0.2, home: ['garden', 'city'], outdoors: true },
    seat: { top: 0.42, width: 1.3, holds: 0.9, posture: 'upright', peopleSit: true },
    drawing: {
      main: '#8a5a3b',
      parts: [
        { path: 'M-36 58 V100 M136 58 V100 M-36 12 V60 M136 12 V60', line: 'ink', width: 5 },
        { path: 'M-50 16 H150 V25 H-50 Z M-50 31 H150 V40 H-50 Z', fill: 'main' },
        { path: 'M-52 56 H152 V66 H-52 Z', fill: 'light' },
        { path: 'M-52 63 H152 V69 H-52 Z', fill: 'shade' },
      ],
    },
  },
  lantern: {
    words: {
      en: 'lantern, lamp, street lamp, lamppost, streetlight, street light',
      de: 'laterne/laternen, lampe/lampen',
      fr: 'lanterne, réverbère',
      es: 'farol/faroles, farola',
    },
    habitat: { lives: 'land', size: 0.36, home: ['city'], outdoors: true },
    held: { carried: true },
    hasStem: true,
    growth: { density: { city: 0.3, old_town: 0.3 }, stand: { spacing: 0.8, size: 0.34, depths: [0.16, 0.28] } },
    drawing: {
      main: '#3a3f4c',
      parts: [
        { path: 'M50 100 V34', line: 'main', width: 4 },
        { path: 'M40 100 H60 L56 92 H44 Z', fill: 'main' },
        { path: 'M40 12 H60 L56 34 H44 Z', fill: 'lamp' },
        { path: 'M40 12 H60 L56 34 H44 Z M50 12 V34', line: 'main', width: 1.8 },
        { path: 'M36 12 L50 0 L64 12 Z', fill: 'main' },
        { path: oval(50, -1, 2.4), fill: 'main' },
      ],
    },
  },
} satisfies FigureKinds;
