import type { Argument } from '@darkroom-service/store';
import { sql } from 'kysely';
import { startMetering } from '../accounts/spending.ts';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { TaskRow } from '../record/task.ts';
import { IN_QUEUE } from './gates.ts';
import { freeIn, freeSlots, heldPermit, type Permit, waitingIn } from './queue-capacity.ts';

/** The queue of an order that is being placed. */
export interface OrderQueue {
  readonly queue: string;
  readonly keyId: string;
  /** The line of the key in which the order waits. */
  readonly line: TaskRow['line'];
  /** Returns the slots in which a new order may begin at once; null = it waits in any case. */
  readonly slotsNow?: () => ImmediateSlots | null;
  /** Whether there is one writer: then a new order also learns whether its key's spending is counted. */
  readonly alone?: boolean;
}

/** Slots of a queue in which orders may begin when they are placed. */
export interface ImmediateSlots {
  /** Maximum number of orders of the queue in progress. */
  readonly capacity: number;
  /** Permit that reserves some of the slots for this process; null = slots are counted, since there is one writer. */
  readonly permit: Permit | null;
}

/** The ranks of a queue after which a new order of a key is placed. */
interface FoundQueue {
  /** Rank of the order that was claimed last; null = none was. */
  readonly clock: number | null;
  /** Last rank of the key that waits; null = none does. */
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

/** Columns of `FoundQueue`. */
const positionIn = (builder: Builder, argument: Argument<LookArguments>, line?: TaskRow['line']) =>
  [clockOf(builder, argument).as('clock'), lastRankOf(builder, argument, line).as('last')] as const;

const selectLine = (name: string, line: TaskRow['line']) =>
  prepare<LookArguments, FoundQueue>(name, (builder, argument) =>
    builder.selectNoFrom([...positionIn(builder, argument, line)]),
  );
const selectLines = { 0: selectLine('queue_look', 0), 1: selectLine('queue_look_in_bulk', 1) };

interface FoundAlone extends FoundQueue {
  readonly counted: number | null;
}

const selectAlone = prepare<LookArguments, FoundAlone>('queue_look_alone', (builder, argument) =>
  builder.selectNoFrom([...positionIn(builder, argument), isCounted(builder, argument).as('counted')]),
);

interface FoundSlots extends FoundAlone {
  readonly free: number | null;
}

const selectWithSlots = prepare<LookArguments & { capacity: number }, FoundSlots>(
  'queue_look_slots',
  (builder, argument) =>
    builder.selectNoFrom([
      ...positionIn(builder, argument),
      isCounted(builder, argument).as('counted'),
      freeIn(builder, { queue: argument('queue'), capacity: argument('capacity') }).as('free'),
    ]),
);

interface FoundPermit extends FoundQueue {
  readonly waiting: string | null;
  readonly permitted: number | null;
}

const selectWithPermit = prepare<LookArguments & Pick<Permit, 'holder'>, FoundPermit>(
  'queue_look_permit',
  (builder, argument) =>
    builder.selectNoFrom([
      ...positionIn(builder, argument),
      waitingIn(builder, argument('queue')).as('waiting'),
      heldPermit(builder, argument).as('permitted'),
    ]),
);

/** Slots of a queue that are free while no order waits for them, shared by the orders of one group. */
interface FreeSlots {
  free: number | Promise<number> | null;
  taken: number;
  permit: Permit | null;
}

const slotsOf = (trx: Transaction, queue: string): FreeSlots =>
  trx.once<FreeSlots>(`free slots of ${queue}`, () => ({ free: null, taken: 0, permit: null }));

/** Reads the facts that a new order needs about its queue by one statement. */
export async function readQueueState(
  trx: Transaction,
  { queue, keyId: key, line, slotsNow, alone = false }: OrderQueue,
): Promise<FoundQueue> {
  const slots = slotsOf(trx, queue);
  const { capacity, permit } = (slots.free === null ? slotsNow?.() : null) ?? { capacity: null, permit: null };
  if (permit !== null) {
    const looking = trx.first(selectWithPermit, { key, queue, holder: permit.holder });
    slots.permit = permit;
    // An error of the statement fails the unit.
    slots.free = looking.then((found) => (found?.waiting === null ? (found.permitted ?? 0) : 0)).catch(() => 0);
    return (await looking) ?? { clock: null, last: null };
  }
  if (!alone) return (await trx.first(selectLines[line], { key, queue })) ?? { clock: null, last: null };
  if (capacity === null) return noted(await trx.first(selectAlone, { key, queue }));
  const found = await trx.first(selectWithSlots, { key, queue, capacity });
  slots.free = found?.free ?? 0;
  return noted(found);

  function noted(found: FoundAlone | undefined): FoundQueue {
    if (found?.counted === null) startMetering(trx, key);
    return found ?? { clock: null, last: null };
  }
}

/**
 * Takes one of the slots that are free while no order waits for them. They are counted once for a group.
 * @returns the permit that reserves the slot, or null if slots are counted; false = no slot is free
 */
export async function takeFreeSlot(
  trx: Transaction,
  queue: string,
  { capacity, permit }: ImmediateSlots,
): Promise<Permit | null | false> {
  const slots = slotsOf(trx, queue);
  // A permit is locked by the first order that may use it, when it reads the queue.
  slots.free ??= permit === null ? freeSlots(trx, queue, capacity) : 0;
  const free = await slots.free;
  return ++slots.taken <= free && slots.permit;
}

/** Reserves the free slots of a queue for an order that waits from now on, or that returns to its engine. */
export function reserveFreeSlots(trx: Transaction, queue: string): void {
  slotsOf(trx, queue).free = 0;
}
