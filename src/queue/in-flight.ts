import { sql } from 'kysely';

/**
 * Condition for tasks in flight. It must equal the index's predicate: SQLite does not detect that the index covers a
 * subset of these steps.
 */
export const IN_FLIGHT = sql<boolean>`step in ('preparing', 'submitting', 'deferred', 'running')`;

/**
 * Condition for delivered tasks that gave up the slots of their engine and of their key, as the index has it: only
 * their file is still to be read.
 */
export const HOLDS_NO_SLOT = sql<boolean>`step = 'running' and claimable = 0`;

/** A deferred order that is due within this time has a slot reserved. */
export const DUE_SOON_MS = 2_000;
