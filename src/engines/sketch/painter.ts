import { constants, getPriority, setPriority } from 'node:os';
import { type PainterMessage, PaintFault, type PaintJob } from './paint-job.ts';

/**
 * The program of a painter process: paints the jobs it is sent, one after the other, until its parent lets go of it.
 * It gives way to everything else on the machine.
 */
const { PRIORITY_BELOW_NORMAL } = constants.priority;
// A service that was itself started with less may not take more.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

// A terminal's Ctrl-C reaches every process of the group; when painting ends is the service's decision.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit());

// Loaded late, so that the threads which its libraries start are of low priority too.
const program = import('./paint-picture.ts');

process.on('message', async (job: PaintJob) => {
  try {
    const { paintPicture } = await program;
    const result = await paintPicture(job, (progress) => tell({ type: 'progress', progress }));
    tell({ type: 'done', result, memory: process.memoryUsage.rss() });
  } catch (error) {
    tell(failureOf(error));
  }
});

/** What the system complains of carries a code; anything else follows from the order and would come again. */
function failureOf(error: unknown): PainterMessage {
  if (error instanceof PaintFault) return { type: 'failed', kind: error.kind, message: error.message };
  if (!(error instanceof Error)) return { type: 'failed', kind: 'impossible', message: String(error) };
  return { type: 'failed', kind: 'code' in error ? 'system' : 'impossible', message: error.message };
}

function tell(message: PainterMessage): void {
  if (process.connected) process.send?.(message);
}
