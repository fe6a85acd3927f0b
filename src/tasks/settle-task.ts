import { formatMicros, type Micros, type TaskWarningView } from '@darkroom-service/contract';
import type { QuoteLine } from '@darkroom-service/contract/catalog';
import type { TaskFailure } from '@darkroom-service/engines';
import { settle } from '../accounts/ledger.ts';
import { countRelease } from '../accounts/spend-limits.ts';
import { HOURLY_ABOUT } from '../base/log.ts';
import type { Transaction } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { fillSlots } from '../queue/fair-queue.ts';
import { isClosed } from '../queue/gates.ts';
import { storedKeep, storedOutputs } from '../record/stored-json.ts';
import type { StoredOutput, TaskRow } from '../record/task.ts';
import { type OrderCost, storeCost, warningsOfLess } from '../record/task-costs.ts';
import { engineOf } from '../record/task-json.ts';
import { type Ended, endRow } from './end-row.ts';
import { type EndServices, notifyEnded, wakeFollowers } from './follower.ts';
import { type Report, reportToOperator } from './report-to-operator.ts';
import type { TaskServices } from './task-services.ts';

/** The ending of a task. */
export type Ending =
  | {
      readonly status: 'succeeded';
      readonly outputs: readonly StoredOutput[];
      readonly keep: string | null;
      readonly charge: { readonly amount: Micros; readonly lines: readonly QuoteLine[] };
      /** Differences between the result and the order; absent: none. */
      readonly warnings?: readonly TaskWarningView[];
    }
  | {
      readonly status: 'failed';
      readonly failure: TaskFailure;
      readonly detail?: object;
      /** Set if the engine delivered something else than was ordered, or something that cannot be used. */
      readonly isNotAsOrdered?: true;
      /**
       * Time until the first check for a late result, which is reported to the operator; absent if none is possible.
       */
      readonly lateResultAfterMs?: number;
    }
  | { readonly status: 'canceled' };

/** Failures that say nothing about the upstream. */
const OF_THE_ORDER: readonly string[] = ['content_policy', 'invalid_input', 'parent_failed', 'storage_error'];

/** Any row or record of a task. */
type TaskToEnd = Pick<TaskRow, 'id' | 'fence' | 'gates' | 'type' | 'mode' | 'api_key_id' | 'account_id' | 'model_id'>;
/** The services that settle a task. */
export type SettleServices = EndServices &
  Pick<TaskServices, 'clock' | 'database' | 'events' | 'figures' | 'parentGate' | 'tracer' | 'roomLeft'>;

/**
 * Settles a task; the only way a task ends. One transaction writes state, money, limits and the next task's turn.
 * Fenced, so that only one of several attempts succeeds.
 * @param cost cost of the order at its upstream; null = nothing to store
 * @returns false if the claim was lost or the task has ended; nothing was written then
 */
