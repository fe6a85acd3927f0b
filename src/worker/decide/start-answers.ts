import type { EngineErrorClass } from '@darkroom-service/engines';
import { backOff } from '../../base/back-off.ts';
import { isLasting, isLong } from '../../routing/valve.ts';
import { failedBy, fileGone, outcomeUnknown, takenPerhaps } from './endings.ts';
import type { Fault } from './event.ts';
import { canResubmit, resubmit } from './lost-orders.ts';
import { mayLeaveModel, toNextModel } from './next-model.ts';
import { refusedForMs, shutFor, waitForUpstreamMs, whyHeld } from './outage.ts';
import { type EventRows, IMPOSSIBLE, type Rows, type Situation } from './row.ts';
import { canBecomeKnown, RESUBMISSION_FAILED, unknownOutcomePause } from './unknown-outcome.ts';

/**
 * Decisions after `start` failed. Only an order that the upstream certainly did not accept is submitted again, there or
 * at its next route. An order that it may have is submitted again only if the upstream makes that safe, and ends as
 * `outcome_unknown` otherwise.
 */

const PASSING: readonly EngineErrorClass[] = ['rate_limited', 'busy', 'upstream', 'timeout'];
const START_ATTEMPTS = 8;
/** Refusals before the next route is tried. */
const PATIENCE = 3;
/** The pause while this machine lacks a resource. */
const MACHINE_SHORT_MS = 10_000;
/** The pause while the storage is unavailable. */
const STORAGE_AWAY_MS = 10_000;

export const FILE_UNREADABLE: EventRows<'file_unreadable'> = {
  ...IMPOSSIBLE,
  submitting: [
    RESUBMISSION_FAILED,
    { when: 'otherwise', does: 'release', to: 'deferred', how: ({ task }) => ownFault(task, STORAGE_AWAY_MS) },
  ],
};

export const MACHINE_SHORT: EventRows<'machine_short'> = {
  ...IMPOSSIBLE,
  submitting: [
    RESUBMISSION_FAILED,
    { when: 'otherwise', does: 'release', to: 'deferred', how: ({ task }) => ownFault(task, MACHINE_SHORT_MS) },
  ],
};

const GONE: Rows<'file_gone'> = [{ when: 'always', does: 'settle', how: fileGone }];
const GONE_AT_CALL: Rows<'file_gone'> = [
  {
    when: 'it was submitted again, and may have been accepted before',
    if: ({ facts }) => facts.isResubmission,
    does: 'settle',
    how: ({ task, facts }) => outcomeUnknown(task, facts.engine),
  },
  { when: 'otherwise', does: 'settle', how: fileGone },
];

export const FILE_GONE: EventRows<'file_gone'> = {
  ...IMPOSSIBLE,
  submitting: GONE_AT_CALL,
  running: GONE,
};

export const START_FAILED: EventRows<'start_failed'> = {
  ...IMPOSSIBLE,
  submitting: [
    {
      when: 'the engine may have taken it, and can still tell',
      if: (situation) => mayBeTaken(situation) && canStillTell(situation),
      does: 'release',
      to: 'same',
      how: unknownOutcomePause,
    },
    {
      when: 'the engine took it, or may have, and is free',
      if: (situation) => mayBeTaken(situation) && canResubmit(situation),
      does: 'release',
      to: 'deferred',
      how: resubmit,
    },
    {
      when: 'the engine took it, or may have, and has lost it often',
      if: (situation) => mayBeTaken(situation) && situation.facts.engine?.isFree === true,
      does: 'settle',
      how: ({ event }) => failedBy(event.fault),
    },
    {
      when: 'the engine took it, or may have',
      if: mayBeTaken,
      does: 'settle',
      how: takenPerhaps,
    },
    {
      when: 'this upstream cannot express the order, and another route can',
      if: ({ event: { fault } }) => isVerdict(fault) && fault.elsewhere,
      does: 'reroute',
      how: ({ event, facts }) => nextRoute(facts, event.fault),
    },
    {
      when: 'the order itself is refused, and its next model may make it',
      if: ({ task, event: { fault } }) => isVerdict(fault) && mayLeaveModel(task, fault.class),
      does: 'reroute',
      how: ({ task, event, facts }) => toNextModel({ task, facts }, event.fault.message, event.fault.class),
    },
    {
      when: 'the order itself is refused',
      if: ({ event }) => isVerdict(event.fault),
      does: 'settle',
      how: ({ event }) => failedBy(event.fault),
    },
    {
      when: 'waiting does not help, and there is another route',
      if: ({ event }) => isOperatorsFault(event.fault),
      does: 'reroute',
      how: ({ event, facts }) => nextRoute(facts, event.fault),
    },
    {
      when: 'waiting does not help, but it has only tested a valve that was shut, behind which it waited',
      if: ({ event, facts }) => isOperatorsFault(event.fault) && facts.isTest,
      does: 'release',
      to: 'deferred',
      how: (situation) => ({
        afterMs: waitForUpstreamMs(situation.facts),
        attempts: situation.task.attempts,
        why: whyHeld(situation),
      }),
    },
    {
      when: 'waiting does not help',
      if: ({ event }) => isOperatorsFault(event.fault),
      does: 'settle',
      how: ({ event }) => failedBy(event.fault),
    },
    {
      when: 'it was refused often or for long, and another route is ready',
      if: hasLostPatience,
      does: 'reroute',
      how: ({ event, facts }) => {
        const next = facts.nextRoute({ reason: event.fault.message, standings: ['ready'] });
        return next === null ? null : { next };
      },
    },
    {
      when: 'it was refused for as long as the operator allows, or often while others get through',
      if: hasGivenUp,
      does: 'settle',
      how: ({ event }) => failedBy(event.fault),
    },
    {
      when: 'otherwise',
      does: 'release',
      to: 'deferred',
      how: (situation) => {
        const leftMs = situation.facts.settings.upstreamWaitMs - refusedForMs(situation);
        const afterMs = Math.min(pauseAfterRefusal(situation), leftMs);
        const why = situation.facts.isTest ? whyHeld(situation) : 'refused';
        return { afterMs, attempts: situation.task.attempts + 1, why };
      },
    },
  ],
};

