import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Delivery, type Engine, EngineError } from '@darkroom-service/engines';
import sharp from 'sharp';

/**
 * How an engine of the tests behaves; it is paid and not repeatable, so a second submission of a task would be the
 * operator's money.
 */
export interface PaidEngineOptions {
  readonly name: string;
  /**
   * The upstream's own books, in which every submission is written before anything else is done with it; they outlive a
   * kill.
   */
  readonly books: string;
  /** How long `start` takes after the submission arrived. */
  readonly startMs?: number;
  /** `start` answers with the result itself instead of an operation. */
  readonly blocking?: boolean;
  /** Where its results are, each under the id of its task; without one they come inside the answer. */
  readonly host?: string;
  /** How long the work takes after `start`. */
  readonly workMs?: number;
  /** Orders can be looked up by our task id. */
  readonly findable?: boolean;
  /** The first call for a task is refused as busy and certainly not taken. */
  readonly shy?: boolean;
  /** Every call is refused as busy and certainly not taken. */
  readonly full?: boolean;
  /** The second check of each process fails, so that it lets go of the task. */
  readonly stumbles?: boolean;
  /** Who else makes orders of its model. */
  readonly next?: string;
}

export interface Submission {
  readonly engine: string;
  readonly taskId: string;
  readonly at: number;
}

/** The cost that the paid engine's upstream states for each delivered order, in US dollars. */
export const TOLD_DOLLARS = '0.03';
const CHECK_AFTER_MS = 20;
const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#a33' } })
  .png()
  .toBuffer();

export function createPaidEngine(options: PaidEngineOptions): Engine {
  const {
    name,
    books,
    startMs = 0,
    blocking = false,
    host,
    workMs = 40,
    findable = false,
    shy = false,
    full = false,
    stumbles = false,
  } = options;
  /** Outlives the process: an order is refused once in its life, however often the service is killed meanwhile. */
  const refusals = `${books}.refusals`;
  const wasRefused = (taskId: string) =>
    existsSync(refusals) && readFileSync(refusals, 'utf8').split('\n').includes(taskId);
  /** Each process is told once to wait, so that it waits for a check however slow the machine is. */
  const asked = new Map<string, number>();

  async function deliver(taskId: string): Promise<Delivery> {
    const hosted = { url: `${host}/${taskId}`, allowOrigins: [`${host}`] };
    const source = host === undefined ? { data: await picture } : hosted;
    return {
      outputs: [{ source, seed: null, revisedPrompt: null, tiles: null }],
      upstreamCost: { usd: TOLD_DOLLARS },
    };
  }

  return {
    name,
    concurrency: 50,
    async start({ taskId }) {
      if (full || (shy && !wasRefused(taskId))) {
        appendFileSync(refusals, `${taskId}\n`);
        throw new EngineError('busy', 'come again', { took: 'no', retryAfterMs: CHECK_AFTER_MS });
      }
      const submission: Submission = { engine: name, taskId, at: Date.now() };
      appendFileSync(books, `${JSON.stringify(submission)}\n`);
      await sleep(startMs);
      if (!blocking) return { operation: { taskId }, checkAfterMs: CHECK_AFTER_MS };
      await sleep(workMs);
      return { done: await deliver(taskId) };
    },
    async check(operation) {
      const { taskId } = operation as { taskId: string };
      const submission = readSubmissions(books).find((each) => each.taskId === taskId);
      if (submission === undefined) throw new EngineError('upstream', 'no such order', { took: 'no' });
      const checks = (asked.get(taskId) ?? 0) + 1;
      asked.set(taskId, checks);
      if (stumbles && checks === 2)
        throw new EngineError('timeout', 'no answer in time', { took: 'no', retryAfterMs: CHECK_AFTER_MS });
      if (checks === 1 || Date.now() - submission.at < startMs + workMs) {
        return { status: 'pending', progress: 50, checkAfterMs: CHECK_AFTER_MS };
      }
      return { status: 'succeeded', delivery: await deliver(taskId) };
    },
    jobOf: (operation) => (operation as { taskId: string }).taskId,
    ...(findable
      ? { find: async (taskId) => (readSubmissions(books).some((each) => each.taskId === taskId) ? { taskId } : null) }
      : {}),
  };
}

/** Returns all submissions that ever reached the upstream. */
export function readSubmissions(books: string): Submission[] {
  return readFileSync(books, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Submission);
}
