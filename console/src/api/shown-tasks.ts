import { createStore } from './store.ts';

interface ShownTask {
  readonly taskId: string;
  readonly secret: string;
}

const shownStore = createStore<readonly ShownTask[]>([]);

export const subscribeToShownTasks = shownStore.subscribe;

/** Subscribes to the changes of an unfinished task that a page shows. @returns a function that ends the subscription */
export function showTask(taskId: string, secret: string): () => void {
  const shown = { taskId, secret };
  shownStore.set([...shownStore.get(), shown]);
  return () => shownStore.set(shownStore.get().filter((one) => one !== shown));
}

/** Returns the unfinished tasks of a key that this tab shows, the latest first. */
export function shownTasks(secret: string): readonly string[] {
  const ids = shownStore.get().filter((one) => one.secret === secret);
  return [...new Set(ids.map(({ taskId }) => taskId).reverse())];
}
