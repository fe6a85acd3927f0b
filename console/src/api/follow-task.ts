import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orderingKey, useSession } from './session.ts';
import { showTask } from './shown-tasks.ts';
import { fetchTask, isFinal, taskKey } from './task-cache.ts';
import type { Task } from './types.ts';

/** Returns a task of the key in use, which stays current until it is final. */
export function useTask(taskId: string | null): UseQueryResult<Task, Error> {
  return useTaskOf(taskId, orderingKey(useSession()));
}

/** The same for a key of the session that may not be in use. */
export function useTaskOf(taskId: string | null, secret: string | null): UseQueryResult<Task, Error> {
  const result = useQuery<Task, Error>({
    queryKey: taskKey(taskId, secret),
    queryFn: ({ signal }) => fetchTask(taskId ?? '', secret, signal),
    enabled: taskId !== null,
    staleTime: 60_000,
  });
  useShown(result.data, secret);
  return result;
}

/** Returns the latest known state of a task from a list. */
export function useFreshTask(listed: Task): Task {
  const secret = orderingKey(useSession());
  const { data } = useQuery<Task, Error>({
    queryKey: taskKey(listed.task_id, secret),
    queryFn: ({ signal }) => fetchTask(listed.task_id, secret, signal),
    // Events bring it.
    enabled: false,
  });
  const task = data !== undefined && data.revision > listed.revision ? data : listed;
  useShown(task, secret);
  return task;
}

function useShown(task: Task | undefined, secret: string | null): void {
  const running = task === undefined || isFinal(task) ? null : task.task_id;
  useEffect(() => (running === null || secret === null ? undefined : showTask(running, secret)), [running, secret]);
}
