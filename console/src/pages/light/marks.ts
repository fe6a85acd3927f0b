import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FAVOURITE } from '../../api/favourite.ts';
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

/** What the user thinks of a result: its tags, two of which have buttons of their own. */
export interface Mark {
  readonly star: boolean;
  readonly rejected: boolean;
  readonly tags: Tags;
}

/** The tags of each result. */
export type Marks = Readonly<Record<string, Tags>>;

const REJECTED = 'rejected';
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
    const before = markOf({ [taskId]: shown }, taskId);
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
  };
}

export function markOf(marks: Marks, taskId: string): Mark {
  const all = marks[taskId] ?? [];
  const tags = all.filter((tag) => tag !== FAVOURITE && tag !== REJECTED);
  return { star: all.includes(FAVOURITE), rejected: all.includes(REJECTED), tags };
}

function tagsOf({ star, rejected, tags }: Mark): Tags {
  return [...tags, ...(star ? [FAVOURITE] : []), ...(rejected ? [REJECTED] : [])];
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
