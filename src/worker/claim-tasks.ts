import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { type Argument, prepare } from '../database/prepared.ts';
import { DUE_SOON_MS } from '../tasks/in-flight.ts';
import { hasPreparing, takenSlots } from '../tasks/queue-capacity.ts';
import type { TaskRow } from '../tasks/task.ts';
import { updateUnlocked } from '../tasks/update-unlocked.ts';

/**
 * The time from a task's hard deadline to the end of its lease. Living processes keep their tasks, and those of ended
 * processes are taken over. The end of the lease is the last resort, when no engine call can still be open.
 */
export const CLAIM_BEYOND_DEADLINE_MS = 3_600_000;
/** The lease for checking a late result of an ended task. Checking twice does no harm. */
const LATE_RESULT_CLAIM_MS = 60_000;

export interface ClaimableQueue {
  readonly name: string;
  /** The maximum number of its tasks in flight, over all processes. */
  readonly capacity: number;
  /** The maximum number to claim now; if absent, as many as there is room for. */
  readonly atMost?: number;
  /**
   * The circuit is half open: deferred orders that are due reserve no slot, so that any order can be the test order. It
   * needs no free slot, since calls that hang may hold all of them. Asked when the order is claimed: by then another
   * may be the test order.
   */
  readonly hasTrial?: () => boolean;
}

interface Claim {
  readonly worker: string;
  readonly now: number;
  readonly limit: number;
}

/** Returns the end of a lease. */
export const claimedUntil = (now: RawBuilder<number>) => {
  const from = sql`cast(${now} as bigint)`;
  return sql<number>`case
    when step = 'final' then ${from} + ${sql.lit(LATE_RESULT_CLAIM_MS)}
    when deadline_at > ${from} then deadline_at + ${sql.lit(CLAIM_BEYOND_DEADLINE_MS)}
    else ${from} + ${sql.lit(CLAIM_BEYOND_DEADLINE_MS)} end`;
};

/** Gives a task to a worker, until its lease ends. */
const leaseTo = (argument: Argument<Claim>) => ({
  worker: argument('worker'),
  fence: sql<number>`fence + 1`,
  next_at: claimedUntil(argument('now')),
});

const claimWaiting = prepare<Claim & { queue: string }, TaskRow>('claim_waiting', (builder, argument) =>
  updateUnlocked(
    builder,
    builder
      .selectFrom('tasks')
      .select('id')
      .where('queue', '=', argument('queue'))
      .where('step', '=', sql.lit('waiting'))
      .where('claimable', '=', sql.lit(1))
      .orderBy('rank')
      .orderBy('id')
      .limit(sql<number>`${argument('limit')}`),
  )
    .set({ step: 'preparing', ...leaseTo(argument) })
    .returningAll(),
);

const claimDue = prepare<Claim, TaskRow>('claim_due', (builder, argument) =>
  updateUnlocked(
    builder,
    builder
      .selectFrom('tasks')
      .select('id')
      .where('next_at', '<=', argument('now'))
      .orderBy('next_at')
      .limit(sql<number>`${argument('limit')}`),
  )
    .set(leaseTo(argument))
    .returningAll(),
);

const advanceClock = prepare<{ queue: string; rank: number }, unknown>('claim_clock', (builder, argument) =>
  builder
    .insertInto('queues')
    .values({ name: argument('queue'), clock: argument('rank') })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ clock: argument('rank') })
        .where('queues.clock', '<', argument('rank')),
    ),
);

/**
 * Claims up to `limit` tasks for a worker: first those that are due, then the lowest ranks of each queue that has room.
 * Every claim raises the task's fence, so late writes of an earlier holder have no effect.
 */
export async function claimTasks(
  trx: Transaction,
  claim: {
    readonly worker: string;
    readonly queues: readonly ClaimableQueue[];
    readonly limit: number;
  },
): Promise<TaskRow[]> {
  // In the same order in every process, and before any write, to avoid deadlocks.
  for (const name of claim.queues.map((queue) => queue.name).sort()) await trx.lock(`queue:${name}`);
  const now = await databaseNow(trx);
  const claimed = await trx.all(claimDue, { now, worker: claim.worker, limit: claim.limit });
  for (const queue of claim.queues) {
    const room = claim.limit - claimed.length;
    if (room <= 0) break;
    const due = queue.hasTrial === undefined ? now + DUE_SOON_MS : 0;
    const taken = await takenSlots(trx, { queue: queue.name, capacity: queue.capacity, due });
    const limit = Math.min(room, queue.atMost ?? room, await roomIn(trx, queue, taken));
    if (limit <= 0) continue;
    const rows = await trx.all(claimWaiting, { queue: queue.name, now, worker: claim.worker, limit });
    groupClaims(trx, queue.name).any ||= rows.length > 0;
    if (rows.length > 0) trx.send(advanceClock, { queue: queue.name, rank: Math.max(...rows.map((row) => row.rank)) });
    claimed.push(...rows);
  }
  return claimed;
}

function groupClaims(trx: Transaction, queue: string): { any: boolean } {
  return trx.once(`claims ${queue}`, () => ({ any: false }));
}

/** Tells whether tasks of a queue were claimed in the group of a unit. */
export function isClaimedFrom(trx: Transaction, queue: string): boolean {
  return groupClaims(trx, queue).any;
}

/** Returns how many more tasks of a queue may be claimed. */
async function roomIn(trx: Transaction, { name, capacity, hasTrial }: ClaimableQueue, taken: number): Promise<number> {
  const free = capacity - taken;
  if (hasTrial === undefined || free > 0) return free;
  // One that is prepared may become the test order. One that left this step has taken the trial before.
  const isPreparing = (await trx.first(hasPreparing, { queue: name })) !== undefined;
  return !isPreparing && hasTrial() ? 1 : 0;
}
