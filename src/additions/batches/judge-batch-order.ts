import type { JsonObject } from '@darkroom-service/contract';
import type { Kernel, OrderingKey } from '../../kernel.ts';
import type { Operation } from './read-entry.ts';

type Judge = Kernel['groups']['judge'];

/** An order that has passed every check except for money and limits. */
export type GroupOrder = Awaited<ReturnType<Judge>>;

/** The earlier orders of a batch, which an order may use by their names. */
export type BatchSiblings = NonNullable<Parameters<Judge>[1]['earlier']>;

const KINDS = { images: 'image', videos: 'video', actions: 'action' } as const;

/**
 * Judges and prices one order as its own create would.
 * @param earlier the orders before it, which it may use by their names
 * @throws ServiceError with every fault
 */
export async function judgeBatchOrder(
  { groups }: Pick<Kernel, 'groups'>,
  key: OrderingKey,
  operation: Operation,
  body: JsonObject,
  { earlier, now }: { readonly earlier: BatchSiblings; readonly now: number },
): Promise<GroupOrder> {
  const sent = { operation: KINDS[operation], body, simulate: null, earlier };
  return await groups.judge(key, sent, now);
}
