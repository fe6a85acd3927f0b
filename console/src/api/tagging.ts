import type { TaskView as Task } from '@darkroom-service/contract/task';
import type { InfiniteData } from '@tanstack/react-query';
import { type Mark, markOf, tagsOf } from './marks.ts';
import { createStore } from './store.ts';
import { HISTORY_PAGES, TASK_LISTS } from './task-lists.ts';
import { changeBetween, changedTags, readOperation, sendChange, type TagChange, type Tags } from './task-tags.ts';
import { beginChange, noteChange } from './undo.ts';
import { queryClient, refresh, rememberAnswer } from './use-api.ts';

/** The newest page of the history. */
export const NEWEST = [TASK_LISTS, 'history'];
/** The tags of a light table's results, by their ids. */
export const MARKS = [TASK_LISTS, 'marks'];

interface Listed {
  readonly items: readonly Task[];
}

/** A change of one task's tags, and how they were shown before it. */
interface Retagging {
  readonly taskId: string;
  readonly shown: Tags;
  readonly change: TagChange;
}

/** Why the last change of tags was not stored; null = it was. */
export const taggingFault = createStore<{ readonly taskId: string; readonly error: Error } | null>(null);

/** What is shown of tasks whose changes are under way, and how many these are. */
const underWay = new Map<string, { readonly tags: Tags; readonly count: number }>();
let lastChange: Promise<unknown> = Promise.resolve();

/**
 * The tags at a keystroke, which may come before the page shows the one before.
 * @param listed as the page shows them
 */
export function tagsNow(taskId: string, listed: Tags): Tags {
  return underWay.get(taskId)?.tags ?? listed;
}

/** Changes what the user thinks of tasks. It is shown at once, taken back if it cannot be stored, and can be undone. */
export function mark(
  tasks: readonly Pick<Task, 'task_id' | 'tags'>[],
  wanted: (mark: Mark) => Partial<Mark>,
  said: string,
): void {
  retag(
    tasks.map(({ task_id: taskId, tags = [] }) => {
      const shown = tagsNow(taskId, tags);
      const before = markOf(shown);
      return { taskId, shown, change: changeBetween(shown, tagsOf({ ...before, ...wanted(before) })) };
    }),
    said,
  );
}

/**
 * Changes tags, one task after the other in the order of the calls.
 * @param said what the undo bar says; null = nothing
 */
export function retag(changes: readonly Retagging[], said: string | null): Promise<void> {
  for (const { taskId, shown, change } of changes) begin(taskId, changedTags(shown, change));
  const done = lastChange.then(async () => {
    const stored: Retagging[] = [];
    for (const one of changes) if (await store(one)) stored.push(one);
    if (said !== null && stored.length > 0) noteChange(said, () => retag(stored.map(inverse), null));
    await Promise.all([readTagsAgain(), refresh('GET /v1/tags')]);
  });
  lastChange = done;
  if (said !== null) beginChange(done);
  return done;
}

async function store({ taskId, shown, change }: Retagging): Promise<boolean> {
  // An answer that is under way has the tags of before.
  await queryClient.cancelQueries({ queryKey: [readOperation(taskId)] });
  await queryClient.cancelQueries({ queryKey: MARKS });
  try {
    const { tags } = await sendChange(taskId, change);
    if (end(taskId)) showTags(taskId, tags);
    taggingFault.set(null);
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (end(taskId)) showTags(taskId, shown);
    taggingFault.set({ taskId, error });
    await refresh(readOperation(taskId));
    return false;
  }
}

function begin(taskId: string, tags: Tags): void {
  underWay.set(taskId, { tags, count: (underWay.get(taskId)?.count ?? 0) + 1 });
  showTags(taskId, tags);
}

/** @returns false if a later change is already shown */
function end(taskId: string): boolean {
  const { tags, count } = underWay.get(taskId) ?? { tags: [], count: 1 };
  if (count <= 1) underWay.delete(taskId);
  else underWay.set(taskId, { tags, count: count - 1 });
  return count <= 1;
}

export function inverse({ taskId, shown, change }: Retagging): Retagging {
  const { add, remove } = change;
  const after = changedTags(shown, change);
  const back = { add: remove.filter((tag) => shown.includes(tag)), remove: add.filter((tag) => !shown.includes(tag)) };
  return { taskId, shown: after, change: back };
}

/** Shows other tags of a task everywhere, also in a list that it no longer fits, until that is read again. */
export function showTags(taskId: string, tags: Tags): void {
  rememberAnswer(readOperation(taskId), { path: { task_id: taskId } }, { task_id: taskId, tags: [...tags] });
  const change = <T extends Listed>(page: T): T =>
    page.items.some((task) => task.task_id === taskId)
      ? { ...page, items: page.items.map((task) => (task.task_id === taskId ? { ...task, tags: [...tags] } : task)) }
      : page;
  queryClient.setQueriesData<InfiniteData<Listed>>(
    { queryKey: [HISTORY_PAGES] },
    (list) => list && { ...list, pages: list.pages.map(change) },
  );
  queryClient.setQueriesData<Listed>({ queryKey: NEWEST }, (page) => page && change(page));
  queryClient.setQueriesData<Readonly<Record<string, Tags>>>(
    { queryKey: MARKS },
    (marks) => marks && (taskId in marks ? { ...marks, [taskId]: tags } : marks),
  );
}

/** Reads lists again after a change of tags: those by a tag that are not shown now as soon as they are. */
export async function readTagsAgain(): Promise<void> {
  queryClient.removeQueries({
    queryKey: [HISTORY_PAGES],
    // Not by `inactive`, which the shown list is as well, because it is read only once.
    predicate: (list) => (list.queryKey[2] as { readonly tag: string }).tag !== '' && list.getObserversCount() === 0,
  });
  // One that is under way may have the tags of before.
  await queryClient.invalidateQueries({ queryKey: NEWEST });
}
