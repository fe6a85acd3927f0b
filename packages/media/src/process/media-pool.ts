import { availableParallelism } from 'node:os';
import { MediaFault, MediaUnavailable } from '../media-fault.ts';
import type { MediaLimits } from '../media-limits.ts';
import { FairQueue } from './fair-queue.ts';
import { IdleProcesses } from './idle-processes.ts';
import type { MediaJob } from './media-message.ts';
import { type MediaProcess, ProcessEnded, startMediaProcess } from './media-process.ts';

/** Child processes that open untrusted files, shared fairly between the senders. */
export interface MediaPool {
  /**
   * Runs a job when it is its owner's turn.
   * @throws MediaFault when the file cannot be used; StorageError when this machine cannot open it now; the signal's
   * reason.
   */
  run(job: MediaJob, call: PoolCall): Promise<unknown>;
  /** Ends all processes. Running and waiting jobs fail with MediaUnavailable. */
  close(): Promise<void>;
}

export interface PoolCall {
  readonly owner: string;
  /** Untrusted media of all test keys together leave one process free for others. Default: `live`. */
  readonly mode?: 'live' | 'test';
  /**
   * `untrusted` is for media from customers: it leaves one process free for other owners. `output` is for outputs of
   * engines: it may use every process, and returns partial results if the process reaches a limit.
   */
  readonly lane: 'untrusted' | 'output';
  readonly signal?: AbortSignal;
}

export interface MediaPoolOptions {
  /** The maximum number of processes. */
  readonly size?: number;
  /** Milliseconds after which an idle process ends; the last one ends after `warmMs`. */
  readonly idleMs?: number;
  readonly warmMs?: number;
  /** Number of jobs after which a process is replaced; also if it uses more memory than `keptMemoryBytes`. */
  readonly jobsPerProcess?: number;
  readonly keptMemoryBytes?: number;
  /** Overrides the limits of every job. */
  readonly limits?: Partial<MediaLimits>;
  /** The child process's program. */
  readonly program?: URL;
  /** Function called when a process crashed or reached a limit. */
  readonly onEnded?: (ended: ProcessEnded, job: MediaJob) => void;
}

/** Maximum remembered senders of costly files; a forgotten one only takes a warm process again. */
const MOST_COSTLY = 1_000;

