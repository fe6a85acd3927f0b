import { sql } from 'kysely';

/** Word for word as their index says it: SQLite does not see by itself that an index serves for some of these steps. */
export const IN_FLIGHT = sql<boolean>`step in ('preparing', 'submitting', 'deferred', 'running', 'collecting')`;

/** A refused order that will be offered within this time has a place reserved. */
export const DUE_SOON_MS = 2_000;