/**
 * Tells whether the upstream may have the order. A refusal is certain only for a first submission: an upstream that
 * refuses the second one may have accepted the first.
 */
function mayBeTaken({ event: { fault }, facts }: Situation<'start_failed'>): boolean {
  return fault.took !== 'no' || facts.isResubmission;
}

/**
 * Tells whether a further attempt can clarify the outcome. A refused duplicate cannot: the first submission exists, but
 * its id is not known. Nor can a verdict about the order: the next submission would get the same.
 */
function canStillTell(situation: Situation<'start_failed'>): boolean {
  const { fault } = situation.event;
  if (fault.took === 'yes' && situation.facts.engine?.idempotency === 'refuses_duplicates') return false;
  if (fault.took === 'no' && isVerdict(fault)) return false;
  return canBecomeKnown(situation);
}

/** Tells whether the order itself was refused, not its route. */
function isVerdict(fault: Fault): boolean {
  return !isOperatorsFault(fault) && !PASSING.includes(fault.class);
}

/** Tells whether waiting does not help: authentication, billing, or a model that the upstream does not offer. */
function isOperatorsFault(fault: Fault): boolean {
  return isLasting(fault.class) || (fault.scope === 'route' && fault.class !== 'rate_limited');
}

function nextRoute(facts: Situation['facts'], fault: Fault) {
  const next = facts.nextRoute({
    reason: fault.message,
    standings: ['ready', 'throttled', 'interrupted'],
    // Billing is shared by all models of an upstream.
    engine: fault.class === 'billing',
  });
  return next === null ? null : { next };
}

function hasLostPatience(situation: Situation<'start_failed'>): boolean {
  const { task, facts } = situation;
  return (
    task.attempts + 1 >= PATIENCE ||
    refusedForMs(situation) + pauseAfterRefusal(situation) >= facts.settings.routePatienceMs ||
    isLongShut(facts)
  );
}

function isLongShut(facts: Situation['facts']): boolean {
  const shut = shutFor(facts);
  return shut !== null && isLong(shut);
}

/**
 * Tells whether a refused order fails: it does if others succeed meanwhile. If none does, it waits as long as the
 * operator allows.
 */
function hasGivenUp(situation: Situation<'start_failed'>): boolean {
  const { task, facts } = situation;
  if (refusedForMs(situation) >= facts.settings.upstreamWaitMs) return true;
  return shutFor(facts) === null && task.attempts + 1 >= START_ATTEMPTS;
}

/**
 * Returns the pause after a refusal: as requested by the upstream, growing after three, and at least until the valve
 * allows the order.
 */
function pauseAfterRefusal({ task, event, facts }: Situation<'start_failed'>): number {
  const { retryAfterMs } = event.fault;
  const attempts = task.attempts + 1;
  const growing = backOff(attempts, facts.chance);
  const asked = retryAfterMs === null ? growing : attempts <= PATIENCE ? retryAfterMs : Math.max(retryAfterMs, growing);
  return Math.max(asked, waitForUpstreamMs(facts));
}

/** Returns the release for our own errors, which do not count as attempts and say nothing about the upstream. */
function ownFault({ attempts }: { readonly attempts: number }, afterMs: number) {
  return { afterMs, attempts, why: 'ours' as const };
}
