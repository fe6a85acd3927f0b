import { hostname } from 'node:os';
import { world } from '@darkroom-service/contract';
import { type Checked, type Engine, EngineError, type Started } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import { machineFaultOf } from '@darkroom-service/media/process';
import { operationOf } from '../../record/task-json.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { subjectOfRoute } from '../../routing/valve.ts';
import { LostClaim } from '../../tasks/move-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { ClaimedTask } from '../claimed-task.ts';
import type { TaskEvent } from '../decide/event.ts';
import { storedDelivery } from '../spool/stored-delivery.ts';
import { storeProgress } from '../store-progress.ts';
import type { WorkerServices } from '../worker-services.ts';
import { answerOf, cleanChecked } from './clean-answer.ts';
import { asEngineError, logFault, reportToValves } from './report-fault.ts';
import { isGone } from './storage-fault.ts';
import type { Answered } from './store-answer.ts';

const PROGRESS_EVERY_MS = 500;
const STOOD_STILL_MS = 5_000;

/**
 * Submits the order, or submits it again under the same task id. The engine's answer is kept in memory until it is
 * stored.
 */
export async function callEngine(claimed: ClaimedTask): Promise<TaskEvent | Answered> {
  using _ = claimed.named('call', 'submit');
  const { work, task, signal } = claimed;
  const engine = claimed.engine ?? notConfigured(task.id, task.route.engine);
  const subject = subjectOfRoute(task.route);
  const order = await claimed.order();
  const { isRepeated } = claimed.submission;
  // Says nothing about the upstream, so no valve is notified.
  const refusal = isRepeated ? null : ((await engine.refusal?.()) ?? null);
  if (refusal !== null) return { type: 'start_failed', fault: new EngineError('auth', refusal, { took: 'no' }) };
  // Since the claim the connection may have moved to another server, which may be a copy.
  if (!isRepeated && !work.installation.maySubmit()) return { type: 'machine_short' };
  if (isRepeated) claimed.interruption.setResumable(engine.repeatable === true, engine);
  work.confirmedUnsent.forget(task.id);
  const endCall = work.load.begin(engine, subject);
  let stoodStillMs = 0;
  let started: Started;
  try {
    const callbackUrl = work.interceptors.callbackUrl?.(task, engine) ?? null;
    const start = () => engine.start(order, { signal, onProgress: () => {}, callbackUrl });
    const measured = { isSimulated: task.simulate !== null, engine: engine.name, call: 'start', signal } as const;
    started = await timeCall(work.services, measured, start).catch((error: unknown) => {
      stoodStillMs = endCall('failed');
      throw error;
    });
    endCall('took it');
    work.answers.add(task, engine.name, answerOf(started, engine, order));
  } catch (error) {
    if (error instanceof StorageError && !signal.aborted) return afterUnreadFile(claimed, error);
    if (isInterruption(error, signal)) throw error;
    return await afterFault(claimed, engine, error, stoodStillMs);
  }
  work.load.succeeded(engine);
  await work.valves.succeeded(engine.name, 'start', true);
  await work.valves.succeeded(subject, 'start');
  return { type: 'answered', checkAfterMs: 'done' in started ? null : (started.checkAfterMs ?? null) };
}

/** Calls `check` of the engine, and passes on a cancel. */
export async function checkEngine(claimed: ClaimedTask): Promise<TaskEvent> {
  using _ = claimed.named('call', 'check');
  const { work, task, signal } = claimed;
  if (task.operation_json === null) throw new Error(`the ${task.step} task ${task.id} has no operation`);
  const operation = operationOf(task);
  // Most orders: an engine's operation is never null.
  const delivery = operation === null ? storedDelivery(task) : null;
  if (delivery !== null) {
    claimed.interruption.setResumable(true);
    return { type: 'checked', checked: { status: 'succeeded', delivery } };
  }
  const engine = claimed.engine ?? notConfigured(task.id, task.route.engine);
  claimed.interruption.setResumable(true);
  signal.throwIfAborted();
  const isPaced = task.step === 'running' && task.cancel_requested_at === null;
  // At the deadline the check decides about the order, so it is not put off.
  const waitMs = isPaced && work.services.clock.now() < task.deadline_at ? await work.load.countCheck(engine) : null;
  if (waitMs !== null) {
    return { type: 'checked', checked: { status: 'pending', checkAfterMs: waitMs }, isPutOff: true };
  }
  const order = await claimed.order();
  const progress = progressNotes(task.progress, (now) =>
    storeProgress(work.services, task, { progress: now, estimatedEndAt: null }),
  );
  const cancelRequested = task.cancel_requested_at !== null;
  const context = { signal, onProgress: progress.record, cancelRequested };
  // Only the check shows the order's state: an engine may refuse to cancel a finished order.
  const notTaken = (error: unknown) =>
    work.services.log.warn({ err: error, task_id: task.id }, 'engine rejected the cancellation');
  const cancel = async () => await engine.cancel?.(operation, order, context).catch(notTaken);
  let checked: Checked;
  try {
    claimed.cancel.sendBy(() => void cancel());
    if (cancelRequested) await cancel();
    const check = () => engine.check(operation, order, context);
    const measured = { isSimulated: task.simulate !== null, engine: engine.name, call: 'check', signal } as const;
    checked = cleanChecked(await timeCall(work.services, measured, check));
  } catch (error) {
    if (isGone(error) && !signal.aborted) return { type: 'file_gone' };
    if (isInterruption(error, signal) || machineFaultOf(error) !== null) throw error;
    const fields = { err: error, attempts: task.attempts + 1 };
    logFault(work, task, engine, fields, 'could not check the order at the engine');
    work.checks.record(task, 'failed', asEngineError(error, engine).message);
    await reportToValves(work, task, engine, 'check', error);
    return { type: 'check_failed', fault: asEngineError(error, engine) };
  } finally {
    claimed.cancel.sendBy(null);
    await progress.settled();
  }
  if (checked.status === 'pending') work.checks.record(task, 'pending', checked.said ?? null);
  await work.valves.succeeded(engine.name, 'check');
  const hasEnded = checked.status !== 'pending' && !cancelRequested;
  if (hasEnded && !claimed.isForCall && !claimed.wasCalled && claimed.callsBack) work.callbacks.missed(engine.name);
  return { type: 'checked', checked };
}

