import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new id: the prefix and 26 characters, 10 of time (milliseconds), 4 that count within it, 12 of chance (60 bits), in Crockford's base 32.
 * Ids sort by time of creation, and within one process strictly so.
 */
export function createIdFactory(now: () => number): (prefix: string) => string {
  let lastTime = 0;
  let counter = 0;
  return function createId(prefix: string): string {
    const time = Math.max(now(), lastTime);
    counter = time === lastTime ? counter + 1 : 0;
    lastTime = time;
    return `${prefix}_${encodeTime(time)}${encodeCounter(counter)}${encodeRandom()}`;
  };
}

/** The least id that can carry a time: ids of earlier times are smaller, of this and later times greater. */
export function timeIdPrefix(prefix: string, time: number): string {
  return `${prefix}_${encodeTime(Math.max(0, time))}`;
}

function encodeTime(time: number): string {
  let text = '';
  for (let rest = time, place = 0; place < 10; place++, rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}

/** Four characters keep the order of up to a million ids of one millisecond; twelve characters (60 bits) of chance follow. */
function encodeCounter(counter: number): string {
  let text = '';
  for (let rest = counter, place = 0; place < 4; place++, rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text;
  return text;
}

const RANDOM_CHARACTERS = 12;
/** Chance is drawn for many ids at once: asking the system for twelve bytes costs as much as for some thousands. */
const POOL_BYTES = RANDOM_CHARACTERS * 256;
let pool = Buffer.alloc(0);
let taken = 0;

function encodeRandom(): string {
  if (taken === pool.length) {
    pool = randomBytes(POOL_BYTES);
    taken = 0;
  }
  let text = '';
  for (const end = taken + RANDOM_CHARACTERS; taken < end; taken++) text += ALPHABET[pool[taken]! & 31];
  return text;
}
