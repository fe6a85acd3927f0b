const SEGMENT = /^[a-z0-9_-][a-z0-9_.-]{0,254}$/;
const MAX_KEY_LENGTH = 900;

/**
 * Refuses what is no key of a storage: `[a-z0-9_.-]` segments joined by `/`, none beginning with a dot.
 * Keys are made by the service, so a bad one is a fault of ours and never an answer to a caller.
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

/** A prefix is the beginning of a key; it may end within a segment, after a slash, or be empty. @throws TypeError */
export function assertStoragePrefix(prefix: string): void {
  if (prefix !== '') assertStorageKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}
