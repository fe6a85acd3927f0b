import { setTimeout as pause } from 'node:timers/promises';

const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Reads again and again until the value is accepted.
 * @param everyMs the pause between two reads. By default it grows to a twentieth of the time waited so far, because a
 * read may take milliseconds of processor time.
 * @throws Error with the last value after two minutes: far more than anything takes, also on a busy machine
 */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  accept: (value: Value) => boolean,
  everyMs?: number,
): Promise<Value> {
  const start = performance.now();
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    const waitedMs = performance.now() - start;
    if (waitedMs > 120_000) throw new Error(`not reached within two minutes: ${JSON.stringify(value)}`);
    await pause(everyMs ?? Math.min(Math.max(SHORTEST_PAUSE_MS, waitedMs / 20), LONGEST_PAUSE_MS));
  }
}
