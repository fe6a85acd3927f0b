import type { OrderingKey } from '../accounts/api-key.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { discardFiles } from '../uploads/new-file.ts';
import { type CreateOrder, judgeCreate } from './create-task.ts';
import { type Binding, placeOrders } from './place-order.ts';

/** The ids of the new tasks, or the id of what their binding found. */
type CreatedTasks = { readonly taskIds: readonly string[] } | { readonly replayOf: string };

/**
 * Takes several orders of one request: all of them are queued and held in one transaction, or none is.
 * @throws ServiceError
 */
export async function createTasks(
  services: TaskServices,
  key: OrderingKey,
  order: Pick<CreateOrder, 'type' | 'body' | 'simulate'>,
  group: { readonly count: number; readonly binding: Binding },
): Promise<CreatedTasks> {
  const { model, route, judged, fields } = await judgeCreate(services, key, order);
  const files = judged.newFiles.map((file) => file.media.key);
  const orderToPlace = { key, model, route, judged, fields, wireFields: {}, parentTaskId: null };
  const placed = await placeOrders(services, orderToPlace, group).catch(async (error: unknown) => {
    await discardFiles(services, files, error);
    throw error;
  });
  if ('tasks' in placed) return { taskIds: placed.tasks.map(({ row }) => row.id) };
  await discardFiles(services, files, null);
  return placed;
}
