import type { BatchView } from '@darkroom-service/contract';
import type { RawBuilder } from 'kysely';
import type { OrderingKey } from '../../accounts/api-key.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { ordersOfGroup } from '../../views/task-range.ts';

/** Orders that were placed together, such as a batch. */
export interface Groups {
  /**
   * Finds a batch of a key; null if no addition places batches.
   * @throws ServiceError `not_found`
   * @example const batch = await kernel.groups.find(key, 'bat_1');
   */
  find(key: OrderingKey, batchId: string): Promise<BatchView | null>;
  /**
   * Selects the ids of the orders of a group, each as `task_id`; none if there is no such group.
   * @example const orders = kernel.groups.orders('bat_1');
   */
  orders(groupId: string): RawBuilder<{ readonly task_id: string }>;
}

/** Opens the groups of orders for additions. */
export function openGroups(services: TaskServices): Groups {
  return {
    find: async (key, batchId) => (await services.findBatch?.(services, key, batchId)) ?? null,
    orders: (groupId) => ordersOfGroup(services, groupId),
  };
}
