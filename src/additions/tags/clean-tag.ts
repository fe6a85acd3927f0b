/** Removes the spaces around a tag. Texts that look the same become equal. */
export function cleanTag(text: string): string {
  return text.normalize('NFC').trim();
}
