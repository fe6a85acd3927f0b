import { sleep } from '@darkroom-service/contract';
import { type Engine, EngineError, type Idempotency } from '@darkroom-service/engines';
import { plainPicture } from '../plain-picture.ts';
import type { Seeded } from './seeded.ts';

/** A paid upstream with its own book, which is what judges believe. */
export interface Upstream {
  /** Its orders, each with how often it was begun, in the order of arrival. */
  readonly book: ReadonlyMap<string, number>;
  readonly idempotency: Idempotency;
  /** An engine of one process, whose calls end with it. */
  readonly openEngine: (isDead: () => boolean) => Engine;
}

interface Job {
  readonly readyAt: number;
  readonly fails: boolean;
}

const NEVER = new Promise<never>(() => {});
/** How often a call fails without any effect, and how often its answer is lost after it had one. */
const REFUSED = 0.1;
const LOST_BEFORE = 0.04;
const LOST_AFTER = 0.08;
const CHECK_FAILS = 0.1;
const ORDER_FAILS = 0.1;

export function createUpstream(parts: {
  readonly seeded: Seeded;
  readonly now: () => number;
  readonly tell: (who: string, what: string) => void;
  /** Whether it begins a second submission anew although it says that it replays: for a test of the judges. */
  readonly lies?: boolean;
}): Upstream {
  const { seeded, now, tell, lies = false } = parts;
  const book = new Map<string, number>();
  const jobs = new Map<string, Job>();
  const idempotency = lies ? 'replays' : seeded.pick(['none', 'replays', 'refuses_duplicates', 'findable'] as const);

  /** The call takes time, in which the process may die. */
  async function travel(isDead: () => boolean): Promise<void> {
    await sleep(seeded.between(5, 800));
    if (isDead()) await NEVER;
  }

  function take(taskId: string): string {
    if (idempotency === 'replays' && jobs.has(taskId) && !lies) return taskId;
    const begun = (book.get(taskId) ?? 0) + 1;
    book.set(taskId, begun);
    const job = begun === 1 ? taskId : `${taskId} ${begun}`;
    jobs.set(job, { readyAt: now() + seeded.between(100, 20_000), fails: seeded.happens(ORDER_FAILS) });
    tell('upstream', `takes ${job}`);
    return job;
  }

  const openEngine = (isDead: () => boolean): Engine => ({
    name: 'sketch',
    concurrency: 20,
    idempotency,
    async start({ taskId }) {
      // The order is sent; from here on it may arrive whatever becomes of the process.
      if (isDead()) await NEVER;
      if (seeded.happens(REFUSED)) {
        await travel(isDead);
        throw new EngineError('busy', 'too many orders', { took: 'no' });
      }
      if (seeded.happens(LOST_BEFORE)) {
        await travel(isDead);
        throw new EngineError('upstream', 'connection lost', { took: 'unknown' });
      }
      if (idempotency === 'refuses_duplicates' && jobs.has(taskId)) {
        await travel(isDead);
        if (seeded.happens(0.5)) throw new EngineError('invalid_input', 'a duplicate', { took: 'yes' });
        return { operation: { job: taskId } };
      }
      const job = take(taskId);
      await travel(isDead);
      if (seeded.happens(LOST_AFTER)) throw new EngineError('upstream', 'connection lost', { took: 'unknown' });
      return { operation: { job }, checkAfterMs: seeded.between(50, 5_000) };
    },
    async check(operation, { request, taskId }) {
      await travel(isDead);
      if (seeded.happens(CHECK_FAILS)) throw new EngineError('busy', 'try again', { took: 'yes' });
      const job = jobs.get((operation as { job: string }).job)!;
      if (now() < job.readyAt) return { status: 'pending', checkAfterMs: seeded.between(50, 5_000) };
      if (job.fails) return { status: 'failed', error: { code: 'content_policy', message: 'not this' } };
      const data = plainPicture(request.output, taskId);
      return {
        status: 'succeeded',
        delivery: { outputs: [{ source: { data }, seed: 1, revisedPrompt: null, tiles: null }] },
      };
    },
    ...(idempotency === 'findable'
      ? {
          async find(taskId: string) {
            await travel(isDead);
            return jobs.has(taskId) ? { job: taskId } : null;
          },
        }
      : {}),
  });
  return { book, idempotency, openEngine };
}
