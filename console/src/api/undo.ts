import { createStore, useStore } from './store.ts';

/** A change that can be taken back. */
interface Undoable {
  /** What was done, such as `Deleted 3 orders`. */
  readonly text: string;
  /** When it can no longer be taken back, in milliseconds. */
  readonly until: number;
  readonly undo: () => Promise<unknown>;
}

interface Told {
  readonly text: string;
  /** `done` cannot be undone by the bar. */
  readonly kind: 'change' | 'undone' | 'done';
  readonly error: Error | null;
}

interface State {
  /** The latest is the last. */
  readonly stack: readonly Undoable[];
  /** What the bar says of the latest change, of its undoing, or of what else was done. */
  readonly told: Told | null;
}

const MOST = 50;
const FOR_EVER = Number.POSITIVE_INFINITY;
/** An undo waits for them: what it takes back is the latest change. */
const underWay = new Set<Promise<unknown>>();
const store = createStore<State>({ stack: [], told: null });

export function useUndo(): State['told'] {
  return useStore(store).told;
}

/** Tells of a change that is noted once it is stored. */
export function beginChange(stored: Promise<unknown>): void {
  underWay.add(stored);
  const end = () => underWay.delete(stored);
  stored.then(end, end);
}

/** Notes a change that was stored. */
export function noteChange(text: string, undo: () => Promise<unknown>, lastsMs = FOR_EVER): void {
  const change = { text, undo, until: Date.now() + lastsMs };
  store.set({ stack: [...store.get().stack.slice(1 - MOST), change], told: { text, kind: 'change', error: null } });
}

/** Says what was done. */
export function tell(text: string): void {
  store.set({ ...store.get(), told: { text, kind: 'done', error: null } });
}

export function hideUndo(): void {
  store.set({ ...store.get(), told: null });
}

/** Takes the latest change back that can be. */
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
