import { sql } from 'kysely';
import type { Session, Transaction } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { prepare } from '../../database/prepared.ts';
import { fillSlots, lockSlotsOf } from '../../tasks/fair-queue.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { updateUnlocked } from '../../tasks/update-unlocked.ts';

/**
 * Waiting orders whose references must be fetched. Such an order has its rank in the fair queue but is not claimable.
 * `fetch_at` is the time of the next fetch (0 = now), or null once the references are in our storage. While a process
 * fetches them, `fetch_at` is the end of its lease. Every claim raises the fence, as in claim-tasks.ts, so a late
 * fetcher's write affects no row.
 */
export const FETCH_LEASE_MS = 30_000;
export const RENEW_FETCHES_EVERY_MS = 10_000;

const nextKey = prepare<{ after: string }, { key: string }>('fetch_next_key', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('api_key_id as key')
    .where('step', '=', sql.lit('waiting'))
    .where('fetch_at', 'is not', null)
    .where('api_key_id', '>', argument('after'))
    .orderBy('api_key_id')
    .limit(1),
);

const nextOfKey = prepare<{ key: string }, { at: number | null }>('fetch_next_of_key', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select((expression) => expression.fn.min<number | null>('fetch_at').as('at'))
    .where('step', '=', sql.lit('waiting'))
    .where('fetch_at', 'is not', null)
    .where('api_key_id', '=', argument('key')),
);

interface ClaimArguments {
  key: string;
  worker: string;
  now: number;
  until: number;
  limit: number;
}

const claimOfKey = prepare<ClaimArguments, TaskRow>('fetch_claim', (builder, argument) =>
  updateUnlocked(
    builder,
    builder
      .selectFrom('tasks')
      .select('id')
      .where('step', '=', sql.lit('waiting'))
      .where('fetch_at', 'is not', null)
      .where('api_key_id', '=', argument('key'))
      .where('fetch_at', '<=', argument('now'))
      .orderBy('fetch_at')
      .orderBy('rank')
      .limit(sql<number>`${argument('limit')}`),
  )
    .set({ fetch_worker: argument('worker'), fetch_at: argument('until'), fence: sql<number>`fence + 1` })
    .returningAll(),
);

const renewFetch = prepare<{ id: string; fence: number; until: number }, { id: string }>(
  'fetch_renew',
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set({ fetch_at: argument('until') })
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where('step', '=', 'waiting')
      .returning('id'),
);

interface StandingArguments {
  id: string;
  fence: number;
  media: string;
  attempts: number;
  fetchAt: number | null;
  claimable: 0 | 1;
  /** The size of the references fetched since the claim. */
  bytes: number;
}

const setStanding = prepare<StandingArguments, { id: string }>('fetch_standing', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set({
      media_json: argument('media'),
      attempts: argument('attempts'),
      fetch_at: argument('fetchAt'),
      fetch_worker: null,
      claimable: argument('claimable'),
      input_bytes: sql<number | null>`nullif(coalesce(input_bytes, 0) + ${argument('bytes')}, 0)`,
    })
    .where('id', '=', argument('id'))
    .where('fence', '=', argument('fence'))
    .where('step', '=', 'waiting')
    .returning('id'),
);

/**
 * Returns the next key after `after` that has references to fetch, and when its first order is due; null if there is
 * none.
 */
export async function nextKeyToFetch(
  read: Session,
  after: string,
): Promise<{ readonly key: string; readonly at: number | null } | null> {
  const found = await read.first(nextKey, { after });
  if (found === undefined) return null;
  return { key: found.key, at: (await read.first(nextOfKey, { key: found.key }))?.at ?? null };
}

/** Claims orders of one key whose references are due: first those that were not tried yet, in queue order. */
export async function claimFetches(
  trx: Transaction,
  claim: { readonly key: string; readonly worker: string; readonly limit: number },
): Promise<TaskRow[]> {
  const now = await databaseNow(trx);
  return await trx.all(claimOfKey, { ...claim, now, until: now + FETCH_LEASE_MS });
}

/** Renews leases. @returns for each whether it is still ours */
export async function renewFetches(
  trx: Transaction,
  tasks: readonly Pick<TaskRow, 'id' | 'fence'>[],
): Promise<boolean[]> {
  const until = (await databaseNow(trx)) + FETCH_LEASE_MS;
  const rows = await Promise.all(tasks.map(({ id, fence }) => trx.first(renewFetch, { id, fence, until })));
  return rows.map((row) => row !== undefined);
}

/**
 * Records that all references of an order are stored: it becomes claimable as soon as its key has a free slot.
 * @returns false if the claim was lost
 */
export async function admitFetched(
  trx: Transaction,
  task: TaskRow,
  { mediaJson, bytes }: { readonly mediaJson: string; readonly bytes: number },
): Promise<boolean> {
  const concurrency = await lockSlotsOf(trx, task.api_key_id);
  const claimable = concurrency === 0 ? 1 : 0;
  const { id, fence } = task;
  const standing = { id, fence, media: mediaJson, attempts: 0, fetchAt: null, claimable, bytes } as const;
  const row = await trx.first(setStanding, standing);
  if (row !== undefined) await fillSlots(trx, task.api_key_id, concurrency);
  return row !== undefined;
}

/** Releases a claimed order; its references are fetched again after a pause. @returns false if the claim was lost */
export async function postponeFetch(
  trx: Transaction,
  task: TaskRow,
  wish: {
    readonly mediaJson: string;
    readonly bytes: number;
    readonly attempts: number;
    readonly afterMs: number;
  },
): Promise<boolean> {
  const { id, fence } = task;
  const fetchAt = wish.afterMs === 0 ? 0 : (await databaseNow(trx)) + Math.round(wish.afterMs);
  const { mediaJson: media, attempts, bytes } = wish;
  return (await trx.first(setStanding, { id, fence, media, attempts, fetchAt, claimable: 0, bytes })) !== undefined;
}
