import { engineToKeepTo } from '../../tasks/engine-to-keep-to.ts';
import { placeInQueue } from '../../tasks/fair-queue.ts';
import { type Changes, letGo, moveTask, moveWithin } from '../../tasks/move-task.ts';
import { liveQueueOf } from '../../tasks/queue-names.ts';
import type { EngineStanding, Route } from '../../tasks/route.ts';
import { engineOf, type TaskRow } from '../../tasks/task.ts';
import { requestOf, routeOf } from '../../tasks/task-json.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { claimableAgain } from './park-order.ts';

/** Where a task goes on: its new route, with those it leaves behind, and the queue of the new engine. */
export interface NextRoute {
  readonly route: Route;
  readonly queue: string;
}

const REASON_LENGTH = 200;

/** Why and how an order leaves its route. */
export interface LeaveRoute {
  readonly reason: string;
  /** How the engine that it goes to may stand. */
  readonly standings: readonly EngineStanding[];
  /** It leaves the engine itself, with all its models. */
  readonly engine?: boolean;
}

/**
 * The configured route that a live order can go on to by the catalog in force; null where there is none. Only for an order that no
 * upstream has. What was frozen with it stays as it is: its request and its price.
 */
export async function findNextRoute(
  services: TaskServices,
  task: TaskRow,
  leave: LeaveRoute,
): Promise<NextRoute | null> {
  const keepTo = await engineToKeepTo(services.database.read, task.parent_task_id);
  return nextRouteOf(services, task, keepTo, leave);
}

/** The same without reading. @param keepTo the only engine that can make the order; null = any */
export function nextRouteOf(
  services: Pick<TaskServices, 'catalog' | 'routing'>,
  task: TaskRow,
  keepTo: string | null,
  leave: LeaveRoute,
): NextRoute | null {
  const model = task.mode === 'live' ? services.catalog().find(task.model_id) : null;
  if (model === null) return null;
  const { tried = [], engine, model: name } = routeOf(task);
  const left = [...tried, { engine, model: name, reason: leave.reason.slice(0, REASON_LENGTH) }];
  const request = requestOf(task);
  const route = services.routing.nextRoute(model, request, {
    tried: left,
    keepTo,
    standings: leave.standings,
    notAt: leave.engine === true ? engine : null,
  });
  if (route === null) return null;
  return { route: { ...route, tried: left }, queue: liveQueueOf(route.engine) };
}

/** Takes a claimed task that no upstream has to its next route, by one commit, and lets it go. @throws LostClaim */
export async function takeNextRoute(services: TaskServices, task: TaskRow, next: NextRoute): Promise<void> {
  if (task.step === 'waiting' || task.step === 'preparing') await backToQueue(services, task, next);
  else {
    const changes = { route_json: JSON.stringify(next.route), queue: next.queue, attempts: 0 };
    const moved = await moveTask(services, 'next_route', task, 'deferred', changes);
    await letGo(services, moved, { afterMs: 0, attempts: 0 });
  }
  const left = engineOf(task);
  services.figures.wentOn({ engine: left });
  services.log.info({ task_id: task.id, from: left, to: next.route.engine }, 'order moved to its next route');
}

/**
 * Puts a task that is not begun into the fair queue, of its next route where it has one: there it takes its turn like one that comes new.
 * The key's slot that it has goes with it; one that was put aside takes one where one is free. @throws LostClaim
 */
export async function backToQueue(services: TaskServices, task: TaskRow, next: NextRoute | null): Promise<void> {
  const { media_json, request_json } = task;
  await services.database.write('back_to_queue', async (trx) => {
    const claimable = await claimableAgain(trx, task);
    const released: Changes = {
      worker: null,
      claimable,
      next_at: task.deadline_at,
      attempts: 0,
      media_json,
      request_json,
    };
    if (next === null) {
      await moveWithin(services, trx, task, 'waiting', released);
      if (task.claimable === 0) trx.afterCommit(services.wakeRunner);
      return;
    }
    const { rank } = await placeInQueue(trx, {
      queue: next.queue,
      keyId: task.api_key_id,
      concurrency: 0,
      unfetched: false,
    });
    const changed: Changes = { ...released, route_json: JSON.stringify(next.route), queue: next.queue, rank };
    await moveWithin(services, trx, task, 'waiting', changed);
    trx.afterCommit(services.wakeRunner);
  });
}
