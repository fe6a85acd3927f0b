import { setTimeout as pause } from 'node:timers/promises';

/**
 * Reads again and again until the value is accepted.
 * @throws Error with the last value when two minutes did not suffice: far more than anything takes, also on a busy
 * machine
 */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  accept: (value: Value) => boolean,
  everyMs = 20,
): Promise<Value> {
  const end = performance.now() + 120_000;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (performance.now() > end) throw new Error(`not reached within two minutes: ${JSON.stringify(value)}`);
    await pause(everyMs);
  }
}
