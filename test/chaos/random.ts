import { createHash } from 'node:crypto';

/** A random generator that a seed repeats. */
export interface Random {
  /** From 0 up to and without 1. */
  next(): number;
  chance(share: number): boolean;
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
}

/**
 * Creates a random generator.
 * @param seed any number; `purpose` keeps the draws of different parts apart, so that one part's timing does not change
 * another's.
 */
export function createRandom(seed: number, purpose: string): Random {
  let state = createHash('sha256').update(`${seed}:${purpose}`).digest().readUInt32LE();
  // Mulberry32.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    chance: (share) => next() < share,
    between: (low, high) => Math.round(low + next() * (high - low)),
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    shuffle: (items) =>
      items
        .map((item) => ({ item, place: next() }))
        .sort((one, other) => one.place - other.place)
        .map(({ item }) => item),
  };
}
