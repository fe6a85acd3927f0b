import { leg, oval } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { FARM_ANIMALS } from './farm-animals.ts';

/** Animals of myth, and those of the distant past. */
export const MYTHICAL_ANIMALS = {
  dragon: {
    words: {
      en: 'dragon, serpent, monster',
      de: 'drache/drachen',
      es: 'dragón/dragones',
    },
    habitat: { lives: 'land', size: 0.42, flies: true },
    seat: { top: 0.5, width: 0.2, holds: 0.4 },
    drawing: {
      main: '#4f8a4a',
      accent: '#d8a53c',
      parts: [
        {
          path: 'M40 62 C10 76 -30 70 -42 96 C-20 92 20 96 50 78 Z',
          fill: 'shade',
          move: { kind: 'swing', x: 46, y: 70, amount: 4, period: 3 },
        },
        {
          path: 'M54 52 C30 40 10 10 -10 -8 C14 -10 56 4 78 34 Z',
          fill: 'accent',
          move: { kind: 'beat', x: 60, y: 48, amount: 1.1, period: 1.5 },
        },
        {
          path: 'M54 52 C34 36 10 10 -10 -8 M58 50 C46 30 30 12 20 -6 M66 46 C60 30 54 18 48 4',
          line: 'accentShade',
          width: 1.8,
          move: { kind: 'beat', x: 60, y: 48, amount: 1.1, period: 1.5 },
        },
        { path: 'M44 78 L40 98 H52 L54 84 M72 80 L74 98 H86 L82 80', fill: 'deep' },
        {
          path: 'M34 68 C40 50 64 46 76 44 C80 30 78 18 86 10 L98 18 C98 36 98 60 88 76 C76 90 46 88 34 78 Z',
          fill: 'main',
        },
        { path: 'M88 36 C94 52 92 70 84 80 C76 86 60 86 52 84 C72 78 82 60 80 44 Z', fill: 'pale', alpha: 0.7 },
        {
          path: 'M82 12 C80 0 90 -6 100 -4 C112 -2 118 6 126 8 C128 14 122 18 112 18 C106 22 94 22 86 20 Z',
          fill: 'main',
        },
        { path: 'M92 -4 L80 -16 L86 -2 Z M98 -5 L92 -18 L104 -4 Z', fill: 'accent' },
        { path: oval(103, 3, 2.2), fill: 'lamp' },
        { path: 'M78 36 l-8 -4 l6 -4 Z M74 46 l-10 -6 l9 -3 Z M80 24 l-8 -6 l8 -2 Z', fill: 'accent' },
      ],
    },
  },
  unicorn: {
    words: {
      en: 'unicorn, pegasus',
      de: 'Einhorn/Einhörner',
      fr: 'licorne/licornes',
      es: 'unicornio/unicornios',
    },
    habitat: { lives: 'land', size: 0.4, home: ['meadow', 'forest'] },
    gait: { walksWhenRidden: true },
    seat: { top: 0.5, width: 0.2, holds: 0.8, peopleSit: true },
    drawing: {
      main: '#f4f0f4',
      accent: '#d774b4',
      parts: [...FARM_ANIMALS.horse.drawing.parts, { path: 'M84 4 L102 -20 L91 10 Z', fill: 'lamp' }],
    },
  },
  phoenix: {
    words: {
      en: 'phoenix/phoenixes, phoenix rising from flames, phoenix rising from the ashes, phoenix rising from ashes, firebird',
      de: 'phönix',
      fr: 'phénix',
      es: 'fénix',
    },
    habitat: { lives: 'air', size: 0.28, home: ['mountains', 'hills'], floatsIndoors: true },
    drawing: {
      main: '#e8632e',
      accent: '#f6b93b',
      parts: [
        {
          path: 'M40 70 C24 96 4 112 -30 118 C-6 104 10 88 20 66 Z M48 74 C44 104 32 124 14 138 C28 112 32 92 34 72 Z M52 72 C58 100 58 118 50 136 C48 112 46 92 44 74 Z',
          fill: 'accent',
          move: { kind: 'swing', x: 44, y: 70, amount: 5, period: 2 },
        },
        {
          path: 'M50 52 C56 20 90 -20 150 -30 C142 -18 144 -10 134 -4 C138 4 124 8 122 14 C124 22 108 26 106 30 C104 42 84 58 60 66 Z',
          fill: 'shade',
          move: { kind: 'beat', x: 52, y: 58, amount: 0.9, period: 1.4 },
        },
        {
          path: 'M44 52 C38 20 4 -20 -56 -30 C-48 -18 -50 -10 -40 -4 C-44 4 -30 8 -28 14 C-30 22 -14 26 -12 30 C-10 42 10 58 34 66 Z',
          fill: 'main',
          move: { kind: 'beat', x: 46, y: 58, amount: 0.9, period: 1.4 },
        },
        {
          path: 'M44 56 C36 30 8 0 -34 -16 C-14 6 0 34 34 62 Z',
          fill: 'accent',
          alpha: 0.8,
          move: { kind: 'beat', x: 46, y: 58, amount: 0.9, period: 1.4 },
        },
        {
          path: 'M30 64 C34 44 52 40 58 26 C58 14 76 10 82 20 L94 25 L82 30 C80 44 76 64 60 74 C48 82 32 80 30 64 Z',
          fill: 'main',
        },
        { path: 'M58 66 C68 60 74 48 76 36 C66 44 52 54 44 72 Z', fill: 'accent' },
        {
          path: 'M64 14 C58 2 62 -8 68 -12 C66 -4 70 0 72 10 Z M72 12 C72 2 78 -4 84 -6 C80 2 80 6 78 14 Z',
          fill: 'fire',
        },
        { path: 'M82 20 L94 25 L82 30 Z', fill: 'lamp' },
        { path: oval(75, 22, 2), fill: 'ink' },
        {
          path: 'M10 150 C20 130 36 134 40 118 C52 130 46 140 60 128 C72 136 74 148 86 136 C92 146 96 150 98 156 H2 Z',
          fill: 'fire',
          alpha: 0.9,
          move: { kind: 'flutter', x: 50, y: 156, amount: 0.2, period: 0.5 },
        },
      ],
    },
  },
  dinosaur: {
    words: {
      en: 'dinosaur, t rex, tyrannosaurus, tyrannosaurus rex, velociraptor, raptor, godzilla',
      de: 'dinosaurier, saurier',
      fr: 'dinosaure/dinosaures',
      es: 'dinosaurio/dinosaurios',
    },
    habitat: { lives: 'land', size: 0.42, home: ['jungle', 'hills'] },
    seat: { top: 0.5, width: 0.2, holds: 0.6 },
    drawing: {
      main: '#6f9a4a',
      accent: '#4a6a38',
      parts: [
        {
          path: 'M36 66 C4 56 -40 70 -84 62 C-60 86 -10 92 40 84 Z',
          fill: 'shade',
          move: { kind: 'swing', x: 34, y: 72, amount: 4, period: 2 },
        },
        leg('M40 74 L34 97', 'far', 'shade', 14, { tone: 'deep', width: 6, back: 4, front: 12 }),
        {
          path: 'M26 74 C24 52 44 46 56 34 C62 20 62 6 74 -2 C92 -10 124 -6 130 8 L130 18 C116 22 104 22 98 24 C96 50 92 72 72 84 C54 94 28 90 26 74 Z',
          fill: 'main',
        },
        { path: 'M98 24 C96 50 92 72 72 84 C78 66 76 44 82 26 Z', fill: 'pale' },
        { path: 'M84 20 C98 28 116 26 128 22 L122 30 C108 36 92 34 84 20 Z', fill: 'shade' },
        { path: 'M100 22 l3 6 l3 -6 l3 6 l3 -7 l3 6 l3 -7 l3 6 l3 -7 Z', fill: 'white' },
        { path: oval(88, 4, 3.6), fill: 'lamp' },
        { path: oval(89, 4, 1.7), fill: 'ink' },
        { path: oval(124, 5, 1.6), fill: 'ink' },
        { path: 'M84 50 L100 56 L98 64 M76 52 L90 60 L86 68', line: 'shade', width: 5 },
        { path: 'M60 22 l-9 -1 l5 9 Z M53 34 l-10 0 l6 9 Z M41 46 l-10 2 l8 7 Z M26 58 l-9 4 l9 5 Z', fill: 'accent' },
        leg('M56 76 L58 97', 'near', 'main', 16, { tone: 'deep', width: 6, back: 4, front: 13 }),
      ],
    },
  },
} satisfies FigureKinds;
