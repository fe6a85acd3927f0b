import type { Argument } from '@darkroom-service/store';
import { sql } from 'kysely';
import { noteUncounted } from '../accounts/spending.ts';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { IN_QUEUE } from './gates.ts';
import { IN_FLIGHT } from './in-flight.ts';
import { freeSlots, permitsLockOf } from './queue-capacity.ts';
import type { TaskRow } from './task.ts';

/** The queue of an order that is being placed. */
export interface QueueToLookAt {
  readonly queue: string;
  readonly keyId: string;
  /** The line of the key in which it stands. */
  readonly line: TaskRow['line'];
  /** For a new order; absent = it waits in any case. */
  readonly atOnce?: LookAtOnce;
}

export interface LookAtOnce {
  /** Whether there is one writer: what is found here holds until the commit. */
  readonly isAlone: boolean;
  /** Tells how many orders of the queue may be in progress, if this one may begin at once; null = it may not. */
  readonly capacityNow: () => number | null;
}

/** The ranks of a queue after which a new order of a key is placed. */
interface FoundQueue {
  /** The rank of the order that was claimed last; null = none was. */
  readonly clock: number | null;
  /** The last rank of the key that waits; null = none does. */
  readonly last: number | null;
}

interface LookArguments {
  key: string;
  queue: string;
}

type Builder = Session['builder'];

const clockOf = (builder: Builder, argument: Argument<LookArguments>) =>
  builder.selectFrom('queues').select('clock').where('name', '=', argument('queue'));

const lastRankOf = (builder: Builder, argument: Argument<LookArguments>, line: TaskRow['line'] = 0) =>
  builder
    .selectFrom('tasks')
    .select('rank')
    .where('api_key_id', '=', argument('key'))
    .where('line', '=', sql.lit(line))
    .where('queue', '=', argument('queue'))
    .where('status', '=', sql.lit('queued'))
    .where(IN_QUEUE)
    .orderBy('rank', 'desc')
    .limit(sql.lit(1));

const isCounted = (builder: Builder, argument: Argument<LookArguments>) =>
  builder.selectFrom('spending').select(sql<number>`1`.as('found')).where('subject', '=', argument('key'));

const lookAtLine = (name: string, line: TaskRow['line']) =>
  prepare<LookArguments, FoundQueue>(name, (builder, argument) =>
    builder.selectNoFrom([clockOf(builder, argument).as('clock'), lastRankOf(builder, argument, line).as('last')]),
  );
const lookAtLines = { 0: lookAtLine('queue_look', 0), 1: lookAtLine('queue_look_in_bulk', 1) };

interface FoundAlone extends FoundQueue {
  readonly counted: number | null;
}

const waitingIn = (builder: Builder, argument: Argument<{ queue: string }>) =>
  builder
    .selectFrom('tasks')
    .select(sql<number>`1`.as('found'))
    .where('queue', '=', argument('queue'))
    .where('step', '=', sql.lit('waiting'))
    .where('claimable', '=', sql.lit(1))
    .limit(sql.lit(1));

/** The orders in progress of a queue up to its capacity, and those of them that hold no slot. */
const inProgressIn = (builder: Builder, argument: Argument<{ queue: string; capacity: number }>) => {
  const inQueue = () => builder.selectFrom('tasks').where('queue', '=', argument('queue'));
  const without = inQueue()
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('step', '=', sql.lit('deferred'))
    .where('claimable', '=', sql.lit(0));
  const inFlight = builder
    .selectFrom(
      inQueue()
        .select('id')
        .where(IN_FLIGHT)
        .limit(sql<number>`${argument('capacity')} + ${without}`)
        .as('counted'),
    )
    .select((expression) => expression.fn.countAll<number>().as('count'));
  return { without, inFlight };
};

const lookWithOthers = prepare<LookArguments, FoundQueue & { readonly waiting: number | null }>(
  'queue_look_with_others',
  (builder, argument) =>
    builder.selectNoFrom([
      clockOf(builder, argument).as('clock'),
      lastRankOf(builder, argument).as('last'),
      waitingIn(builder, argument).as('waiting'),
    ]),
);

const lookAlone = prepare<LookArguments, FoundAlone>('queue_look_alone', (builder, argument) =>
  builder.selectNoFrom([
    clockOf(builder, argument).as('clock'),
    lastRankOf(builder, argument).as('last'),
    isCounted(builder, argument).as('counted'),
  ]),
);

interface FoundSlots extends FoundAlone {
  readonly waiting: number | null;
  readonly without: number | null;
  readonly inFlight: number | null;
}

