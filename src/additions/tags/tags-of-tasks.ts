import type { TaskView } from '@darkroom-service/contract';
import type { Session } from '../../kernel.ts';

/** Returns the tags of each task that has some, in alphabetical order. */
export async function tagsOfTasks(
  session: Session,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (taskIds.length === 0) return new Map();
  const rows = await session.all(
    session.builder
      .selectFrom('task_tags')
      .select(['task_id', 'tag'])
      .where('task_id', 'in', taskIds)
      .orderBy('task_id')
      .orderBy('tag'),
  );
  const found = Map.groupBy(rows, (row) => row.task_id);
  return new Map([...found].map(([taskId, tagged]) => [taskId, tagged.map(({ tag }) => tag)]));
}

/** Adds the tags to the tasks of a page, with one query. */
export async function withTags(session: Session, tasks: readonly TaskView[]): Promise<TaskView[]> {
  const found = await tagsOfTasks(
    session,
    tasks.map((task) => task.task_id),
  );
  return tasks.map((task) => ({ ...task, tags: found.get(task.task_id) ?? [] }));
}
