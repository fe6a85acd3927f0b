import type { Transaction } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { fillSlots, hasFreeSlot, lockSlotsOf, placeInQueue } from '../../queue/fair-queue.ts';
import { GATES } from '../../queue/gates.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { PARKED_AT_MOST_MS } from '../../routing/wake-orders.ts';
import { type Changes, moveTask, releaseLease } from '../../tasks/move-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { storeProgress } from '../store-progress.ts';
import type { NextRoute } from './next-route.ts';

/** Step in which a released task waits, the pause before it is claimed again, and its stored details. */
export type Release =
  /** The step does not change. */
  | {
      readonly step: 'same';
      readonly afterMs: number;
      readonly attempts: number;
      /** Progress in percent, and the estimated end in ms since 1970; null or absent: nothing new. */
      readonly progress?: number | null;
      readonly estimatedEndAt?: number | null;
      /** Whether its engine has delivered it, and only its file cannot be read: it needs no slot any more. */
      readonly isDelivered?: true;
    }
  /** The order is submitted after the pause: certainly no engine has it, or a free one has lost it or may have. */
  | {
      readonly step: 'deferred';
      readonly afterMs: number;
      readonly attempts: number;
      /**
       * `refused`: its time runs from the first refusal. `held`: it waits for a valve as if it had not been sent.
       * `ours`: this machine lacks a resource, so the order keeps the slot of its key. `lost`: its operation is
       * forgotten, and the loss is counted.
       */
      readonly why: 'refused' | 'held' | 'ours' | 'lost';
    }
  /**
   * The order was never submitted, and keeps its rank. Without a pause it is claimed like any other, with the slot of
   * its key; with one it is parked, without a slot.
   */
  | { readonly step: 'waiting'; readonly afterMs: number };

type ReleaseOf<Step extends Release['step']> = Extract<Release, { readonly step: Step }>;
type Services = Pick<TaskServices, 'clock' | 'database' | 'events' | 'wakeRunner'>;

/** Pause above which a waiting order gives up the slot of its key, and a delivered one its engine's too. */
const SLOT_KEPT_MS = 5_000;
const TOGETHER = { together: true };

/** Releases the claim on a task in one commit. @throws LostClaim if the step changes and the claim is lost */
export async function release(services: Services, task: TaskRecord, how: Release): Promise<void> {
  const { database } = services;
  switch (how.step) {
    case 'same': {
      const { afterMs, attempts, progress = null, estimatedEndAt = null, isDelivered = false } = how;
      if (isDelivered && task.claimable === 1 && afterMs >= SLOT_KEPT_MS)
        return await database.write(
          'let_go',
          (trx) => giveUpSlots(services, trx, task, { afterMs, attempts }),
          TOGETHER,
        );
      if (progress !== null) await storeProgress(services, task, { progress, estimatedEndAt: null });
      const options = { afterMs, attempts, ...(estimatedEndAt === null ? {} : { estimatedEndAt }) };
      return await database.write('let_go', async (trx) => releaseLease(trx, task, options), TOGETHER);
    }
    case 'deferred':
      return await database.write('deferred', (trx) => defer(services, trx, task, how), TOGETHER);
    case 'waiting':
      if (how.afterMs > 0) return await database.write('parked', (trx) => park(services, trx, task, how));
      return await database.write('back_to_queue', (trx) => enqueue(services, trx, task, null));
  }
}

/**
 * Moves a claimed task that no upstream has to its next route, and to its next model if the route is of that, and
 * releases the claim, in one commit. In the queue of the next route an order that was never submitted waits like a new
 * one.
 * @throws LostClaim
 */
export async function reroute(
  services: Services & Pick<TaskServices, 'figures' | 'log'>,
  task: TaskRecord,
  next: NextRoute,
): Promise<void> {
  const { database, figures, log } = services;
  if (task.step === 'waiting' || task.step === 'preparing')
    await database.write('next_route', (trx) => enqueue(services, trx, task, next));
  else {
    const move = async (trx: Transaction) => {
      // The upstream of a running order has ended it.
      const ended = task.step === 'running' ? { operation_json: null, estimated_end_at: null } : {};
      const moved = await moveTask(services, trx, task, 'deferred', { ...next, ...ended, attempts: 0 });
      releaseLease(trx, moved, { afterMs: 0, attempts: 0 });
    };
    await database.write('next_route', move, TOGETHER);
  }
  const left = task.route.engine;
  figures.wentOn({ engine: left });
  log.info({ task_id: task.id, from: left, to: next.route.engine }, 'order moved to its next route');
}

