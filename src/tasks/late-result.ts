import type { JsonValue } from '../base/canonical-json.ts';
import type { Engine, Order } from '../engines/engine.ts';
import { discardDelivery } from './collect-outputs.ts';
import { LostClaim } from './move-task.ts';
import { reportToOperator } from './report-to-operator.ts';
import type { TaskRow } from './task.ts';
import type { Held, WorkerDesk } from './worker-desk.ts';

/**
 * A result that comes after a task's end changes neither status nor money: it is asked for once and reported to the operator.
 * Nothing is kept of the files.
 */
export async function reportLateResult(
  work: WorkerDesk,
  task: TaskRow,
  engine: Engine,
  order: Order,
  operation: JsonValue,
  held: Held,
): Promise<void> {
  const checked = await engine.check(operation, order, { signal: untilStopped(held.signal), onProgress: () => {} });
  if (checked.status !== 'succeeded') return;
  await discardDelivery(checked.delivery.outputs);
  const detail = {
    engine: engine.name,
    message: 'The result arrived after the task had ended. Nothing was charged and nothing was kept.',
  };
  await work.desk.database.write('late_result', (trx) =>
    reportToOperator(work.desk, trx, { taskId: task.id, kind: 'late_result', detail }),
  );
}

/** The task has ended, so its claim is soon found lost: that is no reason to break off here. A stop of the service is. */
function untilStopped(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const pass = () => {
    if (!(signal.reason instanceof LostClaim)) controller.abort(signal.reason);
  };
  if (signal.aborted) pass();
  else signal.addEventListener('abort', pass, { once: true });
  return controller.signal;
}
