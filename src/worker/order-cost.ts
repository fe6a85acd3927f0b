import { figureName, isKeyed } from '../base/keyed-engine.ts';
import { formatMicros, type Micros } from '../base/money.ts';
import type { ResolvedRequest } from '../catalog/model.ts';
import { kindOf } from '../engines/instance.ts';
import type { ToldCost } from '../engines/told-cost.ts';
import { expectedCost, routeOfOrder, toldAmount } from '../pricing/order-cost.ts';
import { measurementsOf, type TaskRow } from '../tasks/task.ts';
import type { OrderCost } from '../tasks/task-costs.ts';
import { mediaOf, requestOf, routeOf } from '../tasks/task-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { WorkerServices } from './worker-services.ts';

/** Told and expected cost of an order may differ by this share before the operator is told. */
const TOLERATED_SHARE = 0.05;

/** How an order ended for its upstream. */
export interface Billed {
  readonly outcome: OrderCost['outcome'];
  readonly told: ToldCost | undefined;
  /** The upstream bills such an order by its price list. */
  readonly isExpected: boolean;
}

/** Returns what a result cost that arrived after the task had ended. */
export function costOfLateResult(
  work: Pick<WorkerServices, 'engines' | 'services'>,
  task: TaskRow,
  told: ToldCost | undefined,
): OrderCost | null {
  return costOf(work, task, { outcome: 'failed', told, isExpected: true }, null);
}

/**
 * Returns what an order cost its operator; null if nothing is known or expected. Never throws: an order settles
 * whatever its cost is.
 */
export function costOf(
  work: Pick<WorkerServices, 'engines' | 'services'>,
  task: TaskRow,
  billed: Billed,
  deliveredSeconds: number | null | undefined,
): OrderCost | null {
  try {
    return computeCost(work, task, billed, deliveredSeconds);
  } catch (error) {
    work.services.log.error({ err: error, task_id: task.id, told: billed.told }, "could not compute an order's cost");
    return null;
  }
}

function computeCost(
  { engines, services }: Pick<WorkerServices, 'engines' | 'services'>,
  task: TaskRow,
  { outcome, told, isExpected }: Billed,
  deliveredSeconds: number | null | undefined,
): OrderCost | null {
  if (task.mode !== 'live') return null;
  const route = routeOf(task);
  if (isKeyed(route.engine)) return outcome === 'succeeded' ? paidByCustomer(route) : null;
  const model = services.catalog().find(task.model_id);
  const kind = kindOf(engines.get(route.engine) ?? { name: route.engine });
  const isStated = model?.routes.some(({ engine, cost }) => engine === kind && cost !== undefined) === true;
  // Most orders without a cost end here: their request is not read again.
  if ((told === undefined && !isStated) || engines.get(route.engine)?.isFree === true) return null;
  // An erased order has no request any more.
  const request = task.erased_at === null ? measuredRequest(task, deliveredSeconds ?? null) : null;
  const cost = request === null ? undefined : routeOfOrder(model, { engine: kind, model: route.model }, request)?.cost;
  const expected = request === null || !isExpected ? null : expectedCost(cost, request, measurementsOf(mediaOf(task)));
  const amount = told === undefined ? null : toldAmount(told, cost?.unit_price);
  const toldUnits = told !== undefined && 'units' in told ? told.units : null;
  if (expected === null && amount === null && toldUnits === null) return null;
  return { engine: route.engine, upstreamModel: route.model, outcome, expected, told: amount, toldUnits };
}

/** An order with an upstream key of its account costs the operator nothing: the customer gets the bill. */
function paidByCustomer({ engine, model }: { readonly engine: string; readonly model: string | null }): OrderCost {
  const nothing = { expected: 0, told: null, toldUnits: null };
  return { engine: figureName(engine), upstreamModel: model, outcome: 'succeeded', ...nothing };
}

/** The request as its price is settled: with the delivered length. */
function measuredRequest(task: TaskRow, deliveredSeconds: number | null): ResolvedRequest {
  const request = requestOf(task);
  if (deliveredSeconds === null) return request;
  return { ...request, output: { ...request.output, durationSeconds: deliveredSeconds } };
}

/**
 * Counts what a settled order cost. Logs an order that cost more than its price, or other than its upstream's price
 * list says.
 */
export function noteCost({ figures, log }: TaskServices, task: TaskRow, cost: OrderCost, charged: Micros): void {
  const { engine, outcome, expected, told } = cost;
  const known = told ?? expected;
  const belowCost = outcome === 'succeeded' && known !== null && known > charged;
  const differs = told !== null && expected !== null && Math.abs(told - expected) > expected * TOLERATED_SHARE;
  figures.orderCost({ engine, model: task.model_id, outcome, charged, expected, told, belowCost, differs });
  const fields = {
    task_id: task.id,
    engine,
    model_id: task.model_id,
    upstream_model: cost.upstreamModel,
    ...(told === null ? {} : { upstream_cost: formatMicros(told) }),
    ...(expected === null ? {} : { expected_cost: formatMicros(expected) }),
    charged: formatMicros(charged),
  };
  if (belowCost) log.warn(fields, 'order cost more at its upstream than its customer was charged');
  if (differs) log.warn(fields, 'order cost other at its upstream than the catalog expects');
}
