import { useRef } from 'react';
import { inverse, readTagsAgain, retag, showTags } from '../../api/tagging.ts';
import { sendChange, type TagChange } from '../../api/task-tags.ts';
import { noteChange } from '../../api/undo.ts';
import { refresh } from '../../api/use-api.ts';
import { useEach } from '../../components/selection/use-each.ts';
import { historyTexts } from '../../texts/history.ts';

/** Changes the tags of many tasks, each shown once it is stored. What was stored can be undone together. */
export function useChangeManyTags() {
  const done = useRef<Parameters<typeof inverse>[0][]>([]);
  return useEach(
    async (taskId: string, change: TagChange) => {
      const { tags, before } = await sendChange(taskId, change);
      showTags(taskId, tags);
      done.current.push({ taskId, before, change });
    },
    () => {
      const stored = done.current.splice(0);
      if (stored.length > 0)
        noteChange(historyTexts.wall.tagged(stored.length), () => retag(stored.map(inverse), null));
      return Promise.all([readTagsAgain(), refresh('GET /v1/tags')]);
    },
  );
}
