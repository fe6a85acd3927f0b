const SEGMENT = /^[a-z0-9_-][a-z0-9_.-]{0,254}$/;
const MAX_KEY_LENGTH = 900;

/**
 * Throws unless a text is a storage key: `[a-z0-9_.-]` segments joined by `/`, none beginning with a dot.
 * The service creates all keys, so a bad one is a bug and never reported to a caller.
 * @throws TypeError
 */
export function assertStorageKey(key: string): void {
  if (isStorageKey(key)) return;
  throw new TypeError(
    `expected a storage key of [a-z0-9_.-] segments joined by "/", found ${JSON.stringify(key.slice(0, 200))}`,
  );
}

export function isStorageKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && key.split('/').every((segment) => SEGMENT.test(segment));
}

/**
 * Throws unless a text is the beginning of a key. It may end within a segment or after a slash, or be empty. @throws
 * TypeError
 */
export function assertStoragePrefix(prefix: string): void {
  if (prefix !== '') assertStorageKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}
