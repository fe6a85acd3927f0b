import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { isFinal, typeOfTask } from '../../api/follow-task.ts';
import { orderingKey, useSession } from '../../api/session.ts';
import type { Task } from '../../api/types.ts';

const EVERY_MS = 3_000;

/**
 * Polls a task of a list until it is final. Does not use events, because a browser opens at most six connections to a
 * service, and a page may show more tasks.
 */
export function useFreshTask(task: Task): Task {
  const secret = orderingKey(useSession());
  const { data } = useQuery<Task, Error>({
    queryKey: ['task', task.task_id, secret],
    queryFn: ({ signal }) => fetchTask(task.task_id, signal),
    enabled: !isFinal(task),
    staleTime: EVERY_MS,
    refetchInterval: ({ state }) => (state.data !== undefined && isFinal(state.data) ? false : EVERY_MS),
  });
  return data !== undefined && data.revision > task.revision ? data : task;
}

async function fetchTask(taskId: string, signal: AbortSignal): Promise<Task> {
  const path = { task_id: taskId };
  return typeOfTask(taskId) === 'video'
    ? await call('GET /v1/videos/{task_id}', { path }, { signal })
    : await call('GET /v1/images/{task_id}', { path }, { signal });
}
