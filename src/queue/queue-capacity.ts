import type { Argument } from '@darkroom-service/store';
import { type RawBuilder, sql } from 'kysely';
import type { Session } from '../database/database.ts';
import { countOf, prepare } from '../database/prepared.ts';
import { HOLDS_NO_SLOT, IN_FLIGHT } from './in-flight.ts';

type Builder = Session['builder'];

const inQueue = (builder: Builder, queue: RawBuilder<string>) =>
  builder.selectFrom('tasks').select('id').where('queue', '=', queue);

/** Selects the orders of a queue that wait and may be claimed. */
export const claimableIn = (builder: Builder, queue: RawBuilder<string>) =>
  inQueue(builder, queue).where('step', '=', sql.lit('waiting')).where('claimable', '=', sql.lit(1));

/** Selects the id of one such order. */
export const waitingIn = (builder: Builder, queue: RawBuilder<string>) => claimableIn(builder, queue).limit(sql.lit(1));

const hasWaiting = prepare<{ queue: string }, { id: string }>('claim_has_waiting', (builder, argument) =>
  waitingIn(builder, argument('queue')),
);

export const hasPreparing = prepare<{ queue: string }, { id: string }>('claim_has_preparing', (builder, argument) =>
  inQueue(builder, argument('queue')).where(IN_FLIGHT).where('step', '=', sql.lit('preparing')).limit(1),
);

interface Slots {
  readonly queue: RawBuilder<string>;
  readonly capacity: RawBuilder<number>;
  /** Time from which on a deferred order needs no slot yet. */
  readonly due: RawBuilder<number>;
}

/**
 * Selects the orders of a queue that their engine has delivered, and that gave their slots up while their file cannot
 * be read.
 */
export const deliveredIn = (builder: Builder, queue: RawBuilder<string>) =>
  inQueue(builder, queue).where(HOLDS_NO_SLOT);

/**
 * Counts the used slots of a queue, up to its capacity, by its indexes alone. Deferred orders are not at the engine, so
 * they hold no slot. Those that are due or claimed have one reserved, unless they still need a slot of their key, which
 * a waiting order may hold.
 */
export function takenIn(builder: Builder, { queue, capacity, due }: Slots): RawBuilder<number> {
  const deferred = builder
    .selectFrom('tasks')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('queue', '=', queue)
    .where('step', '=', sql.lit('deferred'))
    .where((expression) =>
      expression.or([
        expression('claimable', '=', sql.lit(0)),
        expression.and([expression('worker', 'is', null), expression('next_at', '>', due)]),
      ]),
    );
  const withoutSlot = sql<number>`${deferred} + ${countOf(deliveredIn(builder, queue))}`;
  const inFlight = inQueue(builder, queue).where(IN_FLIGHT).limit(sql<number>`${capacity} + ${withoutSlot}`);
  return sql<number>`${countOf(inFlight)} - (${withoutSlot})`;
}

/** Counts the slots of a queue that an order may take without overtaking another one: null if one waits. */
export const freeIn = (builder: Builder, { queue, capacity }: Omit<Slots, 'due'>): RawBuilder<number | null> =>
  sql<number | null>`case when ${waitingIn(builder, queue)} is null
    then ${capacity} - (${takenIn(builder, { queue, capacity, due: sql.lit(Number.MAX_SAFE_INTEGER) })}) end`;

interface SlotArguments {
  readonly queue: string;
  readonly capacity: number;
}

interface DueArguments extends SlotArguments {
  readonly due: number;
}

const slotsOf = (argument: Argument<DueArguments>): Slots => ({
  queue: argument('queue'),
  capacity: argument('capacity'),
  due: argument('due'),
});

const countTaken = prepare<DueArguments, { taken: number }>('claim_taken', (builder, argument) =>
  builder.selectNoFrom(takenIn(builder, slotsOf(argument)).as('taken')),
);

/** Counts the used slots of a queue, up to its capacity. */
export async function takenSlots(session: Session, of: DueArguments): Promise<number> {
  return (await session.first(countTaken, of))?.taken ?? 0;
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

const countOrders = prepare<DueArguments, { taken: number; waiting: number }>(
  'claim_count_orders',
  (builder, argument) => {
    const { queue, capacity, due } = slotsOf(argument);
    return builder.selectNoFrom([
      takenIn(builder, { queue, capacity, due }).as('taken'),
      countOf(claimableIn(builder, queue).limit(capacity)).as('waiting'),
    ]);
  },
);

/**
 * Counts the orders of a queue that use slots, including those that a process may claim by now, and those that wait.
 */
export async function countOrdersIn(
  session: Session,
  queue: string,
  most: number,
): Promise<{ readonly taken: number; readonly waiting: number }> {
  return (await session.first(countOrders, { queue, capacity: most, due: 0 })) ?? { taken: 0, waiting: 0 };
}

const countFree = prepare<SlotArguments, { free: number | null }>('claim_free', (builder, argument) =>
  builder.selectNoFrom(freeIn(builder, { queue: argument('queue'), capacity: argument('capacity') }).as('free')),
);

/** Counts the slots of a queue that an order may take without overtaking another one: 0 if one waits. */
export async function freeSlots(session: Session, queue: string, capacity: number): Promise<number> {
  return (await session.first(countFree, { queue, capacity }))?.free ?? 0;
}

/** Tells whether a queue may have one more task in progress, or has no waiting task. */
export async function hasRoomFor(session: Session, queue: string, capacity: number): Promise<boolean> {
  if ((await session.first(hasWaiting, { queue })) === undefined) return true;
  return (await takenSlots(session, { queue, capacity, due: 0 })) < capacity;
}
