import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compileCacheVariable } from '@darkroom-service/media/process';
import type { Likelihoods } from './network.ts';

const MEMORY = { maxOldGenerationSizeMb: 256 };

/** The end of the thread before. One at a time uses one core. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Judges frames by the network, in a thread that exists only for them: at rest the network needs no memory.
 * @param network its folder
 * @param frames `SIDE` by `SIDE` pixels in RGB, one byte a channel
 * @throws the signal's reason; the error of the thread
 */
export function judgeFrames(
  network: string,
  frames: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<readonly Likelihoods[]> {
  const judged = before.then(() => runThread(network, frames, signal));
  before = judged.catch(() => undefined);
  return judged;
}

async function runThread(network: string, frames: readonly Uint8Array[], signal: AbortSignal) {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./judge-thread.ts', import.meta.url), {
    name: 'moderation',
    workerData: { network, frames },
    execArgv: [],
    env: compileCacheVariable(),
    resourceLimits: MEMORY,
  });
  try {
    const ended = once(thread, 'exit', { signal }).then(() => {
      throw new Error('the thread of the network ended without a result');
    });
    const [likelihoods] = await Promise.race([once(thread, 'message', { signal }), ended]);
    return likelihoods as readonly Likelihoods[];
  } finally {
    await thread.terminate();
  }
}
