import { leg, oval } from '../model/drawing.ts';
import type { FigureKinds } from '../model/figure-kind.ts';
import { BODY, farLegs, nearLegs, tailSwing } from './parts/walking-parts.ts';

/** Animals that live with people. */
export const PETS = {
  cat: {
    words: {
      en: 'cat, kitten, kitty/kitties, siamese cat, maine coon, persian cat, tabby, tabby cat, ginger cat, siamese',
      de: 'katze/katzen, kater, kätzchen',
      fr: 'chat, chaton',
      es: 'gato, gata, gatito',
    },
    habitat: { lives: 'land', size: 0.27 },
    crown: { ahead: 0, up: 0.8 },
    eyes: { ahead: 0, up: 0.63, width: 0.42 },
    wearsCostumes: true,
    drawing: {
      main: '#5a5f6e',
      accent: '#e8b84a',
      parts: [
        {
          path: 'M64 94 C88 100 94 78 84 64',
          line: 'shade',
          width: 7,
          move: { kind: 'swing', x: 64, y: 94, amount: 7, period: 2.8 },
        },
        { path: 'M31 100 C24 76 34 54 50 52 C66 54 76 76 69 100 Z', fill: 'main' },
        { path: 'M42 100 C38 84 42 66 50 62 C58 66 62 84 58 100 Z', fill: 'light', alpha: 0.5 },
        {
          path: 'M30 36 L29 8 L46 22 C49 21 52 21 55 22 L71 8 L70 36 C71 50 62 56 50 56 C38 56 29 50 30 36 Z',
          fill: 'main',
        },
        { path: 'M33 15 L42 23 L34 29 Z M67 15 L58 23 L66 29 Z', fill: 'accent', alpha: 0.45 },
        { path: `${oval(42, 37, 4.4, 4.8)} ${oval(58, 37, 4.4, 4.8)}`, fill: 'accent' },
        { path: `${oval(42, 37, 1.5, 4.2)} ${oval(58, 37, 1.5, 4.2)} M47.5 44 h5 l-2.5 3 Z`, fill: 'ink' },
        { path: 'M36 46 L20 43 M36 48 L20 50 M64 46 L80 43 M64 48 L80 50', line: 'white', width: 0.8, alpha: 0.7 },
        { path: 'M41 100 v-9 M59 100 v-9', line: 'deep', width: 1.2 },
      ],
    },
    asleep: {
      main: '#5a5f6e',
      accent: '#e8b84a',
      parts: [
        {
          path: 'M-24 84 C-26 56 6 44 44 46 C86 46 120 58 122 82 C122 96 108 100 92 100 H4 C-12 100 -23 96 -24 84 Z',
          fill: 'main',
        },
        { path: 'M20 54 C40 46 74 48 94 58 C76 54 44 52 20 54 Z', fill: 'light', alpha: 0.45 },
        { path: 'M120 78 C128 94 108 104 80 102 C52 102 30 100 18 94', line: 'shade', width: 9 },
        { path: 'M84 64 C104 66 112 82 106 98 H72 C66 84 72 70 84 64 Z', fill: 'shade', alpha: 0.6 },
        {
          path: 'M-30 74 L-36 44 L-18 56 C-11 53 1 53 8 56 L24 44 L22 74 C22 90 12 98 -4 98 C-20 98 -30 90 -30 74 Z',
          fill: 'main',
        },
        { path: 'M-32 51 L-22 58 L-28 64 Z M20 51 L11 58 L18 64 Z', fill: 'accent', alpha: 0.45 },
        { path: 'M-22 77 q6 6 12 0 M2 77 q6 6 12 0', line: 'ink', width: 1.9 },
        { path: 'M-6.5 84 h5 l-2.5 3 Z', fill: 'ink' },
        { path: 'M-14 86 L-34 83 M-14 88 L-34 91 M6 86 L26 83 M6 88 L26 91', line: 'white', width: 0.9, alpha: 0.7 },
      ],
    },
    walking: {
      main: '#5a5f6e',
      accent: '#e8b84a',
      parts: [
        { path: 'M10 54 C-16 52 -22 30 -12 14', line: 'shade', width: 6.5, move: tailSwing(9, 1.8) },
        ...farLegs(6.4),
        { path: BODY, fill: 'main' },
        ...nearLegs(7),
        {
          path: 'M70 42 L70 14 L83 26 C87 25 93 25 97 27 L108 14 L109 42 C109 56 100 62 90 62 C79 62 70 55 70 42 Z',
          fill: 'main',
        },
        { path: 'M73 20 L80 27 L74 33 Z M105 20 L99 28 L105 33 Z', fill: 'accent', alpha: 0.45 },
        { path: `${oval(84, 42, 4, 4.6)} ${oval(100, 42, 4, 4.6)}`, fill: 'accent' },
        { path: `${oval(85, 42, 1.4, 4)} ${oval(101, 42, 1.4, 4)} M90.5 49 h5 l-2.5 3 Z`, fill: 'ink' },
        { path: 'M80 51 L66 49 M80 53 L66 55 M105 51 L120 48 M105 53 L120 55', line: 'white', width: 0.8, alpha: 0.7 },
      ],
    },
  },
  dog: {
    words: {
      en: 'dog, puppy/puppies, hound, shiba inu, shiba, corgi, labrador, poodle, german shepherd, pug, bulldog, dachshund, dalmatian, chihuahua, beagle, border collie, samoyed, terrier',
      de: 'hund/hunde, welpe/welpen',
      fr: 'chien, chiot',
      es: 'perro, cachorro',
    },
    habitat: { lives: 'land', size: 0.28 },
    gait: { walksWhenRidden: true },
    crown: { ahead: 0.26, up: 0.76 },
    eyes: { ahead: 0.3, up: 0.67, width: 0.3 },
    wearsCostumes: true,
    drawing: {
      main: '#b07a45',
      accent: '#c8433a',
      parts: [
        {
          path: 'M18 62 C6 56 4 44 8 38',
          line: 'main',
          width: 6,
          move: { kind: 'swing', x: 18, y: 62, amount: 16, period: 0.7 },
        },
        leg('M27 72 L24 98', 'hind far', 'shade', 7.5),
        leg('M62 72 L64 98', 'front far', 'shade', 7.5),
        {
          path: 'M16 64 C16 52 28 50 44 52 C54 52 60 46 64 40 L78 52 C78 66 72 78 58 78 C46 80 30 78 22 78 C17 76 16 70 16 64 Z',
          fill: 'main',
        },
        leg('M21 72 L17 98', 'hind near', 'main', 8),
        leg('M56 72 L56 98', 'front near', 'main', 8),
        {
          path: 'M60 44 C58 28 66 20 78 22 C86 23 88 29 90 33 L99 37 C101 43 96 47 90 48 C86 54 76 58 68 54 Z',
          fill: 'main',
        },
        { path: 'M66 24 C57 22 54 36 58 48 C66 46 70 36 72 28 Z', fill: 'deep' },
        { path: 'M61 49 L74 57', line: 'accent', width: 4 },
        { path: `${oval(81, 33, 2)} ${oval(98, 38.5, 3, 2.4)}`, fill: 'ink' },
        { path: 'M90 46 C86 47 83 46 81 44', line: 'ink', width: 1.1 },
      ],
    },
  },
} satisfies FigureKinds;
