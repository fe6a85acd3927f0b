import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { cutText, world } from '@darkroom-service/contract';
import { LocalFault } from '../local-fault.ts';

/** A command that starts another one in a network with only a loopback of its own. */
export interface Enclosure {
  readonly name: string;
  readonly program: string;
  /** Arguments that precede the enclosed program. */
  readonly args: readonly string[];
}

/** Network access of the servers that Darkroom starts. */
export interface ServerNetwork {
  /**
   * Returns the command that closes the network of a server; null = it shares the network of the machine.
   * @throws LocalFault if it must be closed and cannot be
   */
  enclosure(): Promise<Enclosure | null>;
  view(): Promise<NetworkView>;
}

export interface NetworkView {
  /** State of the network. `unavailable`: it must be closed and cannot be, so no server is started. */
  readonly state: 'closed' | 'open' | 'unavailable';
  /** The program that closes the network, or the reason why it is open. */
  readonly reason: string;
}

type Search = { readonly found: Enclosure } | { readonly missing: string };

const LOOPBACK_UP = '"$0" link set lo up && exec "$@"';
const TRY_MS = 10_000;
/** Time after which a missing program is searched for again, in milliseconds. */
const AGAIN_MS = 60_000;
/** Directories of the programs, which users other than root often lack in their PATH. */
const ADMIN_DIRECTORIES = ['/usr/sbin', '/sbin'];
const SHOWN_CHARACTERS = 120;

/**
 * Creates the network isolation of model servers.
 * @param setting `auto`: closed where the system can do it
 * @param path the PATH on which bubblewrap and the tools of util-linux are searched
 */
export function createServerNetwork(setting: 'auto' | 'closed' | 'open', path = ''): ServerNetwork {
  let search: { readonly at: number; readonly result: Promise<Search> } | null = null;
  const currentSearch = async (): Promise<Search> => {
    const known = search;
    if (known !== null && ('found' in (await known.result) || world.monotonic() - known.at < AGAIN_MS))
      return await known.result;
    search = { at: world.monotonic(), result: findEnclosure(path) };
    return await search.result;
  };
  return {
    async enclosure() {
      if (setting === 'open') return null;
      const result = await currentSearch();
      if ('found' in result) return result.found;
      if (setting === 'auto') return null;
      throw new LocalFault(`its network cannot be closed, and DARKROOM_LOCAL_NETWORK demands it: ${result.missing}`);
    },
    async view() {
      if (setting === 'open') return { state: 'open', reason: 'DARKROOM_LOCAL_NETWORK says so' };
      const result = await currentSearch();
      if ('found' in result) return { state: 'closed', reason: result.found.name };
      return { state: setting === 'auto' ? 'open' : 'unavailable', reason: result.missing };
    },
  };
}

/** Tries each method that the system may offer. */
async function findEnclosure(path: string): Promise<Search> {
  if (process.platform !== 'linux') return { missing: 'only Linux can close it' };
  const directories = path.split(delimiter).filter(isAbsolute);
  const missing: string[] = [];
  for (const way of [bubblewrap, ...(process.getuid?.() === 0 ? [unshareAsRoot] : []), unshareAsUser]) {
    const enclosure = await way(directories);
    if ('missing' in enclosure) missing.push(enclosure.missing);
    else {
      const fault = await faultOf(enclosure);
      if (fault === null) return { found: enclosure };
      missing.push(`${enclosure.name}: ${fault}`);
    }
  }
  return { missing: [...new Set(missing)].join('; ') };
}

type Way = (directories: readonly string[]) => Promise<Enclosure | { readonly missing: string }>;

/** Encloses by bubblewrap. Devices stay visible, such as those of graphics cards. */
const bubblewrap: Way = async (directories) => {
  const program = await findProgram('bwrap', directories);
  if (program === null) return { missing: 'bubblewrap is not installed' };
  return { name: 'bubblewrap', program, args: ['--unshare-net', '--dev-bind', '/', '/', '--'] };
};

/** Encloses by unshare as root, without a user namespace, in which root could not read the files of others. */
const unshareAsRoot: Way = async (directories) => {
  const tools = await findTools(['unshare', 'ip'], directories);
  if ('missing' in tools) return tools;
  const [program, ip] = tools.found;
  return { name: 'unshare', program, args: ['--net', '--', '/bin/sh', '-c', LOOPBACK_UP, ip] };
};

/**
 * Encloses by unshare as another user. The right to set up the loopback is dropped again before the enclosed program
 * starts.
 */
const unshareAsUser: Way = async (directories) => {
  const tools = await findTools(['unshare', 'ip', 'setpriv'], directories);
  if ('missing' in tools) return tools;
  const [program, ip, setpriv] = tools.found;
  const spaces = ['--user', '--map-current-user', '--keep-caps', '--net', '--'];
  const drop = [setpriv, '--ambient-caps=-all', '--inh-caps=-all'];
  return { name: 'unshare', program, args: [...spaces, '/bin/sh', '-c', LOOPBACK_UP, ip, ...drop] };
};

async function findTools<T extends readonly [string, ...string[]]>(
  names: T,
  directories: readonly string[],
): Promise<{ readonly found: { [K in keyof T]: string } } | { readonly missing: string }> {
  const found = await Promise.all(names.map((name) => findProgram(name, [...directories, ...ADMIN_DIRECTORIES])));
  const absent = names.filter((_, index) => found[index] === null);
  if (absent.length > 0) return { missing: `${absent.join(' and ')} not found` };
  return { found: found as { [K in keyof T]: string } };
}

async function findProgram(name: string, directories: readonly string[]): Promise<string | null> {
  for (const directory of directories) {
    const path = join(directory, name);
    const isProgram = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return path;
  }
  return null;
}

/** Tries to start a program in the enclosure. @returns the reason why the enclosure cannot be used; null if it can */
async function faultOf({ program, args }: Enclosure): Promise<string | null> {
  try {
    await promisify(execFile)(program, [...args, process.execPath, '--version'], { timeout: TRY_MS, env: {} });
    return null;
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    const [first = ''] = stderr.trim().split('\n');
    return cutText(first === '' ? message : first, SHOWN_CHARACTERS);
  }
}
