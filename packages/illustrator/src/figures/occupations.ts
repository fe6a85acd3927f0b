import { leg, oval, type Part } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { arm, FACE, LONG_HAIR, ROBE, SHOE, TORSO } from './parts/person-parts.ts';

const LEGS: readonly Part[] = [
  leg('M46 64 L43 97', 'far', 'accent', 8, SHOE),
  leg('M55 64 L59 97', 'near', 'accent', 8, SHOE),
];
const CROWN: Part = { path: 'M39 8 L38 -6 L45 1 L50 -9 L55 1 L62 -6 L61 8 Z', fill: 'lamp' };

const RUBBER_BOOT = { tone: 'ink', width: 6, back: 4, front: 7 } as const;
const OILSKINS: readonly Part[] = [
  leg('M45 64 L42 97', 'far', 'ink', 8.5, RUBBER_BOOT),
  leg('M55 64 L59 97', 'near', 'ink', 8.5, RUBBER_BOOT),
  { path: 'M36 34 C43 28 57 28 64 34 L68 76 H32 Z', fill: 'main' },
  { path: 'M54 29 L64 34 L68 76 H55 Z', fill: 'shade' },
  { path: 'M50 32 V76', line: 'deep', width: 1.2 },
];
const ROD: readonly Part[] = [
  { path: 'M66 62 L136 -16', line: 'wood', width: 2.4 },
  { path: 'M136 -16 C140 20 141 50 140 88', line: 'white', width: 0.8 },
  { path: oval(140, 90, 3.4), fill: 'fire' },
  { path: oval(78, 53, 4), fill: 'metal' },
  { path: 'M60 38 C66 46 68 52 74 53', line: 'main', width: 7.5 },
  { path: 'M40 40 C48 52 58 58 67 60', line: 'shade', width: 7.5 },
  { path: `${oval(75, 53, 3.2)} ${oval(68, 60.5, 3.2)}`, fill: 'skin' },
];
const SOUWESTER: readonly Part[] = [
  { path: 'M30 16 C38 6 62 4 74 10 L62 8 C62 -8 40 -10 38 6 Z', fill: 'main' },
  { path: 'M38 7 C46 3 56 3 62 8 L62 4 C56 0 46 0 39 2 Z', fill: 'deep' },
];
const WHITE_BEARD: readonly Part[] = [
  { path: 'M39 15 C38 34 45 45 53 44 C60 42 63 30 61 18 C58 23 56 20 53 22 C47 24 43 19 39 15 Z', fill: 'white' },
  { path: 'M48 11.5 q3 -2 5 -.4 M55 11.2 q2.4 -1.4 4.4 .2', line: 'white', width: 1.6 },
];

/** People recognised by their work or rank. */
export const OCCUPATIONS = {
  chef: {
    words: {
      en: 'chef, cook, baker, barista, waiter',
      de: 'Koch/Köche, Köchin',
      fr: 'cuisinier/cuisiniers',
      es: 'cocinero/cocineros',
    },
    habitat: { lives: 'land', size: 0.46, home: ['kitchen'] },
    person: { sits: true },
    costume: 'hat',
    drawing: {
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
  },
  fisherman: {
    words: {
      en: 'fisherman/fishermen, fisher, angler',
      de: 'Fischer/Fischer, Angler/Angler',
      fr: 'pêcheur',
      es: 'pescador/pescadores',
    },
    habitat: { lives: 'land', size: 0.36, home: ['lake', 'river'] },
    person: { sits: true, dressed: true, countedPerMention: true, portrait: ['man'] },
    drawing: {
      main: '#e2b02e',
      parts: [...OILSKINS, ...FACE, ...SOUWESTER, ...ROD],
    },
    aged: {
      main: '#e2b02e',
      parts: [...OILSKINS, ...FACE, ...WHITE_BEARD, ...SOUWESTER, ...ROD],
    },
  },
  doctor: {
    words: {
      en: 'doctor, nurse, scientist, surgeon, dentist',
      de: 'Arzt/Ärzte, Ärztin',
    },
    habitat: { lives: 'land', size: 0.46, home: ['room'] },
    person: { sits: true },
    drawing: {
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
  },
  knight: {
    words: {
      en: 'knight, warrior, viking, gladiator, soldier, guard',
      de: 'Ritter/Ritter',
      fr: 'chevalier/chevaliers',
      es: 'caballero/caballeros',
    },
    habitat: { lives: 'land', size: 0.36 },
    person: { sits: true, dressed: true },
    drawing: {
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
  },
  samurai: {
    words: {
      en: 'samurai/samurai, ninja, shogun',
    },
    habitat: { lives: 'land', size: 0.36 },
    person: { sits: true, dressed: true },
    drawing: {
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
  },
  king: {
    words: {
      en: 'king, emperor, prince',
      de: 'König/Könige',
      fr: 'roi/rois',
      es: 'rey/reyes',
    },
    habitat: { lives: 'land', size: 0.36 },
    gait: { hop: { height: 0.02, lean: 0.02 } },
    person: { sits: true, dressed: true, portrait: ['man', 'crown'] },
    costume: 'crown',
    drawing: {
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
  },
  queen: {
    words: {
      en: 'queen, princess/princesses, empress',
      de: 'Königin/Königinnen, Prinzessin/Prinzessinnen',
      fr: 'reine/reines, princesse/princesses',
      es: 'reina/reinas, princesa/princesas',
    },
    habitat: { lives: 'land', size: 0.36 },
    gait: { hop: { height: 0.02, lean: 0.02 } },
    person: { sits: true, dressed: true, portrait: ['crown'] },
    costume: 'crown',
    drawing: {
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
  },
} satisfies FigureKinds;
