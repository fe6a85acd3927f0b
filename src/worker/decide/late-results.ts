import { backOff } from '../../base/back-off.ts';
import { LATE_RESULT_AFTER_MS } from './endings.ts';
import type { EventType } from './event.ts';
import type { LastRow, Row, Rows, Situation } from './row.ts';

/** Decisions about a late result of an ended task, which moves no money and is reported to the operator once. */

/** Time after a task's end during which its engine is checked for a late result. */
const EXPECTED_FOR_MS = 24 * 3_600_000;
const AT_LEAST_EVERY_MS = 3_600_000;

export const CLAIMED_FINAL: Rows<'claimed'> = [
  {
    when: 'the order was erased',
    if: ({ task }) => task.operation_json === null,
    does: 'report_late',
    how: () => ({
      message:
        'The order was erased after it ended, while a late result was still possible. It is not known whether one arrived.',
    }),
  },
  { when: 'otherwise', does: 'check_late' },
];

const NO_LONGER: Row<EventType> = {
  when: 'it ended more than 24 hours ago',
  if: ({ task, facts }) => facts.now >= (task.completed_at ?? 0) + EXPECTED_FOR_MS,
  does: 'expect_nothing',
};

const CHECK_RARELY: LastRow<EventType> = {
  when: 'otherwise',
  does: 'check_late_again',
  how: ({ task }) => ({ afterMs: Math.min(AT_LEAST_EVERY_MS, LATE_RESULT_AFTER_MS * 2 ** task.attempts) }),
};

export const CHECKED_LATE: Rows<'checked'> = [
  {
    when: 'the result arrived',
    if: ({ event }) => event.checked.status === 'succeeded',
    does: 'report_late',
    how: () => ({ message: 'The result arrived after the task had ended. Nothing was charged and nothing was kept.' }),
  },
  {
    when: 'no result will come',
    if: ({ event }) => event.checked.status !== 'pending' && !isStillToCome(event),
    does: 'expect_nothing',
  },
  NO_LONGER,
  {
    when: 'it failed, and its result will come all the same',
    if: ({ event }) => isStillToCome(event),
    does: 'check_late_again',
    how: ({ task, facts }) => ({ afterMs: backOff(task.attempts, facts.chance) }),
  },
  CHECK_RARELY,
];

export const CHECK_LATE_FAILED: Rows<'check_failed'> = [NO_LONGER, CHECK_RARELY];

export const BROKE_OFF_LATE: Rows<'broke_off'> = [
  {
    when: 'the service stops',
    if: ({ event }) => event.cause === 'interrupted',
    does: 'check_late_again',
    how: () => ({ afterMs: 0 }),
  },
  { when: 'otherwise', does: 'stop' },
];

function isStillToCome({ checked }: Situation<'checked'>['event']): boolean {
  return checked.status === 'failed' && checked.lateResult === true;
}
