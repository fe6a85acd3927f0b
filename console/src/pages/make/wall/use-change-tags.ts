import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { inverse, readTagsAgain, retag, showTags } from '../../../api/tagging.ts';
import { sendChange, type TagChange } from '../../../api/task-tags.ts';
import { noteChange } from '../../../api/undo.ts';
import { refresh } from '../../../api/use-api.ts';
import { historyTexts } from '../../../texts/history.ts';

/** Changes the tags of many tasks, one after the other, each shown once it is stored. It can be undone together. */
export function useChangeTags() {
  const [done, setDone] = useState(0);
  const stored = useRef<Parameters<typeof inverse>[0][]>([]);
  const run = useMutation({
    mutationFn: async ({ taskIds, change }: { readonly taskIds: readonly string[]; readonly change: TagChange }) => {
      setDone(0);
      for (const [index, taskId] of taskIds.entries()) {
        const { tags, before } = await sendChange(taskId, change);
        showTags(taskId, tags);
        stored.current.push({ taskId, before, change });
        setDone(index + 1);
      }
    },
    onSettled: () => {
      const changes = stored.current.splice(0);
      if (changes.length > 0)
        noteChange(historyTexts.wall.tagged(changes.length), () => retag(changes.map(inverse), null));
      return Promise.all([readTagsAgain(), refresh('GET /v1/tags')]);
    },
  });
  return { run: run.mutate, isRunning: run.isPending, error: run.error, done, all: run.variables?.taskIds.length ?? 0 };
}
