import {
  MachineFault,
  machineFaultOf,
  recordStderrTail,
  setKeepsParentAlive,
  startChild,
} from '@darkroom-service/media/process';
import {
  PAINTER_MEMORY_BYTES,
  PainterFault,
  type PainterMessage,
  PaintFault,
  type PaintJob,
  type PaintResult,
} from './paint-job.ts';

/** A child process that paints one job at a time. It ends with its parent, or when it is killed. */
export interface PainterProcess {
  /** Number of jobs done; `memory` is the memory held after the last one, in bytes. */
  readonly jobs: number;
  readonly memory: number;
  /** False once the process has ended or was told to end. */
  readonly usable: boolean;
  /**
   * Runs a job. @throws MachineFault if this machine cannot do it now; PainterFault if the process died; PaintFault if
   * the job cannot be done or took too long. After the first two errors and after a timeout, the process cannot be used
   * again.
   */
  run(job: PaintJob, limitMs: number, onProgress: (progress: number) => void): Promise<PaintResult>;
  kill(): void;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

const MEMORY_FLAGS = ['--max-old-space-size=768'];

export function startPainterProcess(
  program: URL = new URL('./painter.ts', import.meta.url),
  memoryBytes: number = PAINTER_MEMORY_BYTES,
): PainterProcess {
  const child = startChild(program, [`${memoryBytes}`], {
    execArgv: MEMORY_FLAGS,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const complaint = recordStderrTail(child);
  let current: { settle: (outcome: PaintResult | Error) => void; onProgress: (progress: number) => void } | null = null;
  let jobs = 0;
  let memory = 0;
  let usable = true;
  let isReady = false;
  /** Reason for the end of the process; null while it runs. */
  let failure: Error | null = null;

  const ended = new Promise<void>((resolve) => {
    const end = (reason: string, cause?: Error) => {
      // The system ends processes with SIGKILL when memory runs out; one with an incomplete program is never ready.
      const isOfMachine = usable && (!isReady || reason === 'SIGKILL');
      usable = false;
      const code = machineFaultOf(cause) ?? (isOfMachine ? (isReady ? 'SIGKILL' : 'ERR_PROGRAM') : null);
      failure ??=
        code === null
          ? new PainterFault(
              'lost',
              `the painter ended before the picture was done (${reason})`,
              // Standard error goes to the log only: it may name files of this machine.
              complaint(),
            )
          : machineFault(code, cause ?? complaint());
      if (failure !== null) current?.settle(failure);
      resolve();
    };
    child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
    child.once('error', (error) => {
      kill();
      end(error.message, error);
    });
  });
  child.on('message', (message: PainterMessage) => {
    isReady = true;
    if (message.type === 'ready') return;
    if (message.type === 'progress') return current?.onProgress(message.progress);
    if (message.type === 'failed') return current?.settle(errorOf(message));
    memory = message.memory;
    current?.settle(message.result);
  });
  // An idle painter does not prevent the service from ending.
  setKeepsParentAlive(child, false);

  return {
    get jobs() {
      return jobs;
    },
    get memory() {
      return memory;
    },
    get usable() {
      return usable;
    },
    ended,
    kill,
    async run(job, limitMs, onProgress) {
      jobs++;
      if (failure !== null) throw failure;
      setKeepsParentAlive(child, true);
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<PaintResult>((resolve, reject) => {
          const settle = (outcome: PaintResult | Error) =>
            outcome instanceof Error ? reject(outcome) : resolve(outcome);
          current = { settle, onProgress };
          timer = setTimeout(() => {
            settle(new PaintFault('time_limit', `painting took longer than ${Math.round(limitMs / 1000)} s`));
            kill();
          }, limitMs);
          // A process that could not be started has no channel. An event gives the reason.
          child.send?.(job, (error) => {
            if (error !== null)
              settle(new PainterFault('lost', `the painter cannot be reached: ${error.message}`, error));
          });
        });
      } finally {
        clearTimeout(timer);
        current = null;
        if (usable) setKeepsParentAlive(child, false);
      }
    },
  };

  /** Keeps the process referenced until it has ended, so that callers that wait for its end are notified. */
  function kill(): void {
    usable = false;
    child.ref();
    child.kill('SIGKILL');
  }
}

/** Creates a fault of the machine, not of the order: the order is painted once resources are free again. */
function machineFault(code: string, cause: unknown): MachineFault {
  return new MachineFault(code, `the painter cannot work: this machine reports ${code}`, cause);
}

function errorOf({ kind, message, code }: Extract<PainterMessage, { type: 'failed' }>): Error {
  if (code !== undefined) return machineFault(code, new Error(message));
  return kind === 'system'
    ? new PainterFault('lost', 'the painter cannot work right now', new Error(message))
    : new PaintFault(kind, message);
}
