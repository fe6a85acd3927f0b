import type { OrderingKey } from '../accounts/api-key.ts';
import { findKeyById } from '../accounts/keyring.ts';
import type { Desk } from './desk.ts';
import { findRowOrTombstone } from './find-tasks.ts';
import { type TaskView, viewTask } from './task-view.ts';

/** A task as its own key's retrieval gives it; null when it was deleted. */
export async function viewForOwner(
  desk: Desk,
  owner: { readonly api_key_id: string; readonly task_id: string },
): Promise<TaskView | null> {
  const { read } = desk.database;
  const key = await findKeyById(read, owner.api_key_id);
  if (key === null || key.mode === 'admin') return null;
  const row = await findRowOrTombstone(read, key.id, owner.task_id);
  if (row === undefined || row.deleted_at !== null) return null;
  return viewTask(desk, key as OrderingKey, row, null);
}
