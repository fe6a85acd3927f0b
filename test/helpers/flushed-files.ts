import type { BigIntStats } from 'node:fs';

/** Name under which threads find the channel on which they report what they are about to flush. */
export const FLUSHES = 'flushes on a simulated disk';

/** A flush that a thread is about to make. The thread waits until the gate is open. */
export interface ThreadFlush {
  readonly identity: string;
  readonly gate: Int32Array;
}

/** Returns what tells a file from all others. The numbers of removed files are given again. */
export function identityOf({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino} ${birthtimeNs}`;
}
