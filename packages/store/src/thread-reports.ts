import { Worker } from 'node:worker_threads';
import { ServiceError, world } from '@darkroom-service/contract';
import { compileCacheVariable } from '@darkroom-service/media/process';
import type { ReportAnswer, ReportDatabase, ReportQuestion } from './report-messages.ts';
import { BELOW, ROWS_AT_A_TIME, type Scanned, type TextScan } from './scan-texts.ts';

/**
 * A thread that reads the database. SQLite reads synchronously, and comparing texts takes CPU time on any database:
 * both would block everything else.
 */
export interface ReportThread {
  all(sql: string, parameters: readonly unknown[]): Promise<unknown[]>;
  scan(scan: TextScan): Promise<Scanned>;
  close(): Promise<void>;
}

const LONGEST_MS = 60_000;
const IDLE_MS = 600_000;
const HEAP_MB = 128;
/** Folded texts are garbage at once; without a limit they stand in memory for a while. */
const YOUNG_HEAP_MB = 8;
const RETRY_SECONDS = 10;

/**
 * Creates the report thread's handle. The thread starts with the first query and ends after ten minutes without one.
 * Queries run one after the other.
 */
export function createReportThread(database: ReportDatabase): ReportThread {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  return {
    async all(sql, parameters) {
      return (await inTurn({ sql, parameters })) as unknown[];
    },
    async scan({ rows, ...rest }) {
      const { sql, parameters } = rows(BELOW, ROWS_AT_A_TIME).compile();
      return (await inTurn({ sql, parameters, ...rest })) as Scanned;
    },
    async close() {
      closed = true;
      await end();
    },
  };

  function inTurn(question: ReportQuestion): Promise<unknown> {
    const answer = last.then(() => ask(question));
    last = answer.catch(() => {});
    return answer;
  }

  async function end(): Promise<void> {
    world.clearTimeout(idle);
    const ending = worker;
    worker = null;
    await ending?.terminate();
  }

  function start(): Worker {
    const started = new Worker(new URL('./report-thread.ts', import.meta.url), {
      workerData: database,
      execArgv: [],
      env: compileCacheVariable(),
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    started.unref();
    return started;
  }

  async function ask(question: ReportQuestion): Promise<unknown> {
    if (closed) throw new ServiceError('shutting_down', 'The service is stopping.', { retryAfterSeconds: 5 });
    world.clearTimeout(idle);
    worker ??= start();
    const answer = await exchange(worker, question).catch(async (error: unknown) => {
      await end();
      throw error;
    });
    idle = world.setTimeout(() => void end(), IDLE_MS).unref();
    if ('found' in answer) return answer.found;
    if (answer.code !== null) throw new ServiceError(answer.code, answer.fault, { retryAfterSeconds: RETRY_SECONDS });
    throw new Error(`a report failed: ${answer.fault}`);
  }
}

function exchange(worker: Worker, question: ReportQuestion): Promise<ReportAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      world.clearTimeout(timer);
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      finish();
    };
    const onMessage = (answer: ReportAnswer) => settle(() => resolve(answer));
    const onEnd = (cause: unknown) => settle(() => reject(tooLarge(cause)));
    const timer = world.setTimeout(() => onEnd(new Error('time is up')), LONGEST_MS);
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    worker.postMessage(question);
  });
}

function tooLarge(cause: unknown): ServiceError {
  return new ServiceError(
    'service_unavailable',
    'The report could not be made in time. Ask for a shorter span or fewer groups.',
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}
