import { stateOf } from '../../routing/valve.ts';
import { canceled, failed, timedOut } from './endings.ts';
import type { EventType } from './event.ts';
import { REQUEUE_UNSTARTED } from './outage.ts';
import { type EventRows, IMPOSSIBLE, type LastRow, type Row, type Rows, type Situation } from './row.ts';

/** Decisions about an order that no engine has, until its engine is called. */

/** The pause before the next attempt to get an engine slot. */
const NO_SLOT_MS = 1000;
/** The pause while unsaved answers fill the memory. */
const MEMORY_FULL_MS = 5000;

/** No engine has the order, so it can end at once. */
const END_UNSTARTED: readonly [Row<EventType>, Row<EventType>] = [
  {
    when: 'its hard deadline has come',
    if: isOverdue,
    does: 'settle',
    how: timedOut,
  },
  {
    when: 'its customer canceled it',
    if: ({ task }) => task.cancel_requested_at !== null,
    does: 'settle',
    how: canceled,
  },
];

const HAND_OVER: readonly [Row<EventType>, LastRow<EventType>] = [
  {
    when: 'its engine is paid, and unsaved answers fill the memory',
    if: ({ facts }) => facts.engine?.isRepeatable === false && facts.isMemoryFull,
    does: 'release',
    to: 'same',
    how: ({ task }) => ({ afterMs: MEMORY_FULL_MS, attempts: task.attempts }),
  },
  { when: 'otherwise', does: 'claim_slot' },
];

export const CLAIMED_WAITING: Rows<'claimed'> = [
  ...END_UNSTARTED,
  {
    when: 'its upstream model gets orders again',
    if: ({ facts: { shut, now } }) => shut.route === null || stateOf(shut.route, now) !== 'shut',
    does: 'release',
    to: 'waiting',
    how: () => ({ afterMs: 0 }),
  },
  ...REQUEUE_UNSTARTED,
];

export const CLAIMED_PREPARING: Rows<'claimed'> = [...END_UNSTARTED, { when: 'otherwise', does: 'prepare' }];

export const CLAIMED_DEFERRED: Rows<'claimed'> = [...END_UNSTARTED, ...HAND_OVER];

export const PREPARED: EventRows<'prepared'> = {
  ...IMPOSSIBLE,
  preparing: [
    {
      when: 'its media do not fit, or an interceptor refuses it',
      does: 'settle',
      how: ({ event: { preparation } }) => (preparation.ready ? null : failed(preparation.failure)),
    },
    ...HAND_OVER,
  ],
};

const WAIT_FOR_SLOT: Rows<'no_slot'> = [
  {
    when: 'always',
    does: 'release',
    to: 'same',
    how: ({ task }) => ({ afterMs: NO_SLOT_MS, attempts: task.attempts }),
  },
];

export const NO_SLOT: EventRows<'no_slot'> = { ...IMPOSSIBLE, preparing: WAIT_FOR_SLOT, deferred: WAIT_FOR_SLOT };

export const SLOT_CLAIMED: EventRows<'slot_claimed'> = {
  ...IMPOSSIBLE,
  submitting: [{ when: 'always', does: 'call_engine' }],
};

/** Returns a pause that ends at the hard deadline at the latest, where the engine is asked once more. */
export function untilDeadline(pauseMs: number, { task, facts }: Pick<Situation, 'task' | 'facts'>): number {
  return Math.min(pauseMs, Math.max(0, task.deadline_at - facts.now));
}

export function isOverdue({ task, facts }: Pick<Situation, 'task' | 'facts'>): boolean {
  return facts.now >= task.deadline_at;
}
