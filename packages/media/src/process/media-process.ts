import type { ChildProcess } from 'node:child_process';
import { MediaFault, MediaUnavailable } from '../media-fault.ts';
import { StorageError } from '../storage.ts';
import { recordStderrTail, setKeepsParentAlive } from './child-processes.ts';
import { GUARD_SIGNALS, type MediaJob, type MediaMessage } from './media-message.ts';
import { startChild } from './start-child.ts';

/** A child process that opens one file at a time. It ends with its parent, or when it is killed. */
export interface MediaProcess {
  /** Number of jobs done; `memory` is the memory used after the last one, in bytes. */
  readonly jobs: number;
  readonly memory: number;
  /** False once the process has ended or was told to end. */
  readonly usable: boolean;
  /**
   * Runs a job. @throws MediaFault; StorageError if this machine cannot read the file; ProcessEnded, after which the
   * process cannot be used
   */
  run(job: MediaJob): Promise<unknown>;
  kill(): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
}

/** Reason why a process ended before it answered. `start`: before it accepted the job. `killed`: by somebody else. */
type EndReason = 'start' | 'memory' | 'cpu' | 'silent' | 'killed' | 'crash';

export class ProcessEnded extends Error {
  readonly reason: EndReason;
  /** The results reported until then; null = none. */
  readonly part: unknown;

  constructor(reason: EndReason, part: unknown, cause: unknown) {
    super(`the media process ended (${reason})`, { cause });
    this.name = 'ProcessEnded';
    this.reason = reason;
    this.part = part;
  }
}

const TICK_MS = 1000;
const EXEC_ARGV = ['--max-old-space-size=384'];
/** Keeps libvips from using temporary files, which would escape the memory limit. */
const ENVIRONMENT = { VIPS_DISC_THRESHOLD: '16g' };

interface Current {
  readonly settle: (outcome: { readonly result: unknown } | Error) => void;
  part: unknown;
}

/** Starts a media process. @throws MediaUnavailable when the system cannot start a process */
export function startMediaProcess(program: URL): MediaProcess {
  const child = forkProgram(program);
  const stderrTail = recordStderrTail(child);
  let current: Current | null = null;
  let ready = false;
  let jobs = 0;
  let memory = 0;
  let usable = true;

  const ended = new Promise<void>((resolve) => {
    const end = (reason: EndReason, cause: Error) => {
      usable = false;
      current?.settle(new ProcessEnded(ready ? reason : 'start', current.part, cause));
      resolve();
    };
    child.once('exit', (code, signal) =>
      end(reasonOf(signal), new Error(`${signal ?? `code ${code}`}`, { cause: stderrTail() })),
    );
    child.once('error', (error) => {
      kill();
      end('crash', error);
    });
  });
  child.on('message', (message: MediaMessage) => {
    if (message.type === 'ready') {
      ready = true;
      return;
    }
    if (message.type === 'part') {
      if (current !== null) current.part = message.result;
      return;
    }
    memory = message.memory;
    // A module that failed to load once is not loaded again by the same process.
    if (message.type === 'machine' && message.isOfProgram) kill();
    current?.settle(message.type === 'done' ? { result: message.result } : errorOf(message));
  });
  // An idle process does not keep the service alive.
  setKeepsParentAlive(child, false);

  return {
    get jobs() {
      return jobs;
    },
    get memory() {
      return memory;
    },
    get usable() {
      return usable;
    },
    ended,
    kill,
    async run(job) {
      jobs++;
      setKeepsParentAlive(child, true);
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise((resolve, reject) => {
          const settle: Current['settle'] = (outcome) =>
            outcome instanceof Error ? reject(outcome) : resolve(outcome.result);
          const running: Current = { settle, part: null };
          current = running;
          // Counted in ticks, so that time during which this process or its machine is suspended does not count.
          const tickMs = Math.min(TICK_MS, job.limits.answerMs);
          let left = Math.ceil(job.limits.answerMs / tickMs);
          timer = setInterval(() => {
            if (--left > 0) return;
            settle(new ProcessEnded('silent', running.part, undefined));
            kill();
          }, tickMs);
          child.send(job, (error) => {
            if (error === null) return;
            // The process has ended, and its exit is not reported yet: the next attempt must not get it again.
            kill();
            settle(new ProcessEnded(ready ? 'crash' : 'start', null, error));
          });
        });
      } finally {
        clearInterval(timer);
        current = null;
        if (usable) setKeepsParentAlive(child, false);
      }
    },
  };

  /** Keeps the parent alive until the process has ended, so that `ended` resolves. */
  function kill(): void {
    usable = false;
    child.ref();
    child.kill('SIGKILL');
  }
}

function forkProgram(program: URL): ChildProcess {
  try {
    return startChild(program, [], {
      execArgv: EXEC_ARGV,
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
  } catch (error) {
    throw new MediaUnavailable('could not start a process that reads media files', error);
  }
}

function reasonOf(signal: NodeJS.Signals | null): EndReason {
  if (signal === GUARD_SIGNALS.memory) return 'memory';
  if (signal === GUARD_SIGNALS.cpu) return 'cpu';
  // The system ends processes with this signal when memory runs out.
  return signal === 'SIGKILL' ? 'killed' : 'crash';
}

function errorOf(message: Extract<MediaMessage, { type: 'refused' | 'machine' }>): Error {
  if (message.type === 'refused') return new MediaFault(message.kind, message.message);
  const cause = new Error(message.message);
  if (message.code === 'ENOSPC' || message.code === 'EDQUOT')
    return new StorageError('full', 'the disk for temporary files is full; free some space', cause);
  return new MediaUnavailable('a file cannot be read right now', cause);
}
