import type { StoredOutput } from './task.ts';

/** Callers that take longer than their picture is worth keeping get it from storage. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The bytes of outputs that this process has just stored, for callers that wait for them. */
const inHand = new WeakMap<StoredOutput, Uint8Array>();

export function keepInHand(output: StoredOutput, bytes: Uint8Array): void {
  if (bytes.byteLength <= MOST_BYTES) inHand.set(output, bytes);
}

export function bytesInHand(output: StoredOutput): Uint8Array | null {
  return inHand.get(output) ?? null;
}
