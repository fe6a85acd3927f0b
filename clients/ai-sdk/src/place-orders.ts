import type { SharedV4Warning } from '@ai-sdk/provider';
import { type OrderOptions, TaskFailedError, type TaskHandle } from '@darkroom/client';

/** One order per output, each with a key of its own that follows from the key of the call. */
export async function placeOrders(
  count: number,
  key: string,
  place: (options: OrderOptions) => Promise<TaskHandle>,
  signal: AbortSignal | undefined,
): Promise<readonly PromiseSettledResult<TaskHandle>[]> {
  const keys = Array.from({ length: count }, (_, index) => (count === 1 ? key : `${key}-${index + 1}`));
  return await Promise.allSettled(keys.map((idempotencyKey) => place({ idempotencyKey, signal })));
}

/**
 * Returns the tasks of several orders that succeeded, with a warning for each that did not: outputs that are paid for
 * are never withheld.
 * @throws the first error if nothing succeeded, or if the call was aborted
 */
export function succeededOf<T>(
  results: readonly PromiseSettledResult<T>[],
  signal: AbortSignal | undefined,
): Succeeded<T> {
  const succeeded = results.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  const reasons = results.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
  if (reasons.length > 0 && (succeeded.length === 0 || signal?.aborted === true)) throw reasons[0];
  return { succeeded, warnings: reasons.map(warningOf) };
}

export interface Succeeded<T> {
  readonly succeeded: readonly T[];
  readonly warnings: readonly SharedV4Warning[];
}

/** The key that the caller, or the AI SDK, sends for a call; undefined if there is none. */
export function keyInHeaders(headers: Readonly<Record<string, string | undefined>> | undefined): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
}

/** A new key for a call that has none. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `aisdk_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function warningOf(reason: unknown): SharedV4Warning {
  const message = reason instanceof Error ? reason.message : String(reason);
  return { type: 'other', message: reason instanceof TaskFailedError ? message : `One output is missing: ${message}` };
}
