import type { TaskFailure } from '@darkroom-service/engines';
import { measureRequest } from '../../catalog/measure-request.ts';
import type { Transaction } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';
import { measurementsOf, type StoredOutput, type TaskRow, taskOfFileKey } from '../../record/task.ts';
import { warningsOfLess } from '../../record/task-costs.ts';
import { outputsOf } from '../../record/task-json.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { LostClaim, moveTask } from '../../tasks/move-task.ts';
import { settleTask } from '../../tasks/settle-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { ClaimedTask } from '../claimed-task.ts';
import { collect, discardDelivery } from '../collect/collect.ts';
import { removeOutputs } from '../collect/store.ts';
import type { Action, ActionOf } from '../decide/action.ts';
import { followTask, type TaskLife } from '../decide/decide.ts';
import { FILE_GONE } from '../decide/endings.ts';
import type { TaskEvent } from '../decide/event.ts';
import { billedBy, costOf, recordCost } from '../order-cost.ts';
import { release, reroute } from '../rerouting/release.ts';
import { retryUnconfirmedWrite } from '../retry-own-write.ts';
import { storeProgress } from '../store-progress.ts';
import { callEngine, checkEngine, notConfigured } from './call-engine.ts';
import { claimSlot } from './claim-slot.ts';
import { jobOf } from './clean-answer.ts';
import { checkLate, checkLateAgain, expectNothing, reportLate } from './late-result.ts';
import { isGone } from './storage-fault.ts';
import { type Answered, storeAnswer, storeDelivery } from './store-answer.ts';
import { gatherFacts } from './task-facts.ts';

const selectOutputs = prepare<{ id: string }, Pick<TaskRow, 'outputs_json'>>('used_outputs', (builder, argument) =>
  builder.selectFrom('tasks').select('outputs_json').where('id', '=', argument('id')),
);

/**
 * Finds an earlier task whose picture an order uses although the picture does not decode: only its structure was
 * checked before it was charged.
 */
async function findBrokenInput(
  { database, thumbnails }: Pick<TaskServices, 'database' | 'thumbnails'>,
  task: Pick<TaskRecord, 'id' | 'media' | 'parent_task_id'>,
): Promise<string | null> {
  const keys = task.media.flatMap(({ stored }) => (stored === null ? [] : [stored.key]));
  const ids = new Set([task.parent_task_id, ...keys.map(taskOfFileKey)]);
  for (const id of ids) {
    if (id === null || id === task.id) continue;
    const row = await database.read.first(selectOutputs, { id });
    for (const output of row === undefined ? [] : outputsOf(row))
      if ((id === task.parent_task_id || keys.includes(output.key)) && !(await thumbnails.prove(output))) return id;
  }
  return null;
}

/**
 * Takes a claimed task from event to event, until nothing is left to decide under this claim. Every write is fenced by
 * it.
 * @throws LostClaim if the claim is no longer ours; the error of a failed action
 */
export async function followClaimed(claimed: ClaimedTask, first: TaskEvent): Promise<void> {
  const life: TaskLife = {
    get task() {
      return claimed.task;
    },
    gatherFacts: (event) => gatherFacts(claimed, event),
    apply: (action, event) => apply(claimed, action, event),
  };
  await followTask(life, first);
}

/** Runs an action: calls the engine, copies files, writes. @returns the resulting event; null if it leaves the task */
async function apply(claimed: ClaimedTask, action: Action, event: TaskEvent): Promise<TaskEvent | null> {
  const { work, task } = claimed;
  switch (action.type) {
    case 'prepare':
      return await prepareTask(claimed);
    case 'claim_slot':
      return await claimSlot(claimed);
    case 'call_engine':
    case 'find_trace': {
      claimed.submission.isRepeated = action.type === 'call_engine' && event.type === 'searched';
      const found = await (action.type === 'call_engine' ? callEngine(claimed) : findTrace(claimed));
      return found.type === 'answered' ? await storeAnswer(claimed, found, followClaimed) : found;
    }
    case 'take_back':
      return await takeBack(claimed, event);
    case 'check':
      return await checkEngine(claimed);
    case 'deliver':
      // The engine can return the result again, so its local files are removed in any case.
      try {
        await followClaimed(claimed, await collect(claimed, action.delivery));
      } finally {
        await discardDelivery(action.delivery.outputs);
      }
      return null;
    case 'store_delivery':
      await storeDelivery(claimed, action.delivery);
      return event;
    case 'check_late':
      return await checkLate(claimed);
    case 'settle':
      await settle(claimed, action, event);
      return null;
    case 'release':
      await release(work.services, task, action);
      return null;
    case 'reroute':
      await reroute(work.services, task, action.next);
      return null;
    case 'wait_for_check': {
      const { afterMs, ...news } = action;
      if (news.progress !== null || news.estimatedEndAt !== null) await storeProgress(work.services, task, news);
      claimed.end = { type: 'delayed', afterMs, isPutOff: event.type === 'checked' && event.isPutOff === true };
      return null;
    }
    case 'report_late':
      await reportLate(claimed, action.message, event);
      return null;
    case 'check_late_again':
      await checkLateAgain(claimed, action.afterMs);
      return null;
    case 'expect_nothing':
      await expectNothing(claimed);
      return null;
    case 'break_off':
      throw event.type === 'collect_failed' ? event.error : new Error(`the event ${event.type} breaks nothing off`);
    case 'stop':
      return null;
  }
}

