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

export function createPainterPool(options: PainterPoolOptions = {}): PainterPool {
  const size = options.size ?? Math.max(1, availableParallelism() - 1);
  const idleMs = options.idleMs ?? 30_000;
  const jobLimitMs = options.jobLimitMs ?? 30 * 60_000;
  const jobsPerPainter = options.jobsPerPainter ?? 100;
  const maxMemoryBytes = options.maxMemoryBytes ?? 1_000_000_000;

  const painters = new Set<PainterProcess>();
  const idle = new Map<PainterProcess, NodeJS.Timeout>();
  const waiting: Waiting[] = [];
  let closed = false;

  return { size, paint, close };

  async function paint(job: PaintJob, call: Parameters<PainterPool['paint']>[1]): Promise<PaintResult> {
    const painter = await acquire(call.signal);
    const kill = () => painter.kill();
    call.signal.addEventListener('abort', kill, { once: true });
    try {
      if (call.signal.aborted) painter.kill();
      return await painter.run(job, jobLimitMs, call.onProgress);
    } catch (error) {
      call.signal.throwIfAborted();
      // A module that failed to load once is not loaded again by the same process.
      if (error instanceof PainterFault || isOfProgram(machineFaultOf(error))) painter.kill();
      throw error;
    } finally {
      call.signal.removeEventListener('abort', kill);
      release(painter);
    }
  }

  async function acquire(signal: AbortSignal): Promise<PainterProcess> {
    signal.throwIfAborted();
    if (closed) throw stopping();
    return takeIdle() ?? startOne() ?? (await waitForOne(signal));
  }

  function takeIdle(): PainterProcess | null {
    for (const [painter, timer] of idle) {
      clearTimeout(timer);
      idle.delete(painter);
      return painter;
    }
    return null;
  }

  function startOne(): PainterProcess | null {
    if (painters.size >= size) return null;
    const painter = startPainterProcess(options.program, options.memoryLimitBytes);
    painters.add(painter);
    painter.ended.then(() => {
      clearTimeout(idle.get(painter));
      idle.delete(painter);
      painters.delete(painter);
      serveNext();
    });
    return painter;
  }

  function waitForOne(signal: AbortSignal): Promise<PainterProcess> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(entry), 1);
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
      waiting.push(entry);
    });
  }

  function release(painter: PainterProcess): void {
    if (!painter.usable) return;
    if (closed || painter.jobs >= jobsPerPainter || painter.memory > maxMemoryBytes) {
      painter.kill();
      return;
    }
    const timer = setTimeout(() => painter.kill(), idleMs);
    timer.unref();
    idle.set(painter, timer);
    serveNext();
  }

  function serveNext(): void {
    if (waiting.length === 0 || closed) return;
    try {
      const painter = takeIdle() ?? startOne();
      if (painter !== null) waiting.shift()?.resolve(painter);
    } catch (error) {
      // The machine cannot start more processes at the moment.
      waiting.shift()?.reject(error);
    }
  }

  async function close(): Promise<void> {
    closed = true;
    for (const entry of waiting.splice(0)) entry.reject(stopping());
    const all = [...painters];
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
