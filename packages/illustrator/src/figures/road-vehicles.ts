import { oval, rectangle, rectangles, wheel } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';

/** Vehicles on roads, rails and fields. */
export const ROAD_VEHICLES = {
  car: {
    words: {
      en: 'car, automobile, suv, pickup, limousine, taxi, sports car, vehicle',
      de: 'auto/autos, wagen',
      fr: 'voiture',
      es: 'coche, carro',
    },
    habitat: { lives: 'land', size: 0.17, home: ['road', 'city'], outdoors: true },
    gait: { driveSpeed: 0.4 },
    drawing: {
      main: '#c8352e',
      parts: [
        {
          path: 'M-26 62 C-30 62 -34 66 -34 72 V84 H134 V70 C134 60 118 56 100 54 L80 28 C76 23 70 20 62 20 H20 C12 20 6 24 2 30 L-12 56 Z',
          fill: 'main',
        },
        { path: 'M10 32 C12 28 16 26 20 26 H44 V52 H-2 Z M50 26 H64 C70 26 73 28 76 32 L91 52 H50 Z', fill: 'glass' },
        { path: 'M-34 72 H134 V84 H-34 Z', fill: 'shade' },
        ...wheel(0, 84, 16, 'metal'),
        ...wheel(98, 84, 16, 'metal'),
        { path: `${oval(129, 66, 5, 4)}`, fill: 'lamp' },
        { path: rectangle(-34, 64, 6, 7), fill: 'accent' },
      ],
    },
  },
  train: {
    words: {
      en: 'train, locomotive, tram, railway, railroad',
      de: 'zug/züge, eisenbahn, lokomotive/lokomotiven, dampflok',
      es: 'tren/trenes',
    },
    habitat: { lives: 'land', size: 0.19, outdoors: true },
    gait: { driveSpeed: 0.3 },
    drawing: {
      main: '#2f6b5a',
      accent: '#c8433a',
      parts: [
        { path: 'M-150 98 H190', line: 'metal', width: 2 },
        {
          path: 'M128 30 C120 10 140 4 132 -14 C150 -20 160 0 150 12 C146 18 146 24 146 30 Z',
          fill: 'white',
          alpha: 0.45,
        },
        { path: 'M-140 34 H-22 V84 H-140 Z', fill: 'accent' },
        { path: 'M-144 28 H-18 V36 H-144 Z', fill: 'shade' },
        { path: rectangles([-132, -108, -84, -60], [44], 17, 17), fill: 'lamp' },
        { path: 'M-8 18 H42 V84 H-8 Z M42 42 H150 V84 H42 Z', fill: 'main' },
        { path: 'M42 42 H150 V50 H42 Z', fill: 'light', alpha: 0.5 },
        { path: 'M-14 12 H48 V20 H-14 Z M126 24 H144 V42 H128 Z M76 34 C76 28 92 28 92 34 V42 H76 Z', fill: 'deep' },
        { path: rectangle(4, 28, 26, 20), fill: 'lamp' },
        { path: 'M150 84 L170 98 H144 V84 Z', fill: 'accentShade' },
        ...[-122, -92, -64, -38, 8, 40, 76, 108, 136].flatMap((x) => wheel(x, 86, x > 0 && x < 60 ? 13 : 10, 'metal')),
        { path: oval(152, 56, 5), fill: 'lamp' },
      ],
    },
  },
  bicycle: {
    words: {
      en: 'bicycle, bike',
      de: 'fahrrad/fahrräder',
      fr: 'vélo, bicyclette',
      es: 'bicicleta',
    },
    habitat: { lives: 'land', size: 0.2, home: ['road', 'city'], outdoors: true },
    gait: { driveSpeed: 0.26, needsRider: true },
    seat: { top: 0.72, width: 0.1, holds: 1.3, posture: 'pedalling', peopleSit: true },
    drawing: {
      main: '#2a9d93',
      parts: [
        { path: `${oval(10, 74, 25)} ${oval(92, 74, 25)}`, line: 'ink', width: 3.4 },
        {
          path: 'M10 49 V99 M-15 74 H35 M-8 56 L28 92 M28 56 L-8 92',
          line: 'metal',
          width: 0.7,
          move: { kind: 'roll', x: 10, y: 74, amount: 25, period: 1 },
        },
        {
          path: 'M92 49 V99 M67 74 H117 M74 56 L110 92 M110 56 L74 92',
          line: 'metal',
          width: 0.7,
          move: { kind: 'roll', x: 92, y: 74, amount: 25, period: 1 },
        },
        { path: 'M10 74 L34 38 L74 36 L46 76 L10 74 M34 38 L46 76 M74 36 L92 74', line: 'main', width: 3.6 },
        { path: 'M74 36 L70 22 M70 22 L84 20 M34 38 L31 28 M22 27 H40', line: 'ink', width: 3.4 },
        { path: oval(46, 76, 5), fill: 'metal' },
      ],
    },
  },
  motorcycle: {
    words: {
      en: 'motorcycle, motorbike, scooter, moped, vespa',
      de: 'Motorrad/Motorräder',
      fr: 'moto/motos',
      es: 'motocicleta/motocicletas',
    },
    habitat: { lives: 'land', size: 0.22, home: ['road', 'city'] },
    gait: { driveSpeed: 0.42, needsRider: true },
    seat: { top: 0.5, width: 0.1, holds: 1.1, posture: 'leaning', peopleSit: true },
    drawing: {
      main: '#c8352e',
      parts: [
        ...wheel(2, 78, 22),
        ...wheel(104, 78, 22),
        { path: 'M104 78 L84 30 L96 22', line: 'metal', width: 5 },
        { path: 'M2 78 L46 74 L74 46', line: 'metal', width: 5 },
        { path: 'M34 58 H74 V82 H34 Z', fill: 'metal' },
        { path: 'M40 64 H68 M40 70 H68 M40 76 H68', line: 'ink', width: 2 },
        { path: 'M42 40 C56 30 78 30 86 42 C80 54 56 58 42 52 Z', fill: 'main' },
        { path: 'M-12 44 C10 48 30 44 44 46 L42 56 C20 60 4 56 -12 50 Z', fill: 'ink' },
        { path: 'M-6 88 L50 84', line: 'grey', width: 6 },
        { path: oval(96, 38, 7), fill: 'lamp' },
      ],
    },
  },
  truck: {
    words: {
      en: 'truck, lorry/lorries, pickup truck, fire truck, fire engine, van, caravan',
      de: 'Lastwagen/Lastwagen',
      fr: 'camion/camions',
      es: 'camión/camiones',
    },
    habitat: { lives: 'land', size: 0.22, home: ['road'], outdoors: true },
    gait: { driveSpeed: 0.3 },
    drawing: {
      main: '#2f6fa8',
      parts: [
        { path: 'M-60 8 H70 V78 H-60 Z', fill: 'white' },
        { path: 'M-60 8 H70 V20 H-60 Z', fill: 'grey' },
        { path: 'M-56 78 H140 V86 H-56 Z', fill: 'ink' },
        { path: 'M76 26 H110 C118 26 122 34 128 50 L140 56 V80 H76 Z', fill: 'main' },
        { path: 'M86 34 H108 C114 36 116 44 119 52 H86 Z', fill: 'glass' },
        { path: 'M134 60 h6 v8 h-6 Z', fill: 'lamp' },
        ...wheel(-34, 86, 14),
        ...wheel(0, 86, 14),
        ...wheel(112, 86, 14),
      ],
    },
  },
  bus: {
    words: {
      en: 'bus/buses, school bus/school buses, minibus, coach/coaches',
      de: 'Bus/Busse, Schulbus',
      fr: 'autobus, autocar',
      es: 'autobús/autobuses',
    },
    habitat: { lives: 'land', size: 0.24, home: ['road'], outdoors: true },
    gait: { driveSpeed: 0.3 },
    drawing: {
      main: '#f2b21f',
      parts: [
        { path: 'M-60 16 C-60 10 -56 8 -50 8 H124 C136 8 140 18 144 34 L154 52 V86 H-60 Z', fill: 'main' },
        { path: 'M-60 60 H154 M-60 72 H154', line: 'ink', width: 2.6 },
        { path: rectangles([-50, -24, 2, 28, 54, 80], [20], 20, 26), fill: 'glass' },
        { path: 'M108 20 H126 C132 24 134 38 138 48 H108 Z', fill: 'glass' },
        { path: 'M148 62 h6 v8 h-6 Z', fill: 'lamp' },
        ...wheel(-24, 88, 13),
        ...wheel(106, 88, 13),
      ],
    },
  },
  tractor: {
    words: {
      en: 'tractor, harvester, excavator',
      de: 'Traktor/Traktoren',
      fr: 'tracteur/tracteurs',
    },
    habitat: { lives: 'land', size: 0.26, home: ['meadow', 'hills'] },
    gait: { driveSpeed: 0.12 },
    drawing: {
      main: '#c8352e',
      parts: [
        { path: 'M98 44 V10', line: 'ink', width: 5 },
        { path: 'M60 44 H126 C132 44 134 50 134 58 V80 H60 Z', fill: 'main' },
        { path: 'M116 50 V76 M122 50 V76 M128 50 V76', line: 'deep', width: 2 },
        { path: 'M4 -4 H66 V4 H4 Z', fill: 'main' },
        { path: 'M10 4 H60 L64 48 H4 Z', fill: 'glass', alpha: 0.75 },
        { path: 'M10 4 L4 52 M60 4 L64 52', line: 'ink', width: 3.6 },
        { path: 'M-16 52 C0 34 40 34 60 52 V72 H-16 Z', fill: 'shade' },
        ...wheel(14, 70, 31),
        { path: oval(14, 70, 11), fill: 'lamp' },
        ...wheel(116, 84, 17),
      ],
    },
  },
  skateboard: {
    words: {
      en: 'skateboard, longboard, skateboarding',
      de: 'skateboard/skateboards',
    },
    habitat: { lives: 'land', size: 0.16, home: ['city'] },
    gait: { driveSpeed: 0.24, needsRider: true },
    impliesRider: true,
    seat: { top: 0.3, width: 0.4, holds: 2.4 },
    drawing: {
      main: '#2a9d93',
      accent: '#e8792b',
      parts: [
        { path: 'M-46 72 L-30 84 H130 L146 72', line: 'main', width: 7 },
        { path: 'M-26 84 H126', line: 'shade', width: 3 },
        ...wheel(-6, 92, 8, 'white'),
        ...wheel(106, 92, 8, 'white'),
      ],
    },
  },
} satisfies FigureKinds;
