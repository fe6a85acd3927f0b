import type { TaskRecord } from '../src/tasks/task-record.ts';
import type { TaskServices } from '../src/tasks/task-services.ts';
import { createAtOnce } from '../src/worker/begin-at-once.ts';
import { createUnsentOrders } from '../src/worker/unsent-orders.ts';
import type { WorkerServices } from '../src/worker/worker-services.ts';

/**
 * Lets a process begin orders of the engine `sketch` in the transaction that places them, as far as its queues have
 * room.
 */
export function withAtOnce(
  services: TaskServices,
  {
    worker,
    capacity,
    begin,
  }: {
    readonly worker: string;
    /** How many orders of a queue may be in progress; null = none begins at once. */
    readonly capacity: () => number | null;
    /** Gets each order once it is on disk. */
    readonly begin: (task: TaskRecord) => void;
  },
): TaskServices {
  const work = {
    services,
    worker,
    engines: new Map([['sketch', { repeatable: true }]]),
    valves: { stateOf: () => 'free' },
    interceptors: { beforeSubmission: null },
    installation: { maySubmit: () => true },
    unsent: createUnsentOrders(),
  } as unknown as WorkerServices;
  const atOnce = createAtOnce(work, { capacityAtOnce: capacity, mayBegin: () => true, begin, onDoubt: () => {} });
  return { ...services, atOnce: () => atOnce };
}
