import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { sleep, world } from '@darkroom-service/contract';
import { temporaryPath } from '@darkroom-service/media';
import { MachineFault, machineFaultOf } from '@darkroom-service/media/process';
import { LocalFault } from '../local-fault.ts';
import { forkKeeper } from './fork-keeper.ts';
import { END, type KeeperMessage } from './keeper-message.ts';
import { killGroup } from './kill-group.ts';
import type { Enclosure } from './network.ts';
import { membersOf, memoryOfGroup } from './process-group.ts';
import { ServerOutput } from './server-output.ts';

const LISTENING = '0A';

/**
 * Tells whether a process group listens on a TCP port of its network.
 * @param group the id of the process that leads the group
 * @returns null where the system does not report that (only Linux does)
 */
async function ownsPort(group: number, port: number): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  const sockets = await listeningSockets(group, port);
  if (sockets.size === 0) return false;
  for (const pid of await membersOf(group)) {
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const handle of handles) {
      const target = await readlink(`/proc/${pid}/fd/${handle}`).catch(() => '');
      if (sockets.has(target)) return true;
    }
  }
  return false;
}

/** Returns the sockets that listen on a port in the network of a process, as links of `/proc/<pid>/fd` name them. */
async function listeningSockets(pid: number, port: number): Promise<Set<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  const found = rows.filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTENING);
  return new Set(found.map((row) => `socket:[${row[9]}]`));
}

/** An `import` of this module would also load Node's `fetch`, which takes a tenth of the start. */
const { get } = process.getBuiltinModule('node:http');

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** All variables of the server. */
  readonly environment: Readonly<Record<string, string>>;
  /** Working directory; null = an empty one of its own. */
  readonly directory: string | null;
}

interface StartOptions extends ServerCommand {
  readonly port: number;
  /** Path whose GET answers 2xx once the server can be used. */
  readonly readyPath: string;
  readonly loadLimitMs: number;
  readonly temporaryDirectory: string;
  /** Command that closes its network; null = it shares the network of the machine. */
  readonly enclosure: Enclosure | null;
}

/** A server that was started by this process and ends with it. */
export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  readonly network: 'closed' | 'open';
  readonly output: ServerOutput;
  /** Process id; null until the system has started it. */
  readonly pid: number | null;
  /**
   * Resolves once it answers at its own port.
   * @throws LocalFault with the reason if it never does; MachineFault if its keeper could not run it
   */
  readonly ready: Promise<void>;
  /** Resolves with the reason when all of its processes have ended. */
  readonly ended: Promise<string>;
  /** Returns the memory of all its processes in bytes; null where the system does not report it. */
  memoryBytes(): Promise<number | null>;
  /** Asks the process to end, and kills it after five seconds. @param why replaces the reason */
  stop(why?: string): Promise<void>;
}

const ASK_EVERY_MS = 200;
const ANSWER_MS = 5_000;
const TERMINATE_MS = 5_000;

/**
 * Starts a server under a keeper, in a directory that is removed afterwards.
 * @throws LocalFault if its port is taken
 */
