import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { sessionStore } from '../../api/session.ts';
import { typeOfTask } from '../../api/task-cache.ts';
import type { Task } from '../../api/types.ts';
import { apiKey, queryClient, refresh, rememberAnswer, useApi } from '../../api/use-api.ts';
import { readTagsAgain, showTags } from './use-history.ts';

export type Tags = NonNullable<Task['tags']>;

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Returns the change that makes one set of tags out of another. */
export function changeBetween(before: Tags, after: Tags): TagChange {
  return {
    add: after.filter((tag) => !before.includes(tag)),
    remove: before.filter((tag) => !after.includes(tag)),
  };
}

/** The tags of a task. */
export function useTags(taskId: string) {
  return useApi(readOperation(taskId), { path: { task_id: taskId } });
}

/** The same at a keystroke, which may come before the page shows the one before. */
export function tagsNow(taskId: string): Tags {
  const key = apiKey(sessionStore.get(), readOperation(taskId), { path: { task_id: taskId } });
  return queryClient.getQueryData<{ readonly tags: Tags }>(key)?.tags ?? [];
}

/** Changes the tags of a task. They are shown at once, and taken back if the change fails. */
export function useChangeTags(taskId: string) {
  const request = { path: { task_id: taskId } };
  const mutationKey = ['tags', taskId];
  const show = (tags: Tags) => {
    rememberAnswer(readOperation(taskId), request, { task_id: taskId, tags: [...tags] });
    showTags(taskId, tags);
  };
  return useMutation({
    mutationKey,
    // One after the other, in the order of the keystrokes.
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ change }: { readonly shown: Tags; readonly change: TagChange }) => sendChange(taskId, change),
    onMutate: async ({ shown, change }) => {
      show(changedTags(shown, change));
      // An answer that is under way has the tags of before.
      await queryClient.cancelQueries({ queryKey: [readOperation(taskId)] });
    },
    onSuccess: async ({ tags }) => {
      // Unless a later change is already shown.
      if (queryClient.isMutating({ mutationKey }) === 1) show(tags);
      await Promise.all([readTagsAgain(), refresh('GET /v1/tags')]);
    },
    onError: async (_error, { shown }) => {
      show(shown);
      await refresh(readOperation(taskId));
    },
  });
}

/** Changes the tags that a task has now, because another tab or program may have changed them. */
export async function sendChange(taskId: string, change: TagChange): Promise<{ readonly tags: Tags }> {
  const request = { path: { task_id: taskId } };
  const { tags } = await call(readOperation(taskId), request);
  return await call(setOperation(taskId), { ...request, body: { tags: [...changedTags(tags, change)] } });
}

/** Shows tags that were changed elsewhere than on the page of their order. */
export async function announceTags(taskId: string, tags: Tags): Promise<void> {
  rememberAnswer(readOperation(taskId), { path: { task_id: taskId } }, { task_id: taskId, tags: [...tags] });
  showTags(taskId, tags);
  await Promise.all([readTagsAgain(), refresh('GET /v1/tags')]);
}

export function changedTags(tags: Tags, { add, remove }: TagChange): Tags {
  return [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])].sort();
}

function readOperation(taskId: string) {
  return typeOfTask(taskId) === 'video' ? 'GET /v1/videos/{task_id}/tags' : 'GET /v1/images/{task_id}/tags';
}

function setOperation(taskId: string) {
  return typeOfTask(taskId) === 'video' ? 'PUT /v1/videos/{task_id}/tags' : 'PUT /v1/images/{task_id}/tags';
}
