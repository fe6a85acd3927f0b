import { setEnvironmentData } from 'node:worker_threads';
import { preloadInThreads } from '@darkroom-service/testing';
import { MOMENTS_LEFT, replaceFileCalls } from './replace-file-calls.ts';

const NEVER = 2 ** 31 - 1;

/**
 * Kills this process at a file call, also at one of a thread that starts later.
 * @param survives how many moments right before or right after a call it survives
 */
export async function killAtFileCalls(survives: number): Promise<void> {
  const left = new Int32Array(new SharedArrayBuffer(4));
  left[0] = NEVER;
  await replaceFileCalls(left);
  setEnvironmentData(MOMENTS_LEFT, left);
  preloadInThreads(new URL('./kill-thread-at-file-calls.ts', import.meta.url));
  left[0] = survives;
}
