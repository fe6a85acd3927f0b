import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { prepare } from '../database/prepared.ts';
import { IN_QUEUE } from './gates.ts';
import { DUE_SOON_MS } from './in-flight.ts';
import { type OrderQueue, readQueueState } from './queue-state.ts';

/**
 * The fair queue, one per engine and mode. A task's rank is the queue's clock, or one more than the last waiting rank
 * of its key if that is later. So keys take turns, however many tasks one of them sends. The clock is virtual: the rank
 * of the task claimed last. An order whose references must be fetched has its rank and becomes claimable when these are
 * stored. A key has two lines (`tasks.line`): its own orders, and those of batches. Batches enqueue a few tasks at a
 * time, and each gets its rank then; so batches take turns in their line. A task that is held back has no place yet
 * (gates.ts). A claimable task holds a slot of its key until it is final. A key with limited concurrency has only as
 * many claimable tasks as slots, and every settlement makes the next one claimable. An order that its upstream refused
 * gives up its slot during a long wait (release.ts), and takes one again before it is submitted.
 */

const countWaiting = prepare<{ key: string }, { waiting: number }>('queue_count_waiting', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select((expression) => expression.fn.countAll<number>().as('waiting'))
    .where('api_key_id', '=', argument('key'))
    .where('line', '=', sql.lit(0))
    .where('status', '=', sql.lit('queued')),
);

const countTakenSlots = prepare<{ key: string }, { taken: number }>('queue_taken_slots', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select((expression) => expression.fn.countAll<number>().as('taken'))
    .where('api_key_id', '=', argument('key'))
    .where('claimable', '=', sql.lit(1)),
);

const letIn = prepare<{ key: string; free: number }, unknown>('queue_let_in', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set({ claimable: 1 })
    .where('id', 'in', (select) =>
      select
        .selectFrom('tasks')
        .select('id')
        .where('api_key_id', '=', argument('key'))
        .where('status', '=', sql.lit('queued'))
        .where('claimable', '=', sql.lit(0))
        .where(IN_QUEUE)
        .where('gates', '=', sql.lit(0))
        .orderBy('rank')
        .orderBy('id')
        .limit(sql<number>`${argument('free')}`),
    ),
);

/** The position in the queue of an order that may be claimed: by rank, and by id where ranks are equal. */
export interface QueuePlace {
  readonly rank: number;
  readonly id: string;
}

/** Orders of one key that are committed together and are consecutive in a queue. */
export interface QueueGroup {
  /** The rank of the first of them; the others follow it one by one. */
  readonly firstRank: Promise<number>;
  orders: number;
  /** The first of them that asked for its position, if any. */
  counted: { readonly rank: number; readonly claimable: number; readonly position: Promise<number | null> } | null;
  /** The first hundred of the queue after the commit, once several of them asked. */
  front: Promise<readonly QueuePlace[]> | null;
}

/** Returns the rank of a new task of the key, and whether it may be claimed at once. */
export async function placeInQueue(
  trx: Transaction,
  task: OrderQueue & {
    readonly concurrency: number;
    /** The gates that are closed; it is not claimable before they are open. */
    readonly gates: number;
  },
): Promise<{ readonly rank: number; readonly claimable: 0 | 1; readonly group: QueueGroup }> {
  const { queue, keyId, line } = task;
  // Orders of one group get consecutive ranks with a single query.
  const group = trx.once<QueueGroup>(`queue group ${queue} ${keyId} ${line}`, () => ({
    firstRank: readQueueState(trx, task).then(({ clock, last }) => rankAfter(clock ?? 0, last)),
    orders: 0,
    counted: null,
    front: null,
  }));
  const place = group.orders++;
  const rank = (await group.firstRank) + place;
  if (task.gates !== 0) return { rank, claimable: 0, group };
  if (task.concurrency === 0) return { rank, claimable: 1, group };
  await trx.lock(slotsName(keyId));
  const slots = slotsInGroup(trx, keyId);
  // Without a limit, a task that waits for a slot would wait for ever.
  slots.areTaken ||= !(await hasFreeSlot(trx, keyId, await concurrencyOf(trx, keyId)));
  return { rank, claimable: slots.areTaken ? 0 : 1, group };
}

/**
 * Returns the rank of a key's next order.
 * @param clock the rank of the order that was claimed last
 * @param last the key's last rank that waits; null = none
 */
export function rankAfter(clock: number, last: number | null): number {
  return last === null ? clock : Math.max(clock, last + 1);
}

/** Locks the count of the key's slots, to change it or the key's concurrency. */
export async function lockSlots(trx: Transaction, keyId: string): Promise<void> {
  await trx.lock(slotsName(keyId));
  slotsInGroup(trx, keyId).areTaken = false;
}

