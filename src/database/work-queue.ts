import { world } from '@darkroom-service/contract';
import { backOff } from '../base/back-off.ts';
import type { Log } from '../base/log.ts';
import { startWorkLoop } from '../base/work-loop.ts';
import type { Database } from './database.ts';
import { type Claim, claimWork, nextWorkInMs, releaseWork, renewWork, type WorkKind } from './work.ts';

/** A worker that does due work of one kind until it is stopped. */
export interface WorkQueue {
  /** Call when there may be work. */
  wake(): void;
  /** Aborts this process's work on a subject, if any. */
  abort(subject: string, reason: Error): void;
  /** Aborts running work and waits for it to end. It is due again at once, for another process or the next start. */
  stop(): Promise<void>;
}

/** Work of one kind, and how this process does it. */
export interface WorkQueueOptions {
  readonly database: Database;
  readonly log: Log;
  readonly kind: WorkKind;
  /** Maximum number of claims that this process works on at once. */
  readonly concurrency: number;
  /** Maximum number of them of one owner, so that no owner makes the others wait; default: no limit. */
  readonly concurrencyPerOwner?: number;
  /** Tells whether work is suspended. */
  readonly isSuspended?: () => boolean;
  readonly leaseMs?: number | undefined;
  /**
   * Does the work, and ends or releases it in the commit that records what was done. If this throws, the work is
   * released.
   * @param signal is aborted when the claim is lost, and by a stop
   */
  readonly perform: (claim: Claim, signal: AbortSignal) => Promise<void>;
}

interface Running {
  readonly claim: Claim;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Duration of a lease, in milliseconds. Leases of work that takes longer are renewed. */
const LEASE_MS = 30_000;
const LOOK_EVERY_MS = 1_000;
/** Returns the pause after an internal fault, such as of the storage. Such a fault is not counted as an attempt. */
const pauseAfterFault = () => backOff(3);

/** Starts to do the due work of one kind. */
export function startWorkQueue(options: WorkQueueOptions): WorkQueue {
  const { database, log, kind, concurrency, concurrencyPerOwner, leaseMs = LEASE_MS } = options;
  const running = new Map<string, Running>();
  /** Maximum number of claims per poll; all may be of one owner. */
  const portion = concurrencyPerOwner === undefined ? concurrency : Math.max(1, Math.floor(concurrencyPerOwner / 2));
  const loop = startWorkLoop({
    run: claimDue,
    restMs: LOOK_EVERY_MS,
    onError: (error) => log.error({ err: error, kind }, 'could not claim work; retrying'),
  });
  const renewal = world.setInterval(() => void renew(), leaseMs / 3);
  renewal.unref();

  return {
    wake: () => loop.wake(),
    abort: (subject, reason) => running.get(subject)?.controller.abort(reason),
    async stop() {
      await loop.stop();
      for (const { controller } of running.values()) controller.abort(new Error('the service stops'));
      await Promise.all([...running.values()].map(({ done }) => done));
      world.clearInterval(renewal);
    },
  };

  /** @returns the pause before the next look, in ms */
  async function claimDue(): Promise<number> {
    const room = concurrency - running.size;
    if (room <= 0 || options.isSuspended?.() === true) return LOOK_EVERY_MS;
    const limit = Math.min(room, portion);
    let dueInMs = Number.POSITIVE_INFINITY;
    for (const except of ownersToWait()) {
      const inMs = await nextWorkInMs(database.read, kind, except);
      if (inMs !== null && inMs <= 0) {
        const claims = await database.write(`${kind}_claim`, (trx) => claimWork(trx, { kind, limit, leaseMs, except }));
        for (const claim of claims) start(claim);
        return claims.length === 0 ? LOOK_EVERY_MS : 0;
      }
      dueInMs = inMs ?? dueInMs;
    }
    return Math.min(LOOK_EVERY_MS, dueInMs);
  }

  /** Returns the owners to exclude: first all whose work is running, then only those without room for a portion. */
  function ownersToWait(): string[][] {
    if (concurrencyPerOwner === undefined || running.size === 0) return [[]];
    const inProgress = new Map<string, number>();
    for (const { claim } of running.values()) inProgress.set(claim.owner, (inProgress.get(claim.owner) ?? 0) + 1);
    return [
      [...inProgress.keys()],
      [...inProgress].flatMap(([owner, count]) => (count + portion > concurrencyPerOwner ? [owner] : [])),
    ];
  }

  function start(claim: Claim): void {
    running.get(claim.subject)?.controller.abort(new Error('claimed anew'));
    const controller = new AbortController();
    const done = perform(claim, controller.signal).finally(() => {
      if (running.get(claim.subject) === entry) running.delete(claim.subject);
      loop.wake();
    });
    const entry: Running = { claim, controller, done };
    running.set(claim.subject, entry);
  }

  async function perform(claim: Claim, signal: AbortSignal): Promise<void> {
    const { subject } = claim;
    try {
      await options.perform(claim, signal);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, kind, subject }, 'could not do work; retrying');
      const inMs = signal.aborted ? 0 : pauseAfterFault();
      await database
        .write(`${kind}_released`, (trx) => releaseWork(trx, claim, { inMs }))
        .catch((fault: unknown) =>
          log.error({ err: fault, kind, subject }, 'could not release work; its lease ends by itself'),
        );
    }
  }

  async function renew(): Promise<void> {
    const claims = [...running.values()];
    if (claims.length === 0) return;
    try {
      const kept = await database.write(`${kind}_renewal`, (trx) =>
        Promise.all(claims.map(({ claim }) => renewWork(trx, claim, leaseMs))),
      );
      for (const [at, { controller }] of claims.entries())
        if (kept[at] === false) controller.abort(new Error('the work has ended, or another process does it'));
    } catch (error) {
      log.error({ err: error, kind }, 'could not renew leases');
    }
  }
}
