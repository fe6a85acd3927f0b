import { availableParallelism } from 'node:os';
import { isOfProgram, machineFaultOf } from '@darkroom-service/media/process';
import { PainterFault, type PaintJob, type PaintResult } from './paint-job.ts';
import { type PainterProcess, startPainterProcess } from './painter-process.ts';

/** Paints in child processes at low priority, so that the service keeps answering quickly. */
export interface PainterPool {
  readonly size: number;
  /**
   * Paints a job as soon as a process is free. Waiting jobs keep their order and use no process.
   * @param call.signal ends the job: its painter is killed.
   * @throws MachineFault if this machine lacks a resource; PainterFault if the process died;
   * PaintFault if the job cannot be done; the signal's reason.
   */
  paint(
    job: PaintJob,
    call: { readonly signal: AbortSignal; readonly onProgress: (progress: number) => void },
  ): Promise<PaintResult>;
  /** Ends all processes. Their jobs fail with a PainterFault. */
  close(): Promise<void>;
}

export interface PainterPoolOptions {
  /** Maximum number of processes. Default: the number of cores minus one, and at least one. */
  readonly size?: number;
  /** Milliseconds after which an idle painter ends. */
  readonly idleMs?: number;
  /** Maximum milliseconds of a job. */
  readonly jobLimitMs?: number;
  /** Number of jobs after which a painter is replaced; also if it holds more memory than `maxMemoryBytes`. */
  readonly jobsPerPainter?: number;
  readonly maxMemoryBytes?: number;
  /** Bytes of memory beyond which a process is ended at once. */
  readonly memoryLimitBytes?: number;
  /** The child's program. */
  readonly program?: URL;
}

const IDLE_MS = 30_000;
const JOB_LIMIT_MS = 30 * 60_000;
const JOBS_PER_PAINTER = 100;
const MAX_MEMORY_BYTES = 1_000_000_000;

export function createPainterPool(options: PainterPoolOptions = {}): PainterPool {
  return new Painters(options);
}

class Painters implements PainterPool {
  readonly size: number;
  readonly #options: PainterPoolOptions;
  readonly #painters = new Set<PainterProcess>();
  readonly #idle = new Map<PainterProcess, NodeJS.Timeout>();
  readonly #waiting: Waiting[] = [];
  #closed = false;

  constructor(options: PainterPoolOptions) {
    this.size = options.size ?? Math.max(1, availableParallelism() - 1);
    this.#options = options;
  }

  async paint(job: PaintJob, call: Parameters<PainterPool['paint']>[1]): Promise<PaintResult> {
    const painter = await this.#acquire(call.signal);
    const kill = () => painter.kill();
    call.signal.addEventListener('abort', kill, { once: true });
    try {
      if (call.signal.aborted) painter.kill();
      return await painter.run(job, this.#options.jobLimitMs ?? JOB_LIMIT_MS, call.onProgress);
    } catch (error) {
      call.signal.throwIfAborted();
      // A module that failed to load once is not loaded again by the same process.
      if (error instanceof PainterFault || isOfProgram(machineFaultOf(error))) painter.kill();
      throw error;
    } finally {
      call.signal.removeEventListener('abort', kill);
      this.#release(painter);
    }
  }

  async #acquire(signal: AbortSignal): Promise<PainterProcess> {
    signal.throwIfAborted();
    if (this.#closed) throw stopping();
    return this.#takeIdle() ?? this.#startOne() ?? (await this.#waitForOne(signal));
  }

  #takeIdle(): PainterProcess | null {
    for (const [painter, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(painter);
      return painter;
    }
    return null;
  }

  #startOne(): PainterProcess | null {
    if (this.#painters.size >= this.size) return null;
    const painter = startPainterProcess(this.#options.program, this.#options.memoryLimitBytes);
    this.#painters.add(painter);
    painter.ended.then(() => {
      clearTimeout(this.#idle.get(painter));
      this.#idle.delete(painter);
      this.#painters.delete(painter);
      this.#serveNext();
    });
    return painter;
  }

  #waitForOne(signal: AbortSignal): Promise<PainterProcess> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(signal.reason);
      };
      const entry: Waiting = {
        resolve(painter) {
          signal.removeEventListener('abort', leave);
          resolve(painter);
        },
        reject,
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(entry);
    });
  }

  #release(painter: PainterProcess): void {
    if (!painter.usable) return;
    if (
      this.#closed ||
      painter.jobs >= (this.#options.jobsPerPainter ?? JOBS_PER_PAINTER) ||
      painter.memory > (this.#options.maxMemoryBytes ?? MAX_MEMORY_BYTES)
    ) {
      painter.kill();
      return;
    }
    const timer = setTimeout(() => painter.kill(), this.#options.idleMs ?? IDLE_MS);
    timer.unref();
    this.#idle.set(painter, timer);
    this.#serveNext();
  }

  #serveNext(): void {
    if (this.#waiting.length === 0 || this.#closed) return;
    try {
      const painter = this.#takeIdle() ?? this.#startOne();
      if (painter !== null) this.#waiting.shift()?.resolve(painter);
    } catch (error) {
      // The machine cannot start more processes at the moment.
      this.#waiting.shift()?.reject(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const entry of this.#waiting.splice(0)) entry.reject(stopping());
    const all = [...this.#painters];
    for (const painter of all) painter.kill();
    await Promise.all(all.map((painter) => painter.ended));
  }
}

interface Waiting {
  readonly resolve: (painter: PainterProcess) => void;
  readonly reject: (reason: unknown) => void;
}

function stopping(): PainterFault {
  return new PainterFault('stopping', 'the painters are stopping');
}
