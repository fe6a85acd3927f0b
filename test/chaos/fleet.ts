import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../helpers/child-environment.ts';
import { BrokenPromise } from './broken-promise.ts';
import { createTurn } from './create-turn.ts';
import { SUSPENDED_PATH } from './fake-upstream.ts';
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
  /** @param way.isSuspended with DARKROOM_HOLD */
  start(way?: { readonly isSuspended: boolean }): Promise<void>;
}

export interface Fleet {
  readonly members: readonly Member[];
  /** Every member that was ended without our doing is told of here. */
  readonly faults: readonly Error[];
  /** The log's lines about a request, of all members. */
  linesAbout(requestId: string): readonly string[];
  /** Kills all members, and starts them with other variables. Whatever starts one meanwhile waits. */
  moveTo(other: () => Promise<Readonly<Record<string, string>>>): Promise<void>;
  close(): Promise<void>;
}

const PROGRAM = new URL('./service-process.ts', import.meta.url);
const STARTS_WITHIN_MS = 60_000;
/** A start that the database goes away under may fail; whoever runs the service starts it again. */
const START_ATTEMPTS = 5;
const MOST_LOG = 10_000_000;
/** The service promises ten seconds; the machine of a test has other things to do. */
const ENDS_WITHIN_MS = 25_000;

export interface MemberWish {
  readonly name: string;
  readonly url: string | null;
  readonly wish: ProcessWish;
}

/** What all members have in common. */
interface Common {
  readonly faults: Error[];
  /** The log of all members, as far as it is kept. */
  log: string;
  variables: Readonly<Record<string, string>>;
  mayStart: Promise<void>;
}

export function createFleet(wishes: readonly MemberWish[]): Fleet {
  const common: Common = { faults: [], log: '', variables: {}, mayStart: Promise.resolve() };
  const members = wishes.map((wish) => createMember(wish, common));
  return {
    members,
    faults: common.faults,
    linesAbout: (requestId) => common.log.split('\n').filter((line) => line.includes(requestId)),
    async moveTo(other) {
      const { promise: mayStart, resolve: open } = Promise.withResolvers<void>();
      common.mayStart = mayStart;
      try {
        await Promise.all(members.map((member) => member.kill()));
        common.variables = await other();
      } finally {
        open();
      }
      await Promise.all(members.map((member) => member.start()));
    },
    async close() {
      await Promise.all(members.map((member) => member.kill()));
    },
  };
}

function createMember({ name, url, wish }: MemberWish, common: Common): Member {
  let child: ChildProcess | null = null;
  let isOurDoing = true;
  /** The last lines of its log. */
  let complaint = '';
  /** What is done to a member is done one after the other. */
  const inTurn = createTurn();

  async function startNow(isSuspended: boolean): Promise<void> {
    for (let attempt = 1; !isAlive(child); attempt++) {
      try {
        await startOnce(isSuspended);
      } catch (error) {
        if (attempt === START_ATTEMPTS || isAlive(child)) throw error;
        await sleep(500);
      }
    }
  }

  async function startOnce(isSuspended: boolean): Promise<void> {
    const variables = { ...wish.variables, ...common.variables, DARKROOM_HOLD: String(isSuspended) };
    const upstream = isSuspended ? wish.upstream + SUSPENDED_PATH : wish.upstream;
    const started = fork(PROGRAM, [JSON.stringify({ ...wish, variables, upstream } satisfies ProcessWish)], {
      execArgv: [],
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child = started;
    isOurDoing = true;
    complaint = '';
    started.stderr?.on('data', (chunk) => {
      complaint = (complaint + String(chunk)).slice(-3_000);
      common.log = (common.log + String(chunk)).slice(-MOST_LOG);
    });
    const ended = once(started, 'exit').then(([code, signal]) => {
      const error = new BrokenPromise(`${name} ended by itself with ${code ?? signal}: ${complaint}`);
      if (!isOurDoing) common.faults.push(error);
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
      throw new BrokenPromise(`${name} did not end within ${ENDS_WITHIN_MS / 1000} s of ${signal}: ${complaint}`);
    }
    waited.abort();
    return ending;
  }

  return {
    name,
    url,
    start: ({ isSuspended } = { isSuspended: false }) =>
      common.mayStart.then(() => inTurn(() => startNow(isSuspended))),
    kill: () => inTurn(async () => void (await end('SIGKILL'))),
    shutDown: () =>
      inTurn(async () => {
        const ended = await end('SIGTERM');
        if (ended !== null && ended.exitCode !== 0)
          throw new BrokenPromise(
            `${name} ended with ${ended.exitCode ?? ended.signalCode} after SIGTERM: ${complaint}`,
          );
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
