import type { Argument } from '@darkroom-service/store';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { prepareWithClock } from '../database/prepared.ts';
import { DUE_SOON_MS } from '../queue/in-flight.ts';
import { hasPreparing, takenSlots } from '../queue/queue-capacity.ts';
import type { TaskRow } from '../record/task.ts';
import { updateUnlocked } from '../record/update-unlocked.ts';
import { type Permits, permitsOf } from './claim-permits.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import { advanceClock, createQueueClocks } from './queue-clocks.ts';

/**
 * The time from a task's hard deadline to the end of its lease. Living processes keep their tasks, and those of ended
 * processes are taken over. The end of the lease is the last resort, when no engine call can still be open.
 */
export const CLAIM_BEYOND_DEADLINE_MS = 3_600_000;
/**
 * Lease of work without an engine call that must not be repeated: the check of a late result of an ended task, and the
 * decision about a waiting task, which is not found among the tasks in flight of a process that has ended.
 */
const SHORT_CLAIM_MS = 60_000;

interface Claim {
  readonly worker: string;
  readonly limit: number;
}

/** Returns the end of a lease. @param isShort condition for tasks whose lease is short */
export const claimedUntil = (now: RawBuilder<number>, isShort = sql`step = 'final'`) => {
  const from = sql`cast(${now} as bigint)`;
  return sql<number>`case
    when ${isShort} then ${from} + ${sql.lit(SHORT_CLAIM_MS)}
    when deadline_at > ${from} then deadline_at + ${sql.lit(CLAIM_BEYOND_DEADLINE_MS)}
    else ${from} + ${sql.lit(CLAIM_BEYOND_DEADLINE_MS)} end`;
};

/** Gives a task to a worker, until its lease ends. */
const leaseTo = (now: RawBuilder<number>, argument: Argument<Claim>) => ({
  worker: argument('worker'),
  fence: sql<number>`fence + 1`,
  next_at: claimedUntil(now),
});

export const claimWaiting = prepareWithClock<Claim & { queue: string }, TaskRow>(
  'claim_waiting',
  (builder, now, argument) =>
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
      .set({ step: 'preparing', ...leaseTo(now, argument) })
      .returningAll(),
);

export const claimDue = prepareWithClock<Claim, TaskRow>('claim_due', (builder, now, argument) =>
  updateUnlocked(
    builder,
    builder
      .selectFrom('tasks')
      .select('id')
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(sql<number>`${argument('limit')}`),
  )
    .set({
      ...leaseTo(now, argument),
      next_at: claimedUntil(now, sql`step in ('final', 'waiting')`),
    })
    .returningAll(),
);

/** Claims tasks for one process. */
export interface Claimer {
  /**
   * Claims up to `limit` tasks: first those that are due, then the lowest ranks of each queue that has room. Every
   * claim raises the task's fence, so late writes of an earlier holder have no effect. Claims follow one another.
   */
  claim(request: ClaimRequest): Promise<Claimed>;
}

interface ClaimRequest {
  readonly queues: readonly ClaimableQueue[];
  readonly limit: number;
}

interface Claimed {
  readonly tasks: readonly TaskRow[];
  /** Whether other processes are claiming from a queue now: poll again soon. */
  readonly isBusy: boolean;
}

/**
 * Creates the claims of this process.
 * @param worker names the process
 * @param permits the permits of the process; null = there is one writer
 */
export function createClaimer(
  database: Pick<Database, 'kind' | 'write' | 'writeAside'>,
  worker: string,
  permits: Permits | null = permitsOf(database),
): Claimer {
  return permits === null ? claimInOneUnit(database, worker) : claimByPermits(database, worker, permits);
}

/** Claims in one unit on SQLite, which has one writer: nothing else is claimed meanwhile. */
function claimInOneUnit(database: Pick<Database, 'write'>, worker: string): Claimer {
  return {
    async claim({ queues, limit }) {
      const tasks = await database.write('claim_tasks', async (trx) => {
        const now = await databaseNow(trx);
        const claimed = await trx.all(claimDue(trx), { worker, limit });
        for (const queue of queues) {
          const room = limit - claimed.length;
          if (room <= 0) break;
          const due = queue.hasTrial === undefined ? now + DUE_SOON_MS : 0;
          const taken = await takenSlots(trx, { queue: queue.name, capacity: queue.capacity, due });
          const most = Math.min(room, queue.atMost ?? room, await roomIn(trx, queue, taken));
          if (most <= 0) continue;
          const rows = await trx.all(claimWaiting(trx), { queue: queue.name, worker, limit: most });
          groupClaims(trx, queue.name).any ||= rows.length > 0;
          if (rows.length > 0) trx.send(advanceClock, { queue: queue.name, rank: lastRank(rows) });
          claimed.push(...rows);
        }
        return claimed;
      });
      return { tasks, isBusy: false };
    },
  };
}

/** Claims by permits: processes that claim at the same time get different tasks and do not wait for each other. */
function claimByPermits(database: Pick<Database, 'write' | 'writeAside'>, worker: string, permits: Permits): Claimer {
  const clocks = createQueueClocks(database);
  return {
    async claim({ queues, limit }) {
      const { isBusy } = await permits.ask(queues, limit);
      const claims = await database.write('claim_tasks', (trx) => claimAs(trx, { queues, limit }));
      for (const { queue, rank, isAdvanced } of claims.clocks) {
        if (await isAdvanced) clocks.advanced(queue, rank);
        else clocks.advanceSoon(queue, rank);
      }
      return { tasks: claims.tasks, isBusy: isBusy || claims.hasLost };
    },
  };

  async function claimAs(trx: Transaction, { queues, limit }: ClaimRequest) {
    // They share a round trip.
    const [due, ...permitted] = await Promise.all([
      trx.all(claimDue(trx), { worker, limit }),
      ...queues.map((queue) => permits.lock(trx, queue)),
    ]);
    const tasks = [...due];
    const advanced: { queue: string; rank: number; isAdvanced: Promise<boolean> }[] = [];
    for (const [place, { name: queue, atMost = limit }] of queues.entries()) {
      const { permit, left } = permitted[place] ?? { permit: null, left: 0 };
      const most = Math.min(limit - tasks.length, atMost, left);
      if (permit === null || most <= 0) continue;
      const rows = await trx.all(claimWaiting(trx), { queue, worker, limit: most });
      tasks.push(...rows);
      permits.use(trx, permit, rows.length, rows.length < most);
      if (rows.length === 0) continue;
      groupClaims(trx, queue).any = true;
      const rank = lastRank(rows);
      // Not awaited: the answer comes with that of the commit.
      advanced.push({ queue, rank, isAdvanced: clocks.advance(trx, queue, rank) });
    }
    // A permit that has expired.
    const hasLost = permitted.some((found) => found !== null && found.left <= 0);
    return { tasks, clocks: advanced, hasLost };
  }
}

function lastRank(rows: readonly TaskRow[]): number {
  return Math.max(...rows.map(({ rank }) => rank));
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
  // An order that is being prepared may become the test order. One that left this step has taken the trial before.
  const isPreparing = (await trx.first(hasPreparing, { queue: name })) !== undefined;
  return !isPreparing && hasTrial() ? 1 : 0;
}
