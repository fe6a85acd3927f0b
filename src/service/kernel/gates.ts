import type { Transaction } from '../../database/database.ts';
import { lockSlotsOf } from '../../queue/fair-queue.ts';
import { isClosedByAddition } from '../../queue/gates.ts';
import type { TaskRow } from '../../record/task.ts';
import {
  openAddedGate,
  openParentGate,
  openReferenceGate,
  type Resolved,
  storeReferences,
} from '../../tasks/open-gates.ts';
import { parentGateOf } from '../../tasks/parent-gate.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** Gates that keep orders out of the queue. An order gets its place there when its last gate opens. */
export interface Gates {
  /**
   * Opens the gate of an addition for an order. While it is `busy`, another unit writes the order: repeat this later.
   * @param addition name of the addition
   * @returns `open` if the gate is open already, or the order has ended
   * @example const gate = await kernel.gates.open(trx, 'brands', taskId);
   */
  open(trx: Transaction, addition: string, taskId: string): Promise<'opened' | 'busy' | 'open'>;
  /**
   * Returns the addition at whose gate an order waits: its name, or `missing` if it is not installed; null = at none.
   * @example const addition = kernel.gates.waitsFor(row);
   */
  waitsFor(task: Pick<TaskRow, 'gates'>): { readonly name: string } | 'missing' | null;
  /**
   * Locks the slots of a key, before the rows of its orders. Returns the concurrency of the key; 0 = no limit.
   * @example const concurrency = await kernel.gates.lockSlots(trx, key.id);
   */
  lockSlots(trx: Transaction, keyId: string): Promise<number>;
  /**
   * Opens the gate of an order that waited for others, as these have completed it.
   * @returns false if the gate is open, the order has ended, or another unit writes it
   * @example const isOpen = await kernel.gates.openParent(trx, row, resolved);
   */
  openParent(trx: Transaction, task: TaskRow, resolved: Resolved): Promise<boolean>;
  /**
   * Returns the length of the chain of waiting orders that ends with an order; 0 if it waits for none. It never
   * increases.
   * @example const depth = await kernel.gates.depthOf(taskId);
   */
  depthOf(taskId: string): Promise<number>;
  /**
   * Refuses a chain of waiting orders that is too long.
   * @throws ServiceError `invalid_request`
   * @example kernel.gates.assertDepth(1 + (await kernel.gates.depthOf(taskId)));
   */
  assertDepth(depth: number): void;
  /**
   * Opens the gate of an order whose references are stored.
   * @param key.concurrency as `lockSlots` returned it
   * @example
   * const concurrency = await kernel.gates.lockSlots(trx, key.id);
   * const fetched = { id: taskId, media: '[]', bytes: 0 };
   * const gate = await kernel.gates.openReference(trx, fetched, { keyId: key.id, concurrency });
   */
  openReference(
    trx: Transaction,
    fetched: Parameters<typeof openReferenceGate>[1],
    key: Parameters<typeof openReferenceGate>[2],
  ): ReturnType<typeof openReferenceGate>;
  /**
   * Stores references of an order while others are missing.
   * @returns false if the gate is open, the order has ended, or another unit writes it
   * @example await kernel.gates.storeReferences(trx, { id: taskId, media: '[]', bytes: 0 });
   */
  storeReferences(trx: Transaction, fetched: Parameters<typeof storeReferences>[1]): Promise<boolean>;
}

/** Opens the gates for additions. */
export function openGates(services: TaskServices): Gates {
  return {
    async open(trx, addition, id) {
      const gate = services.gates.find((one) => one.addition === addition);
      if (gate === undefined) throw new Error(`the addition '${addition}' has no gate, or is disabled`);
      return await openAddedGate(services, trx, { id, bit: gate.bit });
    },
    waitsFor(task) {
      if (!isClosedByAddition(task)) return null;
      const gate = services.gates.find(({ bit }) => (task.gates & bit) !== 0);
      return gate === undefined ? 'missing' : { name: gate.addition };
    },
    lockSlots: lockSlotsOf,
    openParent: (trx, task, resolved) => openParentGate(services, trx, task, resolved),
    depthOf: (taskId) => parentGateOf(services).depthOf(services.database.read, taskId),
    assertDepth: (depth) => parentGateOf(services).assertDepth(depth),
    openReference: openReferenceGate,
    storeReferences,
  };
}
