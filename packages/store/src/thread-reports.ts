import { Worker } from 'node:worker_threads';
import { ServiceError, world } from '@darkroom-service/contract';
import { compileCacheVariable } from '@darkroom-service/media/process';
import type { ReportAnswer, ReportDatabase, ReportQuestion } from './report-messages.ts';
import type { ReportTurns } from './report-turns.ts';
import { BELOW, ROWS_AT_A_TIME, type Scanned, type ScanSlice, scanInSlices, type TextScan } from './scan-texts.ts';
import type { ReportTurn } from './store.ts';

/**
 * Threads that read the database. SQLite reads synchronously, and comparing texts takes CPU time on any database: both
 * would block everything else.
 */
export interface ReportThreads {
  all(turn: ReportTurn, sql: string, parameters: readonly unknown[]): Promise<unknown[]>;
  /** Scans texts; each slice of a search takes a turn of its own. */
  scan(scan: TextScan): Promise<Scanned>;
  close(): Promise<void>;
}

const LONGEST_MS = 60_000;
const IDLE_MS = 600_000;
const HEAP_MB = 128;
/** Limit of the young generation: folded texts are garbage at once, and would otherwise stay for a while. */
const YOUNG_HEAP_MB = 8;
const RETRY_SECONDS = 10;

/** Creates the threads' handle: one thread for each place of `turns`, which starts when a report gets the place. */
export function createReportThreads(database: ReportDatabase, turns: ReportTurns): ReportThreads {
  const threads = Array.from({ length: turns.places }, () => createThread(database));
  const ask = async (turn: ReportTurn, question: ReportQuestion) =>
    await turns.run(turn, (place) => threads[place]!.ask(question));
  return {
    async all(turn, sql, parameters) {
      return (await ask(turn, { sql, parameters })) as unknown[];
    },
    async scan({ rows, owner, ...rest }) {
      const { sql, parameters } = rows(BELOW, ROWS_AT_A_TIME).compile();
      const turn = { owner, isLong: false };
      return await scanInSlices({ sql, parameters, ...rest }, async (question) => {
        return (await ask(turn, question)) as ScanSlice;
      });
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** Creates a thread's handle. It starts with the first query and ends after ten minutes without one. */
function createThread(database: ReportDatabase) {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  return {
    async ask(question: ReportQuestion): Promise<unknown> {
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
    },
    async close() {
      closed = true;
      await end();
    },
  };

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
}

function exchange(worker: Worker, question: ReportQuestion): Promise<ReportAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      world.clearTimeout(timer);
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      finish();
    };
    const onMessage = (answer: ReportAnswer) => settle(() => resolve(answer));
    const onEnd = (cause: unknown) => settle(() => reject(isTooLarge(cause) ? tooLarge(cause) : notNow(cause)));
    const timer = world.setTimeout(() => settle(() => reject(tooLarge(new Error('time is up')))), LONGEST_MS);
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    worker.postMessage(question);
  });
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Returns the error for a thread that could not start or ended by itself: another question would not help. */
function notNow(cause: unknown): ServiceError {
  return new ServiceError('service_unavailable', 'Reports cannot be made now. Retry later.', {
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });
}

function tooLarge(cause: unknown): ServiceError {
  return new ServiceError(
    'service_unavailable',
    'The report could not be made in time. Ask for a shorter span or fewer groups.',
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}
