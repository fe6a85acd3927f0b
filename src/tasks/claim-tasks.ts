import { sql } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { TaskRow } from './task.ts';

/** How long a claim holds without being renewed, and how often it is renewed. By the database's clock. */
export const LEASE_MS = 15_000;
export const RENEW_EVERY_MS = 5_000;

/** The same two for one process, so that a test need not wait for them. */
export interface Lease {
  readonly ms: number;
  readonly renewEveryMs: number;
}

export interface ClaimableQueue {
  readonly name: string;
  /** How many of its tasks may be in flight at once, over all processes. */
  readonly capacity: number;
  /** How many may be claimed of it now; all that there is room for unless it is said. */
  readonly atMost?: number;
}

const hasWaiting = prepare<{ queue: string }, { found: number }>('claim_has_waiting', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(sql<number>`1`.as('found'))
    .where('queue', '=', argument('queue'))
    .where('step', '=', sql.lit('waiting'))
    .where('claimable', '=', sql.lit(1))
    .limit(1),
);

const nextDue = prepare<object, { at: number | null }>('claim_next_due', (builder) =>
  builder
    .selectFrom('tasks')
    .select((expression) => expression.fn.min<number | null>('next_at').as('at'))
    .where('next_at', 'is not', null),
);

/** Word for word as their index says it: SQLite does not see by itself that an index serves for some of these steps. */
export const IN_FLIGHT = sql<boolean>`step in ('preparing', 'submitting', 'deferred', 'running', 'collecting')`;

const countInFlight = prepare<{ queue: string; capacity: number }, { taken: number }>(
  'claim_in_flight',
  (builder, argument) =>
    builder
      .selectFrom((from) =>
        from
          .selectFrom('tasks')
          .select('id')
          .where('queue', '=', argument('queue'))
          .where(IN_FLIGHT)
          .limit(sql<number>`${argument('capacity')}`)
          .as('in_flight'),
      )
      .select((expression) => expression.fn.countAll<number>().as('taken')),
);

const claimWaiting = prepare<{ queue: string; worker: string; until: number; limit: number }, TaskRow>(
  'claim_waiting',
  (builder, argument) =>
    builder
      .with(
        (name) => name('picked').materialized(),
        (select) =>
          select
            .selectFrom('tasks')
            .select('id')
            .where('queue', '=', argument('queue'))
            .where('step', '=', sql.lit('waiting'))
            .where('claimable', '=', sql.lit(1))
            .orderBy('rank')
            .orderBy('id')
            .limit(sql<number>`${argument('limit')}`)
            .forUpdate()
            .skipLocked(),
      )
      .updateTable('tasks')
      .set((expression) => ({
        step: 'preparing',
        worker: argument('worker'),
        fence: expression('fence', '+', 1),
        next_at: argument('until'),
      }))
      .where('id', 'in', (select) => select.selectFrom('picked').select('id'))
      .returningAll(),
);

const claimDue = prepare<{ now: number; worker: string; until: number; limit: number }, TaskRow>(
  'claim_due',
  (builder, argument) =>
    builder
      .with(
        (name) => name('picked').materialized(),
        (select) =>
          select
            .selectFrom('tasks')
            .select('id')
            .where('next_at', '<=', argument('now'))
            .orderBy('next_at')
            .limit(sql<number>`${argument('limit')}`)
            .forUpdate()
            .skipLocked(),
      )
      .updateTable('tasks')
      .set((expression) => ({
        worker: argument('worker'),
        fence: expression('fence', '+', 1),
        next_at: argument('until'),
      }))
      .where('id', 'in', (select) => select.selectFrom('picked').select('id'))
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

const renewLease = prepare<{ id: string; fence: number; until: number }, { cancel_requested_at: number | null }>(
  'claim_renew',
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set({ next_at: argument('until') })
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where('next_at', 'is not', null)
      // One that was let go in the same moment is to be claimed when it wished, not when a lease would have ended.
      .where('worker', 'is not', null)
      .returning('cancel_requested_at'),
);

/** Which of the queues have something to claim, and when the next task is due (ms by the database's clock; null = none). */
export async function lookForWork(
  read: Session,
  queues: readonly ClaimableQueue[],
): Promise<{ waiting: ClaimableQueue[]; dueInMs: number | null }> {
  const waiting: ClaimableQueue[] = [];
  for (const queue of queues)
    if ((await read.first(hasWaiting, { queue: queue.name })) !== undefined) waiting.push(queue);
  const due = (await read.first(nextDue, {}))?.at ?? null;
  return { waiting, dueInMs: due === null ? null : due - (await databaseNow(read)) };
}

/**
 * Claims up to `limit` tasks for a worker: those that are due first, then the lowest ranks of each queue that has room. Every claim raises
 * the task's fence: what an earlier holder still writes changes nothing.
 */
export async function claimTasks(
  trx: Transaction,
  claim: {
    readonly worker: string;
    readonly queues: readonly ClaimableQueue[];
    readonly limit: number;
    readonly leaseMs?: number;
  },
): Promise<TaskRow[]> {
  // In one order in every process, and before anything is written.
  for (const name of claim.queues.map((queue) => queue.name).sort()) await trx.lock(`queue:${name}`);
  const now = await databaseNow(trx);
  const until = now + (claim.leaseMs ?? LEASE_MS);
  const claimed = await trx.all(claimDue, { now, worker: claim.worker, until, limit: claim.limit });
  for (const queue of claim.queues) {
    const room = claim.limit - claimed.length;
    if (room <= 0) break;
    const taken = (await trx.first(countInFlight, { queue: queue.name, capacity: queue.capacity }))?.taken ?? 0;
    const limit = Math.min(room, queue.capacity - taken, queue.atMost ?? room);
    if (limit <= 0) continue;
    const rows = await trx.all(claimWaiting, { queue: queue.name, worker: claim.worker, until, limit });
    if (rows.length > 0) trx.send(advanceClock, { queue: queue.name, rank: Math.max(...rows.map((row) => row.rank)) });
    claimed.push(...rows);
  }
  return claimed;
}

/** Renews claims, all to the same moment. `lost` where another worker has the task or it has ended and nothing more is expected of it. */
export async function renewClaims(
  trx: Transaction,
  tasks: readonly Pick<TaskRow, 'id' | 'fence'>[],
  leaseMs: number = LEASE_MS,
): Promise<('kept' | 'cancel requested' | 'lost')[]> {
  const until = (await databaseNow(trx)) + leaseMs;
  const rows = await Promise.all(tasks.map(({ id, fence }) => trx.first(renewLease, { id, fence, until })));
  return rows.map((row) => {
    if (row === undefined) return 'lost';
    return row.cancel_requested_at === null ? 'kept' : 'cancel requested';
  });
}

/** The database's clock, in milliseconds. */
export async function databaseNow(session: Session): Promise<number> {
  const row = await session.first(session.builder.selectNoFrom(session.now.as('now')));
  if (row === undefined) throw new Error('the database tells no time');
  return row.now;
}
