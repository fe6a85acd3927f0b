import type { OrderingKey } from '../accounts/api-key.ts';
import { findKeyById } from '../accounts/keyring.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { TaskView } from '../wire/task.ts';
import { findRowOrTombstone } from './find-tasks.ts';
import { viewTask } from './task-view.ts';

/** A task as its own key's retrieval gives it; null when it was deleted. */
export async function viewForOwner(
  services: TaskServices,
  owner: { readonly api_key_id: string; readonly task_id: string },
): Promise<TaskView | null> {
  const { read } = services.database;
  const key = await findKeyById(read, owner.api_key_id);
  if (key === null || key.mode === 'admin') return null;
  const row = await findRowOrTombstone(read, key, owner.task_id);
  if (row === undefined || row.deleted_at !== null) return null;
  return viewTask(services, key as OrderingKey, row, null);
}
