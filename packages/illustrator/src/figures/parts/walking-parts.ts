import { leg, type Part } from '../../model/drawing.ts';

export const BODY =
  'M6 56 C8 46 28 46 48 48 C64 48 76 44 84 50 C90 58 84 70 72 73 C54 77 32 72 20 74 C8 73 3 64 6 56 Z';

export const farLegs = (width: number): readonly Part[] => [
  leg('M24 66 L20 98', 'hind far', 'shade', width, PAW),
  leg('M74 66 L76 98', 'front far', 'shade', width, PAW),
];

const PAW = { tone: 'deep', width: 5, back: 1, front: 3 } as const;

export const nearLegs = (width: number): readonly Part[] => [
  leg('M17 66 L13 98', 'hind near', 'main', width, PAW),
  leg('M67 66 L67 98', 'front near', 'main', width, PAW),
];

export const tailSwing = (amount: number, period: number) => ({ kind: 'swing', x: 10, y: 56, amount, period }) as const;
