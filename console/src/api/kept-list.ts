import { useMemo } from 'react';
import { KEPT_PREFIX, keptName, sessionStore, useSession } from './session.ts';
import { createStore, useStore } from './store.ts';

/** Counts the changes of all lists, in every tab. */
const changesStore = createStore(0);
const changed = () => changesStore.set(changesStore.get() + 1);
window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(KEPT_PREFIX)) changed();
});

/** A list that the browser keeps for one key of the session, until sign-out. */
export interface KeptList<T> {
  readonly name: string;
  isItem(value: unknown): value is T;
}

/** Returns the list of the key in use. */
export function useKeptList<T>(list: KeptList<T>): readonly T[] {
  useStore(changesStore);
  const key = keptName(list.name, useSession());
  const text = key === null ? null : localStorage.getItem(key);
  return useMemo(() => parse(text, list), [text, list]);
}

export function changeKeptList<T>(list: KeptList<T>, next: (items: readonly T[]) => readonly T[]): void {
  const key = keptName(list.name, sessionStore.get());
  if (key === null) return;
  try {
    localStorage.setItem(key, JSON.stringify(next(parse(localStorage.getItem(key), list))));
  } catch {
    // The storage is full or disabled: the list stays as it is.
  }
  changed();
}

function parse<T>(text: string | null, { isItem }: KeptList<T>): readonly T[] {
  try {
    const items: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(items) ? items.filter(isItem) : [];
  } catch {
    // Not written by this console.
    return [];
  }
}
