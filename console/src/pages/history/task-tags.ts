import { useMutation } from '@tanstack/react-query';
import { sessionStore } from '../../api/session.ts';
import { changedTags, readOperation, sendChange, type TagChange, type Tags } from '../../api/task-tags.ts';
import { apiKey, queryClient, refresh, rememberAnswer, useApi } from '../../api/use-api.ts';
import { useEach } from '../../components/selection/use-each.ts';
import { readTagsAgain, showTags } from './use-history.ts';

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
  const mutationKey = ['tags', taskId];
  const show = (tags: Tags) => showEverywhere(taskId, tags);
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

/** Changes the tags of many tasks, each shown once it is stored. */
export function useChangeManyTags() {
  return useEach(
    async (taskId: string, change: TagChange) => {
      const { tags } = await sendChange(taskId, change);
      showEverywhere(taskId, tags);
    },
    () => Promise.all([readTagsAgain(), refresh('GET /v1/tags')]),
  );
}

function showEverywhere(taskId: string, tags: Tags): void {
  rememberAnswer(readOperation(taskId), { path: { task_id: taskId } }, { task_id: taskId, tags: [...tags] });
  showTags(taskId, tags);
}
