import { backOff } from '../../base/back-off.ts';
import { isWithoutTrace } from '../../record/task.ts';
import { atDeadline, failed, outcomeUnknown } from './endings.ts';
import { isOverdue } from './hand-over.ts';
import { BROKE_OFF_LATE } from './late-results.ts';
import type { EventRows, Row, Rows, Situation } from './row.ts';

/** Decisions after an action threw: the claim was lost, the service stops, or our database or storage failed. */

const CLAIM_LOST: Row<'broke_off'> = {
  when: 'the claim was lost',
  if: ({ event }) => event.cause === 'claim_lost',
  does: 'stop',
};

const OUTCOME_UNKNOWN: Row<'broke_off'> = {
  when: 'its deadline has come, and its engine may have it',
  if: (situation) => isGivenUp(situation) && isWithoutTrace(situation.task) && !situation.facts.hasAnswer,
  does: 'settle',
  how: ({ task, facts }) => outcomeUnknown(task, facts.engine),
};

const GIVE_UP: Row<'broke_off'> = {
  // An unsaved answer is then reported to the operator as late, and kept.
  when: 'its deadline has come',
  if: isGivenUp,
  does: 'settle',
  how: (situation) =>
    atDeadline(
      situation,
      situation.event.cause === 'storage'
        ? failed({
            code: 'storage_error',
            message: 'The result could not be stored before the deadline. The task is not charged.',
          })
        : failed({
            code: 'timeout',
            message: 'The task could not be finished before its deadline. It is not charged.',
          }),
    ),
};

const ANSWER_IN_HAND: Row<'broke_off'> = {
  // If it were released, another process would end the task.
  when: 'its answer is in hand: it stays claimed, and the recovery of answers goes on with it',
  if: ({ facts }) => facts.hasAnswer,
  does: 'stop',
};

const RETRY: Rows<'broke_off'> = [
  {
    when: 'the service stops',
    if: ({ event }) => event.cause === 'interrupted',
    does: 'release',
    to: 'same',
    how: ({ task }) => ({ afterMs: 0, attempts: task.attempts }),
  },
  {
    when: 'otherwise',
    does: 'release',
    to: 'same',
    how: ({ task, facts }) => {
      const attempts = task.attempts + 1;
      return { afterMs: backOff(attempts, facts.chance), attempts };
    },
  },
];

const ROWS: Rows<'broke_off'> = [CLAIM_LOST, GIVE_UP, ...RETRY];
const ROWS_AFTER_CALL: Rows<'broke_off'> = [CLAIM_LOST, OUTCOME_UNKNOWN, GIVE_UP, ANSWER_IN_HAND, ...RETRY];

export const BROKE_OFF: EventRows<'broke_off'> = {
  waiting: ROWS,
  preparing: ROWS,
  submitting: ROWS_AFTER_CALL,
  deferred: ROWS,
  running: ROWS,
  final: BROKE_OFF_LATE,
};

/** Tells whether the task could not be finished before its hard deadline. */
function isGivenUp(situation: Situation<'broke_off'>): boolean {
  const { cause, couldNotSettle } = situation.event;
  return cause !== 'interrupted' && !couldNotSettle && isOverdue(situation);
}
