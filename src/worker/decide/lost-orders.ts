import { failed } from './endings.ts';
import { isOverdue } from './hand-over.ts';
import type { Row, Situation } from './row.ts';

/**
 * Decisions about an order that a server of one's own has lost, or may have. Nothing was paid there, so the order is
 * submitted again: a restart of the server fails no order. An order that is lost three times may be what ends the
 * server, and fails.
 */

const SUBMITTED_AGAIN = 2;
/** Lost orders come back one by one, so that one that crashes the server does not take the others with it. */
const APART_MS = 15_000;

/** Tells whether the order may be submitted again, because its engine is free and has not lost it too often. */
export function canResubmit(situation: Pick<Situation, 'task' | 'facts'>): boolean {
  const { facts } = situation;
  if (facts.engine?.isFree !== true || isOverdue(situation)) return false;
  return lossesOf(situation) < SUBMITTED_AGAIN;
}

/** Returns how long a lost order waits until it is submitted again. */
export function resubmit({ task, facts }: Pick<Situation, 'task' | 'facts'>) {
  const afterMs = lossesOf({ task }) === 0 ? 0 : (1 + facts.chance) * APART_MS;
  return { afterMs, attempts: 0, why: 'lost' as const };
}

export const LOST: readonly [Row<'checked'>, Row<'checked'>] = [
  {
    when: 'its free engine has lost it',
    if: (situation) => situation.event.checked.status === 'lost' && canResubmit(situation),
    does: 'release',
    to: 'deferred',
    how: resubmit,
  },
  {
    when: 'its engine has lost it too often',
    does: 'settle',
    how: (situation) => {
      const { checked } = situation.event;
      if (checked.status !== 'lost') return null;
      const times = lossesOf(situation) + 1;
      const often =
        times > 1 ? `, for the ${times === 2 ? 'second' : 'third'} time. The order may be what ends the server` : '';
      return failed({ code: 'upstream_error', message: `${checked.message}${often}` });
    },
  },
];

function lossesOf({ task }: Pick<Situation, 'task'>): number {
  return task.route.losses ?? 0;
}
