/** Characters that no Windows file system takes in a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
const FORBIDDEN = /[<>:"/\\|?*\0-\x1F\x7F-\x9F]|\p{Cs}/gu;
/** Names of devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;
/** Characters at the end of a name, which Windows drops silently. */
const AT_END = /[. ]+$/;

/** Makes a text usable as a part of a file's name, so that archives can be extracted on every system. */
export function archiveName(text: string): string {
  const name = text.normalize('NFC').replace(FORBIDDEN, '_').replace(AT_END, '').trimStart();
  return name === '' ? '_' : name.replace(RESERVED, (device) => `${device}_`);
}

/** Folds a name for comparison where neither case nor composition makes a difference, as on Windows and macOS. */
export function sameArchiveName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}
