import type { TaskView as Task } from '@darkroom-service/contract';
import { useQuery } from '@tanstack/react-query';
import { type Mark, markOf, type Tags } from '../../../api/marks.ts';
import { orderingKey, useSession } from '../../../api/session.ts';
import { useStore } from '../../../api/store.ts';
import { MARKS, mark, markByKey, taggingFault } from '../../../api/tagging.ts';
import { queryClient, readAll } from '../../../api/use-api.ts';
import { historyTexts } from '../../../texts/history.ts';

/** The tags of each result. */
export type Marks = Readonly<Record<string, Tags>>;

/** Returns the marks of a table's results, and functions that change them: shown at once, reverted on failure. */
export function useMarks(batchId: string, types: readonly Task['type'][]) {
  const secret = orderingKey(useSession());
  const key = [...MARKS, secret, batchId, [...types].sort().join()];
  const { data: marks = {} } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readMarks(batchId, types, signal),
    enabled: types.length > 0,
  });
  const known = (taskId: string) => ({
    task_id: taskId,
    tags: [...(queryClient.getQueryData<Marks>(key)?.[taskId] ?? [])],
  });
  const fault = useStore(taggingFault);
  return {
    marks,
    error: fault !== null && fault.taskId in marks ? fault.error : null,
    byKey: (pressed: string, { task_id: id }: Task) => markByKey(pressed, known(id)),
    setTags: (taskId: string, tags: readonly string[]) =>
      mark(known(taskId), () => ({ tags: [...tags] }), historyTexts.tagged(1)),
  };
}

async function readMarks(batchId: string, types: readonly Task['type'][], signal: AbortSignal): Promise<Marks> {
  const found: Record<string, Tags> = {};
  for (const type of types) {
    const operation = type === 'video' ? 'GET /v1/videos' : 'GET /v1/images';
    const query = { batch_id: batchId, include: 'tags' as const };
    for (const { task_id: id, tags = [] } of await readAll(operation, { query }, (task) => task.task_id, signal))
      found[id] = tags;
  }
  return found;
}

/** Returns the mark of a result. */
export function markIn(marks: Marks, taskId: string): Mark {
  return markOf(marks[taskId] ?? []);
}
