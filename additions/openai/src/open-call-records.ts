import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { followEndedProcesses } from './follow-ended.ts';
import { RecentDisconnects } from './mapping/abandoned-calls.ts';
import { DeliveredCalls } from './mapping/delivered-calls.ts';
import type { PlacingCalls } from './mapping/order-call.ts';

/** Records by which doors recognize that a request repeats a call. Calls of different doors never do. */
export interface CallRecords {
  readonly placing: PlacingCalls;
  readonly leavers: RecentDisconnects;
  readonly delivered: DeliveredCalls;
}

const opened = new WeakMap<Kernel, Promise<CallRecords>>();

/** Opens the records of a process, which its doors share: a door that is opened later gets the same ones. */
export function openCallRecords(kernel: Kernel, closers: AsyncDisposableStack): Promise<CallRecords> {
  const known = opened.get(kernel) ?? open(kernel, closers);
  opened.set(kernel, known);
  return known;
}

async function open(kernel: Kernel, closers: AsyncDisposableStack): Promise<CallRecords> {
  const leavers = new RecentDisconnects();
  await leavers.look(kernel);
  await followEndedProcesses(kernel, () => leavers.record(kernel.clock.now()), closers);
  const delivered = new DeliveredCalls(kernel);
  closers.defer(() => delivered.record());
  return { placing: new Map(), leavers, delivered };
}
