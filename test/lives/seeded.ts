/** Random choices that a seed repeats. */
export interface Seeded {
  /** Returns a number from 0 to below 1. */
  random(): number;
  /** Tells whether something of a probability happens. */
  happens(probability: number): boolean;
  /** Returns an integer, both ends included. */
  between(least: number, most: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  bytes(length: number): Uint8Array<ArrayBuffer>;
  uuid(): string;
}

/** Creates the choices of a seed, with the generator mulberry32. */
export function createSeeded(seed: number): Seeded {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const bytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(random() * 256));
  return {
    random,
    happens: (probability) => random() < probability,
    between: (least, most) => least + Math.floor(random() * (most - least + 1)),
    pick: (values) => values[Math.floor(random() * values.length)]!,
    bytes,
    uuid() {
      const hex = Buffer.from(bytes(16)).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
