import { useSyncExternalStore } from 'react';

/** A value outside React that code without hooks can also read. */
interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Creates a store that lasts as long as the tab, also over a reload. */
export function createTabStore<T extends object>(name: string, first: T): Store<T> {
  const store = createStore(first);
  try {
    store.set({ ...first, ...JSON.parse(sessionStorage.getItem(name) ?? '{}') });
  } catch {
    // Not written by this console.
  }
  store.subscribe(() => sessionStorage.setItem(name, JSON.stringify(store.get())));
  return store;
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
