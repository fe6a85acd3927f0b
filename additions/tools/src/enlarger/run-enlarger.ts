import { MachineFault, recordStderrTail, startChild } from '@darkroom-service/media/process';
import { type EnlargedPicture, EnlargeFault, type EnlargeJob, type EnlargeMessage } from './enlarge-job.ts';

interface EnlargeCall {
  /** Ends the job: its process is killed. */
  readonly signal: AbortSignal;
  readonly onProgress: (percent: number) => void;
}

/**
 * Enlarges a picture in a process of its own, which exists only for this job: at rest the enlarger needs no memory.
 * @throws EnlargeFault if the picture cannot be enlarged; MachineFault if this machine cannot do it now; the signal's
 * reason
 */
export async function runEnlarger(job: EnlargeJob, { signal, onProgress }: EnlargeCall): Promise<EnlargedPicture> {
  signal.throwIfAborted();
  const child = startChild(new URL('./enlarging-program.ts', import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const complaint = recordStderrTail(child);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    return await new Promise<EnlargedPicture>((resolve, reject) => {
      child.on('message', (message: EnlargeMessage) => {
        if (message.type === 'progress') onProgress(message.progress);
        else if (message.type === 'done') resolve(message.picture);
        else reject(faultOf(message));
      });
      child.once('error', reject);
      child.once('exit', (code, ending) =>
        reject(
          signal.aborted
            ? signal.reason
            : new MachineFault(
                ending ?? 'ERR_PROGRAM',
                `the enlarger ended (${ending ?? `code ${code}`})`,
                complaint(),
              ),
        ),
      );
      child.send(job, (error) => error !== null && reject(new MachineFault('ERR_PROGRAM', error.message, complaint())));
    });
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

function faultOf({ message, code }: Extract<EnlargeMessage, { type: 'failed' }>): Error {
  return code === undefined
    ? new EnlargeFault(message)
    : new MachineFault(code, `the enlarger cannot work: ${message}`);
}
