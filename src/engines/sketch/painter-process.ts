import { type ChildProcess, fork } from 'node:child_process';
import { EngineError } from '../engine.ts';
import { type PainterMessage, PaintFault, type PaintJob, type PaintResult } from './paint-job.ts';

/** One child process that paints one job at a time. It ends with its parent, or when it is killed. */
export interface PainterProcess {
  /** Jobs done so far, and the memory held after the last one (bytes). */
  readonly jobs: number;
  readonly memory: number;
  /** False once it ended or was told to. */
  readonly usable: boolean;
  /**
   * @throws EngineError `upstream` when the process died of it, PaintFault when the job cannot be done or took too long.
   * After the first, and after a time-out, the process is of no more use.
   */
  run(job: PaintJob, limitMs: number, onProgress: (progress: number) => void): Promise<PaintResult>;
  kill(): void;
  /** Resolves when the process has ended, however it did. */
  readonly ended: Promise<void>;
}

const MEMORY_FLAGS = ['--max-old-space-size=768'];
const KEPT_COMPLAINT = 2000;

export function startPainterProcess(program: URL): PainterProcess {
  // An empty environment: a painter needs none of the service's secrets.
  const child = fork(program, { execArgv: MEMORY_FLAGS, env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const complaint = keepComplaint(child);
  let current: { settle: (outcome: PaintResult | Error) => void; onProgress: (progress: number) => void } | null = null;
  let jobs = 0;
  let memory = 0;
  let usable = true;

  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      usable = false;
      current?.settle(
        new EngineError('upstream', `the painter ended before the picture was done (${reason})`, {
          took: 'no',
          // Its last words are for the log: they name files of this machine.
          cause: complaint(),
        }),
      );
      resolve();
    };
    child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
    child.once('error', (error) => {
      kill();
      end(error.message);
    });
  });
  child.on('message', (message: PainterMessage) => {
    if (message.type === 'progress') return current?.onProgress(message.progress);
    if (message.type === 'failed') return current?.settle(errorOf(message));
    memory = message.memory;
    current?.settle(message.result);
  });
  setHold(child, false);

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
      setHold(child, true);
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
          child.send(job, (error) => {
            if (error !== null)
              settle(
                new EngineError('upstream', `the painter cannot be reached: ${error.message}`, {
                  took: 'no',
                  cause: error,
                }),
              );
          });
        });
      } finally {
        clearTimeout(timer);
        current = null;
        if (usable) setHold(child, false);
      }
    },
  };

  /** Held until it has ended, so that whoever waits for that is told. */
  function kill(): void {
    usable = false;
    child.ref();
    child.kill('SIGKILL');
  }
}

function errorOf({ kind, message }: Extract<PainterMessage, { type: 'failed' }>): Error {
  return kind === 'system'
    ? new EngineError('upstream', 'the painter cannot work right now', { took: 'no', cause: new Error(message) })
    : new PaintFault(kind, message);
}

/** An idle painter does not keep the service from ending. */
function setHold(child: ChildProcess, hold: boolean): void {
  const act = hold ? 'ref' : 'unref';
  child[act]();
  child.channel?.[act]();
}

function keepComplaint(child: ChildProcess): () => Error | undefined {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT_COMPLAINT);
  });
  (child.stderr as unknown as { unref?: () => void } | null)?.unref?.();
  return () => (text === '' ? undefined : new Error(text.trim()));
}
