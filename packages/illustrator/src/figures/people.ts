import { type Drawing, leg, oval, type Part } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { FACE, LONG_HAIR, SHOE } from './parts/person-parts.ts';
import { portraitOf } from './portraits.ts';

const BROAD_SHOE = { tone: 'ink', width: 4.2, back: 4, front: 5.5 } as const;
const COUPLE: Drawing = {
  main: '#c8573a',
  accent: '#3f5f8a',
  parts: [
    leg('M21 64 L17 98', 'far', 'ink', 6.5, BROAD_SHOE),
    leg('M29 64 L33 98', 'near', 'ink', 6.5, BROAD_SHOE),
    { path: 'M14 32 C20 27 30 27 36 32 L38 68 H12 Z', fill: 'accent' },
    { path: oval(25, 16, 9, 10), fill: 'skin' },
    { path: 'M15 16 C13 2 37 2 35 16 C32 9 20 9 15 16 Z', fill: 'ink' },
    leg('M69 70 L67 98', 'near', 'skin', 5.5, BROAD_SHOE),
    leg('M77 70 L79 98', 'far', 'skin', 5.5, BROAD_SHOE),
    { path: 'M64 38 C68 34 78 34 82 38 C84 50 88 66 94 80 H52 C58 66 62 50 64 38 Z', fill: 'main' },
    { path: oval(73, 24, 8.5, 9.5), fill: 'skin' },
    { path: 'M63 40 C58 10 74 10 80 17 C86 22 84 34 84 40 C81 34 80 26 77 20 C70 20 66 30 63 40 Z', fill: 'wood' },
    { path: 'M36 36 C42 46 46 52 50 55 C54 52 58 48 63 42', line: 'skin', width: 5 },
  ],
};

/** The head of an old man, bent forward: bald on top, with white hair and a beard. */
const STOOPED_HEAD: readonly Part[] = [
  { path: 'M48 25 h9 v9 h-9 Z', fill: 'skin' },
  { path: oval(55, 17, 10, 11), fill: 'skin' },
  { path: 'M45 9 C41 14 42 24 47 27 C49 22 48 15 49 11 Z', fill: 'white' },
  { path: 'M47 20 C47 32 52 40 59 39 C65 37 66 27 65 19 C62 23 60 21 58 22 C53 23 50 21 47 20 Z', fill: 'white' },
  { path: `${oval(56.5, 15.5, 1.3)} ${oval(62, 15.5, 1.3)}`, fill: 'ink' },
  { path: 'M53.5 12 q3 -2 5 -.3 M60.5 11.7 q2 -1.2 4 .4', line: 'white', width: 1.5 },
];

