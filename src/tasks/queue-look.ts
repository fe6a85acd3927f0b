import type { Argument } from '@darkroom-service/store';
import { sql } from 'kysely';
import { noteUncounted } from '../accounts/spending.ts';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { IN_QUEUE } from './gates.ts';
import { IN_FLIGHT } from './in-flight.ts';
import { freeSlots } from './queue-capacity.ts';
import type { TaskRow } from './task.ts';

/** The queue of an order that is being placed. */
export interface QueueToLookAt {
  readonly queue: string;
  readonly keyId: string;
  /** The line of the key in which it stands. */
  readonly line: TaskRow['line'];
  /**
   * A new order where there is one writer, which also learns whether its key's spending is counted. `capacityNow` tells
   * how many orders of the queue may be in progress, if this one may begin at once; null = it waits in any case.
   */
  readonly alone?: { readonly capacityNow: () => number | null } | null;
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
    const inQueue = () => builder.selectFrom('tasks').where('queue', '=', argument('queue'));
    const without = inQueue()
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('step', '=', sql.lit('deferred'))
      .where('claimable', '=', sql.lit(0));
    const waiting = inQueue()
      .select(sql<number>`1`.as('found'))
      .where('step', '=', sql.lit('waiting'))
      .where('claimable', '=', sql.lit(1))
      .limit(sql.lit(1));
    const inFlight = builder
      .selectFrom(
        inQueue()
          .select('id')
          .where(IN_FLIGHT)
          .limit(sql<number>`${argument('capacity')} + ${without}`)
          .as('counted'),
      )
      .select((expression) => expression.fn.countAll<number>().as('count'));
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

/** The slots of a queue that are free while nobody waits for them, as the orders of one group share them. */
interface FreeSlots {
  free: number | Promise<number> | null;
  taken: number;
}

const slotsOf = (trx: Transaction, queue: string): FreeSlots =>
  trx.once<FreeSlots>(`free slots of ${queue}`, () => ({ free: null, taken: 0 }));

/** Reads by one statement what a new order needs to know of its queue. */
export async function lookAtQueue(
  trx: Transaction,
  { queue, keyId: key, line, alone = null }: QueueToLookAt,
): Promise<FoundQueue> {
  if (alone === null) {
    const found = await trx.first(lookAtLines[line], { key, queue });
    return found ?? { clock: null, last: null };
  }
  const slots = slotsOf(trx, queue);
  const capacity = slots.free === null ? alone.capacityNow() : null;
  if (capacity === null) return noted(await trx.first(lookAlone, { key, queue }));
  const found = await trx.first(lookForSlots, { key, queue, capacity });
  const { waiting = null, without, inFlight } = found ?? {};
  slots.free = waiting === null ? capacity - ((inFlight ?? 0) - (without ?? 0)) : 0;
  return noted(found);

  function noted(found: FoundAlone | undefined): FoundQueue {
    if (found?.counted === null) noteUncounted(trx, key);
    return found ?? { clock: null, last: null };
  }
}

/** Takes one of the slots that are free while nobody waits for them. They are counted once for a group. */
export async function takeFreeSlot(trx: Transaction, queue: string, capacity: number): Promise<boolean> {
  const slots = slotsOf(trx, queue);
  slots.free ??= freeSlots(trx, queue, capacity);
  const free = await slots.free;
  return ++slots.taken <= free;
}

/** Leaves the free slots of a queue to an order that waits from now on, or that comes back to its engine. */
export function leaveFreeSlots(trx: Transaction, queue: string): void {
  slotsOf(trx, queue).free = 0;
}