/** Settles a task. @throws LostClaim if a result was delivered but somebody else had ended the task */
async function settle(
  claimed: ClaimedTask,
  { name, ending, outputs }: ActionOf<'settle'>,
  event: TaskEvent,
): Promise<void> {
  const { work, task, submission, signal } = claimed;
  const { database, log, storage, tracer } = work.services;
  if (event.type === 'same_job')
    log.error(
      { task_id: task.id, same_job_as: event.taskId, job: event.job },
      'upstream gave two orders the same job id; failing one of them',
    );
  if (event.type === 'collect_failed')
    log.warn({ err: event.error, task_id: task.id }, "could not store the engine's output; the task fails");
  const billed = costOf(work, task, billedBy(task, submission.reportedCost, event, ending));
  const isShort = ending.status === 'succeeded' && warningsOfLess(ending.warnings).length > 0;
  const cost = billed !== null && isShort ? { ...billed, isShort } : billed;
  const settleOnce = async (trx: Transaction) =>
    (await settleTask(work.services, trx, task, ending, cost)) ||
    (ending.status === 'succeeded' && (await hasEndedWith(trx, task.id, ending.outputs)));
  const write = () => tracer.span('settle', () => database.write(name, settleOnce, { together: true }));
  // To collect again would replace the files that the first commit names. The answer is in the spool meanwhile.
  const settled = await retryUnconfirmedWrite(work.services, task, signal, write, () => work.answers.spool(task.id));
  if (settled) claimed.end = { type: 'settled' };
  work.checks.forget(task.id);
  if (settled && cost !== null)
    recordCost(work.services, task, cost, ending.status === 'succeeded' ? ending.charge.amount : 0);
  if (outputs === null) return;
  if (!settled || ending.status !== 'succeeded') await removeOutputs(storage, outputs);
  if (!settled) throw new LostClaim(task.id);
}

/** Tells whether a task has ended with these outputs. Keys have the fence, so only this claim can have stored them. */
async function hasEndedWith(trx: Transaction, taskId: string, outputs: readonly StoredOutput[]): Promise<boolean> {
  const row = await trx.first(selectOutputs, { id: taskId });
  const named = new Set(row === undefined ? [] : outputsOf(row).map(({ key }) => key));
  return outputs.length > 0 && outputs.every(({ key }) => named.has(key));
}

/** Moves an order that was not submitted, or may be submitted again, to `deferred`. @throws LostClaim */
async function takeBack(claimed: ClaimedTask, event: TaskEvent): Promise<TaskEvent> {
  const { work, task } = claimed;
  // An order that was searched may have been sent.
  if (event.type === 'claimed') work.confirmedUnsent.record(task);
  claimed.task = await work.services.database.write(
    'deferred',
    (trx) => moveTask(work.services, trx, task, 'deferred'),
    { together: true },
  );
  return { type: 'claimed' };
}

/**
 * Searches the engine's answer to an order after a crash: in the spool, then at the engine, if it can look up orders by
 * our task id.
 */
async function findTrace(claimed: ClaimedTask): Promise<TaskEvent | Answered> {
  const { work, task, signal } = claimed;
  const answer = await work.answers.find(task, task.route.engine);
  if (answer === 'elsewhere') return { type: 'searched', found: 'elsewhere' };
  const engine = claimed.engine ?? notConfigured(task.id, task.route.engine);
  if (answer !== null) {
    claimed.interruption.setResumable(false, engine);
    return { type: 'answered', checkAfterMs: 0 };
  }
  if (engine.find === undefined) return { type: 'searched', found: 'nothing' };
  const order = await claimed.order();
  const operation = await engine.find(task.id, order, { signal, onProgress: () => {} });
  if (operation === null) return { type: 'searched', found: 'nothing' };
  work.answers.add(task, engine.name, { kind: 'operation', operation, job: jobOf(engine, operation, order) });
  return { type: 'answered', checkAfterMs: 0 };
}

/** Measures the media of a claimed task's request, decodes what it uses of earlier tasks, and asks interceptors. */
async function prepareTask(claimed: ClaimedTask): Promise<TaskEvent> {
  const { work, task, signal } = claimed;
  const { beforeSubmission } = work.interceptors;
  // Most orders: there is nothing to measure and nobody to ask.
  if (task.media.length === 0 && task.parent_task_id === null && beforeSubmission === null)
    return { type: 'prepared', preparation: { ready: true } };
  const model = work.services.catalog().find(task.model_id);
  const { request, faults } =
    model === null
      ? { request: task.request, faults: [] }
      : measureRequest(model, task.request, measurementsOf(task.media));
  const fault = faults[0];
  if (fault !== undefined) return refusedFor('invalid_input', `${fault.param ?? 'request'}: ${fault.message}`);
  let broken: string | null;
  try {
    broken = await findBrokenInput(work.services, task);
  } catch (error) {
    if (isGone(error)) return { type: 'prepared', preparation: { ready: false, failure: FILE_GONE } };
    throw error;
  }
  if (broken !== null) return refusedFor('invalid_input', `The picture of the task ${broken} does not decode.`);
  // Without media the request stays as ordered.
  const measured = { ...task, request };
  const reason = (await beforeSubmission?.(measured, signal)) ?? null;
  if (reason !== null) return refusedFor('content_policy', reason);
  claimed.task = measured;
  return { type: 'prepared', preparation: { ready: true } };
}

function refusedFor(code: TaskFailure['code'], message: string): TaskEvent {
  return { type: 'prepared', preparation: { ready: false, failure: { code, message } } };
}
