/** NUL and ill-formed Unicode are refused everywhere: one of the two databases could not keep them. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
