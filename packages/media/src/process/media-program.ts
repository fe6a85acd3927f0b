import { constants, getPriority, setPriority } from 'node:os';
import { loadPart } from '../load-part.ts';
import { isFaultOfMachine, isOfProgram, machineFaultOf } from '../machine-fault.ts';
import { MediaFault } from '../media-fault.ts';
import { saveCompiled } from './compile-cache.ts';
import { startGuard } from './guard.ts';
import type { MediaJob, MediaMessage } from './media-message.ts';

/**
 * The program of a media process: opens untrusted files, one job after the other, until its parent ends or kills it.
 * It runs at a lower priority than the service.
 */
const { PRIORITY_BELOW_NORMAL } = constants.priority;
// A service that was itself started at a lower priority may not raise it.
if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

// A terminal's Ctrl-C reaches every process of the group, but the service decides when this one ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const guard = await startGuard();
process.on('message', async (job: MediaJob) => {
  guard.watch(job.limits);
  const message = await perform(job);
  guard.rest();
  send(message);
  saveCompiled();
});
send({ type: 'ready' });

async function perform(job: MediaJob): Promise<MediaMessage> {
  try {
    const result = await resultOf(job);
    return { type: 'done', result, memory: process.memoryUsage.rss() };
  } catch (error) {
    return await failureOf(error);
  }
}

/** Loads libraries when the first job needs them. */
async function resultOf(job: MediaJob): Promise<unknown> {
  if (job.task === 'edit') {
    const { editPicture } = await loadPart(() => import('../decoding/picture-operations.ts'));
    return await editPicture(job.operation, job.args);
  }
  if (job.task === 'probe') {
    const { probeFile } = await loadPart(() => import('../decoding/probe-file.ts'));
    return await probeFile(job.path, job.limits);
  }
  if (job.task === 'drop_text') {
    const { dropText } = await loadPart(() => import('../decoding/drop-text.ts'));
    return await dropText(job.path, job.into);
  }
  if (job.task === 'mark') {
    const { signFile } = await loadPart(() => import('../marks/mark-file.ts'));
    return await signFile(job.path, job.into, job.options);
  }
  const { examineOutput, thumbnailOf } = await loadPart(() => import('../decoding/examine-output.ts'));
  if (job.task === 'thumbnail') return await thumbnailOf(job.path, job.limits);
  return await examineOutput(job.path, job.limits, (result) => send({ type: 'part', result }));
}

async function failureOf(error: unknown): Promise<MediaMessage> {
  const memory = process.memoryUsage.rss();
  const { message } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof MediaFault) return { type: 'refused', kind: error.kind, message, memory };
  if (!isFaultOfMachine(error)) return { type: 'refused', kind: 'corrupt', message, memory };
  const code = (error as NodeJS.ErrnoException).code ?? null;
  return { type: 'machine', code, message, memory, isOfProgram: isOfProgram(machineFaultOf(error)) };
}

function send(message: MediaMessage): void {
  if (process.connected) process.send?.(message);
}
