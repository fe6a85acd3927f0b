import { leg, type Part } from '../../model/drawing.ts';

export const bootedLegs = (tone: 'accent' | 'deep' | 'white', width: number): readonly Part[] => [
  leg('M46 64 L42 97', 'far', tone, width, HIGH_BOOT),
  leg('M55 64 L59 97', 'near', tone, width, HIGH_BOOT),
];

const HIGH_BOOT = { tone: 'ink', width: 4.4, back: 4, front: 6 } as const;

export const limb = (path: string, line: Part['line'] = 'main', width = 7): Part => ({
  path,
  ...(line === undefined ? {} : { line }),
  width,
});
