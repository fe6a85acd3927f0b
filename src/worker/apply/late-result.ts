import type { Checked } from '@darkroom-service/engines';
import { sql } from 'kysely';
import type { Transaction } from '../../database/database.ts';
import { storeLateCost } from '../../record/cost-days.ts';
import { operationOf } from '../../record/task-json.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { reportToOperator } from '../../tasks/report-to-operator.ts';
import type { ClaimedTask } from '../claimed-task.ts';
import { addressOf, discardDelivery } from '../collect/collect.ts';
import type { TaskEvent } from '../decide/event.ts';
import { costOfLateResult } from '../order-cost.ts';
import { storedDelivery } from '../spool/stored-delivery.ts';
import { notConfigured } from './call-engine.ts';
import { asEngineError } from './report-fault.ts';

/**
 * Checks for a result after the task has ended. The settlement stored that a late result is possible, so any process
 * can check for it and report it to the operator, once. Its files are not kept.
 */
export async function checkLate(claimed: ClaimedTask): Promise<TaskEvent> {
  const { work, task, signal } = claimed;
  let checked: Checked;
  const delivery = storedDelivery(task);
  if (delivery !== null) return { type: 'checked', checked: { status: 'succeeded', delivery } };
  try {
    const engine = claimed.engine ?? notConfigured(task.id, task.route.engine);
    const order = await claimed.order();
    checked = await engine.check(operationOf(task), order, { signal, onProgress: () => {} });
  } catch (error) {
    if (signal.aborted) return { type: 'broke_off', cause: 'interrupted', couldNotSettle: false };
    work.services.log.warn({ err: error, task_id: task.id }, 'could not check a late result');
    return { type: 'check_failed', fault: asEngineError(error, { name: task.route.engine }) };
  }
  if (checked.status === 'succeeded') await discardDelivery(checked.delivery.outputs);
  return { type: 'checked', checked };
}

/**
 * Reports a late result. One fenced transaction reports it and ends the checks, so nothing is reported twice. An order
 * that was erased has no address of its result.
 * @param message a sentence of the service itself
 */
export async function reportLate(claimed: ClaimedTask, message: string, event: TaskEvent): Promise<void> {
  const { work, task } = claimed;
  const checked = event.type === 'checked' ? event.checked : null;
  const cost = checked?.status === 'succeeded' ? costOfLateResult(work, task, checked.delivery.upstreamCost) : null;
  await work.services.database.write('late_result', async (trx) => {
    const released = await trx.first(updateReleased(trx, task, null).returning('erased_at'));
    if (released === undefined) return;
    const isKept = checked?.status === 'succeeded' && released.erased_at === null;
    const address = isKept ? addressOf(checked.delivery.outputs) : null;
    const detail = { engine: task.route.engine, message, ...(address === null ? {} : { address }) };
    await reportToOperator(work.services, trx, { taskId: task.id, kind: 'late_result', detail });
    const settled = { charged: task.charged ?? 0, now: work.services.clock.now() };
    if (cost !== null) await storeLateCost(trx, task, cost, settled);
  });
}

export async function checkLateAgain({ work, task }: ClaimedTask, afterMs: number): Promise<void> {
  await work.services.database.write('late_result_wait', (trx) => trx.run(updateReleased(trx, task, afterMs)));
}

export async function expectNothing({ work, task }: ClaimedTask): Promise<void> {
  await work.services.database.write('late_result_none', (trx) => trx.run(updateReleased(trx, task, null)));
}

/** @param afterMs the pause before the next check; null for none */
function updateReleased(trx: Transaction, task: TaskRecord, afterMs: number | null) {
  return trx.builder
    .updateTable('tasks')
    .set({
      next_at: afterMs === null ? null : sql<number>`${trx.now} + ${sql.lit(Math.round(afterMs))}`,
      worker: null,
      attempts: task.attempts + 1,
    })
    .where('id', '=', task.id)
    .where('fence', '=', task.fence);
}
