/** Maximum characters of base64 that is kept; longer files are encoded again. */
const MOST_CHARACTERS = 128 * 1024;
const [MINUS, UNDERSCORE] = [0x2d, 0x5f];

const texts = new WeakMap<Uint8Array, Buffer>();

/** Keeps the original base64 of a short file, as ASCII, if encoding the file would give the same. */
export function cacheBase64(file: Buffer, base64: Buffer): void {
  if (base64.length <= MOST_CHARACTERS && isUsual(file, base64)) texts.set(file, base64);
}

/** Returns the base64 of a file, as ASCII; null if it is not kept. */
export function cachedBase64(file: Uint8Array): Buffer | null {
  return texts.get(file) ?? null;
}

/** Tells whether base64 of a file has the usual alphabet, its padding, and no bits in addition to those of the file. */
function isUsual(file: Buffer, base64: Buffer): boolean {
  if (base64.length !== Math.ceil(file.length / 3) * 4) return false;
  if (base64.includes(MINUS) || base64.includes(UNDERSCORE)) return false;
  const last = file.toString('base64', file.length - (file.length % 3));
  return base64.toString('latin1', base64.length - last.length) === last;
}
