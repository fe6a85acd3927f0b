import type { ResolvedRequest } from '../catalog/model.ts';
import type { Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Desk, EngineStanding, Route } from './desk.ts';
import { placeInQueue } from './fair-queue.ts';
import { type Changes, letGo, moveTask, moveWithin } from './move-task.ts';
import type { TaskRow } from './task.ts';
import { engineOf } from './task-view.ts';

/** Where a task goes on: its new route, with those it leaves behind, and the queue of the new engine. */
export interface NextRoute {
  readonly route: Route;
  readonly queue: string;
}

const REASON_LENGTH = 200;

const selectMaker = prepare<{ id: string }, Pick<TaskRow, 'route_json' | 'keep_json'>>(
  'next_route_maker',
  (builder, argument) =>
    builder.selectFrom('tasks').select(['route_json', 'keep_json']).where('id', '=', argument('id')),
);

/**
 * The configured route that a live order can go on to by the catalog in force; null where there is none. Only for an order that no
 * upstream has. What was frozen with it stays as it is: its request and its price.
 * @param leave.reason why it leaves the one that it has
 * @param leave.standings how the engine that it goes to may stand
 * @param leave.engine the engine itself is what it leaves, with all its models
 */
export async function findNextRoute(
  desk: Desk,
  task: TaskRow,
  leave: { readonly reason: string; readonly standings: readonly EngineStanding[]; readonly engine?: boolean },
): Promise<NextRoute | null> {
  const model = task.mode === 'live' ? desk.catalog().find(task.model_id) : null;
  if (model === null) return null;
  const { tried = [], engine, model: name } = JSON.parse(task.route_json) as Route;
  const left = [...tried, { engine, model: name ?? null, reason: leave.reason.slice(0, REASON_LENGTH) }];
  const request = JSON.parse(task.request_json) as ResolvedRequest;
  const keepTo = await engineToKeepTo(desk.database.read, task.parent_task_id);
  const route = desk.routing.nextRoute(model, request, {
    tried: left,
    keepTo,
    standings: leave.standings,
    notAt: leave.engine === true ? engine : null,
  });
  if (route === null) return null;
  return { route: { ...route, tried: left }, queue: liveQueueOf(route.engine) };
}

/** The only engine that can follow up on a task: the one that made it, where it kept something in its own words. */
export async function engineToKeepTo(read: Session, parentTaskId: string | null): Promise<string | null> {
  const parent = parentTaskId === null ? undefined : await read.first(selectMaker, { id: parentTaskId });
  if (parent === undefined || parent.keep_json === null) return null;
  return (JSON.parse(parent.route_json) as Pick<Route, 'engine'>).engine;
}

/** Takes a claimed task that no upstream has to its next route, by one commit, and lets it go. @throws LostClaim */
export async function takeNextRoute(desk: Desk, task: TaskRow, next: NextRoute): Promise<void> {
  if (task.step === 'waiting' || task.step === 'preparing') await backToQueue(desk, task, next);
  else {
    const changes = { route_json: JSON.stringify(next.route), queue: next.queue, attempts: 0 };
    const moved = await moveTask(desk, 'next_route', task, 'deferred', changes);
    await letGo(desk, moved, { afterMs: 0, attempts: 0 });
  }
  const left = engineOf(task);
  desk.figures.wentOn({ engine: left });
  desk.log.info({ task_id: task.id, from: left, to: next.route.engine }, 'the order goes on to its next route');
}

/**
 * Puts a task that is not begun into the fair queue, of its next route where it has one: there it takes its turn like one that comes new.
 * The key's slot that it has goes with it. @throws LostClaim
 */
export async function backToQueue(desk: Desk, task: TaskRow, next: NextRoute | null): Promise<void> {
  const { media_json, request_json } = task;
  await desk.database.write('back_to_queue', async (trx) => {
    const released: Changes = { worker: null, next_at: task.deadline_at, attempts: 0, media_json, request_json };
    if (next === null) return void (await moveWithin(desk, trx, task, 'waiting', released));
    const { rank } = await placeInQueue(trx, { queue: next.queue, keyId: task.api_key_id, concurrency: 0 });
    const changed: Changes = { ...released, route_json: JSON.stringify(next.route), queue: next.queue, rank };
    await moveWithin(desk, trx, task, 'waiting', changed);
    trx.afterCommit(desk.wakeRunner);
  });
}

export function liveQueueOf(engine: string): string {
  return `${engine}:live`;
}
