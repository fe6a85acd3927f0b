import { getEnvironmentData } from 'node:worker_threads';
import { MOMENTS_LEFT, replaceFileCalls } from './replace-file-calls.ts';

/** Loaded first by the threads of a process that is to be killed at a file call. */
await replaceFileCalls(getEnvironmentData(MOMENTS_LEFT) as Int32Array);