interface MeasuredCall {
  readonly isSimulated: boolean;
  readonly engine: string;
  readonly call: 'start' | 'check';
  readonly signal: AbortSignal;
}

/** Measures the duration of a call. Simulated orders call no upstream and are not measured. */
async function timeCall<T>(
  { figures, tracer }: Pick<TaskServices, 'figures' | 'tracer'>,
  { isSimulated, engine, call, signal }: MeasuredCall,
  makeCall: () => Promise<T>,
): Promise<T> {
  const run = () => tracer.span(call === 'start' ? 'submit' : 'check', makeCall);
  if (isSimulated) return await run();
  const began = world.monotonic();
  const end = (outcome: string) => {
    const seconds = (world.monotonic() - began) / 1000;
    figures.upstreamCall({ engine, call, outcome, seconds });
  };
  try {
    const answer = await run();
    end('ok');
    return answer;
  } catch (error) {
    end(signal.aborted ? 'aborted' : error instanceof EngineError ? error.class : 'error');
    throw error;
  }
}

/** Stores the progress that an engine reports, at most twice a second and one write at a time. */
function progressNotes(from: number, write: (progress: number) => Promise<void>) {
  let noted = from;
  let notedAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();
  return {
    record(progress: number) {
      const now = world.monotonic();
      if (Math.floor(progress) <= noted || now - notedAt < PROGRESS_EVERY_MS) return;
      noted = Math.floor(progress);
      notedAt = now;
      writing = writing.then(() => write(progress)).catch(() => {});
    },
    settled: () => writing,
  };
}

/** Handles an unreadable input file. Engines read files before they submit, so nothing was ordered. */
function afterUnreadFile({ work, task, submission }: ClaimedTask, error: StorageError): TaskEvent {
  if (!submission.isRepeated) work.confirmedUnsent.record(task);
  if (isGone(error)) return { type: 'file_gone' };
  work.services.log.warn({ err: error, task_id: task.id }, 'could not read an input file; retrying');
  return { type: 'file_unreadable' };
}

async function afterFault(
  { work, task, submission }: ClaimedTask,
  engine: Engine,
  error: unknown,
  stoodStillMs: number,
): Promise<TaskEvent> {
  const fault = asEngineError(error, engine);
  const fields = { err: error, took: fault.took, attempts: task.attempts };
  const message =
    fault.took === 'no'
      ? 'the engine did not accept the order'
      : 'the engine may have accepted the order, and gave no id';
  logFault(work, task, engine, fields, message);
  if (fault.took === 'no') {
    if (!submission.isRepeated) work.confirmedUnsent.record(task);
    if (machineFaultOf(error) !== null) return { type: 'machine_short' };
    // The upstream cannot accept more orders at the moment, of whatever model.
    if ((fault.class === 'busy' || fault.class === 'rate_limited') && fault.scope === 'engine')
      work.load.refused(engine);
  }
  // A call that this process aborted says nothing about the upstream.
  if (stoodStillMs < STOOD_STILL_MS) await reportToValves(work, task, engine, 'start', error);
  // Another process has the right key.
  const isOwn = fault.class === 'auth' && fault.took === 'no' && work.processState.refusedKey(engine.name) !== null;
  if (isOwn && !submission.isRepeated) return { type: 'machine_short' };
  return { type: 'start_failed', fault, ...(await keepUnread(work, task, fault)) };
}

/** Keeps the answer of an engine that may have accepted the order, and is paid for it. */
async function keepUnread(
  work: WorkerServices,
  task: TaskRecord,
  { took, unread }: EngineError,
): Promise<Pick<TaskEvent & { readonly type: 'start_failed' }, 'kept'>> {
  const path = took === 'no' || unread === null ? null : await work.answers.keepUnread(task, unread);
  return path === null ? {} : { kept: { host: hostname(), kept_at: path } };
}

/** Tells whether an error is not the engine's: the claim was lost, the service stops, or the storage is unavailable. */
function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || error instanceof LostClaim || error instanceof StorageError;
}

/** Reports that the engine of a task's route is not configured in this process. @throws EngineError always */
export function notConfigured(taskId: string, engine: string): never {
  const message = `the engine ${engine} of task ${taskId} is not configured; only it can have the order, so configure it again`;
  throw new EngineError('upstream', message, { took: 'no' });
}
