import type { TaskView as Task } from '@darkroom-service/contract/task';
import { call } from './client.ts';
import { perform } from './deeds.ts';
import { typeOfTask } from './task-cache.ts';

export type Tags = NonNullable<Task['tags']>;

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Returns the change that makes one set of tags out of another. */
export function changeBetween(before: Tags, after: Tags): { add: string[]; remove: string[] } {
  return {
    add: after.filter((tag) => !before.includes(tag)),
    remove: before.filter((tag) => !after.includes(tag)),
  };
}

/**
 * Changes the tags that a task has now, because another tab or program may have changed them.
 * @returns its tags, and those it had before
 */
export async function sendChange(
  taskId: string,
  change: TagChange,
): Promise<{ readonly tags: Tags; readonly before: Tags }> {
  const request = { path: { task_id: taskId } };
  const { tags: before } = await call(readOperation(taskId), request);
  const body = { tags: [...changedTags(before, change)] };
  const { tags } = await perform(setOperation(taskId), { ...request, body });
  return { tags, before };
}

export function changedTags(tags: Tags, { add, remove }: TagChange): Tags {
  return [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])].sort();
}

export function readOperation(taskId: string) {
  return typeOfTask(taskId) === 'video' ? 'GET /v1/videos/{task_id}/tags' : 'GET /v1/images/{task_id}/tags';
}

function setOperation(taskId: string) {
  return typeOfTask(taskId) === 'video' ? 'PUT /v1/videos/{task_id}/tags' : 'PUT /v1/images/{task_id}/tags';
}
