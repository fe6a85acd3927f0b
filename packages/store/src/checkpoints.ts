import { Worker } from 'node:worker_threads';
import { world } from '@darkroom-service/contract';
import { compileCacheVariable } from '@darkroom-service/media/process';

/** A thread that copies pages of the write-ahead log into the database file. */
export interface CheckpointThread {
  /**
   * Copies the pages that no reader needs in the log any more. Never rejects: what the disk refuses stays in the log
   * for the next pass.
   */
  pass(): Promise<void>;
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
      world.clearTimeout(idle);
      worker ??= start();
      await ask(worker, 'pass', 'message');
      idle = world.setTimeout(() => void end(), IDLE_MS).unref();
    },
    close: end,
  };

  async function end(): Promise<void> {
    world.clearTimeout(idle);
    const ending = worker;
    // A pass that is asked for meanwhile starts another thread.
    worker = null;
    // Asked, not terminated: it closes its connection first.
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

/** Resolves with the next such event, or when the thread ends. Keeps the process running until then, but not longer. */
async function ask(worker: Worker, message: 'pass' | 'end', answer: 'message' | 'exit'): Promise<void> {
  worker.ref();
  await new Promise<void>((resolve) => {
    const settle = () => {
      worker.off(answer, settle).off('exit', settle);
      resolve();
    };
    worker.on(answer, settle).on('exit', settle);
    worker.postMessage(message);
  });
  worker.unref();
}