export async function settleTask(
  services: SettleServices,
  trx: Transaction,
  task: TaskToEnd,
  ending: Ending,
  cost: OrderCost | null = null,
): Promise<boolean> {
  const now = services.clock.now();
  const succeeded = ending.status === 'succeeded';
  const charged = succeeded ? ending.charge.amount : 0;
  const { warnings = [] } = succeeded ? ending : {};
  const lateAfterMs = ending.status === 'failed' ? ending.lateResultAfterMs : undefined;
  const written = {
    id: task.id,
    fence: task.fence,
    status: ending.status,
    progress: succeeded ? 100 : 0,
    outputs: succeeded ? storedOutputs(outputsOf(ending)) : '[]',
    keep: succeeded ? storedKeep(ending.keep) : null,
    error: ending.status === 'failed' ? JSON.stringify(ending.failure) : null,
    charged,
    lines: succeeded ? JSON.stringify(ending.charge.lines) : null,
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : null,
    nextAt: lateAfterMs === undefined ? null : (await databaseNow(trx)) + lateAfterMs,
    now,
  };
  const found = await endRow(services, trx, task.api_key_id, written);
  if (found === null) return false;
  const { ended, concurrency, mayLeaveRoom } = found;
  const subject = { accountId: ended.account_id, apiKeyId: ended.api_key_id, mode: ended.mode, taskId: ended.id };
  settle(trx, subject, ended.price, charged);
  if (cost !== null) storeCost(trx, task, cost, { charged, now });
  countRelease(trx, ended, ended.price - charged);
  await fillSlots(trx, ended.api_key_id, concurrency);
  if (isClosed(task, 'parent')) services.parentGate?.forget(trx, task.id);
  const report = reportOf(ending, engineOf(ended));
  if (report !== null) await reportToOperator(services, trx, { taskId: task.id, ...report });
  const outputs = succeeded ? ending.outputs : [];
  await notifyEnded(services, trx, ended, { event: `task.${ending.status}`, outputs, charged, now });
  trx.afterCommit(() => {
    services.figures.settled({
      type: task.type,
      mode: task.mode,
      status: ending.status,
      engine: engineOf(ended),
      outcome: ending.status === 'failed' && OF_THE_ORDER.includes(ending.failure.code) ? 'refused' : ending.status,
      seconds: ended.started_at === null ? null : (now - ended.started_at) / 1000,
      secondsSinceOrder: (now - ended.created_at) / 1000,
    });
    services.tracer.ended({
      id: task.id,
      type: task.type,
      mode: task.mode,
      status: ending.status,
      model_id: ended.model_id,
      created_at: ended.created_at,
      engine: engineOf(ended),
      completedAt: now,
      failure: ending.status === 'failed' ? ending.failure.code : null,
    });
    if (ending.status === 'failed' && task.mode === 'live') logFailure(services, ended, ending.failure);
    if (ending.status === 'failed' && ending.isNotAsOrdered === true)
      services.figures.notAsOrdered({ engine: engineOf(ended), code: 'unusable' });
    if (warnings.length > 0) logWarnings(services, ended, warnings, charged);
    services.events.changed(task.id, {
      outputs,
      failure: ending.status === 'failed' ? ending.failure : null,
      charged,
      completedAt: now,
      status: ending.status,
      revision: ended.revision,
      progress: ended.progress,
      error_json: written.error,
      lines_json: written.lines,
      warnings_json: written.warnings,
      isKept: written.keep !== null,
    });
    wakeFollowers(services, ended);
    if (mayLeaveRoom) services.roomLeft();
  });
  return true;
}

/**
 * Returns the outputs, marked if the engine kept data: the prices of follow-up actions depend on that, and lists of
 * tasks do not read `keep_json`.
 */
function outputsOf({ outputs, keep }: Extract<Ending, { status: 'succeeded' }>): readonly StoredOutput[] {
  return keep === null ? outputs : outputs.map((output) => ({ ...output, isKept: true }));
}

/**
 * Returns the operator's report about an ending that may have to be settled with the upstream; null if there is none.
 */
function reportOf(ending: Ending, engine: string): Pick<Report, 'kind' | 'detail'> | null {
  if (ending.status === 'canceled') return null;
  if (ending.status === 'failed') {
    const { failure, detail, isNotAsOrdered } = ending;
    if (failure.code === 'outcome_unknown')
      return { kind: 'outcome_unknown', detail: { message: failure.message, ...detail } };
    if (isNotAsOrdered !== true) return null;
    return { kind: 'not_as_ordered', detail: { engine, message: failure.message, ...detail } };
  }
  const { warnings = [] } = ending;
  const less = warningsOfLess(warnings);
  if (less.length === 0) return null;
  const differences = less.map(({ field, ordered, delivered }) => `${field} ${ordered} was ordered, ${delivered} came`);
  const message = `Less than ordered was delivered: ${differences.join('; ')}.`;
  return { kind: 'not_as_ordered', detail: { engine, message, warnings: less } };
}

function logWarnings(
  { figures, log }: Pick<TaskServices, 'figures' | 'log'>,
  task: Ended,
  warnings: readonly TaskWarningView[],
  charged: Micros,
): void {
  const engine = engineOf(task);
  for (const { code } of warnings) figures.notAsOrdered({ engine, code });
  if (task.mode !== 'live') return;
  const about = [engine, task.model_id, ...warnings.map(({ code, field }) => `${code} ${field}`)].join(' ');
  const fields = { [HOURLY_ABOUT]: about, task_id: task.id, engine, model_id: task.model_id, warnings };
  const money = { quoted: formatMicros(task.price), charged: formatMicros(charged) };
  log.warn({ ...fields, ...money }, 'engine delivered other than was ordered');
}

/** Logs each failed live order. Failures of test orders concern nobody. */
function logFailure({ log }: Pick<TaskServices, 'log'>, task: Ended, { code, message }: TaskFailure): void {
  const fields = {
    task_id: task.id,
    engine: engineOf(task),
    model_id: task.model_id,
    account_id: task.account_id,
    key_id: task.api_key_id,
    price: formatMicros(task.price),
    code,
    reason: message,
  };
  if (code === 'outcome_unknown')
    log.error(fields, 'order failed: its outcome is unknown; see GET /admin/v1/reconciliation');
  else log.warn(fields, 'order failed');
}
