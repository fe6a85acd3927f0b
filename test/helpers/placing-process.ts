import type { OrderingKey } from '../../src/accounts/api-key.ts';
import { createTask } from '../../src/orders/create-task.ts';
import type { TaskRecord } from '../../src/record/task-record.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import type { Permits } from '../../src/worker/claim-permits.ts';
import { createImmediateStart } from '../../src/worker/immediate-start.ts';
import type { WorkerServices } from '../../src/worker/worker-services.ts';

/** An order that such a process places. */
export const PLACED = {
  type: 'image',
  path: '/v1/images',
  body: { model_id: 'sketch', prompt: 'a fox' },
  idempotencyKey: null,
  simulate: null,
} as const;

/** A process that places orders and begins them at once where it may. */
export interface PlacingProcess {
  /** The orders that began as they were placed. */
  readonly begun: readonly TaskRecord[];
  place(key: OrderingKey): Promise<void>;
  /** Places an order. Resolves once its unit is in the write queue, with what resolves once it is placed. */
  enter(key: OrderingKey): Promise<{ readonly placed: Promise<void> }>;
}

export function createPlacingProcess(
  services: TaskServices,
  {
    worker,
    capacity,
    permits,
  }: { readonly worker: string; readonly capacity: () => number; readonly permits: Permits | null },
): PlacingProcess {
  const begun: TaskRecord[] = [];
  const work = {
    services,
    worker,
    engines: new Map([['sketch', { repeatable: true }]]),
    valves: { stateOf: () => 'free' },
    interceptors: { beforeSubmission: null },
    installation: { maySubmit: () => true },
  } as unknown as WorkerServices;
  const immediateStart = createImmediateStart(work, {
    immediateCapacity: capacity,
    mayBegin: () => true,
    permits,
    onFault: () => {},
    begin: (task) => void begun.push(task),
  });
  const { database } = services;
  const placing = { ...services, immediateStart: () => immediateStart };
  return {
    begun,
    place: async (key) => void (await createTask(placing, key, PLACED)),
    async enter(key) {
      const entered = Promise.withResolvers<void>();
      const write: typeof database.write = (name, unit, options) => {
        const written = database.write(name, unit, options);
        entered.resolve();
        return written;
      };
      const placed = createTask({ ...placing, database: { ...database, write } }, key, PLACED).then(() => {});
      await entered.promise;
      return { placed };
    },
  };
}
