import { flatText } from './flat-text.ts';
import { world } from './world.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Mark before the cell's name: its first occurrence in an id, because the alphabet lacks this letter. */
const CELL_MARK = 'u';
const WITH_CELL = /_(?=[0-9a-z]{26}$)[0-9a-tv-z]{21,24}u([0-9a-z]{1,4})$/;

/**
 * Creates ids: the prefix and 26 characters of Crockford's base 32, of which 10 are the time (milliseconds), 4 a
 * counter within the millisecond and 12 random (60 bits). With a cell, the last are `u` and its name, as in
 * `img_01kafx2r5gq3v8m1t0z6y4ueu1`.
 * Ids sort by creation time, strictly so within one process.
 * @param cell 1 to 4 lower-case letters or digits; null = none
 */
export function createIdFactory(now: () => number, cell: string | null = null): (prefix: string) => string {
  const ending = cell === null ? '' : CELL_MARK + cell;
  const randomCharacters = RANDOM_CHARACTERS - ending.length;
  let lastTime = 0;
  let encodedTime = encodeTime(0);
  let counter = 0;
  const encodeRandom = createRandomLetters();
  return function createId(prefix: string): string {
    const time = Math.max(now(), lastTime);
    counter = time === lastTime ? counter + 1 : 0;
    if (counter === 0) encodedTime = encodeTime(time);
    lastTime = time;
    return flatText(prefix, '_', encodedTime, encodeCounter(counter), encodeRandom(randomCharacters), ending);
  };
}

/** Returns the name of the cell in an id; null if it has none. */
export function cellOf(id: string): string | null {
  return WITH_CELL.exec(id)?.[1] ?? null;
}

/** Returns the smallest id of a given time: ids created earlier are smaller, ids created then or later are greater. */
export function timeIdPrefix(prefix: string, time: number): string {
  return `${prefix}_${encodeTime(Math.max(0, time))}`;
}

/** Returns when an id was created, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  const from = id.indexOf('_') + 1;
  let time = 0;
  for (const letter of id.slice(from, from + 10)) time = time * 32 + ALPHABET.indexOf(letter);
  return time;
}

function encodeTime(time: number): string {
  let text = '';
  for (let rest = time, digit = 0; digit < 10; digit++, rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}

/** Encodes the counter in four characters, which keep up to a million ids of one millisecond in order. */
function encodeCounter(counter: number): string {
  let text = '';
  for (let rest = counter, digit = 0; digit < 4; digit++, rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text;
  return text;
}

const RANDOM_CHARACTERS = 12;
/** Number of random bytes fetched at once: 12 cost as much as several thousand. */
const POOL_BYTES = RANDOM_CHARACTERS * 256;

/** Returns a function that creates a text of the given number of random characters. */
function createRandomLetters(): (characters: number) => string {
  let pool = new Uint8Array(0);
  let taken = 0;
  return (characters) => {
    if (taken + characters > pool.length) {
      pool = world.randomBytes(POOL_BYTES);
      taken = 0;
    }
    let text = '';
    for (const end = taken + characters; taken < end; taken++) text += ALPHABET[pool[taken]! & 31];
    return text;
  };
}