interface Waiting {
  readonly line: string;
  readonly lane: PoolCall['lane'];
  readonly start: (process: MediaProcess) => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

export function createMediaPool(options: MediaPoolOptions = {}): MediaPool {
  const size = options.size ?? defaultPoolSize(availableParallelism());
  const jobsPerProcess = options.jobsPerProcess ?? 500;
  const keptMemoryBytes = options.keptMemoryBytes ?? 224 * 2 ** 20;
  const program = options.program ?? new URL('./media-program.ts', import.meta.url);
  const idle = new IdleProcesses({ idleMs: options.idleMs ?? 10_000, warmMs: options.warmMs ?? 300_000 });

  const processes = new Set<MediaProcess>();
  const queue = new FairQueue<Waiting>();
  /** Number of running jobs, by the group of lines that share a part of the processes. */
  const running = new Map<string, number>();
  /** Lines whose last file took so much memory that its process was replaced. */
  const costly = new Set<string>();
  let busy = 0;
  let closed = false;

  return { run, close };

  async function run(given: MediaJob, call: PoolCall): Promise<unknown> {
    const job = { ...given, limits: { ...given.limits, ...options.limits } };
    try {
      return await runOnce(job, call).catch((error: unknown) => {
        // The crash may have an external cause: the file is tried again in another process.
        if (!(error instanceof ProcessEnded) || isLimit(error) || closed) throw error;
        options.onEnded?.(error, job);
        return runOnce(job, call);
      });
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      call.signal?.throwIfAborted();
      options.onEnded?.(error, job);
      if (closed) throw stopping();
      if (error.reason === 'start')
        throw new MediaUnavailable('could not start a process that reads media files', error);
      if (error.reason === 'killed' && (call.lane === 'untrusted' || error.part === null))
        throw new MediaUnavailable('the system has ended the process that read a file', error);
      if (call.lane === 'output' && error.part !== null) return error.part;
      throw new MediaFault('too_costly', describe(error, job.limits), error);
    }
  }

  async function runOnce(job: MediaJob, { owner, mode = 'live', lane, signal }: PoolCall): Promise<unknown> {
    signal?.throwIfAborted();
    if (closed) throw stopping();
    return await new Promise((resolve, reject) => {
      const line = `${lane}:${mode}:${owner}`;
      let process: MediaProcess | null = null;
      const abort = () => {
        if (queue.remove(line, waiting)) reject(signal?.reason);
        else process?.kill();
      };
      const waiting: Waiting = {
        line,
        lane,
        reject,
        async start(given) {
          process = given;
          await process.run(job).then(resolve, reject);
          signal?.removeEventListener('abort', abort);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.add(line, waiting);
      serve();
    });
  }

  /** Starts waiting jobs while processes are free. */
  function serve(): void {
    while (busy < size && !closed) {
      const next = queue.take((line) => (running.get(sharersOf(line)) ?? 0) < shareOf(line));
      if (next === undefined) return;
      void work(next);
    }
  }

  /** Returns the maximum processes of a line; one is reserved for other owners' files. */
  function shareOf(line: string): number {
    return line.startsWith('untrusted:') ? Math.max(1, size - 1) : size;
  }

  async function work(next: Waiting): Promise<void> {
    const sharers = sharersOf(next.line);
    busy++;
    running.set(sharers, (running.get(sharers) ?? 0) + 1);
    try {
      const process = takeIdle(next.line) ?? startOne();
      await next.start(process);
      release(process, next.line);
    } catch (error) {
      next.reject(error);
    } finally {
      busy--;
      const left = (running.get(sharers) ?? 1) - 1;
      if (left === 0) running.delete(sharers);
      else running.set(sharers, left);
      serve();
    }
  }

  /** Takes an idle process. A sender of costly files starts new processes, so that the warm one stays for others. */
  function takeIdle(line: string): MediaProcess | null {
    return costly.delete(line) && busy + idle.size <= size ? null : idle.take();
  }

  function startOne(): MediaProcess {
    const process = startMediaProcess(program);
    processes.add(process);
    void process.ended.then(() => {
      idle.remove(process);
      processes.delete(process);
    });
    return process;
  }

  function release(process: MediaProcess, line: string): void {
    const isCostly = !process.usable || process.memory > keptMemoryBytes;
    if (isCostly && costly.size < MOST_COSTLY) costly.add(line);
    if (!process.usable) return;
    if (closed || isCostly || process.jobs >= jobsPerProcess) process.kill();
    else idle.add(process);
  }

  async function close(): Promise<void> {
    closed = true;
    for (const { reject } of queue.takeAll()) reject(stopping());
    const all = [...processes];
    for (const process of all) process.kill();
    await Promise.all(all.map((process) => process.ended));
  }
}

/** Returns the usual number of media processes: at least two, so that one owner's files do not block another's. */
export function defaultPoolSize(cores: number): number {
  return Math.min(4, Math.max(2, cores));
}

/** Returns the group of a line; all test keys together have the share of one live key. */
function sharersOf(line: string): string {
  return line.startsWith('untrusted:test:') ? 'untrusted:test' : line;
}

function isLimit({ reason }: ProcessEnded): boolean {
  return reason === 'memory' || reason === 'cpu';
}

function describe({ reason }: ProcessEnded, { cpuMs, memoryBytes }: MediaLimits): string {
  if (reason === 'memory') return `reading the file takes more than ${Math.round(memoryBytes / 2 ** 20)} MiB of memory`;
  if (reason === 'cpu') return `reading the file takes more than ${cpuMs / 1000} s of processor time`;
  if (reason === 'silent') return 'reading the file takes too long';
  return 'the decoder crashes on the file';
}

function stopping(): MediaUnavailable {
  return new MediaUnavailable('the service is stopping');
}
