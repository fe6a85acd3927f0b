import { availableParallelism } from 'node:os';
import { MediaFault, MediaUnavailable } from '../media-fault.ts';
import type { MediaLimits } from '../media-limits.ts';
import { FairQueue } from './fair-queue.ts';
import { IdleProcesses } from './idle-processes.ts';
import type { MediaJob } from './media-message.ts';
import { type MediaProcess, ProcessEnded, startMediaProcess } from './media-process.ts';

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

const JOBS_PER_PROCESS = 500;
const KEPT_MEMORY_BYTES = 224 * 2 ** 20;
const PROGRAM = new URL('./media-program.ts', import.meta.url);
/** Maximum remembered senders of costly files; a forgotten one only takes a warm process again. */
const MOST_COSTLY = 1_000;

interface Waiting {
  readonly line: string;
  readonly lane: PoolCall['lane'];
  readonly start: (process: MediaProcess) => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

/** Child processes that open untrusted files, shared fairly between the senders. */
export class MediaPool {
  readonly #options: MediaPoolOptions;
  readonly #size: number;
  readonly #idle: IdleProcesses;
  readonly #processes = new Set<MediaProcess>();
  readonly #queue = new FairQueue<Waiting>();
  /** Number of running jobs, by the group of lines that share a part of the processes. */
  readonly #running = new Map<string, number>();
  /** Lines whose last file took so much memory that its process was replaced. */
  readonly #costly = new Set<string>();
  #busy = 0;
  #closed = false;

  constructor(options: MediaPoolOptions = {}) {
    this.#options = options;
    this.#size = options.size ?? defaultPoolSize(availableParallelism());
    this.#idle = new IdleProcesses({ idleMs: options.idleMs ?? 10_000, warmMs: options.warmMs ?? 300_000 });
  }

  /**
   * Runs a job when it is its owner's turn.
   * @throws MediaFault when the file cannot be used; StorageError when this machine cannot open it now; the signal's
   * reason.
   */
  async run(given: MediaJob, call: PoolCall): Promise<unknown> {
    const job = { ...given, limits: { ...given.limits, ...this.#options.limits } };
    try {
      return await this.#runOnce(job, call).catch((error: unknown) => {
        // The crash may have an external cause: the file is tried again in another process.
        if (!(error instanceof ProcessEnded) || isLimit(error) || this.#closed) throw error;
        this.#options.onEnded?.(error, job);
        return this.#runOnce(job, call);
      });
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      call.signal?.throwIfAborted();
      this.#options.onEnded?.(error, job);
      if (this.#closed) throw stopping();
      if (error.reason === 'start')
        throw new MediaUnavailable('could not start a process that reads media files', error);
      if (error.reason === 'killed' && (call.lane === 'untrusted' || error.part === null))
        throw new MediaUnavailable('the system has ended the process that read a file', error);
      if (call.lane === 'output' && error.part !== null) return error.part;
      throw new MediaFault('too_costly', describe(error, job.limits), error);
    }
  }

  async #runOnce(job: MediaJob, { owner, mode = 'live', lane, signal }: PoolCall): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed) throw stopping();
    return await new Promise((resolve, reject) => {
      const line = `${lane}:${mode}:${owner}`;
      let process: MediaProcess | null = null;
      const abort = () => {
        if (this.#queue.remove(line, waiting)) reject(signal?.reason);
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
      this.#queue.add(line, waiting);
      this.#serve();
    });
  }

  /** Starts waiting jobs while processes are free. */
  #serve(): void {
    while (this.#busy < this.#size && !this.#closed) {
      const next = this.#queue.take((line) => (this.#running.get(sharersOf(line)) ?? 0) < this.#shareOf(line));
      if (next === undefined) return;
      void this.#work(next);
    }
  }

  /** Returns the maximum processes of a line; one is reserved for other owners' files. */
  #shareOf(line: string): number {
    return line.startsWith('untrusted:') ? Math.max(1, this.#size - 1) : this.#size;
  }

  async #work(next: Waiting): Promise<void> {
    const sharers = sharersOf(next.line);
    this.#busy++;
    this.#running.set(sharers, (this.#running.get(sharers) ?? 0) + 1);
    try {
      const process = this.#takeIdle(next.line) ?? this.#startOne();
      await next.start(process);
      this.#release(process, next.line);
    } catch (error) {
      next.reject(error);
    } finally {
      this.#busy--;
      const left = (this.#running.get(sharers) ?? 1) - 1;
      if (left === 0) this.#running.delete(sharers);
      else this.#running.set(sharers, left);
      this.#serve();
    }
  }

  /** Takes an idle process. A sender of costly files starts new processes, so that the warm one stays for others. */
  #takeIdle(line: string): MediaProcess | null {
    return this.#costly.delete(line) && this.#busy + this.#idle.size <= this.#size ? null : this.#idle.take();
  }

  #startOne(): MediaProcess {
    const process = startMediaProcess(this.#options.program ?? PROGRAM);
    this.#processes.add(process);
    void process.ended.then(() => {
      this.#idle.remove(process);
      this.#processes.delete(process);
    });
    return process;
  }

  #release(process: MediaProcess, line: string): void {
    const isCostly = !process.usable || process.memory > (this.#options.keptMemoryBytes ?? KEPT_MEMORY_BYTES);
    if (isCostly && this.#costly.size < MOST_COSTLY) this.#costly.add(line);
    if (!process.usable) return;
    if (this.#closed || isCostly || process.jobs >= (this.#options.jobsPerProcess ?? JOBS_PER_PROCESS)) process.kill();
    else this.#idle.add(process);
  }

  /** Ends all processes. Running and waiting jobs fail with MediaUnavailable. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#queue.takeAll()) reject(stopping());
    const all = [...this.#processes];
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
