import type { ClientSettings } from '../service/config/client-settings.ts';
import { CommandFault } from './command-fault.ts';
import type { SavedLogin } from './saved-login.ts';
import { refusal, unreachable } from './service-faults.ts';

const COOKIE = '__Secure-darkroom-session';
const EARLY_MS = 30_000;

interface Traded {
  readonly token: string;
  readonly key_id: string;
  readonly expires_in: number;
  readonly role: string;
}

export interface LoginBearer {
  /** The value of `Authorization`, with a new bearer whenever the one before is about to end. */
  authorization(): Promise<string>;
  /** For one that ended early, such as by a sign-out elsewhere: the next one is new. */
  forget(): void;
}

export function bearerOf(settings: ClientSettings, login: SavedLogin): LoginBearer {
  let bearer: { readonly token: string; readonly until: number } | null = null;
  return {
    async authorization() {
      if (bearer === null || Date.now() > bearer.until - EARLY_MS) {
        const asked = Date.now();
        const { token, expires_in } = await trade(settings, login);
        bearer = { token, until: asked + expires_in * 1000 };
      }
      return `Bearer ${bearer.token}`;
    },
    forget() {
      bearer = null;
    },
  };
}

/** Trades the session for a bearer. @throws CommandFault */
export async function trade(
  settings: ClientSettings,
  { session, accountId, mode }: Pick<SavedLogin, 'accountId' | 'mode' | 'session'>,
): Promise<Traded> {
  const wish = { account_id: accountId, mode };
  return (await callConsole(settings, 'POST', '/console/session/bearer', { session, body: wish })) as Traded;
}

/** Calls a route of the console as a program with a session. @throws CommandFault */
export async function callConsole(
  settings: ClientSettings,
  method: 'GET' | 'POST',
  path: string,
  { session, body }: { readonly session?: string; readonly body?: object } = {},
): Promise<unknown> {
  const response = await fetch(settings.url + path, {
    method,
    headers: {
      ...(session === undefined ? {} : { cookie: `${COOKIE}=${session}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw unreachable(settings.url, error);
  });
  if (response.status === 401 && session !== undefined)
    throw new CommandFault(`You are signed out at ${settings.url}. Run: darkroom login`);
  if (!response.ok) throw await refusal(response, settings);
  return ((await response.json()) as { readonly data: unknown }).data;
}
