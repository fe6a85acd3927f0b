import { setTimeout as wait } from 'node:timers/promises';
import type { JsonValue } from '../../base/canonical-json.ts';
import type { Engine, Order } from '../engine.ts';

const STOP_MS = 5_000;
const CHECK_MS = 200;

/**
 * Asks a server to stop an order, and waits until it has.
 * @param running null: the order is not at the server, or nobody knows
 * @returns whether the server is free for the next order
 */
export async function stopOrder(
  engine: Engine | null,
  running: { readonly operation: JsonValue; readonly order: Order } | null,
): Promise<boolean> {
  if (engine === null || running === null) return false;
  const { operation, order } = running;
  const signal = AbortSignal.timeout(STOP_MS);
  const context = { signal, onProgress: () => {}, cancelRequested: true };
  try {
    if ((await engine.cancel?.(operation, order, context)) !== true) return false;
    while ((await engine.check(operation, order, context)).status === 'pending')
      await wait(CHECK_MS, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