async function defer(
  services: Services,
  trx: Transaction,
  task: TaskRecord,
  { afterMs, attempts, why }: ReleaseOf<'deferred'>,
): Promise<void> {
  const { route, api_key_id } = task;
  const keepsSlot = why === 'ours' || afterMs < SLOT_KEPT_MS;
  const concurrency = keepsSlot ? 0 : await lockSlotsOf(trx, api_key_id);
  const refused = { route: { ...route, refused_at: route.refused_at ?? services.clock.now() } };
  const lost = { operation_json: null, route: { ...route, losses: (route.losses ?? 0) + 1 } };
  const changes: Changes = {
    ...(why === 'refused' ? refused : why === 'lost' ? lost : {}),
    ...(concurrency === 0 ? {} : { claimable: 0 }),
  };
  const deferred = await moveTask(services, trx, task, 'deferred', changes);
  releaseLease(trx, deferred, { afterMs, attempts });
  if (concurrency === 0) return;
  await fillSlots(trx, api_key_id, concurrency);
  trx.afterCommit(services.wakeRunner);
}

/** Gives up the slots of a delivered order, of its engine and of its key, for good. */
async function giveUpSlots(
  services: Services,
  trx: Transaction,
  task: TaskRecord,
  pause: Pick<ReleaseOf<'same'>, 'afterMs' | 'attempts'>,
): Promise<void> {
  const concurrency = await lockSlotsOf(trx, task.api_key_id);
  releaseLease(trx, await moveTask(services, trx, task, 'running', { claimable: 0 }), pause);
  await fillSlots(trx, task.api_key_id, concurrency);
  trx.afterCommit(services.wakeRunner);
}

async function park(
  services: Services,
  trx: Transaction,
  task: TaskRecord,
  { afterMs }: ReleaseOf<'waiting'>,
): Promise<void> {
  const concurrency = await lockSlotsOf(trx, task.api_key_id);
  const checkAt = (await databaseNow(trx)) + Math.round(Math.min(PARKED_AT_MOST_MS, afterMs));
  await moveTask(services, trx, task, 'waiting', {
    worker: null,
    claimable: 0,
    gates: GATES.route,
    next_at: Math.min(checkAt, task.deadline_at),
    attempts: 0,
    request: task.request,
  });
  await fillSlots(trx, task.api_key_id, concurrency);
  trx.afterCommit(services.wakeRunner);
}

/** Puts a task into the fair queue. It keeps the slot of its key; a parked task gets one if one is free. */
async function enqueue(services: Services, trx: Transaction, task: TaskRecord, next: NextRoute | null): Promise<void> {
  const gates = task.gates & ~GATES.route;
  const claimable = gates === 0 ? await claimableAgain(trx, task) : 0;
  const released: Changes = {
    worker: null,
    claimable,
    gates,
    next_at: task.deadline_at,
    attempts: 0,
    request: task.request,
  };
  if (next === null) {
    await moveTask(services, trx, task, 'waiting', released);
    if (task.claimable === 0) trx.afterCommit(services.wakeRunner);
    return;
  }
  const { rank } = await placeInQueue(trx, {
    queue: next.queue,
    keyId: task.api_key_id,
    concurrency: 0,
    gates: 0,
    line: task.line,
  });
  await moveTask(services, trx, task, 'waiting', { ...released, ...next, rank });
  trx.afterCommit(services.wakeRunner);
}

/** Returns whether an order that returns to the queue may be claimed at once. Call it before any write. */
export async function claimableAgain(trx: Transaction, task: TaskRecord): Promise<0 | 1> {
  if (task.claimable === 1) return 1;
  const concurrency = await lockSlotsOf(trx, task.api_key_id);
  return (await hasFreeSlot(trx, task.api_key_id, concurrency)) ? 1 : 0;
}
