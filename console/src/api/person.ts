import { BASE_URL } from './service-url.ts';
import {
  chosenMode,
  isPersonKey,
  type KeyKind,
  type Mode,
  orderingKey,
  personKey,
  sessionStore,
  setPersonKeys,
  useSession,
} from './session.ts';
import { createStore, useStore } from './store.ts';

export type Role = 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner';

export interface Membership {
  /** The account of the membership; null = the person is an operator. */
  readonly account_id: string | null;
  readonly name: string | null;
  readonly role: Role;
}

export interface Person {
  readonly person_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly memberships: readonly Membership[];
}

interface PersonState {
  /** URL where people sign in; null = only keys are accepted. */
  readonly signInUrl: string | null;
  readonly person: Person | null;
  /** The account in which the person works; null = they have none, or have several and have not chosen yet. */
  readonly account: Membership | null;
  /** Whether the person is not known yet, and somebody was signed in the last time. */
  readonly isAwaited: boolean;
  /** Whether the last session was ended by somebody else, or has expired. */
  readonly isEnded: boolean;
}

interface Bearer {
  readonly request: { readonly account_id: string | null; readonly mode: KeyKind };
  readonly token: string;
  /** Milliseconds since 1970 UTC, by the clock of this browser. */
  readonly until: number;
}

const WAS_SIGNED_IN = 'darkroom.person';
/** Name of the stored account of the person who last chose one in this browser. */
const CHOICE = 'darkroom.person.choice';
/** Milliseconds before its end at which a bearer is renewed. */
const EARLY_MS = 30_000;

export const personStore = createStore<PersonState>({
  signInUrl: null,
  person: null,
  account: null,
  isAwaited: localStorage.getItem(WAS_SIGNED_IN) !== null,
  isEnded: false,
});

/** Bearers by their stand-in key in the session. They are never stored: the browser's cookie gets new ones. */
const bearers = new Map<string, Bearer>();
const renewals = new Map<string, Promise<Bearer | null>>();

/** Reads who is signed in with this browser, and gives the session that person's keys. */
export async function loadPerson(): Promise<void> {
  try {
    const { sign_in_url: signInUrl, person } = (await ask('GET', '/console/session')) as {
      readonly sign_in_url: string | null;
      readonly person: Person | null;
    };
    personStore.set({ ...personStore.get(), signInUrl });
    if (person === null) forgetPerson(localStorage.getItem(WAS_SIGNED_IN) !== null);
    else await workIn(person, chosenBy(person));
  } catch {
    // The service is unavailable, or older: keys work, and the next load of the page tries again.
  } finally {
    personStore.set({ ...personStore.get(), isAwaited: false });
  }
}

/** Returns the role that determines the session's permissions in its account; null = a key does. */
export function useRole(): Role | null {
  const key = orderingKey(useSession());
  const { account } = useStore(personStore);
  return key !== null && isPersonKey(key) ? (account?.role ?? null) : null;
}

/** Selects one of the person's accounts, now and whenever they sign in with this browser. */
export async function chooseAccount(accountId: string): Promise<void> {
  const { person } = personStore.get();
  if (person === null) return;
  localStorage.setItem(CHOICE, JSON.stringify({ person_id: person.person_id, account_id: accountId }));
  await workIn(person, accountId);
}

/** Returns the accounts from which the person must choose before they can order; empty if there is no choice. */
export function useAccountChoice(): readonly Membership[] {
  const { person, account } = useStore(personStore);
  return person === null || account !== null ? [] : accountsOf(person);
}

/** Returns the other accounts that the person can work in. */
export function useOtherAccounts(): readonly { readonly account_id: string; readonly name: string }[] {
  const { person, account } = useStore(personStore);
  return (person?.memberships ?? []).flatMap(({ account_id, name }) =>
    account_id === null || account_id === account?.account_id ? [] : [{ account_id, name: name ?? '' }],
  );
}

function accountsOf({ memberships }: Person): readonly Membership[] {
  return memberships.filter(({ account_id }) => account_id !== null);
}

function chosenBy({ person_id }: Person): string | null {
  try {
    const choice = JSON.parse(localStorage.getItem(CHOICE) ?? 'null') as Record<string, string> | null;
    return choice?.person_id === person_id ? (choice.account_id ?? null) : null;
  } catch {
    // Not written by this console.
    return null;
  }
}

