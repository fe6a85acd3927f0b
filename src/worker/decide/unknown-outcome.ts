import { backOff } from '../../base/back-off.ts';
import { stateOf } from '../../routing/valve.ts';
import { outcomeUnknown } from './endings.ts';
import type { EventType } from './event.ts';
import type { Facts } from './facts.ts';
import { isOverdue, untilDeadline } from './hand-over.ts';
import type { LastRow, Row, Situation } from './row.ts';

/**
 * Decisions about an order that its upstream may have accepted. It keeps its step, so it goes to no other route and
 * nobody can cancel it as not submitted. The `idempotency` of its engine decides whether it is submitted again, looked
 * up again, or ends as `outcome_unknown`.
 */

/**
 * Time after the first submission in which an order is submitted again. Upstreams remember it for at least 24 hours.
 */
const SUBMITTED_AGAIN_FOR_MS = 20 * 3_600_000;
export const LONGEST_PAUSE_MS = 5 * 60_000;

/** Tells whether the engine can be asked, or given the order again, before its hard deadline. */
export function canBecomeKnown(situation: Pick<Situation, 'task' | 'facts'>): boolean {
  const { task, facts } = situation;
  if (isOverdue(situation)) return false;
  switch (facts.engine?.idempotency) {
    case 'findable':
      return true;
    case 'replays':
    case 'refuses_duplicates':
      // Only the same order again would tell.
      if (facts.isExcluded) return false;
      return facts.now - (task.progressed_at ?? task.created_at) < SUBMITTED_AGAIN_FOR_MS;
    default:
      return false;
  }
}

/** Tells whether the order can be submitted again without the risk that it is made twice. */
function canSubmitAgain(situation: Pick<Situation, 'task' | 'facts'>): boolean {
  return canBecomeKnown(situation) && situation.facts.engine?.idempotency !== 'findable';
}

/**
 * Tells whether the engine gets orders now, or may be tested: if no other order waits, this one shows whether it works.
 */
function getsOrders({ shut, now, isSuspended }: Facts): boolean {
  if (isSuspended) return false;
  return [shut.engine, shut.route].every((one) => one === null || stateOf(one, now) !== 'shut');
}

/** Returns the pause before the engine is asked or called again: 1 s, 2 s, 4 s … at most 5 minutes. */
export function unknownOutcomePause({ task, facts }: Pick<Situation, 'task' | 'facts'>) {
  const afterMs = untilDeadline(backOff(task.attempts, facts.chance, LONGEST_PAUSE_MS), { task, facts });
  return { afterMs, attempts: task.attempts + 1 };
}

/** Rows after a search that found nothing. */
export const FOUND_NOTHING: readonly [Row<'searched'>, Row<'searched'>, LastRow<'searched'>] = [
  {
    when: 'its engine replays or refuses what it has, and gets orders',
    if: (situation) => canSubmitAgain(situation) && getsOrders(situation.facts) && !situation.facts.isMemoryFull,
    does: 'call_engine',
  },
  {
    when: 'its engine can still tell',
    if: canBecomeKnown,
    does: 'release',
    to: 'same',
    how: unknownOutcomePause,
  },
  { when: 'otherwise', does: 'settle', how: ({ task, facts }) => outcomeUnknown(task, facts.engine) },
];

/** Row for faults of a resubmission, which say nothing about the first submission. */
export const RESUBMISSION_FAILED: Row<EventType> = {
  when: 'it was submitted again, and may have been accepted before',
  if: ({ facts }) => facts.isResubmission,
  does: 'release',
  to: 'same',
  how: unknownOutcomePause,
};