/** Counts the slots as `freeSlots` does, in the same statement: those in use only if no order waits. */
const lookForSlots = prepare<LookArguments & { capacity: number }, FoundSlots>(
  'queue_look_slots',
  (builder, argument) => {
    const waiting = waitingIn(builder, argument);
    const { without, inFlight } = inProgressIn(builder, argument);
    return builder.selectNoFrom([
      clockOf(builder, argument).as('clock'),
      lastRankOf(builder, argument).as('last'),
      isCounted(builder, argument).as('counted'),
      waiting.as('waiting'),
      without.as('without'),
      sql<number | null>`case when ${waiting} is null then ${inFlight} end`.as('inFlight'),
    ]);
  },
);

/**
 * What the units of one group know of the slots of a queue that are free while nobody waits for them. They are counted
 * once for all of them.
 */
interface FreeSlots {
  free: Promise<number> | null;
  taken: number;
  /** Whether they are left to an order that waits, or that comes back to its engine. */
  areLeft: boolean;
}

const slotsOf = (trx: Transaction, queue: string): FreeSlots =>
  trx.once<FreeSlots>(`free slots of ${queue}`, () => ({ free: null, taken: 0, areLeft: false }));

/** Reads by one statement what a new order needs to know of its queue. */
export async function lookAtQueue(
  trx: Transaction,
  { queue, keyId: key, line, atOnce }: QueueToLookAt,
): Promise<FoundQueue> {
  const slots = slotsOf(trx, queue);
  const capacity = slots.free === null && !slots.areLeft ? (atOnce?.capacityNow() ?? null) : null;
  if (atOnce?.isAlone === true) {
    if (capacity === null) return noted(await trx.first(lookAlone, { key, queue }));
    const found = await trx.first(lookForSlots, { key, queue, capacity });
    const { waiting = null, without, inFlight } = found ?? {};
    slots.free = Promise.resolve(waiting === null ? capacity - ((inFlight ?? 0) - (without ?? 0)) : 0);
    return noted(found);
  }
  const nothing: FoundQueue = { clock: null, last: null };
  if (capacity === null) return (await trx.first(lookAtLines[line], { key, queue })) ?? nothing;
  const found = await trx.first(lookWithOthers, { key, queue });
  slots.areLeft ||= found?.waiting !== null;
  return found ?? nothing;

  function noted(found: FoundAlone | undefined): FoundQueue {
    if (found?.counted === null) noteUncounted(trx, key);
    return found ?? { clock: null, last: null };
  }
}

interface FoundBesideOthers {
  readonly waiting: number | null;
  readonly permitted: number;
  readonly without: number;
  readonly inFlight: number;
}

/**
 * One statement, since a claim turns permits into orders in flight. Expired permits count: their holder may be
 * claiming, and who asks for a permit removes the others.
 */
const countBesideOthers = prepare<{ queue: string; capacity: number }, FoundBesideOthers>(
  'queue_free_slots',
  (builder, argument) => {
    const { without, inFlight } = inProgressIn(builder, argument);
    const permitted = builder
      .selectFrom('claim_permits')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('orders'), sql.lit(0)).as('orders'))
      .where('queue', '=', argument('queue'));
    return builder.selectNoFrom([
      waitingIn(builder, argument).as('waiting'),
      permitted.as('permitted'),
      without.as('without'),
      inFlight.as('inFlight'),
    ]);
  },
);

/**
 * Counts the slots of a queue that are free while nobody waits for them. Call it before a new order takes one, and
 * before the slots of its key are locked. Where other processes fill them too, none are free unless this transaction
 * gets the lock of their permits at once: until its commit nobody else is given any.
 */
export async function countFreeSlots(trx: Transaction, queue: string, atOnce: LookAtOnce): Promise<void> {
  const slots = slotsOf(trx, queue);
  const capacity = slots.areLeft ? null : atOnce.capacityNow();
  if (capacity === null) return;
  slots.free ??= atOnce.isAlone ? freeSlots(trx, queue, capacity) : countLocked(trx, queue, capacity);
  await slots.free;
}

async function countLocked(trx: Transaction, queue: string, capacity: number): Promise<number> {
  if (!(await trx.tryLock(permitsLockOf(queue)))) return 0;
  const found = await trx.first(countBesideOthers, { queue, capacity });
  if (found === undefined || found.waiting !== null) return 0;
  return capacity - Number(found.permitted) - (found.inFlight - found.without);
}

/** Takes one of the slots that were counted, for an order whose row this unit writes before it waits for anything. */
export async function takeFreeSlot(trx: Transaction, queue: string): Promise<boolean> {
  const slots = slotsOf(trx, queue);
  const free = (await slots.free) ?? 0;
  return !slots.areLeft && ++slots.taken <= free;
}

/** Leaves the free slots of a queue to an order that waits from now on, or that comes back to its engine. */
export function leaveFreeSlots(trx: Transaction, queue: string): void {
  slotsOf(trx, queue).areLeft = true;
}
