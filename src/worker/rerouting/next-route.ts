import { cutText } from '@darkroom-service/contract';
import type { Transaction } from '../../database/database.ts';
import { engineToKeepTo } from '../../tasks/engine-to-keep-to.ts';
import { placeInQueue } from '../../tasks/fair-queue.ts';
import { GATES } from '../../tasks/gates.ts';
import { type Changes, letGo, moveTask } from '../../tasks/move-task.ts';
import { isKeyed } from '../../tasks/owned-instance.ts';
import { paymentOf } from '../../tasks/payment.ts';
import { liveQueueOf } from '../../tasks/queue-names.ts';
import type { EngineStanding, Route } from '../../tasks/route.ts';
import type { TaskRecord } from '../../tasks/task-record.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { claimableAgain } from './park-order.ts';

/** The new route of a task, with the routes that it has left, and the queue of the new engine. */
export interface NextRoute {
  readonly route: Route;
  readonly queue: string;
}

const REASON_LENGTH = 200;

/** Why and how an order leaves its route. */
export interface LeaveRoute {
  readonly reason: string;
  /** The accepted states of the new engine. */
  readonly standings: readonly EngineStanding[];
  /** True if the order leaves the engine with all its models. */
  readonly engine?: boolean;
}

/**
 * Returns the next configured route of a live order in the current catalog; null if there is none. Only for an order
 * that no upstream has. Its request and its price stay as ordered.
 */
export async function findNextRoute(
  services: Pick<TaskServices, 'catalog' | 'clock' | 'database' | 'routing'>,
  task: TaskRecord,
  leave: LeaveRoute,
): Promise<NextRoute | null> {
  const keepTo = await engineToKeepTo(services.database.read, task.parent_task_id);
  return nextRouteOf(services, task, keepTo, leave);
}

/**
 * Returns the next route of an order from known facts, without reading the database.
 * @param keepTo the only engine that can make the order; null = any
 */
export function nextRouteOf(
  services: Pick<TaskServices, 'catalog' | 'clock' | 'routing'>,
  task: TaskRecord,
  keepTo: string | null,
  leave: LeaveRoute,
): NextRoute | null {
  const model = task.mode === 'live' ? services.catalog().find(task.model_id) : null;
  if (model === null) return null;
  const { tried = [], engine, model: name } = task.route;
  const reason = cutText(leave.reason, REASON_LENGTH);
  const left = [...tried, { engine, model: name, reason, left_at: services.clock.now() }];
  const route = services.routing.nextRoute(model, task.request, {
    account: task.account_id,
    tried: left,
    keepTo,
    isKeyed: isKeyed(engine),
    standings: leave.standings,
    notAt: leave.engine === true ? engine : null,
    payment: paymentOf(task.quote, task.request, task.media),
  });
  if (route === null) return null;
  return { route: { ...route, tried: left }, queue: liveQueueOf(route.engine) };
}

/** Moves a claimed task that no upstream has to its next route in one commit, and releases it. @throws LostClaim */
export async function takeNextRoute(
  services: Pick<TaskServices, 'database' | 'events' | 'figures' | 'log' | 'wakeRunner'>,
  task: TaskRecord,
  next: NextRoute,
): Promise<void> {
  if (task.step === 'waiting' || task.step === 'preparing') await backToQueue(services, task, next);
  else {
    const together = { together: true };
    const changes = { ...next, attempts: 0 };
    const move = (trx: Transaction) => moveTask(services, trx, task, 'deferred', changes);
    const moved = await services.database.write('next_route', move, together);
    const release = async (trx: Transaction) => letGo(trx, moved, { afterMs: 0, attempts: 0 });
    await services.database.write('let_go', release, together);
  }
  const left = task.route.engine;
  services.figures.wentOn({ engine: left });
  services.log.info({ task_id: task.id, from: left, to: next.route.engine }, 'order moved to its next route');
}

/**
 * Puts a task that has not started back into the fair queue. In the queue of a next route it takes its turn like a new
 * order. The task keeps the slot of its key; a parked task gets one if one is free.
 * @throws LostClaim
 */
export async function backToQueue(
  services: Pick<TaskServices, 'database' | 'events' | 'wakeRunner'>,
  task: TaskRecord,
  next: NextRoute | null,
): Promise<void> {
  await services.database.write('back_to_queue', async (trx) => {
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
    const changed: Changes = { ...released, ...next, rank };
    await moveTask(services, trx, task, 'waiting', changed);
    trx.afterCommit(services.wakeRunner);
  });
}
