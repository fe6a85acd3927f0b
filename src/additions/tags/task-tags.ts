import { ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey, Session } from '../../kernel.ts';
import { cleanTag } from './clean-tag.ts';
import type { TaskTagsView } from './tag-wire.ts';
import { tagsOfTasks } from './tags-of-tasks.ts';

/** Returns the tags of a task. @throws ServiceError `task_not_found` */
export async function findTags(
  { store, tasks }: Pick<Kernel, 'store' | 'tasks'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
): Promise<TaskTagsView> {
  const task = await tasks.row(key, type, taskId);
  return await viewTags(store.read, task.id);
}

/**
 * Replaces all tags of a task.
 * @throws ServiceError `task_not_found`, `outputs_expired` (the task is erased: nothing would erase the tags)
 */
export async function setTags(
  { store, tasks, clock }: Pick<Kernel, 'store' | 'tasks' | 'clock'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  texts: readonly string[],
): Promise<TaskTagsView> {
  const task = await tasks.row(key, type, taskId);
  const tags = [...new Set(texts.map(cleanTag))];
  return await store.write('set_tags', async (trx) => {
    // Locked, so that the task is not erased in between and leaves tags behind.
    const kept = await trx.first(
      trx.builder
        .selectFrom('tasks')
        .select(['id', 'end_user'])
        .where('id', '=', task.id)
        .where('erased_at', 'is', null)
        .forUpdate(),
    );
    if (kept === undefined) throw erased(task.id);
    const removed = trx.builder.deleteFrom('task_tags').where('task_id', '=', task.id);
    await trx.run(tags.length === 0 ? removed : removed.where('tag', 'not in', tags));
    const shared = { task_id: task.id, api_key_id: key.id, end_user: kept.end_user, created_at: clock.now() };
    if (tags.length > 0) {
      await trx.run(
        trx.builder
          .insertInto('task_tags')
          .values(tags.map((tag) => ({ ...shared, tag })))
          .onConflict((conflict) => conflict.columns(['task_id', 'tag']).doNothing()),
      );
    }
    return await viewTags(trx, task.id);
  });
}

async function viewTags(session: Session, taskId: string): Promise<TaskTagsView> {
  const found = await tagsOfTasks(session, [taskId]);
  return { task_id: taskId, tags: found.get(taskId) ?? [] };
}

function erased(taskId: string): ServiceError {
  return new ServiceError('outputs_expired', `The task ${taskId} has expired or was deleted, and its tags with it.`, {
    param: 'task_id',
  });
}
