import { cutText } from '@darkroom-service/contract';
import { liveQueueOf } from '../../queue/queue-names.ts';
import type { ModelOrder } from '../../record/order-models.ts';
import { isKeyed } from '../../record/owned-instance.ts';
import { paymentOf } from '../../record/payment.ts';
import { requiredEngine } from '../../record/required-engine.ts';
import type { EngineStatus, Route } from '../../record/route.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { nextModelOf, type OrderAtModel } from './next-model.ts';

/** The new route of a task, with the routes that it has left, and the queue of the new engine. */
export interface NextRoute {
  readonly route: Route;
  readonly queue: string;
  /** The columns that its row gets, if it goes on to its next model. */
  readonly order?: ModelOrder;
}

const REASON_LENGTH = 200;

/** Reason and conditions of an order's move from its route. */
export interface LeaveRoute {
  readonly reason: string;
  /** The accepted states of the new engine. */
  readonly standings: readonly EngineStatus[];
  /** True if the order leaves the engine with all its models. */
  readonly engine?: boolean;
  /** Reason, for the customer, if the order leaves its model with all its routes. */
  readonly model?: string;
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
 * Returns the next route of an order from known facts, without reading the database: of its model, else of the next
 * model that it names.
 * @param keepTo the only engine that can make the order; null = any
 */
export function nextRouteOf(
  services: Pick<TaskServices, 'catalog' | 'clock' | 'routing'>,
  task: TaskRecord,
  keepTo: string | null,
  leave: LeaveRoute,
): NextRoute | null {
  if (task.mode !== 'live') return null;
  const { catalog, clock, routing } = services;
  const { tried: before = [], engine, model: name, rule, models } = task.route;
  const ofModel = models === undefined ? {} : { model_id: task.model_id };
  const reason = cutText(leave.reason, REASON_LENGTH);
  const tried = [...before, { engine, model: name, reason, left_at: clock.now(), ...ofModel }];
  // The upstream's own words, and the name of its instance, may tell of the operator's account.
  const notTaken = `${routing.kindOf(engine)} did not take the order.`;
  const routeAt = ({ model, request, quote, isKeyed: keyed }: OrderAtModel) =>
    routing.nextRoute(model, request, {
      account: task.account_id,
      tried: tried.filter(({ model_id: id = model.model_id }) => id === model.model_id),
      keepTo,
      isKeyed: keyed,
      standings: leave.standings,
      notAt: leave.engine === true ? engine : null,
      payment: paymentOf(quote, request, task.media),
      rule,
      whyDearer: notTaken,
    });
  const model = leave.model === undefined ? catalog().find(task.model_id) : null;
  const { request, quote } = task;
  const route = model === null ? null : routeAt({ model, request, quote, isKeyed: isKeyed(engine) });
  if (route !== null)
    return { route: { ...route, tried, ...(models && { models }) }, queue: liveQueueOf(route.engine) };
  const next = models === undefined ? null : nextModelOf(services, task, models, leave.model ?? notTaken, routeAt);
  if (next === null) return null;
  return {
    route: { ...next.route, tried, models: next.models },
    queue: liveQueueOf(next.route.engine),
    order: next.order,
  };
}
