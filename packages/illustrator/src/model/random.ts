/**
 * A random generator with equal numbers on every machine. All randomness in pictures comes from it and depends only on
 * a scene's seed.
 */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  between(low: number, high: number): number;
  /** Returns a whole number, both ends included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  /** Returns an item. @throws RangeError on an empty list. */
  pick<T>(list: readonly T[]): T;
}

/** Creates a generator for one purpose: another salt gives an independent series of numbers for the same seed. */
export function createRandom(seed: number, ...salt: readonly (string | number)[]): Random {
  let a = hashPlace(seed, salt);
  let b = (a ^ 0x9e3779b9) >>> 0;
  let c = Math.imul(a, 0x85ebca6b) >>> 0;
  let counter = 1;
  function next(): number {
    const sum = (((a + b) >>> 0) + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + sum) >>> 0;
    return sum / 4294967296;
  }
  for (let turn = 0; turn < 8; turn++) next();
  const between = (low: number, high: number): number => low + (high - low) * next();
  return {
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('expected a list to pick from, found an empty one');
      return list[Math.floor(next() * list.length)] as T;
    },
  };
}

/** Returns a number from 0 to 1 for a place on an endless plane, independent of the visible part of the plane. */
export function chanceAt(seed: number, ...place: readonly (string | number)[]): number {
  return hashPlace(seed, place) / 4294967296;
}

/** Derives another seed, for example for a grid's second tile. */
export function deriveSeed(seed: number, ...salt: readonly (string | number)[]): number {
  return hashPlace(seed, salt);
}

/** Returns the height of a smooth line through random heights at whole numbers: −1 to 1, defined everywhere. */
export function smoothNoise(seed: number, x: number): number {
  const cell = Math.floor(x);
  const t = x - cell;
  const from = heightAt(seed, cell);
  const to = heightAt(seed, cell + 1);
  return from + (to - from) * t * t * (3 - 2 * t);
}

function heightAt(seed: number, cell: number): number {
  return (scramble((Math.imul(cell, 0x27d4eb2d) ^ seed) >>> 0) / 4294967296) * 2 - 1;
}

/** Hashes a place without building a text, for every star and blade of grass. Numbers count in steps of 1/4096. */
function hashPlace(seed: number, place: readonly (string | number)[]): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let index = 0; index < place.length; index++) {
    const part = place[index] as string | number;
    if (typeof part === 'number') hash = scramble((Math.imul(hash, 0x01000193) ^ (part * 4096)) >>> 0);
    else for (let at = 0; at < part.length; at++) hash = Math.imul(hash ^ part.charCodeAt(at), 0x01000193) >>> 0;
  }
  return scramble(hash);
}

function scramble(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
