import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { world } from '@darkroom-service/contract';
import { type ClientSettings, CommandFault, readEnvironment } from '@darkroom-service/darkroom/kernel-cli';
import { refusal, unreachable } from './client-faults.ts';

/** A person's sign-in at one service, as `darkroom login` keeps it. */
export interface SavedLogin {
  /** The secret of the session: traded for a bearer of five minutes. */
  readonly session: string;
  readonly accountId: string;
  readonly mode: 'live' | 'test';
  /** Id of the key that orders belong to. */
  readonly keyId: string;
  /**
   * The id of the person who signed in, so that nobody else gets the login unasked; absent in logins of an earlier
   * version.
   */
  readonly personId?: string;
}

type Logins = Readonly<Record<string, SavedLogin>>;

/** Returns the path of the file of saved logins, in the user's own configuration directory. */
export function loginsFile(): string {
  const { XDG_CONFIG_HOME: directory } = readEnvironment();
  return join(directory || join(homedir(), '.config'), 'darkroom', 'logins.json');
}

/** Returns the login at a service; null = none. A session is sent only to the address at which it was made. */
export function readLogin(url: string): SavedLogin | null {
  return readLogins()[url] ?? null;
}

/** Stores a login, or removes it. @param login null = removes */
export function saveLogin(url: string, login: SavedLogin | null): void {
  const { [url]: _, ...others } = readLogins();
  const path = loginsFile();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const written = `${path}.${world.randomUUID()}`;
  const text = JSON.stringify(login === null ? others : { ...others, [url]: login }, null, 2);
  // Written so that nobody reads half of it, nor reads it with other permissions for a moment.
  try {
    writeFileSync(written, `${text}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(written, path);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
}

function readLogins(): Logins {
  const path = loginsFile();
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Logins;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return {};
    throw new CommandFault(`${path} cannot be read as what "darkroom login" writes. Remove it and log in again.`, {
      cause: error,
    });
  }
}

const COOKIE = '__Secure-darkroom-session';
const EARLY_MS = 30_000;

interface Traded {
  readonly token: string;
  readonly key_id: string;
  readonly expires_in: number;
  readonly role: string;
}

/** Sends a request to a path of the service. @throws CommandFault if a login has ended, else the error of `fetch` */
export type AuthorizedFetch = (path: string, init: RequestInit) => Promise<Response>;

/**
 * Sends requests with the API key, else with bearers of a login: a new one whenever the last is about to end, and once
 * if it ended early, such as by a sign-out elsewhere.
 */
export function createAuthorizedFetch(settings: ClientSettings, login: SavedLogin | null): AuthorizedFetch {
  let bearer: { readonly token: string; readonly until: number } | null = null;

  async function authorization(): Promise<Record<string, string>> {
    if (settings.apiKey !== null) return { authorization: `Bearer ${settings.apiKey}` };
    if (login === null) return {};
    if (bearer === null || world.now() > bearer.until - EARLY_MS) {
      const asked = world.now();
      const { token, expires_in } = await trade(settings, login);
      bearer = { token, until: asked + expires_in * 1000 };
    }
    return { authorization: `Bearer ${bearer.token}` };
  }

  return async function send(path, init) {
    const sent = async () =>
      await fetch(settings.url + path, {
        ...init,
        headers: { ...(await authorization()), ...(init.headers as Record<string, string>) },
      });
    const response = await sent();
    if (response.status !== 401 || bearer === null) return response;
    await response.body?.cancel();
    bearer = null;
    return await sent();
  };
}

/** Trades the session for a bearer. @throws CommandFault */
export async function trade(
  settings: ClientSettings,
  { session, accountId, mode }: Pick<SavedLogin, 'accountId' | 'mode' | 'session'>,
): Promise<Traded> {
  const body = { account_id: accountId, mode };
  return (await callConsole(settings, 'POST', '/console/session/bearer', { session, body })) as Traded;
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
