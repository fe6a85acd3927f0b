/**
 * Tells whether a text is free of NUL and ill-formed Unicode, which are rejected everywhere: PostgreSQL cannot store
 * them.
 */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
