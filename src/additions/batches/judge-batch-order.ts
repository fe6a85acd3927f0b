import type { JsonObject } from '@darkroom-service/contract';
import type { OrderingKey } from '../../kernel.ts';
import { type BatchSiblings, type GroupOrder, judgeGroupOrder } from '../../kernel-orders.ts';
import type { Operation } from './read-entry.ts';

const KINDS = { images: 'image', videos: 'video', actions: 'action' } as const;

/**
 * Judges and prices one order as its own create would.
 * @param earlier the orders before it, which it may use by their names
 * @throws ServiceError with every fault
 */
export async function judgeBatchOrder(
  services: Parameters<typeof judgeGroupOrder>[0],
  key: OrderingKey,
  operation: Operation,
  body: JsonObject,
  { earlier, now }: { readonly earlier: BatchSiblings; readonly now: number },
): Promise<GroupOrder> {
  const sent = { operation: KINDS[operation], body, simulate: null, earlier };
  return await judgeGroupOrder(services, key, sent, now);
}
