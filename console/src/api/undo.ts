import { createStore, useStore } from './store.ts';

/** A change that can be undone. */
interface Undoable {
  /** Description of the change, such as `Deleted 3 orders`. */
  readonly text: string;
  /** Milliseconds since 1970 after which it can no longer be undone. */
  readonly until: number;
  readonly undo: () => Promise<unknown>;
}

interface Told {
  readonly text: string;
  /** `done`: an action that the bar cannot undo. */
  readonly kind: 'change' | 'undone' | 'done';
  readonly error: Error | null;
}

interface State {
  /** Changes to undo, the latest one last. */
  readonly stack: readonly Undoable[];
  /** Message of the bar about the latest change, its undoing, or another action; null = none. */
  readonly told: Told | null;
}

const MOST = 50;
const FOR_EVER = Number.POSITIVE_INFINITY;
/** Changes that are not stored yet. An undo waits for them, so that it undoes the latest change. */
const underWay = new Set<Promise<unknown>>();
const store = createStore<State>({ stack: [], told: null });

export function useUndo(): State['told'] {
  return useStore(store).told;
}

/** Registers a change that is recorded once it is stored. */
export function beginChange(stored: Promise<unknown>): void {
  underWay.add(stored);
  const end = () => underWay.delete(stored);
  stored.then(end, end);
}

/** Records a change that was stored. */
export function noteChange(text: string, undo: () => Promise<unknown>, lastsMs = FOR_EVER): void {
  const change = { text, undo, until: Date.now() + lastsMs };
  store.set({ stack: [...store.get().stack.slice(1 - MOST), change], told: { text, kind: 'change', error: null } });
}

/** Shows a message about an action. */
export function notify(text: string): void {
  store.set({ ...store.get(), told: { text, kind: 'done', error: null } });
}

export function hideUndo(): void {
  store.set({ ...store.get(), told: null });
}

/** Undoes the latest change that can be undone. */
export async function undoLatest(): Promise<void> {
  await Promise.allSettled(underWay);
  const stack = store.get().stack.filter(({ until }) => until > Date.now());
  const change = stack.at(-1);
  store.set({ ...store.get(), stack: stack.slice(0, -1) });
  if (change === undefined) return;
  try {
    await change.undo();
    store.set({ ...store.get(), told: { text: `Undone: ${change.text}`, kind: 'undone', error: null } });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    store.set({ stack: [...store.get().stack, change], told: { text: change.text, kind: 'change', error } });
  }
}
