import { Path2D } from '@napi-rs/canvas';

/** A line of text as strokes of our own alphabet, so that a word looks the same on every machine. */
interface Lettering {
  readonly path: Path2D;
  /** Width in units of a capital's height. */
  readonly width: number;
}

const CAPITAL = 14;
const GAP = 4.2;

/** Width of a letter and its strokes, on a grid whose capitals are 14 high. */
const GLYPHS: Readonly<Record<string, readonly [number, string]>> = {
  A: [10, 'M0 14 L5 0 L10 14 M1.8 9 H8.2'],
  B: [9, 'M0 0 V14 H5 C10.5 14 10.5 7 5 7 H0 M5 7 C9.5 7 9.5 0 5 0 H0'],
  C: [10, 'M10 3 C8 -1.2 0 -1.5 0 7 C0 15.5 8 15.2 10 11'],
  D: [10, 'M0 0 V14 H3.5 C12 14 12 0 3.5 0 Z'],
  E: [8, 'M8 0 H0 V14 H8 M0 7 H6.5'],
  F: [8, 'M8 0 H0 V14 M0 7 H6.5'],
  G: [10, 'M10 3 C8 -1.2 0 -1.5 0 7 C0 15.5 8 15.5 10 11.5 V7.5 H6'],
  H: [9, 'M0 0 V14 M9 0 V14 M0 7 H9'],
  I: [0, 'M0 0 V14'],
  J: [7, 'M7 0 V9.5 C7 15.5 0 15.5 0 10.5'],
  K: [9, 'M0 0 V14 M9 0 L0 8.4 M3 5.8 L9 14'],
  L: [7.5, 'M0 0 V14 H7.5'],
  M: [12, 'M0 14 V0 L6 9.5 L12 0 V14'],
  N: [9.5, 'M0 14 V0 L9.5 14 V0'],
  O: [11, 'M5.5 0 C-1.8 0 -1.8 14 5.5 14 C12.8 14 12.8 0 5.5 0 Z'],
  P: [9, 'M0 14 V0 H5 C10.5 0 10.5 7.8 5 7.8 H0'],
  Q: [11, 'M5.5 0 C-1.8 0 -1.8 14 5.5 14 C12.8 14 12.8 0 5.5 0 Z M7 10.5 L11 15'],
  R: [9, 'M0 14 V0 H5 C10.5 0 10.5 7.4 5 7.4 H0 M4.6 7.4 L9 14'],
  S: [8.5, 'M8.2 2.6 C6.6 -0.9 0 -0.7 0.3 3.8 C0.6 7.6 8.5 6.2 8.5 10.4 C8.5 15 1.4 15 0 11.4'],
  T: [9.5, 'M0 0 H9.5 M4.75 0 V14'],
  U: [9, 'M0 0 V9 C0 15.7 9 15.7 9 9 V0'],
  V: [10, 'M0 0 L5 14 L10 0'],
  W: [14, 'M0 0 L3.5 14 L7 3 L10.5 14 L14 0'],
  X: [9.5, 'M0 0 L9.5 14 M9.5 0 L0 14'],
  Y: [9.5, 'M0 0 L4.75 7 L9.5 0 M4.75 7 V14'],
  Z: [9, 'M0 0 H9 L0 14 H9'],
  0: [9, 'M4.5 0 C-1.5 0 -1.5 14 4.5 14 C10.5 14 10.5 0 4.5 0 Z'],
  1: [4, 'M0 3 L4 0 V14'],
  2: [8.5, 'M0.3 3.4 C1 -1.4 8.5 -1 8.2 4 C8 7.6 3 10 0 14 H8.5'],
  3: [8.5, 'M0.5 2 C3 -1.4 8.2 -0.2 8 3.4 C7.8 6.6 5 6.8 3 6.8 C5.6 6.8 8.5 7.4 8.5 10.4 C8.5 15 1.6 15 0 11.6'],
  4: [9, 'M7 14 V0 L0 10 H9'],
  5: [8.5, 'M7.8 0 H1 L0.4 6.2 C4 3.8 8.5 5.4 8.5 9.4 C8.5 15 1.6 15.2 0 12'],
  6: [8.5, 'M7.6 1.4 C3 -2 0 4 0 9 C0 15.6 8.5 15.6 8.5 9.6 C8.5 4.4 1.6 4.4 0.2 8.6'],
  7: [8.5, 'M0 0 H8.5 L3 14'],
  8: [
    8.5,
    'M4.25 6.6 C-0.6 6.4 -0.6 0 4.25 0 C9.1 0 9.1 6.4 4.25 6.6 C-1.4 6.8 -1.4 14 4.25 14 C9.9 14 9.9 6.8 4.25 6.6 Z',
  ],
  9: [8.5, 'M0.9 12.6 C5.5 16 8.5 10 8.5 5 C8.5 -1.6 0 -1.6 0 4.4 C0 9.6 6.9 9.6 8.3 5.4'],
  '.': [0, 'M0 13.6 V14'],
  ',': [1, 'M1 13 L0 16'],
  '!': [0, 'M0 0 V9.4 M0 13.6 V14'],
  '?': [7, 'M0 3 C0.4 -1.2 7 -1 7 3.4 C7 6.6 3.5 6.4 3.5 9.6 M3.5 13.6 V14'],
  '-': [5, 'M0 7.4 H5'],
  '+': [7, 'M0 7.4 H7 M3.5 3.9 V10.9'],
  ':': [0, 'M0 4.6 V5 M0 11.6 V12'],
  "'": [0, 'M0 0 V3.4'],
  '’': [0, 'M0 0 V3.4'],
  '/': [7, 'M0 15 L7 -1'],
  '(': [3, 'M3 -1 C-1 4 -1 10 3 15'],
  ')': [3, 'M0 -1 C4 4 4 10 0 15'],
  '&': [
    10,
    'M10 14 L2.6 4.6 C0.4 1.6 2.4 0 4.2 0 C6.4 0 7.6 2.8 5 4.8 L2.4 6.6 C-2.4 10 0.4 14 3.6 14 C7 14 9 11 9.6 8',
  ],
  '#': [9, 'M3 0 L2 14 M7 0 L6 14 M0 4.6 H9 M0 9.4 H9'],
  '@': [
    12,
    'M8.6 5 V8.6 C8.6 10.4 12 10.4 12 7 C12 -1.6 0 -2 0 7 C0 15 7 15.4 10 13 M8.6 7 C8.6 3.6 3.6 3.6 3.6 7 C3.6 10.4 8.6 10.4 8.6 7',
  ],
  Æ: [13, 'M0 14 L6 0 H13 M6.5 0 V14 H13 M6.5 7 H11.5 M2.6 9 H6.5'],
  Ø: [11, 'M5.5 0 C-1.8 0 -1.8 14 5.5 14 C12.8 14 12.8 0 5.5 0 Z M0.5 14.6 L10.5 -0.6'],
};

