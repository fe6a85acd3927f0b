import { createStore, type Store, useStore } from '../../api/store.ts';

/** What the user thinks of a result. Kept in this browser only. */
export interface Mark {
  readonly star?: boolean;
  readonly rejected?: boolean;
  readonly tags?: readonly string[];
}

export type Marks = Readonly<Record<string, Mark>>;

/** Sign-out removes everything whose name begins like this. */
const PREFIX = 'darkroom.light.marks.';
const NONE: Mark = {};
const stores = new Map<string, Store<Marks>>();

// Another tab marked something, or signed out.
window.addEventListener('storage', ({ key }) => {
  for (const [batchId, store] of stores) if (key === null || key === PREFIX + batchId) store.set(readMarks(batchId));
});

export function useMarks(batchId: string): Marks {
  return useStore(storeOf(batchId));
}

export function markOf(marks: Marks, taskId: string): Mark {
  return marks[taskId] ?? NONE;
}

/** A star removes the rejection, and the other way round. */
export function changeMark(batchId: string, taskId: string, change: (before: Mark) => Mark): void {
  const store = storeOf(batchId);
  const { [taskId]: before = NONE, ...others } = store.get();
  const after = change(before);
  const isEmpty = after.star !== true && after.rejected !== true && (after.tags ?? []).length === 0;
  const marks = isEmpty ? others : { ...others, [taskId]: after };
  store.set(marks);
  try {
    if (Object.keys(marks).length === 0) localStorage.removeItem(PREFIX + batchId);
    else localStorage.setItem(PREFIX + batchId, JSON.stringify(marks));
  } catch {
    // The browser's storage is full or disabled: the marks are kept until the page closes.
  }
}

export function toggleStar(batchId: string, taskId: string): void {
  changeMark(batchId, taskId, ({ star, tags = [] }) => ({ star: star !== true, tags }));
}

export function toggleRejected(batchId: string, taskId: string): void {
  changeMark(batchId, taskId, ({ rejected, tags = [] }) => ({ rejected: rejected !== true, tags }));
}

export function setTags(batchId: string, taskId: string, tags: readonly string[]): void {
  changeMark(batchId, taskId, (before) => ({ ...before, tags }));
}

function storeOf(batchId: string): Store<Marks> {
  const known = stores.get(batchId) ?? createStore<Marks>(readMarks(batchId));
  stores.set(batchId, known);
  return known;
}

function readMarks(batchId: string): Marks {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + batchId) ?? '{}') as Marks;
  } catch {
    return {};
  }
}
