import type { Checked, EngineErrorClass } from '@darkroom-service/engines';
import { backOff } from '../../base/back-off.ts';
import { stateOf } from '../../routing/valve.ts';
import { callbackPauseMs, checkPauseMs } from '../check-pause.ts';
import type { ActionOf } from './action.ts';
import { atDeadline, failed, failedBy, stopped, timedOut } from './endings.ts';
import { isOverdue, untilDeadline } from './hand-over.ts';
import { CHECK_LATE_FAILED, CHECKED_LATE } from './late-results.ts';
import { LOST } from './lost-orders.ts';
import { mayLeaveModel, toNextModel } from './next-model.ts';
import type { EventRows, LastRow, Row, Rows, Situation } from './row.ts';

/** Decisions after the engine answered `check`. */

/** The pause between checks of an order without recent progress. */
const SILENT_CHECK_MS = 60_000;
/** The pause between checks while the upstream's valve is shut. */
const TROUBLED_CHECK_MS = 10_000;
/**
 * Maximum difference of two equal estimates: engines report whole seconds, so the estimated end differs from check to
 * check by up to a second.
 */
const SAME_ESTIMATE_MS = 1_000;
const REPEATABLE_ATTEMPTS = 3;
const VERDICTS: readonly EngineErrorClass[] = ['invalid_input', 'content_policy'];
const REPEATABLE_PASSING: readonly EngineErrorClass[] = ['rate_limited', 'busy', 'upstream', 'timeout'];

const CHECKED_ROWS: readonly [...Row<'checked'>[], LastRow<'checked'>] = [
  {
    when: 'the engine canceled it, which is a failure if nobody asked for it',
    if: ({ event }) => event.checked.status === 'canceled',
    does: 'settle',
    how: stopped,
  },
  ...LOST,
  {
    when: 'its content was refused at no cost, and its next model may make it',
    does: 'reroute',
    how: ({ task, event: { checked }, facts }) => {
      if (checked.status !== 'failed' || checked.error.code !== 'content_policy') return null;
      if (checked.lateResult === true || checked.upstreamCost !== undefined) return null;
      const { code, message } = checked.error;
      return mayLeaveModel(task, code) ? toNextModel({ task, facts }, message, code, true) : null;
    },
  },
  {
    when: 'it failed',
    does: 'settle',
    how: ({ event: { checked } }) => {
      if (checked.status !== 'failed') return null;
      const { ending, ...settlement } = failed(checked.error);
      return { ...settlement, ending: checked.lateResult === true ? { ...ending, lateResultAfterMs: 0 } : ending };
    },
  },
  {
    when: 'it succeeded',
    does: 'deliver',
    how: ({ event: { checked } }) => (checked.status === 'succeeded' ? { delivery: checked.delivery } : null),
  },
  { when: 'it is pending at its hard deadline', if: isOverdue, does: 'settle', how: timedOut },
  {
    when: 'it is pending, after checks that failed',
    if: ({ task }) => task.attempts > 0,
    does: 'release',
    to: 'same',
    how: (situation) => ({ ...untilNextCheck(situation), attempts: 0 }),
  },
  { when: 'it is pending', does: 'wait_for_check', how: untilNextCheck },
];

/** Checks continue until the hard deadline. Only an order of a free engine fails earlier. */
const CHECK_FAILED_ROWS: Rows<'check_failed'> = [
  {
    when: 'the order is refused',
    if: isFatal,
    does: 'settle',
    how: ({ event }) => failedBy(event.fault),
  },
  {
    when: 'its hard deadline has come',
    if: isOverdue,
    does: 'settle',
    how: (situation) => atDeadline(situation, failedBy(situation.event.fault)),
  },
  {
    when: 'otherwise',
    does: 'release',
    to: 'same',
    how: ({ task, event, facts }) => {
      const attempts = task.attempts + 1;
      const pauseMs = Math.max(event.fault.retryAfterMs ?? backOff(attempts, facts.chance), leastPauseMs(facts));
      return { afterMs: untilDeadline(pauseMs, { task, facts }), attempts };
    },
  },
];

export const CHECKED: EventRows<'checked'> = {
  waiting: 'impossible',
  preparing: 'impossible',
  submitting: 'impossible',
  deferred: 'impossible',
  running: CHECKED_ROWS,
  final: CHECKED_LATE,
};

export const CHECK_FAILED: EventRows<'check_failed'> = {
  waiting: 'impossible',
  preparing: 'impossible',
  submitting: 'impossible',
  deferred: 'impossible',
  running: CHECK_FAILED_ROWS,
  final: CHECK_LATE_FAILED,
};

/** Computes the next check. After the soft deadline an order is checked less often. */
function untilNextCheck({ task, event, facts }: Situation<'checked'>): Omit<ActionOf<'wait_for_check'>, 'type'> {
  const { checked } = event;
  const pending: Partial<Extract<Checked, { status: 'pending' }>> = checked.status === 'pending' ? checked : {};
  const progress =
    pending.progress !== undefined && Math.floor(pending.progress) > task.progress ? pending.progress : null;
  const silentMs = progress === null ? facts.now - (task.progressed_at ?? facts.now) : 0;
  const softDeadlineMs = Math.max(facts.settings.softDeadlineMs, (facts.typicalSeconds ?? 0) * 5000);
  const runningMs = Math.max(0, facts.now - (task.started_at ?? task.created_at));
  const pauseMs = facts.awaitsCallback
    ? callbackPauseMs(runningMs, facts.typicalSeconds, facts.chance)
    : checkPauseMs(runningMs, facts.chance);
  const wishedMs = pending.checkAfterMs ?? pauseMs;
  const leastMs = silentMs > softDeadlineMs ? SILENT_CHECK_MS : leastPauseMs(facts);
  const { estimatedSeconds } = pending;
  return {
    afterMs: untilDeadline(Math.max(wishedMs, leastMs), { task, facts }),
    progress,
    estimatedEndAt: newEstimate(
      task.estimated_end_at,
      estimatedSeconds === undefined ? null : facts.now + estimatedSeconds * 1000,
    ),
  };
}

/** Returns an estimate that differs from the stored one; null if there is none. */
function newEstimate(stored: number | null, told: number | null): number | null {
  if (told === null || (stored !== null && Math.abs(told - stored) <= SAME_ESTIMATE_MS)) return null;
  return Math.round(told);
}

function leastPauseMs({ shut, now }: Situation['facts']): number {
  return stateOf(shut.engine, now) === 'shut' ? TROUBLED_CHECK_MS : 0;
}

/**
 * Tells whether a failed check ends the order. Authentication and billing errors do not concern orders that already
 * run.
 */
function isFatal({ task, event: { fault }, facts }: Situation<'check_failed'>): boolean {
  if (facts.engine?.isRepeatable !== true) return VERDICTS.includes(fault.class);
  return task.attempts + 1 >= REPEATABLE_ATTEMPTS || !REPEATABLE_PASSING.includes(fault.class);
}
