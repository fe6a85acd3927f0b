import type { BatchView, TaskView } from '@darkroom-service/contract';
import type { Kernel, OrderingKey } from '../../kernel.ts';

/** Returns the task or the batch of a delivery as its own key's retrieval does; null if it was deleted. */
export async function viewForOwner(
  { accounts, groups, store, tasks }: Pick<Kernel, 'accounts' | 'groups' | 'store' | 'tasks'>,
  owner: { readonly api_key_id: string; readonly task_id: string },
): Promise<TaskView | BatchView | null> {
  const key = await accounts.key(owner.api_key_id);
  if (key === null || key.mode === 'admin') return null;
  if (owner.task_id.startsWith('bat_')) return await groups.find(key as OrderingKey, owner.task_id);
  const row = await tasks.anyRow(key, owner.task_id);
  if (row === undefined || row.deleted_at !== null) return null;
  const [view] = await tasks.show(key as OrderingKey, store.read, [row]);
  return view ?? null;
}
