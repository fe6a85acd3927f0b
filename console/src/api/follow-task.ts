import type { TaskView as Task } from '@darkroom-service/contract';
import { skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { orderingKey, useSession } from './session.ts';
import { showTask } from './shown-tasks.ts';
import { cachedTask, fetchTask, isFinal, taskKey } from './task-cache.ts';
import { queryClient } from './use-api.ts';

/** Returns a task of the key in use, which stays current until it is final. */
export function useTask(taskId: string | null): UseQueryResult<Task, Error> {
  return useTaskOf(taskId, orderingKey(useSession()));
}

/** Returns a task likewise, for a key of the session that may not be in use. */
export function useTaskOf(taskId: string | null, secret: string | null): UseQueryResult<Task, Error> {
  const result = useQuery<Task, Error>({
    queryKey: taskKey(taskId, secret),
    queryFn: taskId === null ? skipToken : ({ signal }) => fetchTask(taskId, secret, signal),
    staleTime: 60_000,
  });
  useShown(result.data, secret);
  return result;
}

/** Returns the latest state of a listed task, from events: a query for each tile would cost too much. */
export function useFreshTask(listed: Task): Task {
  const { task_id: taskId } = listed;
  const secret = orderingKey(useSession());
  const subscribe = useCallback(
    (onChange: () => void) =>
      queryClient.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && query.queryKey[1] === taskId) onChange();
      }),
    [taskId],
  );
  const known = useSyncExternalStore(subscribe, () => cachedTask(taskId, secret));
  const task = known !== undefined && known.revision > listed.revision ? known : listed;
  useShown(task, secret);
  return task;
}

function useShown(task: Task | undefined, secret: string | null): void {
  const running = task === undefined || isFinal(task) ? null : task.task_id;
  useEffect(() => (running === null || secret === null ? undefined : showTask(running, secret)), [running, secret]);
}
