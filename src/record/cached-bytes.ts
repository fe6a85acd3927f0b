import { freeBytes } from '@darkroom-service/media';
import type { StoredOutput } from './task.ts';

/**
 * Maximum size of a kept output: callers of larger ones get them from storage, since they take longer to read than the
 * bytes are worth keeping.
 */
const MOST_BYTES = 4 * 1024 * 1024;

/** Bytes of outputs that this process has just stored, for callers that wait for them. */
const cache = new WeakMap<StoredOutput, Uint8Array>();

export function cacheBytes(output: StoredOutput, bytes: Uint8Array): void {
  if (bytes.byteLength <= MOST_BYTES) cache.set(output, bytes);
}

/** Returns the bytes as long as nobody has freed them; a reader that pauses asks again. */
export function cachedBytes(output: StoredOutput): Uint8Array | null {
  const bytes = cache.get(output);
  return bytes === undefined || bytes.byteLength === 0 ? null : bytes;
}

/** Frees the bytes of a settled output once a caller has them; others read it from storage. */
export function dropCachedBytes(output: StoredOutput): void {
  const bytes = cache.get(output);
  if (bytes !== undefined) freeBytes(bytes);
}
