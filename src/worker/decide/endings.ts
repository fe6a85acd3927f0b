import { FAILURE_CODES, type TaskFailure } from '@darkroom-service/engines';
import { describeSpan } from '../../base/time-span.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { lasts } from '../../routing/valve.ts';
import type { Ending } from '../../tasks/settle-task.ts';
import type { UpstreamJob } from '../spool/answer.ts';
import type { ActionOf } from './action.ts';
import type { Fault } from './event.ts';
import type { Facts } from './facts.ts';
import type { Situation } from './row.ts';

type Settlement = Omit<ActionOf<'settle'>, 'type'>;

/** The time from a task's end to the first check for a late result. */
export const LATE_RESULT_AFTER_MS = 60_000;

export function failed(failure: TaskFailure): Settlement {
  return { name: 'settle_failed', ending: { status: 'failed', failure }, outputs: null };
}

/** Fails the task with the engine's reason. A model that is not offered is no fault of the credentials. */
export function failedBy({
  class: errorClass,
  scope,
  message,
}: Pick<Fault, 'class' | 'scope' | 'message'>): Settlement {
  const isMissing = scope === 'route' && errorClass === 'auth';
  return failed({ code: isMissing ? 'upstream_error' : FAILURE_CODES[errorClass], message });
}

/** Fails a task whose engine delivered something else than was ordered, or something that cannot be used. */
export function unusable(message: string, address: string | null = null): Settlement {
  const failure: TaskFailure = { code: 'upstream_error', message: `The result cannot be used: ${message}.` };
  const detail = address === null ? {} : { address };
  return { name: 'settle_failed', ending: { status: 'failed', failure, isNotAsOrdered: true, detail }, outputs: null };
}

export function canceled(): Settlement {
  return { name: 'settle_canceled', ending: { status: 'canceled' }, outputs: null };
}

/**
 * Ends a task whose engine reports that it was canceled: as canceled only if its customer or an operator requested
 * that.
 */
export function stopped({ task, facts, event: { checked } }: Situation<'checked'>): Settlement {
  if (facts.isCancelWanted) return canceled();
  const reason = checked.status === 'canceled' && checked.message !== undefined ? `: ${checked.message}` : '';
  const message = `${task.route.engine} stopped the order, which nobody had canceled here${reason}`;
  return failed({ code: 'upstream_error', message });
}

/** Ends a task at its hard deadline, with the fault as the reason if only the operator could have fixed it. */
export function timedOut({ task, facts }: Situation): Settlement {
  const message = `The task was not finished within ${describeSpan(task.deadline_at - task.created_at)} of its creation. It is not charged.`;
  const shut = task.operation_json === null ? (facts.shut.engine ?? facts.shut.route) : null;
  const failure: TaskFailure =
    shut !== null && lasts(shut)
      ? { code: FAILURE_CODES[shut.fault], message: `${shut.message}. ${message}` }
      : { code: 'timeout', message };
  return atDeadline({ task, facts }, { ...failed(failure), name: 'settle_timeout' });
}

/**
 * Makes a failure at the hard deadline be followed by checks: an upstream that has the order may finish and bill it.
 */
export function atDeadline({ task, facts }: Pick<Situation, 'task' | 'facts'>, settlement: Settlement): Settlement {
  const { ending } = settlement;
  if (task.operation_json === null || facts.engine?.isFree === true || ending.status !== 'failed') return settlement;
  return { ...settlement, ending: { ...ending, lateResultAfterMs: LATE_RESULT_AFTER_MS } };
}

export const FILE_GONE: TaskFailure = {
  code: 'invalid_input',
  message: 'A file that the order uses no longer exists: it was deleted or has expired.',
};

/** Fails a task because an input file was deleted or expired before it was read. */
export function fileGone(): Settlement {
  return failed(FILE_GONE);
}

/** Ends a task whose engine may have the order and cannot be asked, or no longer: released and reported. */
export function outcomeUnknown(task: Pick<TaskRecord, 'route'>, engine: Facts['engine']): Settlement {
  const detail = { engine: task.route.engine };
  if (engine?.idempotency === 'replays' || engine?.idempotency === 'refuses_duplicates')
    return unknown('It is not known whether the engine accepted the order. The order is not charged.', detail);
  return unknown(
    'The service was interrupted while it submitted the order. It is not known whether the engine accepted it. The order is not charged and was not sent again.',
    detail,
  );
}

/** Ends a task whose engine failed after it accepted, or may have accepted, the order. */
export function takenPerhaps({ task, event, facts }: Situation<'start_failed'>): Settlement {
  const { message, took, answered = null } = event.fault;
  const { engine } = task.route;
  const known = { ...(answered === null ? {} : { answered }), ...event.kept };
  if (!facts.isResubmission)
    return unknown(
      `It is not known whether the engine accepted the order: ${message}. The order is not charged and was not sent again.`,
      { engine, took, ...known },
    );
  return unknown(
    `It is not known whether the engine accepted the order before it was submitted again: ${message}. The order is not charged.`,
    // The engine refused only the last submission.
    { engine, took: took === 'no' ? 'unknown' : took, ...known },
  );
}

/** Ends a task whose upstream answered with the job id of another order. */
export function sameJob({ job, taskId }: { readonly job: UpstreamJob; readonly taskId: string }): Settlement {
  return unknown(
    'The engine answered with the job id of another order, so it is not known whether it accepted this one. The order is not charged and was not sent again.',
    { engine: job.engine, job: job.name, same_job_as: taskId },
  );
}

function unknown(message: string, detail: object): Settlement {
  const ending: Ending = { status: 'failed', failure: { code: 'outcome_unknown', message }, detail };
  return { name: 'settle_unknown', ending, outputs: null };
}
