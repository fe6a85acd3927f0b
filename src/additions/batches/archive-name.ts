/** Characters that no Windows file system takes in a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
const FORBIDDEN = /[<>:"/\\|?*\0-\x1F\x7F-\x9F]|\p{Cs}/gu;
/** Names of devices, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
/** Windows drops them without a word. */
const AT_END = /[. ]+$/;

/** Makes a part of a file's name of a text, so that archives can be written out on every system. */
export function archiveName(text: string): string {
  const name = text.normalize('NFC').replace(FORBIDDEN, '_').replace(AT_END, '').trimStart();
  return name === '' ? '_' : name.replace(RESERVED, (device) => `${device}_`);
}

/** Folds a name for comparison where neither case nor composition makes a difference, as on Windows and macOS. */
export function sameArchiveName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}
