import { prepare, type Session } from '../../kernel.ts';

const selectOwner = prepare<{ id: string }, { api_key_id: string }>('task_owner', (builder, argument) =>
  builder.selectFrom('tasks').select('api_key_id').where('id', '=', argument('id')).where('deleted_at', 'is', null),
);

/**
 * Returns the id of the key that a task belongs to; null if the task no longer exists. For callers whose right was
 * proved otherwise.
 */
export async function findTaskOwner(session: Session, taskId: string): Promise<string | null> {
  return (await session.first(selectOwner, { id: taskId }))?.api_key_id ?? null;
}
