import { sql } from 'kysely';

/**
 * What the column `rank` says of a queued task: its place in the queue, or below zero that it has none before its gates
 * are open (gates.ts). So all that have none sort before those that have one.
 */

/** The rank of a task outside of batches that has no place. */
export const NO_PLACE = -1;

/** Condition for a task with a place in the queue, claimable or not. Indexes have the rank. */
export const IN_QUEUE = sql<boolean>`rank >= 0`;

/** The rank of a task of a batch before it has a place: its turn. @param index from 0, of all `orders` of the batch */
export const rankInBatch = (index: number, orders: number) => index - orders;
