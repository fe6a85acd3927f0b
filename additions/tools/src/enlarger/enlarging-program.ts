import { constants, getPriority, setPriority } from 'node:os';
import { loadPart, machineFaultOf, saveCompiled, startGuard } from '@darkroom-service/media/process';
import type { EnlargeJob, EnlargeMessage } from './enlarge-job.ts';

/**
 * The program of an enlarging process: it does the one job that its parent sends, at the lowest priority, and ends with
 * it.
 */
const { PRIORITY_LOW } = constants.priority;
// A service that was itself started at a lower priority may not raise it.
if (getPriority() < PRIORITY_LOW) setPriority(PRIORITY_LOW);

// A terminal's Ctrl-C reaches every process of the group; the service decides when the work ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit());

/** The largest picture needs 560 MB, with 16 bits 760 MB. Only the customer or a deadline ends long work. */
const LIMITS = { memoryBytes: 1_024 * 2 ** 20, cpuMs: 2 ** 30 };

process.once('message', async (job: EnlargeJob) => {
  try {
    const { enlargePicture } = await loadPart(() => import('./enlarge-picture.ts'));
    const guard = await startGuard();
    guard.watch(LIMITS);
    const picture = await enlargePicture(job, (progress) => send({ type: 'progress', progress }));
    guard.rest();
    send({ type: 'done', picture });
    saveCompiled();
  } catch (error) {
    send(failureOf(error));
  }
});

/** An error without a code comes from the picture and would repeat. */
function failureOf(error: unknown): EnlargeMessage {
  const message = error instanceof Error ? error.message : String(error);
  const code = machineFaultOf(error);
  return { type: 'failed', message, ...(code === null ? {} : { code }) };
}

function send(message: EnlargeMessage): void {
  if (process.connected) process.send?.(message);
}
