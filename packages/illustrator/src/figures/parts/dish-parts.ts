import { oval, type Part } from '../../model/drawing.ts';

export const PLATE: readonly Part[] = [
  { path: oval(50, 92, 74, 9), fill: 'grey' },
  { path: oval(50, 90, 74, 9), fill: 'white' },
  { path: oval(50, 89, 56, 6), fill: 'grey', alpha: 0.5 },
];