export async function startServerProcess(options: StartOptions): Promise<ServerProcess> {
  const { port, readyPath, loadLimitMs, temporaryDirectory, command, args, environment, enclosure } = options;
  const own = await mkdtemp(await temporaryPath(temporaryDirectory, 'server-'));
  const output = new ServerOutput();
  const url = `http://127.0.0.1:${port}`;
  const directory = options.directory ?? own;
  const message = { command, args, directory, environment: { HOME: own, ...environment } };
  const keeper = await forkKeeper(message, port, enclosure).catch(async (error: unknown) => {
    await rm(own, { recursive: true, force: true });
    throw error;
  });
  for (const stream of ['stdout', 'stderr'] as const)
    keeper[stream]?.setEncoding('utf8').on('data', (chunk: string) => output.add(chunk, stream));
  let pid: number | null = null;
  let why: string | null = null;
  let machineFault: MachineFault | null = null;
  const over = new AbortController();
  const kill = () => {
    if (pid !== null) killGroup(pid, 'SIGKILL');
  };
  const onKeeperGone = (signal: NodeJS.Signals | null) => {
    // A server whose keeper was killed would run on, and keep the output open.
    kill();
    // The program that encloses the keeper was killed, perhaps not the keeper.
    if (signal !== null) notifyEnded(keeper);
  };
  const onStarted = (started: number) => {
    pid = started;
    if (why !== null) kill();
  };
  const ended = endOf(keeper, onStarted, onKeeperGone).then(async ({ how, code }) => {
    over.abort();
    await rm(own, { recursive: true, force: true }).catch(() => {});
    if (why !== null) return why;
    const ending = `${how}${reasonAfter(output)}`;
    if (code !== null) machineFault = new MachineFault(code, ending);
    return ending;
  });

  async function becomeReady(): Promise<void> {
    const until = world.monotonic() + loadLimitMs;
    while (!over.signal.aborted && world.monotonic() < until) {
      if (pid !== null && (await answers(`${url}${readyPath}`)) && (await ownsPort(pid, port)) !== false) {
        if (enclosure === null || (await hasOwnNetwork(pid))) return;
        await stop('its network could not be closed');
      }
      await sleep(ASK_EVERY_MS, { signal: over.signal }).catch(() => {});
    }
    if (over.signal.aborted) {
      const how = await ended;
      throw machineFault ?? new LocalFault(how);
    }
    const isTaken = await answers(`${url}${readyPath}`);
    const seconds = loadLimitMs / 1000;
    const fault = isTaken
      ? `port ${port} belongs to another process`
      : `it was not ready within ${seconds} s${reasonAfter(output)}`;
    await stop(fault);
    throw new LocalFault(fault);
  }

  async function stop(reason = 'it was stopped'): Promise<void> {
    why ??= reason;
    if (pid === null) {
      notifyEnded(keeper);
      keeper.kill('SIGKILL');
    } else {
      killGroup(pid, 'SIGTERM');
      const killed = world.setTimeout(kill, TERMINATE_MS);
      await ended.finally(() => world.clearTimeout(killed));
    }
    await ended;
  }

  const ready = becomeReady();
  ready.catch(() => {});
  return {
    url,
    port,
    output,
    ready,
    ended,
    stop,
    network: enclosure === null ? 'open' : 'closed',
    get pid() {
      return pid;
    },
    memoryBytes: async () => (pid === null ? null : await memoryOfGroup(pid)),
  };
}

interface End {
  readonly how: string;
  /** Code of the fault of this machine for which the keeper did not run the server; null = it did. */
  readonly code: string | null;
}

/** Resolves with the reason for which the server, or its keeper, has ended. */
function endOf(
  keeper: ChildProcess,
  onStarted: (pid: number) => void,
  onExit: (signal: NodeJS.Signals | null) => void,
): Promise<End> {
  return new Promise((resolve) => {
    let how: string | null = null;
    let hasStarted = false;
    keeper.on('message', (message: KeeperMessage) => {
      hasStarted = true;
      if (message.type === 'started') onStarted(message.pid);
      else how = message.how;
    });
    keeper.once('error', (error) =>
      resolve({ how: `its keeper could not be started: ${error.message}`, code: machineFaultOf(error) }),
    );
    keeper.once('exit', (_code, signal) => onExit(signal));
    // After the last output was read.
    keeper.once('close', (code, signal) => {
      // A keeper whose program is incomplete ends before it has said anything.
      const isIncomplete = !hasStarted && signal === null;
      resolve({
        how: how ?? `its keeper ended (${signal ?? `code ${code}`})`,
        code: isIncomplete ? 'ERR_PROGRAM' : null,
      });
    });
  });
}

function reasonAfter(output: ServerOutput): string {
  const reason = output.reason();
  return reason === null ? '' : `: ${reason}`;
}

/** Asks the keeper to end. Does nothing if it has ended: a disconnection would suppress the report of its end. */
function notifyEnded(keeper: ChildProcess): void {
  if (keeper.connected) keeper.send(END, () => {});
}

/** Tells whether a process has another network than this one. */
async function hasOwnNetwork(pid: number): Promise<boolean> {
  const [own, other] = await Promise.all(['self', pid].map((id) => readlink(`/proc/${id}/ns/net`).catch(() => null)));
  return other !== null && own !== other;
}

/** Tells whether a GET is answered with 2xx. No proxy is used. */
function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: ANSWER_MS, agent: false }, (response) => {
      response.resume();
      resolve(Math.floor((response.statusCode ?? 0) / 100) === 2);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
