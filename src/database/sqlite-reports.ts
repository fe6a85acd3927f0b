import { Worker } from 'node:worker_threads';
import { ServiceError } from '../base/errors.ts';

export interface ReportQuestion {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
export type ReportAnswer = { readonly rows: unknown[] } | { readonly fault: string };

/** A thread that reads the file. SQLite reads synchronously, so a slow query would block everything else. */
export interface ReportThread {
  all(sql: string, parameters: readonly unknown[]): Promise<unknown[]>;
  close(): Promise<void>;
}

const LONGEST_MS = 60_000;
const IDLE_MS = 60_000;
const HEAP_MB = 128;

/**
 * Creates the report thread's handle. The thread starts with the first query and ends after a minute without one.
 * Queries run one after the other.
 */
export function createReportThread(path: string): ReportThread {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  return {
    all(sql, parameters) {
      const answer = last.then(() => ask({ sql, parameters }));
      last = answer.catch(() => {});
      return answer;
    },
    async close() {
      closed = true;
      await end();
    },
  };

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = null;
    await ending?.terminate();
  }

  function start(): Worker {
    const started = new Worker(new URL('./report-thread.ts', import.meta.url), {
      workerData: { path },
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    started.unref();
    return started;
  }

  async function ask(question: ReportQuestion): Promise<unknown[]> {
    if (closed) throw new ServiceError('shutting_down', 'The service is stopping.', { retryAfterSeconds: 5 });
    clearTimeout(idle);
    worker ??= start();
    const answer = await exchange(worker, question).catch(async (error: unknown) => {
      await end();
      throw error;
    });
    idle = setTimeout(() => void end(), IDLE_MS).unref();
    if ('fault' in answer) throw new Error(`a report failed: ${answer.fault}`);
    return answer.rows;
  }
}

function exchange(worker: Worker, question: ReportQuestion): Promise<ReportAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      finish();
    };
    const onMessage = (answer: ReportAnswer) => settle(() => resolve(answer));
    const onEnd = (cause: unknown) => settle(() => reject(tooLarge(cause)));
    const timer = setTimeout(() => onEnd(new Error('time is up')), LONGEST_MS);
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    worker.postMessage(question);
  });
}

function tooLarge(cause: unknown): ServiceError {
  return new ServiceError(
    'service_unavailable',
    'The report could not be made in time. Ask for a shorter span or fewer groups.',
    { retryAfterSeconds: 10, cause },
  );
}
