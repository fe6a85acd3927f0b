import type { TaskView as Task } from '@darkroom-service/contract';
import type { InfiniteData } from '@tanstack/react-query';
import {
  changedTags,
  MARKING,
  type Mark,
  markingChange,
  markOf,
  readOperation,
  sendChange,
  type TagChange,
  type Tags,
} from './marks.ts';
import { createStore } from './store.ts';
import { HISTORY_PAGES, TASK_LISTS } from './task-lists.ts';
import { beginChange, noteChange } from './undo.ts';
import { queryClient, refresh, rememberAnswer } from './use-api.ts';

/** The newest page of the history. */
export const NEWEST = [TASK_LISTS, 'history'];
/** The tags of a light table's results, by their ids. */
export const MARKS = [TASK_LISTS, 'marks'];

interface Listed {
  readonly items: readonly Task[];
}

/** A change of one task's tags, with the tags before it. */
export interface Retagging {
  readonly taskId: string;
  readonly before: Tags;
  readonly change: TagChange;
}

/** Reason why the last change of tags was not stored; null = it was. */
export const taggingFault = createStore<{ readonly taskId: string; readonly error: Error } | null>(null);

/** Displayed tags of tasks whose changes are pending, and the number of these changes. */
const underWay = new Map<string, { readonly tags: Tags; readonly count: number }>();
let lastChange: Promise<unknown> = Promise.resolve();

/**
 * Returns the tags at a keystroke, which may come before the page shows the previous change.
 * @param listed the tags as the page shows them
 */
export function tagsNow(taskId: string, listed: Tags): Tags {
  return underWay.get(taskId)?.tags ?? listed;
}

/** Changes the user's rating of a task: shown at once, reverted if it cannot be stored; it can be undone. */
export function mark(
  { task_id: taskId, tags = [] }: Pick<Task, 'task_id' | 'tags'>,
  wanted: (mark: Mark) => Partial<Mark>,
  said: string,
): void {
  const before = tagsNow(taskId, tags);
  const shown = markOf(before);
  void retag([{ taskId, before, change: markingChange(shown, wanted(shown)) }], () => said);
}

/**
 * Changes tags, one task after the other in the order of the calls. All changes are shown at once. After a failure the
 * rest is reverted.
 * @param said returns the text of the undo bar for a number of stored changes; null = none
 * @returns number of stored changes
 */
export function retag(changes: readonly Retagging[], said: ((stored: number) => string) | null): Promise<number> {
  for (const { taskId, before, change } of changes) begin(taskId, changedTags(before, change));
  const done = lastChange.then(async () => {
    const stored: Retagging[] = [];
    for (const [place, one] of changes.entries()) {
      const before = stored.length === place ? await store(one) : takeBack(one);
      if (before !== null) stored.push({ ...one, before });
    }
    if (said !== null && stored.length > 0) noteChange(said(stored.length), () => retag(stored.map(inverse), null));
    await Promise.all([readTagsAgain(), refresh('GET /v1/tags')]);
    return stored.length;
  });
  lastChange = done;
  if (said !== null) beginChange(done);
  return done;
}

/** @returns the tags that the task had before; null = the change could not be stored */
async function store(one: Retagging): Promise<Tags | null> {
  const { taskId, change } = one;
  await forgetReads(taskId);
  try {
    const { tags, before } = await sendChange(taskId, change);
    await forgetReads(taskId);
    if (end(taskId)) showTags(taskId, tags);
    taggingFault.set(null);
    return before;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    takeBack(one);
    taggingFault.set({ taskId, error });
    await refresh(readOperation(taskId));
    return null;
  }
}

function takeBack({ taskId, before }: Retagging): null {
  if (end(taskId)) showTags(taskId, before);
  return null;
}

/** Cancels pending reads, whose answers would have the previous tags. */
async function forgetReads(taskId: string): Promise<void> {
  await Promise.all(
    [[readOperation(taskId)], MARKS, NEWEST].map((queryKey) => queryClient.cancelQueries({ queryKey })),
  );
}

function begin(taskId: string, tags: Tags): void {
  underWay.set(taskId, { tags, count: (underWay.get(taskId)?.count ?? 0) + 1 });
  void forgetReads(taskId);
  showTags(taskId, tags);
}

/** @returns false if a later change is already shown */
function end(taskId: string): boolean {
  const { tags, count } = underWay.get(taskId) ?? { tags: [], count: 1 };
  if (count <= 1) underWay.delete(taskId);
  else underWay.set(taskId, { tags, count: count - 1 });
  return count <= 1;
}

function inverse({ taskId, before, change }: Retagging): Retagging {
  const { add, remove } = change;
  const back = {
    add: remove.filter((tag) => before.includes(tag)),
    remove: add.filter((tag) => !before.includes(tag)),
  };
  return { taskId, before: changedTags(before, change), change: back };
}

/** Shows new tags of a task everywhere, also in a list that it no longer matches, until that list is refetched. */
function showTags(taskId: string, tags: Tags): void {
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

/** Refetches lists after a change of tags. Lists by tag that are not shown now are refetched when they are shown. */
async function readTagsAgain(): Promise<void> {
  queryClient.removeQueries({
    queryKey: [HISTORY_PAGES],
    // Not `inactive`: the shown list is inactive as well, because it is read only once.
    predicate: (list) => (list.queryKey[2] as { readonly tag: string }).tag !== '' && list.getObserversCount() === 0,
  });
  // A pending read may have the previous tags; a change ends the first read of the marks.
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: NEWEST }),
    queryClient.invalidateQueries({ queryKey: MARKS, predicate: ({ state }) => state.data === undefined }),
  ]);
}

/**
 * Changes a mark by a key: `s` stars a task and `x` rejects it.
 * @returns whether the key did so
 */
export function markByKey(key: string, task: Pick<Task, 'task_id' | 'tags'>): boolean {
  if (key === 's') mark(task, MARKING.star, 'Star changed');
  else if (key === 'x') mark(task, MARKING.reject, 'Rejection changed');
  else return false;
  return true;
}
