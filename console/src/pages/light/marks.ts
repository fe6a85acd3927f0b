import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Mark, markOf, tagsOf } from '../../api/marks.ts';
import { orderingKey, useSession } from '../../api/session.ts';
import { HISTORY_PAGES, TASK_LISTS } from '../../api/task-lists.ts';
import {
  changeBetween,
  changedTags,
  readOperation,
  sendChange,
  type TagChange,
  type Tags,
} from '../../api/task-tags.ts';
import type { Task } from '../../api/types.ts';
import { queryClient, refresh } from '../../api/use-api.ts';

/** The tags of each result. */
export type Marks = Readonly<Record<string, Tags>>;

const PAGE_SIZE = 100;

/** The marks of a table's results, and how to change them. They are shown at once, and taken back if a change fails. */
export function useMarks(batchId: string, types: readonly Task['type'][]) {
  const secret = orderingKey(useSession());
  const key = [TASK_LISTS, 'marks', secret, batchId, [...types].sort().join()];
  const { data: marks = {} } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readMarks(batchId, types, signal),
    enabled: types.length > 0,
  });
  const show = (taskId: string, tags: Tags) =>
    queryClient.setQueryData<Marks>(key, (before) => ({ ...before, [taskId]: tags }));
  const mutationKey = ['marks', batchId];
  const change = useMutation({
    mutationKey,
    // One after the other, in the order of the keystrokes.
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ taskId, change }: { readonly taskId: string; readonly shown: Tags; readonly change: TagChange }) =>
      sendChange(taskId, change),
    onMutate: async ({ taskId, shown, change }) => {
      show(taskId, changedTags(shown, change));
      // An answer that is under way has the tags of before.
      await queryClient.cancelQueries({ queryKey: key });
    },
    onSuccess: async (_answer, { taskId }) => {
      // The history reads its lists again when it is opened.
      queryClient.removeQueries({ queryKey: [HISTORY_PAGES] });
      await refresh(readOperation(taskId), 'GET /v1/tags');
    },
    onError: (_error, { taskId, shown }) => {
      show(taskId, shown);
    },
    onSettled: async () => {
      // Unless a later change is already shown.
      if (queryClient.isMutating({ mutationKey }) === 1) await queryClient.invalidateQueries({ queryKey: key });
    },
  });
  const set = (taskId: string, wanted: (mark: Mark) => Partial<Mark>) => {
    // Not as it was rendered: a keystroke may come before the page shows the one before.
    const shown = queryClient.getQueryData<Marks>(key)?.[taskId] ?? [];
    const before = markOf(shown);
    change.mutate({ taskId, shown, change: changeBetween(shown, tagsOf({ ...before, ...wanted(before) })) });
  };
  return {
    marks,
    error: change.error,
    /** A star removes the rejection, and the other way round. */
    toggleStar: (taskId: string) => set(taskId, ({ star, rejected }) => ({ star: !star, rejected: rejected && star })),
    toggleRejected: (taskId: string) =>
      set(taskId, ({ star, rejected }) => ({ rejected: !rejected, star: star && rejected })),
    setTags: (taskId: string, tags: readonly string[]) => set(taskId, () => ({ tags: [...tags] })),
    setAll: (taskIds: readonly string[], wanted: (mark: Mark) => Partial<Mark>) => {
      for (const taskId of taskIds) set(taskId, wanted);
    },
  };
}

async function readMarks(batchId: string, types: readonly Task['type'][], signal: AbortSignal): Promise<Marks> {
  const found: Record<string, Tags> = {};
  for (const type of types) {
    const operation = type === 'video' ? 'GET /v1/videos' : 'GET /v1/images';
    for (let after: string | undefined; ; ) {
      const place = after === undefined ? {} : { after };
      const query = { batch_id: batchId, include: 'tags' as const, limit: PAGE_SIZE, ...place };
      const { items, has_more: hasMore } = await call(operation, { query }, { signal });
      for (const { task_id: id, tags = [] } of items) found[id] = tags;
      after = items.at(-1)?.task_id;
      if (!hasMore || after === undefined) break;
    }
  }
  return found;
}

/** The mark of one result. */
export function markIn(marks: Marks, taskId: string): Mark {
  return markOf(marks[taskId] ?? []);
}
