import { cutText } from '@darkroom-service/contract';
import { liveQueueOf } from '../../queue/queue-names.ts';
import { isKeyed } from '../../record/owned-instance.ts';
import { paymentOf } from '../../record/payment.ts';
import { requiredEngine } from '../../record/required-engine.ts';
import type { EngineStatus, Route } from '../../record/route.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** The new route of a task, with the routes that it has left, and the queue of the new engine. */
export interface NextRoute {
  readonly route: Route;
  readonly queue: string;
}

const REASON_LENGTH = 200;

/** Reason and conditions of an order's move from its route. */
export interface LeaveRoute {
  readonly reason: string;
  /** The accepted states of the new engine. */
  readonly standings: readonly EngineStatus[];
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
  const keepTo = await requiredEngine(services.database.read, task.parent_task_id);
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
  const { tried = [], engine, model: name, rule } = task.route;
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
    rule,
    // The upstream's own words, and the name of its instance, may tell of the operator's account.
    whyDearer: `${services.routing.kindOf(engine)} did not take the order.`,
  });
  if (route === null) return null;
  return { route: { ...route, tried: left }, queue: liveQueueOf(route.engine) };
}
