import type { TaskView as Task } from '@darkroom-service/contract';
import { call } from './client.ts';
import { queryClient } from './use-api.ts';

type TaskType = Task['type'];

/** Tiles show states from events without requesting them, so the cache must keep them. */
queryClient.setQueryDefaults(['task'], { gcTime: 3_600_000 });

export function typeOfTask(taskId: string): TaskType {
  return taskId.startsWith('vid_') ? 'video' : 'image';
}

/** Returns an operation on images, or its counterpart for videos if the id is a video's. */
export function onTask<O extends `${string} /v1/images/{task_id}${string}`>(operation: O, taskId: string): O {
  return (typeOfTask(taskId) === 'video' ? operation.replace('/images/', '/videos/') : operation) as O;
}

export function isFinal({ status }: Pick<Task, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

/** Returns the cache key of a task, for the API key that reads it. */
export function taskKey(taskId: string | null, secret: string | null): readonly unknown[] {
  return ['task', taskId, secret];
}

export function cachedTask(taskId: string, secret: string | null): Task | undefined {
  return queryClient.getQueryData<Task>(taskKey(taskId, secret));
}

/** Stores a task from a response or an event. An older revision never replaces a newer one. */
export function rememberTask(task: Task, secret: string | null): void {
  queryClient.setQueryData<Task>(taskKey(task.task_id, secret), (known) => newerOf(known, task));
}

/**
 * Reads a task, or returns the cached one if an event has brought a newer revision meanwhile.
 * @throws ApiError
 */
export async function fetchTask(taskId: string, secret: string | null, signal?: AbortSignal): Promise<Task> {
  const path = { task_id: taskId };
  const options = { signal, ...(secret === null ? {} : { key: secret }) };
  const task = await call(onTask('GET /v1/images/{task_id}', taskId), { path }, options);
  return newerOf(cachedTask(taskId, secret), task);
}

function newerOf(known: Task | undefined, task: Task): Task {
  return known !== undefined && known.revision > task.revision ? known : task;
}
