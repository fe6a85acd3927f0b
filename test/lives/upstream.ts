import { Readable } from 'node:stream';
import { sleep } from '@darkroom-service/contract';
import { type CallContext, type Delivery, type Engine, EngineError, type Order } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import { OutputFault } from '../../src/worker/output-fault.ts';
import type { OutputFetch } from '../../src/worker/worker-services.ts';
import { plainPicture } from '../helpers/plain-picture.ts';
import { never, type ProcessFaults } from './faulty-database.ts';
import { createRefusals } from './refuse-order.ts';
import type { Seeded } from './seeded.ts';
import type { SimulatedWorld } from './simulation.ts';
import { createTraits, type Traits } from './traits.ts';

/** The upstreams of a simulation with their own book, which is what judges believe. */
export interface Upstreams {
  /** The paid orders, each with how often it was begun. What was refused is not among them. */
  readonly book: ReadonlyMap<string, number>;
  /** The orders that one stopped. */
  readonly stopped: ReadonlySet<string>;
  /** The orders that one has made or makes at no cost. */
  readonly unpaid: ReadonlySet<string>;
  /** The orders without a usable result: they failed there, or what came of them is damaged. */
  readonly spoilt: Set<string>;
  /** The orders that the service forgot as a backup was restored. */
  readonly lost: Set<string>;
  /** The orders that had ended as a backup was restored. */
  readonly ended: Set<string>;
  /** What they were sent that they should never have been sent. */
  readonly complaints: readonly string[];
  readonly traits: readonly Traits[];
  /** The engines of one process, whose calls end with it. */
  readonly openEngines: (world: SimulatedWorld, faults: ProcessFaults) => ReadonlyMap<string, Engine>;
  /** Fetches results of which an upstream gave the address. */
  readonly openFetch: (world: SimulatedWorld, faults: ProcessFaults) => OutputFetch;
}

interface Job {
  readonly readyAt: number;
  readonly fails: boolean;
  readonly result: (typeof DAMAGES)[number] | 'good' | 'at an address';
  /** Whether its server ends whenever it makes it. */
  readonly isDeadly: boolean;
  isCanceled: boolean;
  /** Whether it was told as failed before its result. */
  isGivenUp: boolean;
  /** Whether nobody answers for it any more since then. */
  isSilent: boolean;
}

const CALL_TIMEOUT_MS = 30_000;
/** How often an upstream refuses what was ordered. */
const ORDER_FAILS = 0.1;
/** How often it takes longer than customers wait. */
const OVERDUE = 0.01;
const DAMAGES = ['a tiny picture', 'half a file', 'a smaller picture', 'nothing', 'a page at its address'] as const;

type Parts = {
  readonly seeded: Seeded;
  readonly elapsedMs: () => number;
  readonly tell: (who: string, what: string) => void;
  /** Whether operators hold all submissions. */
  readonly isHeld: () => boolean;
  /** Whether an order is from before the backup that was restored, so that it is of another installation. */
  readonly isOfOriginal: (taskId: string) => boolean;
  /** Whether the service has stored that it sends an order, as far as others can see. */
  readonly isSubmitted: (taskId: string) => boolean;
  /** Calls a process about an order after so many milliseconds. */
  readonly call: (engine: string, taskId: string, afterMs: number) => void;
  readonly names: readonly string[];
  /** Whether it begins a second submission anew although it says that it replays: for a test of the judges. */
  readonly lies: boolean;
};

