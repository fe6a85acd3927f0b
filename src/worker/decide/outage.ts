import { FAILURE_CODES } from '@darkroom-service/engines';
import { ENGINE_STATES } from '../../record/route.ts';
import { isLong, lasts, type Shut } from '../../routing/valve.ts';
import { failed } from './endings.ts';
import type { EventType } from './event.ts';
import type { Facts } from './facts.ts';
import { type EventRows, IMPOSSIBLE, type LastRow, type Row, type Rows, type Situation } from './row.ts';

/**
 * Decisions about an order that cannot be submitted now: a valve is shut, its engine is not configured, or its rule
 * excludes the route.
 */

const LOOK_AGAIN_MS = { soonest: 2_000, latest: 60_000 };
/** Pause if no valve is shut, but the order must wait until others are accepted. */
const SLOW_MS = 1_000;

const TO_READY_ROUTE: Row<EventType> = {
  when: 'the wait is long, and another route is ready',
  if: isWaitLong,
  does: 'reroute',
  how: ({ task, facts }) => {
    const reason = shutFor(facts)?.message ?? `the engine ${task.route.engine} is not configured`;
    const next = facts.nextRoute({ reason, standings: ['ready'] });
    return next === null ? null : { next };
  },
};

/** Rows that keep an order queued that was never submitted. */
export const REQUEUE_UNSTARTED: readonly [Row<EventType>, Row<EventType>, LastRow<EventType>] = [
  TO_READY_ROUTE,
  {
    when: 'the whole engine gets no orders',
    if: ({ facts }) => facts.shut.route === null || facts.engine === null,
    does: 'release',
    to: 'waiting',
    how: () => ({ afterMs: 0 }),
  },
  {
    when: 'only its upstream model gets no orders',
    does: 'release',
    to: 'waiting',
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
      const shut = shutFor(facts);
      return shut === null ? null : failed({ code: FAILURE_CODES[shut.fault], message: shut.message });
    },
  },
  {
    when: 'otherwise',
    does: 'release',
    to: 'deferred',
    how: (situation) => {
      const { task, facts } = situation;
      const leftMs = shutFor(facts) === null ? Infinity : facts.settings.upstreamWaitMs - refusedForMs(situation);
      return {
        afterMs: Math.min(Math.max(SLOW_MS, pauseMs(situation)), leftMs),
        attempts: task.attempts,
        why: whyHeld(situation),
      };
    },
  },
];

export const SUBMISSION_BLOCKED: EventRows<'submission_blocked'> = {
  ...IMPOSSIBLE,
  preparing: REQUEUE_UNSTARTED,
  deferred: DEFER_REFUSED,
};

const LEAVE_EXCLUDED: Rows<'route_excluded'> = [
  {
    when: 'another route fits its rule, in any state',
    does: 'reroute',
    how: ({ event: { reason }, facts }) => {
      const next = facts.nextRoute({ reason, standings: ENGINE_STATES });
      return next === null ? null : { next };
    },
  },
  {
    when: 'otherwise',
    does: 'settle',
    how: ({ task, event: { reason } }) =>
      failed({
        code: 'invalid_input',
        message: `data: no upstream of ${task.model_id} fits the rule of this order any more (${reason}).`,
      }),
  },
];

export const ROUTE_EXCLUDED: EventRows<'route_excluded'> = {
  ...IMPOSSIBLE,
  preparing: LEAVE_EXCLUDED,
  deferred: LEAVE_EXCLUDED,
};

/**
 * Returns `refused` if the time of an order runs while it waits, `held` if not: behind a valve that only the operator
 * opens, unless the order itself was refused before.
 */
export function whyHeld({ task, facts }: Pick<Situation, 'task' | 'facts'>): 'refused' | 'held' {
  const shut = shutFor(facts);
  return task.route.refused_at === undefined && shut !== null && lasts(shut) ? 'held' : 'refused';
}

/** Returns the shut valve that an order waits for: the engine's, or that of its upstream model. */
export function shutFor({ shut }: Facts): Shut | null {
  return shut.engine ?? shut.route;
}

/** Returns the pause before the valve is checked again; 0 if none is shut. */
export function waitForUpstreamMs(facts: Facts): number {
  const shut = shutFor(facts);
  if (shut === null) return 0;
  const waitMs = Math.max(LOOK_AGAIN_MS.soonest, shut.retry_at - facts.now);
  return Math.min(LOOK_AGAIN_MS.latest, waitMs) * (1 + facts.chance * 0.1);
}

/** Returns the milliseconds since the order was first refused or blocked at its route. */
export function refusedForMs({ task, facts }: Pick<Situation, 'task' | 'facts'>): number {
  return facts.now - (task.route.refused_at ?? facts.now);
}

function isWaitLong(situation: Situation): boolean {
  const { task, facts } = situation;
  const shut = shutFor(facts);
  return (
    facts.engine === null ||
    (shut !== null && isLong(shut)) ||
    (task.step === 'deferred' && refusedForMs(situation) + pauseMs(situation) >= facts.settings.routePatienceMs)
  );
}

function pauseMs({ facts }: Situation): number {
  return facts.engine === null ? LOOK_AGAIN_MS.latest : waitForUpstreamMs(facts);
}
