import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/**
 * Every character of Unicode, as the unit of a string. The library's own `binary` makes a table of all of them before
 * the first string, which takes seconds.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count));