/** Gives the session the person's keys. Never chooses among several accounts: all members see an account's orders. */
async function workIn(person: Person, chosen: string | null): Promise<void> {
  const accounts = accountsOf(person);
  const only = accounts.length === 1 ? accounts[0] : undefined;
  const account = accounts.find(({ account_id }) => account_id === chosen) ?? only ?? null;
  const requests: Bearer['request'][] = [
    ...(account === null ? [] : (['test', 'live'] as const).map((mode) => ({ account_id: account.account_id, mode }))),
    ...(accounts.length < person.memberships.length ? [{ account_id: null, mode: 'admin' as const }] : []),
  ];
  const traded = await Promise.all(requests.map(async (request) => [request.mode, await trade(request)] as const));
  const keys = Object.fromEntries(traded.map(([kind, { key }]) => [kind, key]));
  const mode = await modeIn(account, traded.find(([kind]) => kind === 'live')?.[1].bearer.token);
  // Until now the page works for the person that it shows.
  bearers.clear();
  for (const [, { key, bearer }] of traded) bearers.set(key, bearer);
  localStorage.setItem(WAS_SIGNED_IN, '1');
  personStore.set({ ...personStore.get(), person, account, isEnded: false });
  setPersonKeys(keys, mode);
}

/**
 * Returns the mode in which a person works: the one of the page or of the tab, otherwise live. Who may order in an
 * account without live orders begins with test orders.
 */
async function modeIn(account: Membership | null, liveToken: string | undefined): Promise<Mode> {
  const session = sessionStore.get();
  if (orderingKey(session) !== null) return session.mode;
  const chosen = chosenMode();
  if (chosen !== null) return chosen;
  if (liveToken === undefined || account?.role === 'viewer' || account?.role === 'finance') return 'live';
  try {
    const headers = { authorization: `Bearer ${liveToken}` };
    const answer = await fetch(`${BASE_URL}/v1/account/tasks?limit=1`, { headers });
    const { data } = (await answer.json()) as { readonly data: { readonly items: readonly object[] } };
    return data.items.length > 0 ? 'live' : 'test';
  } catch {
    // Not answered, or the service has no such list: the mode that costs nothing.
    return 'test';
  }
}

/** Ends the person's session at the service, and opens the page where the provider ends its own. */
export async function endPersonSession(): Promise<void> {
  if (personStore.get().person === null) return;
  forgetPerson();
  const answer = (await ask('POST', '/console/session/end', {}).catch(() => null)) as {
    readonly sign_out_url?: string | null;
  } | null;
  if (answer?.sign_out_url) window.location.assign(answer.sign_out_url);
}

function forgetPerson(isEnded = false): void {
  localStorage.removeItem(WAS_SIGNED_IN);
  bearers.clear();
  personStore.set({ ...personStore.get(), person: null, account: null, isEnded });
  setPersonKeys({});
}

/** Calls `fetch` with a bearer instead of its stand-in key. A bearer that has ended early is renewed once. */
export async function fetchAsPerson(...[input, init = {}]: Parameters<typeof fetch>): Promise<Response> {
  const headers = new Headers(init.headers);
  const key = headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  if (!isPersonKey(key)) return await fetch(input, init);
  const bearer = bearers.get(key) ?? null;
  const usable = bearer !== null && Date.now() < bearer.until - EARLY_MS ? bearer : await renew(key);
  const send = async (one: Bearer | null) => {
    headers.set('authorization', `Bearer ${one?.token ?? key}`);
    return await fetch(input, { ...init, headers });
  };
  const answer = await send(usable);
  if (answer.status !== 401 || usable !== bearer) return answer;
  const renewed = await renew(key);
  if (renewed === null) return answer;
  await answer.body?.cancel();
  return await send(renewed);
}

/** Renews a bearer, one request at a time. Returns the previous one if no new one is available. */
async function renew(key: string): Promise<Bearer | null> {
  const request = bearers.get(key)?.request;
  if (request === undefined) return null;
  const running = renewals.get(key);
  if (running !== undefined) return await running;
  const renewal = trade(request)
    .then(({ key: traded, bearer }) => {
      if (traded !== key) {
        // Somebody else has signed in with another tab: their bearer must not be used for this tab's data.
        personStore.set({ ...personStore.get(), isAwaited: true });
        forgetPerson();
        void loadPerson();
        return null;
      }
      bearers.set(key, bearer);
      return bearer;
    })
    .catch((error: unknown) => {
      if (error instanceof Refused && error.status === 401) forgetPerson(true);
      // While the provider is unavailable, a bearer works until its end.
      return bearers.get(key) ?? null;
    })
    .finally(() => renewals.delete(key));
  renewals.set(key, renewal);
  return await renewal;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the service answered ${status}`);
    this.status = status;
  }
}

async function trade(request: Bearer['request']): Promise<{ readonly key: string; readonly bearer: Bearer }> {
  const asked = Date.now();
  const answer = (await ask('POST', '/console/session/bearer', request)) as {
    readonly token: string;
    readonly key_id: string;
    readonly expires_in: number;
  };
  const bearer = { request, token: answer.token, until: asked + answer.expires_in * 1000 };
  return { key: personKey(request.mode, answer.key_id), bearer };
}

async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${BASE_URL}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Refused(response.status);
  return ((await response.json()) as { readonly data: unknown }).data;
}
