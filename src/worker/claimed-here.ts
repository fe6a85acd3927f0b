import { type RawBuilder, sql } from 'kysely';

/**
 * Holds for the tasks that may be claimed: while an account moves to another cell, none of its other tasks begin. What
 * may have been submitted goes on, so that its outcome is known before the account moves.
 */
export function isClaimedHere(now: RawBuilder<number>): RawBuilder<boolean> {
  return sql<boolean>`(step in ('preparing', 'submitting')
    or account_id not in (select account_id from account_moves where held_until > ${now}))`;
}
