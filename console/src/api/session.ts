import { createStore, useStore } from './store.ts';

export type KeyKind = 'test' | 'live' | 'admin';
export type Mode = 'test' | 'live';

/** The session: at most one key of each kind, and which of test and live is in use. */
export interface Session {
  readonly keys: Readonly<Partial<Record<KeyKind, string>>>;
  readonly mode: Mode;
  /** Whether the session outlives its tab. */
  readonly remembered: boolean;
}

const NAME = 'darkroom.session';
/** Name of the number of sign-outs in this browser. A session of an earlier number is void, also in a suspended tab. */
const SIGN_OUTS = 'darkroom.sign-outs';
/** Name of the mode that this tab has chosen, which a person's session without entered keys has nowhere else. */
const CHOSEN_MODE = 'darkroom.mode';
/** Prefix of the name of every order in the browser's storage. */
export const BOOK_PREFIX = 'darkroom.order.';
/** Prefix of the name of every list that the browser stores for a key. */
export const KEPT_PREFIX = 'darkroom.kept.';
const KEY_END_LENGTH = 8;
const NOBODY: Session = { keys: {}, mode: 'test', remembered: false };

/** Stand-ins for the bearers of a person who has signed in: never stored, and void after a sign-out in another tab. */
let ofPerson: { readonly keys: Session['keys']; readonly signOuts: number } = { keys: {}, signOuts: 0 };
const PERSON_KEY = /^dk_(?:test|live|admin)_person/;

export const sessionStore = createStore<Session>(readSession());

window.addEventListener('storage', ({ key }) => {
  if (key === null || key === NAME || key === SIGN_OUTS) takeOverStored();
});
// A page that the browser had suspended received no events.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) takeOverStored();
});

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

/** Returns the stand-in for the bearers of a person's key: it names the key, and gives no access by itself. */
export function personKey(kind: KeyKind, keyId: string): string {
  return `dk_${kind}_person${keyId.replace(/[^0-9A-Za-z]/g, '')}`;
}

export function isPersonKey(key: string): boolean {
  return PERSON_KEY.test(key);
}

/** Adds the keys of a person to the session, beside those that were entered; none = the person is signed out. */
export function setPersonKeys(keys: Session['keys'], mode?: Mode): void {
  ofPerson = { keys, signOuts: signOuts() };
  takeOverStored(mode);
}

/** Returns the mode that was chosen in this tab since the last sign-out; null = none was. */
export function chosenMode(): Mode | null {
  const [signedOut, mode] = (sessionStorage.getItem(CHOSEN_MODE) ?? '').split(' ');
  return Number(signedOut) === signOuts() && (mode === 'test' || mode === 'live') ? mode : null;
}

/** Adds keys to the session. The first test or live key sets the mode. */
export function signIn(keys: Session['keys'], options: { readonly remember?: boolean } = {}): void {
  takeOverStored();
  const before = sessionStore.get();
  const all = { ...before.keys, ...keys };
  const wanted: Mode = keys.test !== undefined ? 'test' : keys.live !== undefined ? 'live' : before.mode;
  save({ keys: all, mode: usableMode(all, wanted), remembered: options.remember ?? before.remembered });
}

export function switchMode(mode: Mode): void {
  takeOverStored();
  sessionStorage.setItem(CHOSEN_MODE, `${signOuts()} ${mode}`);
  save({ ...sessionStore.get(), mode });
}

export function forgetKey(kind: KeyKind): void {
  takeOverStored();
  const { keys, mode, remembered } = sessionStore.get();
  const end = `.${keyEndOf(keys[kind] ?? '')}`;
  for (const name of Object.keys(localStorage))
    if (name.startsWith(KEPT_PREFIX) && name.endsWith(end)) localStorage.removeItem(name);
  const others = (all: Session['keys']) => Object.fromEntries(Object.entries(all).filter(([name]) => name !== kind));
  const left = others(keys);
  ofPerson = { ...ofPerson, keys: others(ofPerson.keys) };
  save({ keys: left, mode: usableMode(left, mode), remembered });
}

/** Signs out every tab of this browser, including tabs with their own keys, and removes all orders of the book. */
export function signOut(): void {
  localStorage.setItem(SIGN_OUTS, String(signOuts() + 1));
  localStorage.removeItem(NAME);
  const isRemoved = (name: string) => [BOOK_PREFIX, KEPT_PREFIX].some((prefix) => name.startsWith(prefix));
  for (const name of Object.keys(localStorage).filter(isRemoved)) localStorage.removeItem(name);
  ofPerson = { keys: {}, signOuts: 0 };
  save(NOBODY);
}

/** Returns the name of a list in the browser's storage, for the key in use; null without one. */
export function keptName(list: string, session: Session): string | null {
  const secret = orderingKey(session);
  return secret === null ? null : `${KEPT_PREFIX}${list}.${session.mode}.${keyEndOf(secret)}`;
}

/** Returns the last characters of a key, which name it without revealing it. */
export function keyEndOf(secret: string): string {
  return secret.slice(-KEY_END_LENGTH);
}

/** Returns the key of the session that placed an order; null if the session does not have it. */
export function secretOf(order: { readonly mode: KeyKind; readonly keyEnd: string }, session: Session): string | null {
  const secret = session.keys[order.mode];
  return secret !== undefined && keyEndOf(secret) === order.keyEnd ? secret : null;
}

function usableMode(keys: Session['keys'], wanted: Mode): Mode {
  if (keys[wanted] !== undefined) return wanted;
  return keys.live !== undefined && keys.test === undefined ? 'live' : 'test';
}

/** Returns the stored session, with the keys of the person who is signed in. Keys that were entered take precedence. */
function readSession(): Session {
  const stored = readStored();
  return ofPerson.signOuts === signOuts() ? { ...stored, keys: { ...ofPerson.keys, ...stored.keys } } : stored;
}

/** Reads the stored session, and removes one that is void. */
function readStored(): Session {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      const kept = JSON.parse(storage.getItem(NAME) ?? 'null') as (Session & { signOuts?: number }) | null;
      if (kept === null || !isSignedIn(kept)) continue;
      const { signOuts: count = 0, ...session } = kept;
      if (count === signOuts()) return { ...NOBODY, ...session };
    } catch {
      // Not written by this console.
    }
    storage.removeItem(NAME);
  }
  return NOBODY;
}

/** Takes over the keys that another tab stored, but not its mode, so that no form changes to live while in use. */
function takeOverStored(wanted: Mode = sessionStore.get().mode): void {
  const before = sessionStore.get();
  const stored = readSession();
  const next = { ...stored, mode: usableMode(stored.keys, wanted) };
  if (JSON.stringify(next) !== JSON.stringify({ ...NOBODY, ...before })) sessionStore.set(next);
}

function save(session: Session): void {
  const { remembered: wasRemembered } = sessionStore.get();
  // A tab with its own keys leaves the keys that other tabs share unchanged.
  if (wasRemembered && !session.remembered) localStorage.removeItem(NAME);
  if (session.remembered) sessionStorage.removeItem(NAME);
  const storage = session.remembered ? localStorage : sessionStorage;
  const own = Object.fromEntries(Object.entries(session.keys).filter(([, key]) => !isPersonKey(key)));
  if (isSignedIn({ ...session, keys: own }))
    storage.setItem(NAME, JSON.stringify({ ...session, keys: own, signOuts: signOuts() }));
  else storage.removeItem(NAME);
  sessionStore.set(session);
}

function signOuts(): number {
  return Number(localStorage.getItem(SIGN_OUTS) ?? 0);
}
