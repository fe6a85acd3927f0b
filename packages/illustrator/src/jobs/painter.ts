import { constants, getPriority, setPriority } from 'node:os';
import { loadPart, machineFaultOf, saveCompiled, startGuard } from '@darkroom-service/media/process';
import { PAINTER_MEMORY_BYTES, type PainterMessage, PaintFault, type PaintJob } from './paint-job.ts';

/**
 * The program of a painter process. It paints the jobs that its parent sends, one at a time, until the parent
 * disconnects. It runs at low priority.
 */
const { PRIORITY_BELOW_NORMAL } = constants.priority;
// A service that was itself started at a lower priority may not raise it.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

// A terminal's Ctrl-C reaches every process of the group; the service decides when painting ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit());

/**
 * Limits from the parent, since references of clients are decoded here. Painting may take long, so the parent bounds
 * its processor time.
 */
const limits = { memoryBytes: Number(process.argv[2] ?? PAINTER_MEMORY_BYTES), cpuMs: 2 ** 30 };

// Loaded late, so that threads of its libraries have low priority too.
const program = Promise.all([loadPart(() => import('./paint-picture.ts')), startGuard()]);
// Reported with the first job.
program.catch(() => undefined);

send({ type: 'ready' });
process.on('message', async (job: PaintJob) => {
  try {
    const [{ paintPicture }, guard] = await program;
    guard.watch(limits);
    const result = await paintPicture(job, (progress) => send({ type: 'progress', progress })).finally(guard.rest);
    send({ type: 'done', result, memory: process.memoryUsage.rss() });
    saveCompiled();
  } catch (error) {
    send(failureOf(error));
  }
});

/** Errors of the operating system have a code. All other errors come from the order and would repeat. */
function failureOf(error: unknown): PainterMessage {
  if (error instanceof PaintFault) return { type: 'failed', kind: error.kind, message: error.message };
  if (!(error instanceof Error)) return { type: 'failed', kind: 'impossible', message: String(error) };
  const code = machineFaultOf(error);
  if (code !== null) return { type: 'failed', kind: 'system', message: error.message, code };
  return { type: 'failed', kind: 'code' in error ? 'system' : 'impossible', message: error.message };
}

function send(message: PainterMessage): void {
  if (process.connected) process.send?.(message);
}
