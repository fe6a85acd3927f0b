import { sleep, world } from '@darkroom-service/contract';
import type { Database, Transaction } from './database.ts';

const MAX_PAUSE_MS = 200;

/**
 * Removes rows until none is left, each portion in a unit of its own, with pauses that leave time for orders.
 * @param unit names the units
 * @param erase removes a portion and returns the number of removed rows
 */
export async function eraseInPortions(
  database: Pick<Database, 'write'>,
  { unit, signal }: { readonly unit: string; readonly signal: AbortSignal },
  erase: (trx: Transaction) => Promise<number>,
): Promise<void> {
  while (!signal.aborted) {
    const began = world.monotonic();
    if ((await database.write(unit, erase)) === 0) return;
    // Pauses as long as the portion took.
    await sleep(Math.min(MAX_PAUSE_MS, world.monotonic() - began));
  }
}
