import { createStore, useStore } from './store.ts';

export type KeyKind = 'test' | 'live' | 'admin';
export type Mode = 'test' | 'live';

/** The session: at most one key of each kind, and which of test and live is in use. */
export interface Session {
  readonly keys: Readonly<Partial<Record<KeyKind, string>>>;
  readonly mode: Mode;
  /** Kept when the tab is closed. */
  readonly remembered: boolean;
}

const NAME = 'darkroom.session';
const NOBODY: Session = { keys: {}, mode: 'test', remembered: false };

export const sessionStore = createStore<Session>(readSession());
sessionStore.subscribe(() => writeSession(sessionStore.get()));

export function useSession(): Session {
  return useStore(sessionStore);
}

/** Returns the key for orders; null if there is only an admin key, or none. */
export function orderingKey({ keys, mode }: Session): string | null {
  return keys[mode] ?? null;
}

export function isSignedIn({ keys }: Session): boolean {
  return Object.keys(keys).length > 0;
}

/** Returns the kind of a key by its prefix; null for other texts. */
export function kindOfKey(key: string): KeyKind | null {
  const kind = /^dk_(test|live|admin)_[0-9A-Za-z]+$/.exec(key)?.[1];
  return kind === undefined ? null : (kind as KeyKind);
}

/** Adds keys to the session. The first test or live key sets the mode. */
export function signIn(keys: Session['keys'], options: { readonly remember?: boolean } = {}): void {
  const before = sessionStore.get();
  const all = { ...before.keys, ...keys };
  const wish: Mode = keys.test !== undefined ? 'test' : keys.live !== undefined ? 'live' : before.mode;
  sessionStore.set({ keys: all, mode: usableMode(all, wish), remembered: options.remember ?? before.remembered });
}

export function switchMode(mode: Mode): void {
  sessionStore.set({ ...sessionStore.get(), mode });
}

export function forgetKey(kind: KeyKind): void {
  const { keys, mode, remembered } = sessionStore.get();
  const left = Object.fromEntries(Object.entries(keys).filter(([name]) => name !== kind));
  sessionStore.set({ keys: left, mode: usableMode(left, mode), remembered });
}

export function signOut(): void {
  sessionStore.set(NOBODY);
}

function usableMode(keys: Session['keys'], wish: Mode): Mode {
  if (keys[wish] !== undefined) return wish;
  return keys.live !== undefined && keys.test === undefined ? 'live' : 'test';
}

function readSession(): Session {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      const kept = JSON.parse(storage.getItem(NAME) ?? 'null') as Session | null;
      if (kept !== null && isSignedIn(kept)) return { ...NOBODY, ...kept };
    } catch {
      storage.removeItem(NAME);
    }
  }
  return NOBODY;
}

function writeSession(session: Session): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
  if (isSignedIn(session)) (session.remembered ? localStorage : sessionStorage).setItem(NAME, JSON.stringify(session));
}
