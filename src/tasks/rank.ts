import { sql } from 'kysely';
import type { TaskRow } from './task.ts';

/**
 * What the column `rank` says of a queued task, by names: its place in the queue, that it waits for other tasks, or its
 * turn among those that its batch holds back. The latter two have no place yet, and sort before all that have one.
 */

/** The rank of a task that waits for others. */
export const RANK_OF_BLOCKED = -1;

/** Condition for a task with a place in the queue, claimable or not. */
export const IN_QUEUE = sql<boolean>`rank >= 0`;
/** Condition for a task that waits for other tasks. */
export const BLOCKED = sql<boolean>`rank = ${sql.lit(RANK_OF_BLOCKED)}`;
/** Condition for a task that waits in its batch. `rank` is the order in which the batch queues its tasks. */
export const GATED_BY_BATCH = sql<boolean>`rank < ${sql.lit(RANK_OF_BLOCKED)}`;

type Ranked = Pick<TaskRow, 'rank'>;

export const isInQueue = ({ rank }: Ranked) => rank >= 0;

export const isGatedByBatch = ({ rank }: Ranked) => rank < RANK_OF_BLOCKED;

/** The rank of a task that its batch holds back. @param index its place among all `orders` of the batch, from 0 */
export const rankInBatch = (index: number, orders: number) => RANK_OF_BLOCKED + index - orders;
