import type { ToldCost } from '../../engines/told-cost.ts';
import type { Ending } from '../../tasks/settle-task.ts';
import type { TaskRow } from '../../tasks/task.ts';
import type { OrderCost } from '../../tasks/task-costs.ts';
import type { TaskEvent } from '../decide/event.ts';
import { type Billed, costOf } from '../order-cost.ts';
import type { Attempt } from './attempt.ts';

/**
 * Returns what a live order cost at its upstream; null if nothing is known or expected. An order that failed after its
 * upstream delivered counts, and so does one that the upstream may have made.
 */
export function costOfOrder({ work, task, toldCost }: Attempt, event: TaskEvent, ending: Ending): OrderCost | null {
  const billed = billedBy(task, toldCost, event, ending);
  if (billed === null) return null;
  return costOf(work, task, billed, ending.status === 'succeeded' ? ending.outputs[0]?.durationSeconds : null);
}

function billedBy(task: TaskRow, toldCost: ToldCost | undefined, event: TaskEvent, ending: Ending): Billed | null {
  if (ending.status === 'succeeded') return { outcome: 'succeeded', told: toldCost, isExpected: true };
  if (event.type === 'collected' || event.type === 'collect_failed')
    return { outcome: 'failed', told: toldCost, isExpected: true };
  if (ending.status === 'failed' && mayBeBilled(task, event, ending))
    return { outcome: 'unknown', told: toldCost, isExpected: true };
  if (event.type !== 'checked' || event.checked.status === 'pending' || event.checked.status === 'lost') return null;
  const told = 'upstreamCost' in event.checked ? event.checked.upstreamCost : undefined;
  const outcome = ending.status === 'canceled' ? 'canceled' : 'failed';
  return told === undefined || isNothing(told) ? null : { outcome, told, isExpected: false };
}

/** Tells whether an upstream may have made the order, or may still make it. */
function mayBeBilled(
  task: TaskRow,
  event: TaskEvent,
  { failure, lateResultAfterMs }: Extract<Ending, { status: 'failed' }>,
): boolean {
  if (failure.code === 'outcome_unknown' || lateResultAfterMs !== undefined) return true;
  // The upstream has the order and could not be asked for it, or its result could not be stored, until the deadline.
  if (event.type === 'check_failed') return !['invalid_input', 'content_policy'].includes(event.fault.class);
  return event.type === 'broke_off' && ['submitting', 'running', 'collecting'].includes(task.step);
}

function isNothing(told: ToldCost): boolean {
  return /^[0.]+$/.test('usd' in told ? told.usd : told.units);
}
