import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from './client.ts';
import { nearUrl } from './service-url.ts';
import { useSession } from './session.ts';
import type { Task } from './types.ts';
import { queryClient, refresh } from './use-api.ts';

const POLL_MS = 2_000;
/** A stream may be open but silent, behind a proxy that buffers responses. */
const POLL_BESIDE_EVENTS_MS = 15_000;

export type TaskType = Task['type'];

export function typeOfTask(taskId: string): TaskType {
  return taskId.startsWith('vid_') ? 'video' : 'image';
}

export function isFinal({ status }: Pick<Task, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

/**
 * Returns a task that stays current until it is final: by server-sent events, and by polling if they are interrupted.
 */
export function useTask(taskId: string | null): UseQueryResult<Task, Error> {
  const { keys, mode } = useSession();
  const [streaming, setStreaming] = useState(false);
  const secret = keys[mode] ?? null;
  const result = useQuery<Task, Error>({
    queryKey: ['task', taskId, secret],
    queryFn: ({ signal }) => fetchTask(taskId ?? '', signal),
    enabled: taskId !== null,
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined || isFinal(data)) return false;
      return streaming ? POLL_BESIDE_EVENTS_MS : POLL_MS;
    },
  });

  const { data } = result;
  const events = data === undefined || isFinal(data) ? null : data.urls.events;
  const isRunning = events !== null;
  // The URL is signed again with each read; one stream per task is enough.
  const address = useRef(events);
  address.current = events;
  useEffect(() => {
    if (taskId === null || !isRunning || address.current === null) return;
    const source = new EventSource(nearUrl(address.current));
    source.addEventListener('open', () => setStreaming(true));
    source.addEventListener('task', (event) => {
      const task = JSON.parse((event as MessageEvent<string>).data) as Task;
      rememberTask(task, secret);
      if (isFinal(task)) {
        source.close();
        void refresh('GET /v1/images', 'GET /v1/videos', 'GET /v1/account');
      }
    });
    source.addEventListener('error', () => {
      source.close();
      setStreaming(false);
    });
    return () => {
      source.close();
      setStreaming(false);
    };
  }, [taskId, secret, isRunning]);
  return result;
}

/** Stores a task from a response for `useTask`. An older revision never replaces a newer one. */
export function rememberTask(task: Task, secret: string | null): void {
  queryClient.setQueryData<Task>(['task', task.task_id, secret], (known) =>
    known !== undefined && known.revision > task.revision ? known : task,
  );
}

async function fetchTask(taskId: string, signal: AbortSignal): Promise<Task> {
  const path = { task_id: taskId };
  return typeOfTask(taskId) === 'video'
    ? await call('GET /v1/videos/{task_id}', { path }, { signal })
    : await call('GET /v1/images/{task_id}', { path }, { signal });
}