/** Diacritics above or below a letter, relative to the middle of its top. */
const MARKS: Readonly<Record<string, string>> = {
  '\u0308': 'M-2.4 -3.6 V-3.3 M2.4 -3.6 V-3.3',
  '\u0301': 'M-0.8 -2.4 L1.6 -4.8',
  '\u0300': 'M0.8 -2.4 L-1.6 -4.8',
  '\u0302': 'M-2.2 -2.6 L0 -4.8 L2.2 -2.6',
  '\u0303': 'M-2.6 -3 C-1.2 -5 1.2 -1.8 2.6 -3.8',
  '\u030a': 'M0 -5.4 C-1.8 -5.4 -1.8 -2.4 0 -2.4 C1.8 -2.4 1.8 -5.4 0 -5.4 Z',
  '\u030c': 'M-2.2 -4.8 L0 -2.6 L2.2 -4.8',
  '\u0327': 'M0 14.4 V16 C2 16 2 18.4 -0.8 18',
};

/** Breaks a text into at most `most` lines of about equal length. */
export function breakLines(text: string, most = 3): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  const count = Math.min(most, Math.max(1, Math.round(Math.sqrt(text.length / 9))), words.length || 1);
  const target = text.length / count;
  const lines: string[] = [''];
  for (const word of words) {
    const line = lines.at(-1) as string;
    if (line !== '' && line.length + word.length / 2 > target && lines.length < count) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/**
 * Returns the strokes of one line, its upper left corner at 0, 0, capitals 1 high. Characters that the alphabet lacks
 * become an empty box.
 */
export function strokeText(text: string): Lettering {
  const path = new Path2D();
  let x = 0;
  let lastWidth = 0;
  for (const letter of text.toLocaleUpperCase('en').normalize('NFD')) {
    const mark = MARKS[letter];
    if (mark !== undefined) {
      add(path, mark, x - GAP - lastWidth / 2);
      continue;
    }
    if (/\p{M}/u.test(letter)) continue;
    if (letter === ' ') {
      x += 7;
      lastWidth = 0;
      continue;
    }
    const [width, strokes] = GLYPHS[letter] ?? [8, 'M0 0 H8 V14 H0 Z'];
    add(path, strokes, x);
    x += width + GAP;
    lastWidth = width;
  }
  return { path, width: Math.max(0, x - GAP) / CAPITAL };
}

function add(path: Path2D, strokes: string, x: number): void {
  path.addPath(new Path2D(strokes), { a: 1 / CAPITAL, b: 0, c: 0, d: 1 / CAPITAL, e: x / CAPITAL, f: 0 });
}
