const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a text from outside as UTF-8, without the byte order mark that programs on Windows prepend.
 * @param what names the text in the message
 * @throws Error that names the encoding found, and repeats nothing of the text
 */
export function decodeText(bytes: Uint8Array, what: string): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) throw fault(what, 'UTF-16');
  const text = decodeStrictly(bytes);
  if (text === null) throw fault(what, 'another encoding, such as Windows-1252');
  // Without its mark, English text in UTF-16 is valid UTF-8 with a NUL next to each letter.
  if (text.includes('\0')) throw fault(what, 'NUL characters, as UTF-16 has them');
  return text;
}

function fault(what: string, found: string): Error {
  return new Error(`${what}: expected a text in UTF-8, found ${found}. Save it as UTF-8.`);
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return null;
  }
}
