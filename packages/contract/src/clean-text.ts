/**
 * Tells whether a text is free of NUL and ill-formed Unicode, which are rejected everywhere: PostgreSQL cannot store
 * them.
 */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Tells whether a text shows nothing: it is empty, or has only spaces, control and invisible characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/**
 * Makes a foreign text fit to be stored and shown: U+FFFD replaces lone surrogates and control characters except tabs
 * and line ends. Never use it on an id, which would become another one.
 * @param most UTF-16 units; a longer text is cut and ends with `…`
 */
export function cleanText(text: string, most: number = LONGEST_TEXT): string {
  return cutText(text, most, '…').replace(UNFIT, '\uFFFD');
}

/**
 * Cuts a text to at most `length` UTF-16 units, never within a character.
 * @param ending appended to a text that was cut, in addition to `length`
 */
export function cutText(text: string, length: number, ending = ''): string {
  if (text.length <= length) return text;
  const isWithin = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(length));
  return `${text.slice(0, isWithin ? length - 1 : length)}${ending}`;
}

/**
 * Returns the form by which names are compared: a letter and its accent may be one sign or two, and look the same. Show
 * names as they were sent.
 */
export function canonicalName(name: string): string {
  return name.normalize('NFC');
}

/** The longest text that an order may have, in UTF-16 units. */
export const LONGEST_TEXT = 262_144;

/** U+2800 is a Braille cell without dots. */
const BLANK = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces
const UNFIT = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]|\p{Cs}/gu;