/**
 * State of a key's slots that the orders of one group share, so that only the first one behind a full key counts them.
 */
interface Slots {
  areTaken: boolean;
}

function slotsInGroup(trx: Transaction, keyId: string): Slots {
  return trx.once<Slots>(slotsName(keyId), () => ({ areTaken: false }));
}

function slotsName(keyId: string): string {
  return `slots:${keyId}`;
}

const selectConcurrency = prepare<{ key: string }, { concurrency: number }>('queue_concurrency', (builder, argument) =>
  builder.selectFrom('api_keys').select('concurrency').where('id', '=', argument('key')),
);

/** Locks the slots of a key unless it has no limit. @returns the limit; 0 = none */
export async function lockSlotsOf(trx: Transaction, keyId: string): Promise<number> {
  if ((await concurrencyOf(trx, keyId)) === 0) return 0;
  await lockSlots(trx, keyId);
  // The previous holder of the lock may have removed the limit: an order that waits for a slot then would wait for
  // ever.
  return await concurrencyOf(trx, keyId);
}

/** Limits by key. */
type KnownLimits = Map<string, Promise<number>>;

const limitsIn = (trx: Transaction): KnownLimits => trx.once<KnownLimits>('limits_of_keys', () => new Map());

/**
 * Locks the slots of a key unless it has no limit, which a transaction reads once: the settlements of a busy key share
 * it.
 * @returns the limit; 0 = none
 */
export async function lockKnownSlots(trx: Transaction, keyId: string): Promise<number> {
  const known = limitsIn(trx);
  const reading = known.get(keyId) ?? concurrencyOf(trx, keyId);
  known.set(keyId, reading);
  const concurrency = await reading;
  if (concurrency !== 0) await lockSlots(trx, keyId);
  return concurrency;
}

/** Makes the following units of the group read the limits of a key again. Call it in a unit that has changed them. */
export function forgetLimits(trx: Transaction, keyId: string): void {
  limitsIn(trx).delete(keyId);
}

/** Returns the number of slots of a key; 0 = no limit. */
export async function concurrencyOf(trx: Transaction, keyId: string): Promise<number> {
  return (await trx.first(selectConcurrency, { key: keyId }))?.concurrency ?? 0;
}

/** Tells whether one more task of the key may be claimed. Call it with the slots locked. */
export async function hasFreeSlot(trx: Transaction, keyId: string, concurrency: number): Promise<boolean> {
  return concurrency === 0 || ((await trx.first(countTakenSlots, { key: keyId }))?.taken ?? 0) < concurrency;
}

/**
 * Refused orders that gave up their slot and are due go before orders that were never submitted. Deferred orders of all
 * keys are few and have an index; a planner that starts from the key instead reads all its tasks.
 */
const letBackIn = prepare<{ key: string; free: number; due: number }, unknown>(
  'queue_let_back_in',
  (builder, argument) =>
    builder
      .with(
        (name) => name('deferred').materialized(),
        (select) =>
          select
            .selectFrom('tasks')
            .select(['id', 'api_key_id', 'claimable', 'next_at'])
            .where('step', '=', sql.lit('deferred')),
      )
      .updateTable('tasks')
      .set({ claimable: 1 })
      .where('id', 'in', (select) =>
        select
          .selectFrom('deferred')
          .select('id')
          .where('api_key_id', '=', argument('key'))
          .where('claimable', '=', 0)
          .where('next_at', '<=', argument('due'))
          .orderBy('id')
          .limit(sql<number>`${argument('free')}`),
      ),
);

/**
 * Makes the key's next waiting tasks claimable while it has free slots. Call it with the slots locked, when one of its
 * tasks has ended.
 */
export async function fillSlots(trx: Transaction, keyId: string, concurrency: number): Promise<void> {
  if (concurrency === 0) return;
  const taken = (await trx.first(countTakenSlots, { key: keyId }))?.taken ?? 0;
  if (taken >= concurrency) return;
  const due = (await databaseNow(trx)) + DUE_SOON_MS;
  const back = await trx.run(letBackIn, { key: keyId, free: concurrency - taken, due });
  if (taken + back < concurrency) trx.send(letIn, { key: keyId, free: concurrency - taken - back });
}

const NO_LIMIT = 1_000_000_000;

/** Fills the free slots of a key whose concurrency was changed to `concurrency`; 0 = no limit. */
export async function refillSlots(trx: Transaction, keyId: string, concurrency: number): Promise<void> {
  await fillSlots(trx, keyId, concurrency === 0 ? NO_LIMIT : concurrency);
}

/** Returns the number of a key's queued orders outside of batches, over all queues. Reads an index only. */
export async function waitingOf(trx: Transaction, keyId: string): Promise<number> {
  return (await trx.first(countWaiting, { key: keyId }))?.waiting ?? 0;
}
