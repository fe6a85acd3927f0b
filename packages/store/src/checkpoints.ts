import { Worker } from 'node:worker_threads';
import { world } from '@darkroom-service/contract';
import { compileCacheVariable } from '@darkroom-service/media/process';

/** A thread that copies pages of the write-ahead log into the database file. */
export interface CheckpointThread {
  /**
   * Copies the pages that no reader needs in the log any more. Never rejects: pages that the disk refuses stay in the
   * log for the next pass.
   */
  pass(): Promise<void>;
  /**
   * Copies the rest and truncates the log to zero bytes. Never rejects.
   * @returns false if a reader or a writer was in the way: then the log stays
   */
  empty(): Promise<boolean>;
  close(): Promise<void>;
}

const IDLE_MS = 60_000;
const HEAP_MB = 16;

/** Creates the thread's handle. The thread starts with the first pass and ends after a minute without one. */
export function createCheckpointThread(path: string): CheckpointThread {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  return {
    async pass() {
      await work('pass');
    },
    empty: () => work('empty'),
    close: end,
  };

  async function work(step: 'pass' | 'empty'): Promise<boolean> {
    world.clearTimeout(idle);
    worker ??= start();
    const isDone = await ask(worker, step, 'message');
    idle = world.setTimeout(() => void end(), IDLE_MS).unref();
    return isDone;
  }

  async function end(): Promise<void> {
    world.clearTimeout(idle);
    const ending = worker;
    // A pass that is asked for meanwhile starts another thread.
    worker = null;
    // Asked instead of terminated, so that it closes its connection first.
    if (ending !== null) await ask(ending, 'end', 'exit');
  }

  function start(): Worker {
    const started = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: { path },
      execArgv: [],
      env: compileCacheVariable(),
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // An 'exit' follows.
    started.on('error', () => {});
    started.once('exit', () => {
      if (worker === started) worker = null;
    });
    return started;
  }
}

/**
 * Sends a message and resolves with the next event `answer`, or when the thread ends. Keeps the process running until
 * then, but not longer.
 * @returns whether the thread reports that it has done the step
 */
async function ask(worker: Worker, message: 'pass' | 'empty' | 'end', answer: 'message' | 'exit'): Promise<boolean> {
  worker.ref();
  const isDone = await new Promise<boolean>((resolve) => {
    const settle = (said: unknown) => {
      worker.off(answer, settle).off('exit', settle);
      resolve(said === true);
    };
    worker.on(answer, settle).on('exit', settle);
    worker.postMessage(message);
  });
  worker.unref();
  return isDone;
}
