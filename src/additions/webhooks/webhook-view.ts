import type { BatchView, TaskView } from '@darkroom-service/contract';
import type { OrderingKey, TaskServices } from '../../kernel.ts';
import { findKeyById } from '../../kernel-accounts.ts';
import { type FindServices, findRowOrTombstone, viewTasks } from '../../kernel-views.ts';

/** Returns the task or the batch of a delivery as its own key's retrieval does; null if it was deleted. */
export async function viewForOwner(
  services: FindServices & Pick<TaskServices, 'findBatch'>,
  owner: { readonly api_key_id: string; readonly task_id: string },
): Promise<TaskView | BatchView | null> {
  const { read } = services.database;
  const key = await findKeyById(read, owner.api_key_id);
  if (key === null || key.mode === 'admin') return null;
  if (owner.task_id.startsWith('bat_'))
    return (await services.findBatch?.(services, key as OrderingKey, owner.task_id)) ?? null;
  const row = await findRowOrTombstone(read, key, owner.task_id);
  if (row === undefined || row.deleted_at !== null) return null;
  const [view] = await viewTasks(services, key as OrderingKey, read, [row]);
  return view ?? null;
}
