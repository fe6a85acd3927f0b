import { sql } from 'kysely';

/** The revision that a task shows. */
export const SHOWN_REVISION = sql<number>`revision + coalesce(progress_changes, 0)`.as('revision');
