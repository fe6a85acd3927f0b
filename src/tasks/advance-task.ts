import type { JsonValue } from '../base/canonical-json.ts';
import {
  type Checked,
  type Engine,
  EngineError,
  FAILURE_CODES,
  type Order,
  type Started,
  type TaskFailure,
} from '../engines/engine.ts';
import { StorageError } from '../storage/storage.ts';
import { checkPauseMs } from './check-pause.ts';
import { isLasting } from './circuit.ts';
import { deliverAtHand, deliverTask } from './deliver-task.ts';
import { afterCheckError, afterStartError, backOff, checkAtLeastMs } from './engine-faults.ts';
import { ASKED_FIRST_AFTER_MS, askForLateResult } from './late-result.ts';
import { LostClaim, letGo, moveTask, noteProgress } from './move-task.ts';
import { prepareTask } from './prepare-task.ts';
import { settleTask } from './settle-task.ts';
import { settleTwin, storeOperation } from './store-operation.ts';
import { takePlace } from './take-place.ts';
import type { TaskRow } from './task.ts';
import { orderOf } from './task-order.ts';
import { engineOf } from './task-view.ts';
import { isWithoutTrace, settleUnknown } from './unknown-outcome.ts';
import { afterUnreadMedium, failForGoneMedium, isGone } from './unread-medium.ts';
import { takeBack, untilConfirmed } from './unsent-orders.ts';
import { untilItCan } from './until-it-can.ts';
import { waitForUpstream } from './wait-for-upstream.ts';
import type { Held, WorkerDesk } from './worker-desk.ts';

/** A reference that may come back, such as a host that is busy, is tried this often. */
const PREPARE_ATTEMPTS = 4;
/** How long an order waits before it looks for a free place at its next engine. */
const PLACE_FREE_MS = 1000;
/** The service does not wait for a longer check interval while it holds a task. */
const CHECK_AT_ONCE_MS = 0;

/**
 * Takes a claimed task as far as it goes without waiting: one step, or several where the next is due at once. Ends with the task settled,
 * let go until its next check, or no longer ours.
 */
export async function advanceTask(work: WorkerDesk, claimed: TaskRow, held: Held): Promise<void> {
  const { desk } = work;
  const overdue = desk.clock.now() >= claimed.deadline_at;
  switch (claimed.step) {
    case 'waiting':
    case 'preparing':
    case 'deferred':
      if (overdue) return await timeOut(work, claimed);
      // No engine has it.
      if (claimed.cancel_requested_at !== null) return await endCanceled(work, claimed);
      return claimed.step === 'deferred' ? await submit(work, claimed, held) : await prepare(work, claimed, held);
    case 'submitting':
      return await recover(work, claimed, held);
    case 'running':
      return await check(work, claimed, held);
    case 'collecting':
      return isWithoutTrace(claimed) ? await recover(work, claimed, held) : await check(work, claimed, held);
    case 'final':
      return await askForLateResult(work, claimed, held);
  }
}

async function prepare(work: WorkerDesk, task: TaskRow, held: Held): Promise<void> {
  const preparation = await prepareTask(work, task, held.signal);
  if (preparation.ready) {
    const media = preparation.media.length === 0 ? null : JSON.stringify(preparation.media);
    return await submit(work, { ...task, media_json: media, request_json: JSON.stringify(preparation.request) }, held);
  }
  if (preparation.retryable && task.attempts + 1 < PREPARE_ATTEMPTS) {
    return await letGo(work.desk, task, { afterMs: backOff(task.attempts), attempts: task.attempts + 1 });
  }
  await settleTask(work.desk, 'settle_failed', task, { status: 'failed', failure: preparation.failure });
}

