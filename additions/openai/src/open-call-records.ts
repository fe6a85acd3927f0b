import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { followEndedProcesses } from './follow-ended.ts';
import { RecentDisconnects } from './mapping/abandoned-calls.ts';
import { DeliveredCalls } from './mapping/delivered-calls.ts';
import type { PlacingCalls } from './mapping/order-call.ts';

/** Records by which a door recognizes that a request repeats a call. */
export interface CallRecords {
  readonly placing: PlacingCalls;
  readonly leavers: RecentDisconnects;
  readonly delivered: DeliveredCalls;
}

/**
 * Opens the records of a door. Each door of a process may have its own: calls of different doors never repeat each
 * other.
 */
export async function openCallRecords(kernel: Kernel, closers: AsyncDisposableStack): Promise<CallRecords> {
  const leavers = new RecentDisconnects();
  await followEndedProcesses(kernel, () => leavers.record(kernel.clock.now()), closers);
  // After that: another door may have recorded who left.
  await leavers.look(kernel);
  const delivered = new DeliveredCalls(kernel);
  closers.defer(() => delivered.record());
  return { placing: new Map(), leavers, delivered };
}
