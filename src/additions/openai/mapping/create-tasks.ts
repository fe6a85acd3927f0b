import type { OrderingKey } from '../../../kernel.ts';
import { discardFiles, type JudgeServices, judgeOrder } from '../../../kernel-orders.ts';
import type { SentOrder } from '../../../orders/judge-order.ts';
import { type Binding, type NewlyPlaced, type PlaceServices, placeOrders } from '../../../orders/place-order.ts';
import { keysOf } from '../../../tasks/judge.ts';

/** The new tasks, or the id of what their binding found. */
type CreatedTasks = { readonly tasks: readonly NewlyPlaced[] } | { readonly replayOf: string };

/**
 * Takes several orders of one request: all of them are queued and held in one transaction, or none is.
 * @throws ServiceError
 */
export async function createTasks(
  services: JudgeServices & PlaceServices,
  key: OrderingKey,
  order: SentOrder,
  group: { readonly count: number; readonly binding: Binding },
): Promise<CreatedTasks> {
  const judged = await services.tracer.span('judge', () => judgeOrder(services, key, order));
  const files = keysOf(judged.judged.newFiles);
  const placed = await placeOrders(services, judged, { ...group, atOnce: true }).catch(async (error: unknown) => {
    await discardFiles(services, files, error);
    throw error;
  });
  if ('tasks' in placed) return placed;
  await discardFiles(services, files, null);
  return placed;
}
