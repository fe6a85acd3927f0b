import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../child-environment.ts';
import { BrokenPromise } from './broken-promise.ts';
import type { ProcessWish, StorageFault } from './service-process.ts';

/** One process of the service, started again whenever it was ended. */
export interface Member {
  readonly name: string;
  /** Null = it answers no requests. */
  readonly url: string | null;
  kill(): Promise<void>;
  /** SIGTERM, and again when that takes too long. @throws BrokenPromise when it does not end well. */
  shutDown(): Promise<void>;
  /** SIGSTOP for so long. */
  pause(ms: number): Promise<void>;
  failStorage(fault: StorageFault): void;
  start(): Promise<void>;
}

export interface Fleet {
  readonly members: readonly Member[];
  /** Every member that was ended without our doing is told of here. */
  readonly faults: readonly Error[];
  close(): Promise<void>;
}

const PROGRAM = new URL('./service-process.ts', import.meta.url);
const STARTS_WITHIN_MS = 60_000;
/** A start that the database goes away under may fail; whoever runs the service starts it again. */
const START_ATTEMPTS = 5;
/** The service promises ten seconds; the machine of a test has other things to do. */
const ENDS_WITHIN_MS = 25_000;

export function createFleet(
  wishes: readonly { readonly name: string; readonly url: string | null; readonly wish: ProcessWish }[],
): Fleet {
  const faults: Error[] = [];
  const members = wishes.map(({ name, url, wish }) => createMember(name, url, wish, faults));
  return {
    members,
    faults,
    async close() {
      await Promise.all(members.map((member) => member.kill()));
    },
  };
}

function createMember(name: string, url: string | null, wish: ProcessWish, faults: Error[]): Member {
  let child: ChildProcess | null = null;
  let isOurDoing = true;
  /** What is done to a member is done one after the other. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(deed: () => Promise<T>): Promise<T> => {
    const done = turn.then(deed);
    turn = done.catch(() => {});
    return done;
  };

  async function startNow(): Promise<void> {
    for (let attempt = 1; !isAlive(child); attempt++) {
      try {
        await startOnce();
      } catch (error) {
        if (attempt === START_ATTEMPTS) throw error;
        await sleep(500);
      }
    }
  }

  async function startOnce(): Promise<void> {
    const started = fork(PROGRAM, [JSON.stringify(wish)], {
      execArgv: [],
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child = started;
    isOurDoing = true;
    let complaint = '';
    started.stderr?.on('data', (chunk) => {
      complaint = (complaint + String(chunk)).slice(-3_000);
    });
    const ended = once(started, 'exit').then(([code, signal]) => {
      const error = new BrokenPromise(`${name} ended by itself with ${code ?? signal}: ${complaint}`);
      if (!isOurDoing) faults.push(error);
      return error;
    });
    const ready = once(started, 'message', { signal: AbortSignal.timeout(STARTS_WITHIN_MS) });
    const early = await Promise.race([ready.then(() => null), ended]);
    if (early !== null) throw early;
    isOurDoing = false;
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<ChildProcess | null> {
    const ending = child;
    if (ending === null || !isAlive(ending)) return null;
    isOurDoing = true;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    const waited = new AbortController();
    const late = sleep(ENDS_WITHIN_MS, 'late', { signal: waited.signal }).catch(() => {});
    if ((await Promise.race([ended, late])) === 'late') {
      ending.kill('SIGKILL');
      await ended;
      throw new BrokenPromise(`${name} did not end within ${ENDS_WITHIN_MS / 1000} s of ${signal}`);
    }
    waited.abort();
    return ending;
  }

  return {
    name,
    url,
    start: () => inTurn(startNow),
    kill: () => inTurn(async () => void (await end('SIGKILL'))),
    shutDown: () =>
      inTurn(async () => {
        const ended = await end('SIGTERM');
        if (ended !== null && ended.exitCode !== 0)
          throw new BrokenPromise(`${name} ended with ${ended.exitCode ?? ended.signalCode} after SIGTERM`);
      }),
    pause: (ms) =>
      inTurn(async () => {
        const paused = child;
        if (paused === null || !isAlive(paused)) return;
        paused.kill('SIGSTOP');
        await sleep(ms);
        paused.kill('SIGCONT');
      }),
    failStorage(fault) {
      if (child?.connected === true) child.send(fault, () => {});
    },
  };
}

function isAlive(child: ChildProcess | null): boolean {
  return child !== null && child.exitCode === null && child.signalCode === null;
}
