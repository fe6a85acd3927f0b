import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readEnvironment } from '../service/config/environment.ts';
import { CommandFault } from './command-fault.ts';

/** A person's sign-in at one service, as `darkroom login` keeps it. */
export interface SavedLogin {
  /** The secret of the session: traded for a bearer of five minutes. */
  readonly session: string;
  readonly accountId: string;
  readonly mode: 'live' | 'test';
  /** Names the key that orders belong to. */
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

/** Returns the login at a service; null = there is none. A session goes only to the address that it was made at. */
export function readLogin(url: string): SavedLogin | null {
  return readLogins()[url] ?? null;
}

/** Keeps a login, or removes it. @param login null = removes */
export function saveLogin(url: string, login: SavedLogin | null): void {
  const { [url]: _, ...others } = readLogins();
  const path = loginsFile();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const written = `${path}.${process.pid}`;
  const text = JSON.stringify(login === null ? others : { ...others, [url]: login }, null, 2);
  // Nobody reads half of it, nor a moment of it with other permissions.
  writeFileSync(written, `${text}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(written, path);
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