/** Two phases: that the engine is about to be called is on disk before the call, and its operation before anything else is done with it. */
async function submit(work: WorkerDesk, prepared: TaskRow, held: Held): Promise<void> {
  const { desk } = work;
  held.signal.throwIfAborted();
  const engine = work.engines.get(engineOf(prepared));
  if (engine === undefined || !work.circuits.mayStart(engine.name)) return await waitForUpstream(work, prepared);
  held.setResumable(engine.repeatable === true);
  const now = desk.clock.now();
  const { media_json, request_json } = prepared;
  const started_at = prepared.started_at ?? now;
  const changes = { media_json, request_json, started_at, progressed_at: now, operation_json: null };
  const task = await untilConfirmed(work, prepared, held, () => takePlace(desk, prepared, engine.concurrency, changes));
  if (task === null) return await letGo(desk, prepared, { afterMs: PLACE_FREE_MS, attempts: prepared.attempts });
  const order = await orderOf(desk, task);
  let started: Started;
  work.unsent.forget(task.id);
  try {
    started = await engine.start(order, { signal: held.signal, onProgress: () => {} });
  } catch (error) {
    if (error instanceof StorageError && !held.signal.aborted) return await afterUnreadMedium(work, task, error);
    if (isInterruption(error, held)) throw error;
    return await afterStartError(work, task, engine, error);
  }
  await work.circuits.succeeded(engine.name, 'start');
  if ('done' in started) return await deliverAtHand(work, task, started.done, held);
  await adopt(work, task, engine, order, started.operation, started.checkAfterMs ?? checkPauseMs(0), held);
}

async function adopt(
  work: WorkerDesk,
  task: TaskRow,
  engine: Engine,
  order: Order,
  operation: JsonValue,
  checkAfterMs: number,
  held: Held,
): Promise<void> {
  const name = engine.jobOf?.(operation, order) ?? null;
  const job = name === null ? null : { engine: engine.name, name };
  const save = () => storeOperation(work.desk, task, operation, job, checkAfterMs);
  const stored = engine.repeatable === true ? await save() : await untilItCan(work, task, held, save);
  if ('twin' in stored) return void (await settleTwin(work.desk, task, stored.twin));
  const { running } = stored;
  if (checkAfterMs > CHECK_AT_ONCE_MS) return;
  held.setResumable(true);
  held.signal.throwIfAborted();
  await ask(work, running, engine, order, operation, held);
}

/** Found after a crash with nothing to ask by: the engine may or may not have the order. It is never sent again unless that costs nothing. */
async function recover(work: WorkerDesk, task: TaskRow, held: Held): Promise<void> {
  if (work.unsent.has(task)) return await advanceTask(work, await takeBack(work, task), held);
  const engine = engineFor(work, task);
  if (engine.find !== undefined) {
    const order = await orderOf(work.desk, task);
    const operation = await engine.find(task.id, order, { signal: held.signal, onProgress: () => {} });
    if (operation !== null) return await adopt(work, task, engine, order, operation, CHECK_AT_ONCE_MS, held);
  }
  if (engine.repeatable === true) {
    return await submit(work, await moveTask(work.desk, 'deferred', task, 'deferred'), held);
  }
  await settleUnknown(work.desk, task);
}

async function check(work: WorkerDesk, task: TaskRow, held: Held): Promise<void> {
  if (task.operation_json === null) throw new Error(`the ${task.step} task ${task.id} has no operation`);
  const engine = engineFor(work, task);
  await ask(work, task, engine, await orderOf(work.desk, task), JSON.parse(task.operation_json) as JsonValue, held);
}

async function ask(
  work: WorkerDesk,
  task: TaskRow,
  engine: Engine,
  order: Order,
  operation: JsonValue,
  held: Held,
): Promise<void> {
  const { desk } = work;
  const progress = progressNotes(work, task);
  const cancelRequested = task.cancel_requested_at !== null;
  const context = { signal: held.signal, onProgress: progress.note, cancelRequested };
  // How the order stands is told by the check alone: an engine may well refuse to stop what is done.
  const cancel = async () =>
    await engine
      .cancel?.(operation, order, context)
      .catch((error: unknown) => desk.log.warn({ err: error, task_id: task.id }, 'the engine did not take the cancel'));
  let checked: Checked;
  try {
    held.onCancel = () => void cancel();
    if (cancelRequested) await cancel();
    checked = await engine.check(operation, order, context);
  } catch (error) {
    if (isGone(error) && !held.signal.aborted) return await failForGoneMedium(work, task);
    if (isInterruption(error, held)) throw error;
    return await afterCheckError(work, task, engine, error);
  } finally {
    held.onCancel = undefined;
    await progress.settled();
  }
  await work.circuits.succeeded(engine.name, 'check');
  switch (checked.status) {
    case 'pending':
      return await waitOn(work, task, checked);
    case 'canceled':
      return await endCanceled(work, task);
    case 'failed':
      return void (await settleTask(desk, 'settle_failed', task, {
        status: 'failed',
        failure: checked.error,
        ...(checked.lateResult === true ? { lateResultAfterMs: 0 } : {}),
      }));
    case 'succeeded':
      return await deliverTask(work, task, checked.delivery, held);
  }
}

