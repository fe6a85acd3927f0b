import { callbackPauseMs, checkPauseMs } from '../check-pause.ts';
import { isHosted, storedDelivery } from '../spool/stored-delivery.ts';
import { atDeadline, failed, sameJob, unusable } from './endings.ts';
import type { Facts } from './facts.ts';
import { isOverdue } from './hand-over.ts';
import { type EventRows, IMPOSSIBLE, type LastRow, type Rows, type Situation } from './row.ts';
import { unknownOutcomePause } from './unknown-outcome.ts';

/** Decisions after the engine's answer: its operation is stored, or its result was collected and is charged. */

/** If the pause is at most this, the stored operation is checked at once. */
const CHECK_AT_ONCE_MS = 0;

const SAME_JOB_ROWS: Rows<'same_job'> = [{ when: 'always', does: 'settle', how: ({ event }) => sameJob(event) }];

export const SAME_JOB: EventRows<'same_job'> = { ...IMPOSSIBLE, submitting: SAME_JOB_ROWS };

export const STORED: EventRows<'stored'> = {
  ...IMPOSSIBLE,
  running: [
    {
      when: 'it is to be checked at once',
      if: ({ event }) => event.checkAfterMs !== null && event.checkAfterMs <= CHECK_AT_ONCE_MS,
      does: 'check',
    },
    {
      when: 'otherwise',
      does: 'wait_for_check',
      how: ({ event, facts }) => ({
        afterMs: event.checkAfterMs ?? firstPauseMs(facts),
        progress: null,
        estimatedEndAt: null,
      }),
    },
  ],
};

function firstPauseMs({ awaitsCallback, typicalSeconds, chance }: Facts): number {
  return awaitsCallback ? callbackPauseMs(0, typicalSeconds, chance) : checkPauseMs(0, chance);
}

const COLLECTED_ROWS: Rows<'collected'> = [
  {
    when: 'it is not the thing that was ordered',
    does: 'settle',
    how: ({ event: { verdict, outputs } }) => (verdict.isAsOrdered ? null : { ...unusable(verdict.message), outputs }),
  },
  {
    when: 'an interceptor refuses it',
    does: 'settle',
    how: ({ event: { refusal, outputs } }) =>
      refusal === null ? null : { ...failed({ code: 'content_policy', message: refusal }), outputs },
  },
  {
    when: 'otherwise',
    does: 'settle',
    how: ({ event: { outputs, delivery, verdict } }) => {
      if (!verdict.isAsOrdered) throw new Error('another row fails what is not as ordered');
      const { charge, warnings } = verdict;
      const keep = delivery.keep === undefined ? null : JSON.stringify(delivery.keep);
      return { name: 'settle_succeeded', ending: { status: 'succeeded', outputs, keep, charge, warnings }, outputs };
    },
  },
];

export const COLLECTED: EventRows<'collected'> = {
  ...IMPOSSIBLE,
  submitting: COLLECTED_ROWS,
  running: COLLECTED_ROWS,
};

const canBeReadLater = (situation: Situation<'collect_failed'>) => situation.event.mayPass && !isOverdue(situation);
const CAN_BE_READ_LATER = { when: 'it can still be read another time', if: canBeReadLater } as const;

/**
 * Failure of a result: one that could not be read until the deadline is checked for afterwards; a broken one is not.
 */
const UNUSABLE: LastRow<'collect_failed'> = {
  when: 'it cannot be used',
  does: 'settle',
  how: (situation) => {
    const { message, address, mayPass } = situation.event;
    const settlement = { ...unusable(message, address), outputs: [] };
    // A check of a stored delivery asks nobody.
    return mayPass && storedDelivery(situation.task) === null ? atDeadline(situation, settlement) : settlement;
  },
};

export const COLLECT_FAILED: EventRows<'collect_failed'> = {
  ...IMPOSSIBLE,
  submitting: [
    {
      ...CAN_BE_READ_LATER,
      does: 'store_delivery',
      how: ({ event: { delivery } }) => (isHosted(delivery) ? { delivery } : null),
    },
    // Only this process has what came inside the answer: the order stays claimed while the rest is read again.
    {
      when: 'it can be read another time, and some of it came inside the answer',
      if: canBeReadLater,
      does: 'break_off',
    },
    UNUSABLE,
  ],
  running: [
    {
      ...CAN_BE_READ_LATER,
      does: 'release',
      to: 'same',
      how: (situation) => ({ ...unknownOutcomePause(situation), isDelivered: true as const }),
    },
    UNUSABLE,
  ],
};
