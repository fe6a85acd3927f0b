import { sleep } from '@darkroom-service/contract';
import { type Delivery, type Engine, EngineError, type Idempotency, type Order } from '@darkroom-service/engines';
import { plainPicture } from '../plain-picture.ts';
import { NEVER, type ProcessFaults } from './faulty-database.ts';
import type { Seeded } from './seeded.ts';
import type { SimulatedWorld } from './simulation.ts';

/** A paid upstream with its own book, which is what judges believe. */
export interface Upstream {
  /** Its orders, each with how often it was begun, in the order of arrival. What it refused is not among them. */
  readonly book: ReadonlyMap<string, number>;
  /** The orders that it stopped. */
  readonly stopped: ReadonlySet<string>;
  /** What it was sent that it should never have been sent. */
  readonly complaints: readonly string[];
  readonly idempotency: Idempotency;
  /** Whether it answers an order with the result. */
  readonly isBlocking: boolean;
  /** Whether it can stop an order that it has. */
  readonly canCancel: boolean;
  /** An engine of one process, whose calls end with it. */
  readonly openEngine: (world: SimulatedWorld, faults: ProcessFaults) => Engine;
}

interface Job {
  readonly readyAt: number;
  readonly fails: boolean;
  isCanceled: boolean;
}

const CALL_TIMEOUT_MS = 30_000;
/** How often the upstream refuses what was ordered. */
const ORDER_FAILS = 0.1;

export function createUpstream(parts: {
  readonly seeded: Seeded;
  readonly elapsedMs: () => number;
  readonly tell: (who: string, what: string) => void;
  /** Whether operators hold all submissions. */
  readonly isHeld: () => boolean;
  /** Whether it begins a second submission anew although it says that it replays: for a test of the judges. */
  readonly lies?: boolean;
}): Upstream {
  const { seeded, elapsedMs, tell, isHeld, lies = false } = parts;
  const book = new Map<string, number>();
  const jobs = new Map<string, Job>();
  const sent = new Set<string>();
  const complaints: string[] = [];
  const stopped = new Set<string>();
  const idempotency = lies ? 'replays' : seeded.pick(['none', 'replays', 'refuses_duplicates', 'findable'] as const);
  const isBlocking = !lies && (idempotency === 'none' || idempotency === 'replays') && seeded.happens(0.4);
  const canCancel = !isBlocking && seeded.happens(0.5);

  /** The call takes time, in which the process may die. */
  async function travel(world: SimulatedWorld): Promise<void> {
    await sleep(seeded.between(5, 800));
    if (world.isDead) await NEVER;
  }

  function take(taskId: string): string {
    if (idempotency === 'replays' && jobs.has(taskId) && !lies) return taskId;
    const begun = (book.get(taskId) ?? 0) + 1;
    book.set(taskId, begun);
    const job = begun === 1 ? taskId : `${taskId} ${begun}`;
    const readyAt = elapsedMs() + seeded.between(100, 20_000);
    jobs.set(job, { readyAt, fails: seeded.happens(ORDER_FAILS), isCanceled: false });
    tell('upstream', `takes ${job}`);
    return job;
  }

  const deliver = ({ request, taskId }: Order): Delivery => ({
    outputs: [{ source: { data: plainPicture(request.output, taskId) }, seed: 1, revisedPrompt: null, tiles: null }],
  });

  const openEngine = (world: SimulatedWorld, faults: ProcessFaults): Engine => ({
    name: 'sketch',
    concurrency: 20,
    idempotency,
    isBlocking,
    callTimeoutMs: CALL_TIMEOUT_MS,
    async start(order) {
      const { taskId } = order;
      if (world.isDead) await NEVER;
      if (isHeld() && !sent.has(taskId)) complaints.push(`${taskId} was sent while submissions were held`);
      if (idempotency === 'none' && book.has(taskId)) complaints.push(`${taskId} was sent again`);
      sent.add(taskId);
      faults.at('before an order is sent');
      if (world.isDead) await NEVER;
      const fault = await refuse(world, faults);
      if (fault !== null) throw fault;
      if (idempotency === 'refuses_duplicates' && jobs.has(taskId)) {
        await travel(world);
        if (seeded.happens(0.5)) throw new EngineError('invalid_input', 'a duplicate', { took: 'yes' });
        return { operation: { job: taskId } };
      }
      // The order is sent; from here on it is made whatever becomes of the process.
      const job = take(taskId);
      if (isBlocking) await sleep(Math.max(0, jobs.get(job)!.readyAt - elapsedMs()));
      await travel(world);
      faults.at('after an order was sent');
      if (world.isDead) await NEVER;
      if (faults.happens('upstreamFaults', 'the answer to an order'))
        throw new EngineError('upstream', 'connection lost', { took: 'unknown' });
      if (!isBlocking) return { operation: { job }, checkAfterMs: seeded.between(50, 5_000) };
      if (jobs.get(job)!.fails) {
        book.delete(taskId);
        throw new EngineError('content_policy', 'not this', { took: 'no' });
      }
      return { done: deliver(order) };
    },
    async check(operation, order) {
      await travel(world);
      if (faults.happens('upstreamFaults', 'a check'))
        throw new EngineError(seeded.pick(['busy', 'upstream', 'timeout']), 'try again', { took: 'yes' });
      const job = jobs.get((operation as { job: string }).job)!;
      if (job.isCanceled) return { status: 'canceled' };
      if (elapsedMs() < job.readyAt) return { status: 'pending', checkAfterMs: seeded.between(50, 5_000) };
      faults.at('as a result comes');
      if (world.isDead) await NEVER;
      if (job.fails) return { status: 'failed', error: { code: 'content_policy', message: 'not this' } };
      return { status: 'succeeded', delivery: deliver(order) };
    },
    ...(canCancel
      ? {
          async cancel(operation, order) {
            await travel(world);
            const job = jobs.get((operation as { job: string }).job)!;
            if (elapsedMs() >= job.readyAt) return false;
            job.isCanceled = true;
            stopped.add(order.taskId);
            return true;
          },
        }
      : {}),
    ...(idempotency === 'findable'
      ? {
          async find(taskId: string) {
            await travel(world);
            if (faults.happens('upstreamFaults', 'a search'))
              throw new EngineError('upstream', 'connection lost', { took: 'unknown' });
            return jobs.has(taskId) ? { job: taskId } : null;
          },
        }
      : {}),
  });

  /** Returns why an order that did not arrive has no answer; null = it arrives. */
  async function refuse(world: SimulatedWorld, faults: ProcessFaults): Promise<EngineError | null> {
    const refusal = faults.happens('upstreamFaults', 'an order, refused')
      ? new EngineError(seeded.pick(['busy', 'rate_limited', 'upstream']), 'too many orders', { took: 'no' })
      : faults.happens('upstreamFaults', 'an order, lost')
        ? new EngineError(seeded.pick(['upstream', 'timeout']), 'connection lost', { took: 'unknown' })
        : null;
    if (refusal !== null) await travel(world);
    return refusal;
  }
  return { book, stopped, complaints, idempotency, isBlocking, canCancel, openEngine };
}
