import { sql } from 'kysely';
import type { JsonValue } from '../base/canonical-json.ts';
import type { Transaction } from '../database/database.ts';
import type { Checked } from '../engines/engine.ts';
import { discardDelivery } from './collect-outputs.ts';
import { backOff } from './engine-faults.ts';
import { reportToOperator } from './report-to-operator.ts';
import type { TaskRow } from './task.ts';
import { orderOf } from './task-order.ts';
import { engineOf } from './task-view.ts';
import type { Held, WorkerDesk } from './worker-desk.ts';

/** For how long after its end a task's engine is asked for what was to be expected. */
const EXPECTED_FOR_MS = 24 * 3_600_000;
/** When the engine is first asked for a result that it had not made until the deadline; from then on more rarely. */
export const ASKED_FIRST_AFTER_MS = 60_000;
const ASKED_LAST_EVERY_MS = 3_600_000;

/**
 * A result that comes after a task's end changes neither status nor money. That one is to be expected was written with the settlement, so that
 * whoever is alive asks for it and reports it to the operator, once. Nothing is kept of the files.
 * @param task final, and claimed for this.
 */
export async function askForLateResult(work: WorkerDesk, task: TaskRow, held: Held): Promise<void> {
  if (task.operation_json === null) {
    return await report(
      work,
      task,
      'The order was erased after its end, while a result could still come. Whether it did is not known.',
    );
  }
  let checked: Checked;
  try {
    checked = await check(work, task, JSON.parse(task.operation_json) as JsonValue, held);
  } catch (error) {
    if (held.signal.aborted) return await lookAgain(work, task, 0);
    work.desk.log.warn({ err: error, task_id: task.id }, 'the engine did not say what became of a late result');
    return await lookAgain(work, task, pauseMs(task));
  }
  if (checked.status === 'succeeded') {
    await discardDelivery(checked.delivery.outputs);
    return await report(
      work,
      task,
      'The result arrived after the task had ended. Nothing was charged and nothing was kept.',
    );
  }
  if (checked.status === 'failed' && checked.lateResult === true)
    return await lookAgain(work, task, backOff(task.attempts));
  if (checked.status !== 'pending') return await expectNothing(work, task);
  await lookAgain(work, task, pauseMs(task));
}

function pauseMs(task: TaskRow): number {
  return Math.min(ASKED_LAST_EVERY_MS, ASKED_FIRST_AFTER_MS * 2 ** task.attempts);
}

async function check(work: WorkerDesk, task: TaskRow, operation: JsonValue, held: Held): Promise<Checked> {
  const engine = work.engines.get(engineOf(task));
  if (engine === undefined) throw new Error(`the engine ${engineOf(task)} of task ${task.id} is not configured`);
  return await engine.check(operation, await orderOf(work.desk, task), { signal: held.signal, onProgress: () => {} });
}

/** Fenced by the claim, and by one transaction with the end of the expectation: nothing is reported twice. */
async function report(work: WorkerDesk, task: TaskRow, message: string): Promise<void> {
  await work.desk.database.write('late_result', async (trx) => {
    if ((await trx.run(letGoOf(trx, task, null))) === 0) return;
    const detail = { engine: engineOf(task), message };
    await reportToOperator(work.desk, trx, { taskId: task.id, kind: 'late_result', detail });
  });
}

async function lookAgain(work: WorkerDesk, task: TaskRow, afterMs: number): Promise<void> {
  const isOver = work.desk.clock.now() >= (task.completed_at ?? 0) + EXPECTED_FOR_MS;
  if (isOver) return await expectNothing(work, task);
  await work.desk.database.write('late_result_wait', (trx) => trx.run(letGoOf(trx, task, afterMs)));
}

async function expectNothing(work: WorkerDesk, task: TaskRow): Promise<void> {
  await work.desk.database.write('late_result_none', (trx) => trx.run(letGoOf(trx, task, null)));
}

/** @param afterMs null: it is not looked at again. */
function letGoOf(trx: Transaction, task: TaskRow, afterMs: number | null) {
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
