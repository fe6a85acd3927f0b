import { formatMicros, type Micros } from '@darkroom-service/contract';
import { type ResolvedRequest, statedCost } from '@darkroom-service/contract/catalog';
import { kindOf, type ReportedCost } from '@darkroom-service/engines';
import { HOURLY_ABOUT } from '../base/log.ts';
import { isFreeEngine } from '../catalog/can-serve.ts';
import { expectedCost, listPrice, reportedAmount, routeOfOrder } from '../catalog/pricing/order-cost.ts';
import { costMultiplier } from '../catalog/pricing/terms.ts';
import { figureName, isKeyed } from '../record/owned-instance.ts';
import { measurementsOf } from '../record/task.ts';
import type { OrderCost } from '../record/task-costs.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Ending } from '../tasks/settle-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { TaskEvent } from './decide/event.ts';
import type { WorkerServices } from './worker-services.ts';

/** Share by which the reported and the expected cost of an order may differ before the operator is notified. */
const TOLERATED_SHARE = 0.05;

/** End of an order as its upstream bills it. */
interface Billed {
  readonly outcome: OrderCost['outcome'];
  readonly told: ReportedCost | undefined;
  /** Whether the upstream bills such an order by its price list. */
  readonly isExpected: boolean;
  /** The length of the delivered video; absent if it is that of the request. */
  readonly seconds?: number | null;
}

/**
 * Returns how the upstream bills an order that ends; null if it does not. An order that failed after its upstream
 * delivered counts, and so does one that the upstream may have made.
 * @param told the cost that the upstream reported with its result
 */
export function billedBy(
  task: TaskRecord,
  told: ReportedCost | undefined,
  event: TaskEvent,
  ending: Ending,
): Billed | null {
  if (ending.status === 'succeeded')
    return { outcome: 'succeeded', told, isExpected: true, seconds: ending.outputs[0]?.durationSeconds ?? null };
  if (event.type === 'collected' || event.type === 'collect_failed')
    return { outcome: 'failed', told, isExpected: true };
  if (ending.status === 'failed' && mayBeBilled(task, event, ending))
    return { outcome: 'unknown', told, isExpected: true };
  if (event.type !== 'checked' || event.checked.status === 'pending' || event.checked.status === 'lost') return null;
  const reportedNow = 'upstreamCost' in event.checked ? event.checked.upstreamCost : undefined;
  const outcome = ending.status === 'canceled' ? 'canceled' : 'failed';
  return reportedNow === undefined || isNothing(reportedNow) ? null : { outcome, told: reportedNow, isExpected: false };
}

/** Tells whether an upstream may have made the order, or may still make it. */
function mayBeBilled(
  task: TaskRecord,
  event: TaskEvent,
  { failure, lateResultAfterMs }: Extract<Ending, { status: 'failed' }>,
): boolean {
  if (failure.code === 'outcome_unknown' || lateResultAfterMs !== undefined) return true;
  // The upstream has the order and could not be asked for it, or its result could not be stored, until the deadline.
  if (event.type === 'check_failed') return !['invalid_input', 'content_policy'].includes(event.fault.class);
  return event.type === 'broke_off' && ['submitting', 'running'].includes(task.step);
}

function isNothing(told: ReportedCost): boolean {
  return !('tokens' in told) && /^[0.]+$/.test('usd' in told ? told.usd : told.units);
}

/** Returns the cost of a result that arrived after the task had ended. */
export function costOfLateResult(
  work: Pick<WorkerServices, 'engines' | 'services'>,
  task: TaskRecord,
  told: ReportedCost | undefined,
): OrderCost | null {
  return costOf(work, task, { outcome: 'failed', told, isExpected: true });
}

/**
 * Returns the operator's cost of an order; null if it costs nothing. Never throws: an order settles whatever its cost
 * is.
 */
export function costOf(
  { engines, services }: Pick<WorkerServices, 'engines' | 'services'>,
  task: TaskRecord,
  billed: Billed | null,
): OrderCost | null {
  if (billed === null || task.mode !== 'live') return null;
  const { route } = task;
  const { outcome, told, isExpected } = billed;
  if (isKeyed(route.engine)) return outcome === 'succeeded' ? paidByCustomer(route) : null;
  try {
    const model = services.catalog().find(task.model_id);
    const engine = engines.get(route.engine);
    const kind = kindOf(engine ?? { name: route.engine });
    const isStated = model?.routes.some((one) => one.engine === kind && statedCost(one) !== undefined) === true;
    // The built-in engine has no upstream.
    if (engine !== undefined && isFreeEngine(engine)) return null;
    const unknown = { engine: route.engine, upstreamModel: route.model, outcome, expected: null, told: null };
    const paid = costMultiplier(services.settings.terms, { name: route.engine, kind });
    // An erased order has no request any more.
    const request = task.erased_at === null ? measuredRequest(task.request, billed.seconds ?? null) : null;
    const measurements = measurementsOf(task.media);
    const assumedCost = () =>
      request === null || model === null ? null : listPrice(model, request, measurements, paid);
    // It counts although its cost is unknown.
    if (told === undefined && !isStated) return { ...unknown, reportedUnits: null, assumed: assumedCost() };
    const taken = request === null ? undefined : routeOfOrder(model, { engine: kind, model: route.model }, request);
    const cost = taken === undefined ? undefined : statedCost(taken);
    const expected = request === null || !isExpected ? null : expectedCost(cost, request, measurements, paid);
    const amount = told === undefined ? null : reportedAmount(told, { cost, request }, paid);
    const reportedUnits = told !== undefined && 'units' in told ? told.units : null;
    const assumed = amount === null && expected === null ? assumedCost() : null;
    return {
      engine: route.engine,
      upstreamModel: route.model,
      outcome,
      expected,
      told: amount,
      reportedUnits,
      assumed,
    };
  } catch (error) {
    services.log.error({ err: error, task_id: task.id, told }, "could not compute an order's cost");
    return null;
  }
}

/**
 * Tells whether the customer pays the upstream: an order with an upstream key of its account costs the operator
 * nothing.
 */
function paidByCustomer({ engine, model }: { readonly engine: string; readonly model: string | null }): OrderCost {
  const nothing = { expected: 0, told: null, reportedUnits: null };
  return { engine: figureName(engine), upstreamModel: model, outcome: 'succeeded', ...nothing };
}

/** Returns the request as its price is settled: with the delivered length. */
function measuredRequest(request: ResolvedRequest, seconds: number | null): ResolvedRequest {
  if (seconds === null) return request;
  return { ...request, output: { ...request.output, durationSeconds: seconds } };
}

/**
 * Counts the cost of a settled order. Logs, once an hour for each route, an order that cost more than its price, or
 * whose cost differs from its upstream's price list.
 */
export function recordCost(
  { figures, log }: Pick<TaskServices, 'figures' | 'log'>,
  task: TaskRecord,
  cost: OrderCost,
  charged: Micros,
): void {
  const { engine, outcome, expected, told } = cost;
  const known = told ?? expected;
  const belowCost = outcome === 'succeeded' && cost.isShort !== true && known !== null && known > charged;
  const differs = told !== null && expected !== null && Math.abs(told - expected) > expected * TOLERATED_SHARE;
  figures.orderCost({ engine, model: task.model_id, outcome, charged, expected, told, belowCost, differs });
  if (!belowCost && !differs) return;
  const fields = {
    [HOURLY_ABOUT]: `${engine} ${task.model_id} ${cost.upstreamModel}`,
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