export function createUpstreams(parts: Parts): Upstreams {
  const { seeded, elapsedMs, tell, isHeld, isSubmitted, call, names, lies } = parts;
  const book = new Map<string, number>();
  /** The models for which the content of orders was refused after they were taken. */
  const refusedContent = new Map<string, string>();
  const sent = new Map<string, string>();
  const away = new Map<string, { readonly until: number; readonly took: 'no' | 'unknown' }>();
  const [stopped, unpaid] = [new Set<string>(), new Set<string>()];
  const [spoilt, ended] = [new Set<string>(), new Set<string>()];
  const complaints: string[] = [];
  const refuse = createRefusals(seeded, elapsedMs, names);
  const files = new Map<string, Buffer>();
  const traits = createTraits(seeded, names, lies);

  /** Nobody asks about an order of the original, but for the result of one that had ended, or if it costs nothing. */
  function isAsked(world: SimulatedWorld, about: string, taskId: string): void {
    // What still runs of a dead process sends nothing.
    if (world.isDead) return;
    if (!parts.isOfOriginal(taskId) || (about === 'check' && ended.has(taskId))) return;
    if (!traits.every(({ isFree }) => isFree)) complaints.push(`${taskId} is of the original: ${about}`);
  }

  /** The call takes time, in which the process may die or break off. */
  async function travel(world: SimulatedWorld, signal?: AbortSignal): Promise<void> {
    await sleep(seeded.between(5, 800), { signal });
    if (world.isDead) await never();
  }

  /** Returns what all calls get for some time; null = the upstream is there. A server of one's own forgets its jobs. */
  function outage({ name, isFree }: Traits, jobs: Map<string, Job>, faults: ProcessFaults): EngineError | null {
    if (elapsedMs() >= (away.get(name)?.until ?? 0) && faults.happens('outages', name)) {
      const ms = seeded.between(5_000, 200_000);
      away.set(name, { until: elapsedMs() + ms, took: seeded.pick(['no', 'unknown']) });
      tell(name, `is away for ${ms} ms`);
      if (isFree) jobs.clear();
    }
    const { until = 0, took = 'no' } = away.get(name) ?? {};
    return elapsedMs() < until ? new EngineError('upstream', 'away', { took }) : null;
  }

  function deliver({ request, taskId }: Order, { result }: Job): Delivery {
    const { width, height } = request.output;
    const whole = plainPicture(request.output, taskId);
    const part = (by: number) =>
      plainPicture({ width: Math.ceil(width! / by), height: Math.ceil(height! / by) }, taskId);
    if (result !== 'good' && result !== 'a smaller picture' && result !== 'at an address') spoilt.add(taskId);
    if (result === 'nothing') return { outputs: [] };
    const data = { 'a tiny picture': () => part(1000), 'a smaller picture': () => part(2) };
    const bytes = result === 'a tiny picture' || result === 'a smaller picture' ? data[result]() : whole;
    const url = `https://upstream.test/${taskId}`;
    const isAway = result === 'at an address' || result === 'a page at its address';
    if (isAway) files.set(url, result === 'at an address' ? bytes : Buffer.from('<html>Log in</html>'));
    const source = isAway ? { url } : { data: result === 'half a file' ? bytes.subarray(0, bytes.length / 2) : bytes };
    return { outputs: [{ source, seed: 1, revisedPrompt: null, tiles: null }] };
  }

  function openEngine(own: Traits, jobs: Map<string, Job>, world: SimulatedWorld, faults: ProcessFaults): Engine {
    const { idempotency, isBlocking, isFree } = own;
    const jobOf = (operation: unknown) => (operation as { readonly job: string }).job;

    function take(taskId: string): string {
      if (idempotency === 'replays' && jobs.has(taskId) && !lies) return taskId;
      const begun = (book.get(taskId) ?? 0) + 1;
      if (isFree) unpaid.add(taskId);
      else book.set(taskId, begun);
      if (begun > 1) complaints.push(`${taskId} was begun twice`);
      const job = begun === 1 ? taskId : `${taskId} ${begun}`;
      const takesMs = seeded.happens(OVERDUE) ? seeded.between(100_000, 600_000) : seeded.between(100, 10_000);
      const damage = DAMAGES.find((one) => faults.happens('damagedResults', one));
      const result = damage ?? (seeded.happens(0.3) ? 'at an address' : 'good');
      const isDeadly = isFree && faults.happens('rareRefusals', 'an order that ends its server');
      const fails = seeded.happens(ORDER_FAILS);
      const readyAt = elapsedMs() + takesMs;
      jobs.set(job, { readyAt, fails, result, isDeadly, isCanceled: false, isGivenUp: false, isSilent: false });
      tell(own.name, `takes ${job}`);
      if (!own.callsBack || faults.happens('callbackFaults', 'a call, lost')) return job;
      const tellOf = (id: string, afterMs: number) => call(own.name, id, afterMs);
      if (faults.happens('callbackFaults', 'a call, too early')) tellOf(taskId, seeded.between(1, takesMs));
      tellOf(taskId, takesMs + (faults.happens('callbackFaults', 'a call, late') ? 15_000 : 1));
      if (faults.happens('callbackFaults', 'a call, doubled')) tellOf(taskId, takesMs + 1);
      const [other = taskId] = sent.keys();
      if (faults.happens('callbackFaults', 'a call about another order')) tellOf(other, takesMs);
      return job;
    }

    return {
      ...own,
      callTimeoutMs: CALL_TIMEOUT_MS,
      async start(order, { signal }) {
        const { taskId } = order;
        if (world.isDead) await never();
        isAsked(world, 'start', taskId);
        if (isHeld() && !sent.has(taskId)) complaints.push(`${taskId} was sent while submissions were held`);
        if (!isSubmitted(taskId)) complaints.push(`${taskId} was sent before it was stored that it would be`);
        const before = sent.get(taskId);
        // Certainly nothing was made for the model before, so the order may go on to its next one.
        if ((refusedContent.get(taskId) ?? order.request.modelId) !== order.request.modelId)
          for (const known of [refusedContent, book, spoilt]) known.delete(taskId);
        if (book.has(taskId) && (idempotency === 'none' || before !== own.name))
          complaints.push(`${taskId} was sent again`);
        sent.set(taskId, own.name);
        faults.at('before an order is sent');
        if (world.isDead) await never();
        const fault =
          outage(own, jobs, faults) ?? refuse(faults, { engine: own.name, taskId, isSentAgain: before !== undefined });
        if (fault !== null) {
          await travel(world, signal);
          throw fault;
        }
        if (idempotency === 'refuses_duplicates' && jobs.has(taskId)) {
          await travel(world, signal);
          if (seeded.happens(0.5)) throw new EngineError('invalid_input', 'a duplicate', { took: 'yes' });
          return { operation: { job: taskId } };
        }
        // The order is sent; from here on it is made whatever becomes of the process.
        const job = take(taskId);
        const made = jobs.get(job)!;
        if (isBlocking) await sleep(Math.max(0, made.readyAt - elapsedMs()), { signal });
        await travel(world, signal);
        faults.at('after an order was sent');
        if (world.isDead) await never();
        if (faults.happens('upstreamFaults', 'the answer to an order'))
          throw new EngineError('upstream', 'connection lost', { took: 'unknown' });
        const [other] = jobs.keys();
        if (!isBlocking && other !== job && faults.happens('rareRefusals', 'a name that another order has'))
          return { operation: { job: other! } };
        if (!isBlocking) return { operation: { job }, checkAfterMs: seeded.pick([0, 50, 1_000, 5_000]) };
        if (made.fails) {
          book.delete(taskId);
          throw new EngineError('content_policy', 'not this', { took: 'no' });
        }
        return { done: deliver(order, made) };
      },
      async check(operation, order, { onProgress, signal }) {
        const { taskId } = order;
        isAsked(world, 'check', taskId);
        const isGivenUp = jobs.get(jobOf(operation))?.isGivenUp === true;
        faults.at(`as an order${isGivenUp ? ' that was given up' : ''} is looked at`);
        if (world.isDead) await never();
        await travel(world, signal);
        const fault = outage(own, jobs, faults);
        if (fault !== null) throw fault;
        if (faults.happens('upstreamFaults', 'a check'))
          throw new EngineError(seeded.pick(['busy', 'upstream', 'timeout']), 'try again', { took: 'yes' });
        const isDeadly = jobs.get(jobOf(operation))?.isDeadly === true;
        if (isFree && (isDeadly || faults.happens('rareRefusals', 'a server that forgets')))
          jobs.delete(jobOf(operation));
        const job = jobs.get(jobOf(operation));
        if (job === undefined) return { status: 'lost', message: 'the server has no such job' };
        if (job.isSilent) throw new EngineError('upstream', 'no answer', { took: 'yes' });
        if (job.isCanceled) return { status: 'canceled' };
        for (const [point, fault] of [
          ['a check that says no', new EngineError('content_policy', 'not this', { took: 'yes' })],
          ['a check without its file', new StorageError('not_found', 'input')],
        ] as const)
          if (faults.happens('rareRefusals', point)) {
            spoilt.add(taskId);
            throw fault;
          }
        const isReady = elapsedMs() >= job.readyAt;
        if (!isReady && (job.isGivenUp || faults.happens('rareRefusals', 'a failure before its result'))) {
          if (!job.isGivenUp) job.isSilent = seeded.happens(0.2);
          job.isGivenUp = true;
          spoilt.add(taskId);
          return { status: 'failed', error: { code: 'timeout', message: 'too slow' }, lateResult: true };
        }
        if (!isReady) {
          const leftMs = job.readyAt - elapsedMs();
          onProgress(seeded.between(1, 99));
          return { status: 'pending', progress: seeded.between(1, 99), estimatedSeconds: leftMs / 1000 };
        }
        faults.at('as a result comes');
        if (world.isDead) await never();
        if (!job.fails) return { status: 'succeeded', delivery: deliver(order, job) };
        spoilt.add(taskId);
        refusedContent.set(taskId, order.request.modelId);
        return { status: 'failed', error: { code: 'content_policy', message: 'not this' } };
      },
      jobOf,
      ...(own.canCancel ? { cancel } : { cancel: undefined }),
      ...(idempotency === 'findable' ? { find } : { find: undefined }),
      ...(own.callsBack
        ? { callsBack: () => true, readCallback: async () => 'ended' as const }
        : { callsBack: undefined }),
    } as Engine;

    async function cancel(operation: unknown, order: Order): Promise<boolean> {
      isAsked(world, 'cancel', order.taskId);
      await travel(world);
      const job = jobs.get(jobOf(operation));
      if (job === undefined || elapsedMs() >= job.readyAt) return false;
      job.isCanceled = true;
      stopped.add(order.taskId);
      return true;
    }

    async function find(taskId: string, _: Order, { signal }: CallContext): Promise<{ job: string } | null> {
      isAsked(world, 'find', taskId);
      await travel(world, signal);
      const fault = outage(own, jobs, faults);
      if (fault !== null) throw fault;
      if (faults.happens('upstreamFaults', 'a search'))
        throw new EngineError('upstream', 'connection lost', { took: 'unknown' });
      return jobs.has(taskId) ? { job: taskId } : null;
    }
  }

  const jobs = new Map(names.map((name) => [name, new Map<string, Job>()]));
  return {
    book,
    stopped,
    unpaid,
    spoilt,
    lost: new Set(),
    ended,
    complaints,
    traits,
    openEngines: (world, faults) =>
      new Map(traits.map((own) => [own.name, openEngine(own, jobs.get(own.name)!, world, faults)])),
    openFetch: (world, faults) => async (url) => {
      await travel(world);
      if (!faults.happens('damagedResults', 'a download that breaks off')) return Readable.from([files.get(url)!]);
      spoilt.add(url.slice(url.lastIndexOf('/') + 1));
      throw new OutputFault('its download broke off', { retryable: true });
    },
  };
}