/** People of no particular occupation, alone and together. */
export const PEOPLE = {
  person: {
    words: {
      en: 'person/people, man/men, figure, traveler, traveller, hiker, wanderer, boy, human, character, hero/heroes, monk, detective, pirate, farmer, musician, grandfather, father, teacher, businessman/businessmen, cowboy, someone, walker, artist, painter, sailor, climber, worker, explorer, student, guy, runner, jogger, old man/old men, elderly man/elderly men, grandpa',
      de: 'mensch/menschen, mann/männer, wanderer, junge/jungen',
      fr: 'homme, personne, garçon, randonneur',
      es: 'hombre, persona, niña, viajero',
    },
    habitat: { lives: 'land', size: 0.3 },
    person: { sits: true, dressed: true, countedPerMention: true, portrait: ['man'] },
    drawing: {
      main: '#c8573a',
      accent: '#3a4256',
      parts: [
        leg('M46 64 L40 98', 'far', 'accent', 7, BROAD_SHOE),
        {
          path: 'M38 36 L31 60',
          line: 'shade',
          width: 6,
          move: { kind: 'swing', arm: 'far', x: 38, y: 36, amount: 5, period: 2.4 },
        },
        leg('M54 64 L61 98', 'near', 'accent', 7, BROAD_SHOE),
        { path: 'M38 30 C44 26 54 26 60 30 L64 68 C56 72 42 72 35 68 Z', fill: 'main' },
        { path: 'M52 28 L60 30 L64 68 C60 70 56 71 52 71 Z', fill: 'shade' },
        { path: 'M34 32 C30 36 29 50 32 54 L39 54 V31 Z', fill: 'wood' },
        {
          path: 'M60 33 L67 58',
          line: 'main',
          width: 6,
          move: { kind: 'swing', arm: 'near', x: 60, y: 33, amount: -5, period: 2.4 },
        },
        { path: `${oval(50, 15, 9.5, 10.5)} M46 22 h8 v8 h-8 Z`, fill: 'skin' },
        {
          path: 'M39 17 C36 2 48 -1 56 2 C63 5 63 11 60 13 C54 8 48 10 46 14 C44 20 42 24 41 26 C39 23 39 20 39 17 Z',
          fill: 'ink',
        },
        { path: 'M42 26 C46 31 54 31 59 26 L60 31 C54 35 46 35 40 31 Z', fill: 'accentShade' },
      ],
    },
    aged: {
      main: '#6f7f86',
      accent: '#3a4256',
      parts: [
        leg('M45 66 L41 98', 'far', 'accent', 7, BROAD_SHOE),
        leg('M52 66 L57 98', 'near', 'accent', 7, BROAD_SHOE),
        { path: 'M36 38 C40 29 54 27 60 33 L62 70 C55 74 41 74 34 70 C33 58 33 46 36 38 Z', fill: 'main' },
        { path: 'M55 30 L60 33 L62 70 C59 72 56 73 53 73 Z', fill: 'shade' },
        { path: 'M46 34 V70 M46 44 h.1 M46 54 h.1', line: 'deep', width: 1.2 },
        { path: 'M74 58 C74 52 82 52 82 58 M74 57 L76 99', line: 'wood', width: 2.6 },
        { path: 'M58 36 C66 46 70 52 75 57', line: 'main', width: 6 },
        { path: oval(75.5, 57.5, 3), fill: 'skin' },
        ...STOOPED_HEAD,
      ],
    },
  },
  woman: {
    words: {
      en: 'woman/women, girl, lady/ladies, dancer, ballerina, grandmother, mother, bride, actress, businesswoman, old woman/old women, elderly woman/elderly women, grandma',
      de: 'Frau/Frauen, Mädchen/Mädchen, Dame/Damen',
      fr: 'femme/femmes, fille/filles',
      es: 'mujer/mujeres, chica/chicas',
    },
    habitat: { lives: 'land', size: 0.34 },
    person: { sits: true, dressed: true, countedPerMention: true, portrait: [] },
    drawing: {
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
    aged: {
      main: '#7a5a86',
      accent: '#e6c49c',
      parts: [
        leg('M46 72 L44 97', 'far', 'skin', 5, SHOE),
        leg('M54 72 L56 97', 'near', 'skin', 5, SHOE),
        { path: 'M74 60 C74 54 82 54 82 60 M74 59 L76 99', line: 'wood', width: 2.4 },
        { path: 'M38 38 C42 30 54 29 60 34 L62 52 L70 84 H28 L36 54 Z', fill: 'main' },
        { path: 'M54 30 L60 34 L62 52 L70 84 H56 Z', fill: 'shade' },
        { path: 'M34 40 C42 30 58 29 64 38 L60 56 C54 46 46 46 36 56 Z', fill: 'pale' },
        { path: 'M60 40 C66 48 70 54 75 59', line: 'pale', width: 5 },
        { path: oval(75.5, 59.5, 2.6), fill: 'skin' },
        { path: 'M48 25 h9 v10 h-9 Z', fill: 'skin' },
        { path: oval(38, 10, 6), fill: 'grey' },
        { path: oval(54, 18, 10, 11), fill: 'skin' },
        { path: `${oval(55, 17, 1.3)} ${oval(61, 17, 1.3)}`, fill: 'ink' },
        { path: 'M50 16 h8 M59 16 h6 M52 24 q4 2.5 8 0', line: 'ink', width: 0.8 },
        { path: 'M43 22 C39 4 52 2 60 6 C66 9 66 15 63 16 C58 10 52 11 49 14 C47 18 45 21 43 22 Z', fill: 'grey' },
      ],
    },
  },
  child: {
    words: {
      en: 'child/children, kid, toddler, newborn, schoolboy, schoolgirl',
      de: 'kind/kinder',
      fr: 'enfant',
      es: 'niño',
    },
    habitat: { lives: 'land', size: 0.23 },
    eyes: { ahead: 0.04, up: 0.74, width: 0.32 },
    person: { sits: true, dressed: true, countedPerMention: true, portrait: [] },
    drawing: {
      main: '#f2c230',
      accent: '#2f6fd0',
      parts: [
        leg('M45 74 L43 97', 'far', 'accent', 8, BROAD_SHOE),
        leg('M55 74 L57 97', 'near', 'accent', 8, BROAD_SHOE),
        {
          path: 'M36 48 L24 58',
          line: 'shade',
          width: 7,
          move: { kind: 'swing', arm: 'far', x: 36, y: 48, amount: 8, period: 1.6 },
        },
        {
          path: 'M62 48 L76 36',
          line: 'main',
          width: 7,
          move: { kind: 'swing', arm: 'near', x: 62, y: 48, amount: 12, period: 1 },
        },
        { path: 'M36 42 C44 38 56 38 64 42 L68 78 H32 Z', fill: 'main' },
        { path: oval(50, 24, 16), fill: 'skin' },
        { path: 'M33 26 C30 4 70 4 67 26 C60 14 44 16 33 26 Z', fill: 'wood' },
        { path: `${oval(52, 26, 1.6)} ${oval(60, 26, 1.6)}`, fill: 'ink' },
        { path: 'M52 32 q4 3 8 0', line: 'ink', width: 1.2 },
      ],
    },
  },
  couple: {
    words: {
      en: 'couple, lovers, friends, two people, couple at a ball',
      de: 'paar, liebespaar',
    },
    habitat: { lives: 'land', size: 0.3 },
    person: { sits: true, portrait: [] },
    drawing: COUPLE,
  },
  family: {
    words: {
      en: 'family/families',
      de: 'Familie/Familien',
      fr: 'famille/familles',
      es: 'familia/familias',
    },
    habitat: { lives: 'land', size: 0.34, home: ['garden'] },
    person: { sits: true },
    drawing: {
      main: '#c8573a',
      accent: '#3f5f8a',
      parts: [
        ...COUPLE.parts,
        { path: 'M108 82 L107 98 M115 82 L116 98', line: 'accent', width: 5 },
        { path: 'M102 62 C106 58 116 58 120 62 L122 86 H100 Z', fill: 'lamp' },
        { path: oval(111, 50, 9), fill: 'skin' },
        { path: 'M102 50 C100 36 122 36 120 50 C116 44 108 44 102 50 Z', fill: 'ink' },
        { path: 'M100 66 L92 60', line: 'skin', width: 3.6 },
      ],
    },
  },
  portrait: {
    words: {
      en: 'portrait, headshot, selfie, face, bust',
      de: 'Porträt, Portrait',
      fr: 'portrait/portraits',
      es: 'retrato/retratos',
    },
    habitat: { lives: 'land', size: 0.62 },
    eyes: { ahead: 0.015, up: 0.605, width: 0.5 },
    person: { dressed: true },
    isPortrait: true,
    drawingFor: portraitOf,
    drawing: portraitOf([]),
  },
} satisfies FigureKinds;
