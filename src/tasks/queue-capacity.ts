import type { Argument } from '@darkroom-service/store';
import { type RawBuilder, sql } from 'kysely';
import type { Session } from '../database/database.ts';
import { prepare, prepareTaskCount } from '../database/prepared.ts';
import { IN_FLIGHT } from './in-flight.ts';

/** Selects a row if an order waits in a queue that may be claimed. */
export const waitingIn = (builder: Session['builder'], argument: Argument<{ queue: string }>) =>
  builder
    .selectFrom('tasks')
    .select(sql<number>`1`.as('found'))
    .where('queue', '=', argument('queue'))
    .where('step', '=', sql.lit('waiting'))
    .where('claimable', '=', sql.lit(1))
    .limit(sql.lit(1));

const hasWaiting = prepare<{ queue: string }, { found: number }>('claim_has_waiting', waitingIn);

/** Counts the waiting orders of a queue that may be claimed, up to `most`. */
export const countWaitingIn = prepareTaskCount<{ queue: string; most: number }>(
  'claim_count_waiting',
  (builder, argument) =>
    builder
      .selectFrom('tasks')
      .select('id')
      .where('queue', '=', argument('queue'))
      .where('step', '=', sql.lit('waiting'))
      .where('claimable', '=', sql.lit(1))
      .limit(sql<number>`${argument('most')}`),
);

export const hasPreparing = prepare<{ queue: string }, { found: number }>('claim_has_preparing', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(sql<number>`1`.as('found'))
    .where('queue', '=', argument('queue'))
    .where(IN_FLIGHT)
    .where('step', '=', sql.lit('preparing'))
    .limit(1),
);

/** Uses only the index, so that no rows are read however many tasks are in flight. */
const countInFlight = prepareTaskCount<{ queue: string; most: number }>('claim_in_flight', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('queue', '=', argument('queue'))
    .where(IN_FLIGHT)
    .limit(sql<number>`${argument('most')}`),
);

/**
 * Counts deferred orders, which are not at the engine, so they hold no slot. Those that are due or claimed have one
 * reserved, unless they still need a slot of their key, which a waiting order may hold.
 */
export const withoutSlot = (builder: Session['builder'], queue: RawBuilder<string>, due: RawBuilder<number>) =>
  builder
    .selectFrom('tasks')
    .select((expression) => expression.fn.countAll<number>().as('found'))
    .where('queue', '=', queue)
    .where('step', '=', sql.lit('deferred'))
    .where((expression) =>
      expression.or([
        expression('claimable', '=', sql.lit(0)),
        expression.and([expression('worker', 'is', null), expression('next_at', '>', due)]),
      ]),
    );

const countWithoutSlot = prepare<{ queue: string; due: number }, { found: number }>(
  'claim_without_slot',
  (builder, argument) => withoutSlot(builder, argument('queue'), argument('due')),
);

/** Counts the used slots of a queue, up to its capacity. */
export async function takenSlots(
  session: Session,
  { queue, capacity, due }: { readonly queue: string; readonly capacity: number; readonly due: number },
): Promise<number> {
  const without = (await session.first(countWithoutSlot, { queue, due }))?.found ?? 0;
  const inFlight = (await session.first(countInFlight, { queue, most: capacity + without }))?.count ?? 0;
  return inFlight - without;
}

/** A row that reserves slots of a queue for a process on PostgreSQL: see src/worker/claim-permits.ts. */
export interface Permit {
  readonly queue: string;
  readonly holder: string;
  /** The capacity of the queue when the permit was granted. */
  readonly capacity: number;
  /** Time when this process asked for the permit, by its own clock. */
  readonly at: number;
  /** Number of orders that may still use it, as of the last commit. */
  left: number;
}

/** Locks a permit and returns its number of orders; no row if it has ended. No transaction waits for such a lock. */
export const heldPermit = (builder: Session['builder'], argument: Argument<Pick<Permit, 'queue' | 'holder'>>) =>
  builder
    .selectFrom('claim_permits')
    .select('orders')
    .where('queue', '=', argument('queue'))
    .where('holder', '=', argument('holder'))
    .forUpdate()
    .skipLocked();

/**
 * Counts the orders of a queue that use slots, including those that a process may claim by now, and those that wait.
 */
export async function countOrdersIn(
  session: Session,
  queue: string,
  most: number,
): Promise<{ readonly taken: number; readonly waiting: number }> {
  const [taken, waiting] = await Promise.all([
    takenSlots(session, { queue, capacity: most, due: 0 }),
    session.first(countWaitingIn, { queue, most }),
  ]);
  return { taken, waiting: waiting?.count ?? 0 };
}

/** Counts the slots of a queue that an order may take without overtaking another one: 0 if one waits. */
export async function freeSlots(session: Session, queue: string, capacity: number): Promise<number> {
  if ((await session.first(hasWaiting, { queue })) !== undefined) return 0;
  return capacity - (await takenSlots(session, { queue, capacity, due: Number.MAX_SAFE_INTEGER }));
}

/** Tells whether a queue may have one more task in progress, or has no waiting task. */
export async function hasRoomFor(session: Session, queue: string, capacity: number): Promise<boolean> {
  if ((await session.first(hasWaiting, { queue })) === undefined) return true;
  return (await takenSlots(session, { queue, capacity, due: 0 })) < capacity;
}
