import { FAILURE_CODES } from '@darkroom-service/engines';
import { isLong, type Opened } from '../../routing/circuit.ts';
import { failed } from './endings.ts';
import type { EventType } from './event.ts';
import type { Facts } from './facts.ts';
import { type EventRows, IMPOSSIBLE, type LastRow, type Row, type Rows, type Situation } from './row.ts';

/** Decisions about an order that cannot be submitted now: a circuit is open, or its engine is not configured. */

const LOOK_AGAIN_MS = { soonest: 2_000, latest: 60_000 };
/** The circuit is closed, but the order has to wait for others to be accepted. */
const SLOW_MS = 1_000;

const TO_READY_ROUTE: Row<EventType> = {
  when: 'the wait is long, and another route is ready',
  if: isWaitLong,
  does: 'take_next_route',
  how: ({ task, facts }) => {
    const reason = openedFor(facts)?.message ?? `the engine ${task.route.engine} is not configured`;
    const next = facts.nextRoute({ reason, standings: ['ready'] });
    return next === null ? null : { next };
  },
};

/** Rows that keep an order queued which was never submitted. */
export const REQUEUE_UNSTARTED: readonly [Row<EventType>, Row<EventType>, LastRow<EventType>] = [
  TO_READY_ROUTE,
  {
    when: 'the whole engine gets no orders',
    if: ({ facts }) => facts.opened.route === null || facts.engine === null,
    does: 'back_to_queue',
  },
  {
    when: 'only its upstream model gets no orders',
    does: 'park',
    how: (situation) => ({ afterMs: pauseMs(situation) }),
  },
];

const DEFER_REFUSED: Rows<EventType> = [
  TO_READY_ROUTE,
  {
    when: 'it was refused or held for longer than the operator allows',
    if: (situation) => refusedForMs(situation) >= situation.facts.settings.upstreamWaitMs,
    does: 'settle',
    how: ({ facts }) => {
      const opened = openedFor(facts);
      return opened === null ? null : failed({ code: FAILURE_CODES[opened.fault], message: opened.message });
    },
  },
  {
    when: 'otherwise',
    does: 'defer',
    how: (situation) => {
      const { task, facts } = situation;
      const leftMs = openedFor(facts) === null ? Infinity : facts.settings.upstreamWaitMs - refusedForMs(situation);
      return {
        afterMs: Math.min(Math.max(SLOW_MS, pauseMs(situation)), leftMs),
        attempts: task.attempts,
        refused: true,
      };
    },
  },
];

export const SUBMISSION_BLOCKED: EventRows<'submission_blocked'> = {
  ...IMPOSSIBLE,
  preparing: REQUEUE_UNSTARTED,
  deferred: DEFER_REFUSED,
};

/** Returns the open circuit that an order waits for: the engine's, or that of its upstream model. */
function openedFor({ opened }: Facts): Opened | null {
  return opened.engine ?? opened.route;
}

/** Returns the pause before the circuit is checked again; 0 if it is closed. */
export function waitForUpstreamMs(facts: Facts): number {
  const opened = openedFor(facts);
  if (opened === null) return 0;
  const waitMs = Math.max(LOOK_AGAIN_MS.soonest, opened.retry_at - facts.now);
  return Math.min(LOOK_AGAIN_MS.latest, waitMs) * (1 + facts.chance * 0.1);
}

/** Returns how long the order has been refused or blocked at its route. */
export function refusedForMs({ task, facts }: Pick<Situation, 'task' | 'facts'>): number {
  return facts.now - (task.route.refused_at ?? facts.now);
}

function isWaitLong(situation: Situation): boolean {
  const { task, facts } = situation;
  const opened = openedFor(facts);
  return (
    facts.engine === null ||
    (opened !== null && isLong(opened)) ||
    (task.step === 'deferred' && refusedForMs(situation) + pauseMs(situation) >= facts.settings.routePatienceMs)
  );
}

function pauseMs({ facts }: Situation): number {
  return facts.engine === null ? LOOK_AGAIN_MS.latest : waitForUpstreamMs(facts);
}