/** Nothing yet: past the hard deadline it fails, past the soft one it is asked more rarely. */
async function waitOn(
  work: WorkerDesk,
  task: TaskRow,
  pending: Extract<Checked, { status: 'pending' }>,
): Promise<void> {
  const { desk } = work;
  const now = desk.clock.now();
  if (now >= task.deadline_at) return await timeOut(work, task);
  const progressed = pending.progress !== undefined && Math.floor(pending.progress) > task.progress;
  if (progressed) await noteProgress(desk, task, pending.progress);
  const silentFor = progressed ? 0 : now - (task.progressed_at ?? now);
  const typical = desk.typicalSeconds.of(task.model_id, task.mode);
  const softDeadline = Math.max(desk.settings.softDeadlineMs, (typical?.p80 ?? 0) * 5000);
  const wished = pending.checkAfterMs ?? checkPauseMs(runningMs(work, task));
  const least = silentFor > softDeadline ? LATE_CHECK_MS : checkAtLeastMs(work, engineOf(task));
  const afterMs = Math.min(Math.max(wished, least), Math.max(0, task.deadline_at - now));
  const { estimatedSeconds } = pending;
  const estimate = estimatedSeconds === undefined ? {} : { estimatedEndAt: Math.round(now + estimatedSeconds * 1000) };
  await letGo(desk, task, { afterMs, attempts: 0, ...estimate });
}

const LATE_CHECK_MS = 60_000;

function runningMs(work: WorkerDesk, task: TaskRow): number {
  return Math.max(0, work.desk.clock.now() - (task.started_at ?? task.created_at));
}

async function endCanceled(work: WorkerDesk, task: TaskRow): Promise<void> {
  await settleTask(work.desk, 'settle_canceled', task, { status: 'canceled' });
}

async function timeOut(work: WorkerDesk, task: TaskRow): Promise<void> {
  const hours = Math.round((task.deadline_at - task.created_at) / 360_000) / 10;
  const message = `The task was not finished within ${hours} hours of its creation. It is not charged.`;
  const opened = task.operation_json === null ? work.circuits.of(engineOf(task)) : null;
  const failure: TaskFailure =
    opened !== null && isLasting(opened.fault)
      ? { code: FAILURE_CODES[opened.fault], message: `${opened.message}. ${message}` }
      : { code: 'timeout', message };
  // An upstream that has the order may finish it all the same, and bill it.
  const mayCome = task.operation_json !== null && work.engines.get(engineOf(task))?.repeatable !== true;
  await settleTask(work.desk, 'settle_timeout', task, {
    status: 'failed',
    failure,
    ...(mayCome ? { lateResultAfterMs: ASKED_FIRST_AFTER_MS } : {}),
  });
}

const PROGRESS_EVERY_MS = 500;

/** Writes what an engine tells of its progress, at most twice a second and one write at a time. */
function progressNotes(work: WorkerDesk, task: TaskRow) {
  let noted = task.progress;
  let notedAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();
  return {
    note(progress: number) {
      const now = performance.now();
      if (Math.floor(progress) <= noted || now - notedAt < PROGRESS_EVERY_MS) return;
      noted = Math.floor(progress);
      notedAt = now;
      writing = writing.then(() => noteProgress(work.desk, task, progress)).catch(() => {});
    },
    settled: () => writing,
  };
}

function engineFor(work: WorkerDesk, task: TaskRow): Engine {
  const name = engineOf(task);
  const engine = work.engines.get(name);
  if (engine !== undefined) return engine;
  throw new EngineError('upstream', `the engine ${name} of task ${task.id} is not configured`, { took: 'no' });
}

/** Not the engine's fault: the claim was lost, the service stops, or storage is away. */
function isInterruption(error: unknown, held: Held): boolean {
  return held.signal.aborted || error instanceof LostClaim || error instanceof StorageError;
}
