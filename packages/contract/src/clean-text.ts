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

/** U+2800 is a Braille cell without dots. */
const BLANK = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
