import { sql } from 'kysely';
import type { Transaction } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';
import { type Claim, endWork, releaseWork } from '../../database/work.ts';
import { fillSlots, lockSlotsOf } from '../../tasks/fair-queue.ts';
import type { TaskRow } from '../../tasks/task.ts';

interface FetchedArguments {
  id: string;
  media: string;
  unfetched: 0 | 1;
  claimable: 0 | 1;
  /** The size of the references fetched since the claim. */
  bytes: number;
}

const setFetched = prepare<FetchedArguments, { id: string }>('fetch_store', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set({
      media_json: argument('media'),
      unfetched: argument('unfetched'),
      claimable: argument('claimable'),
      input_bytes: sql<number | null>`nullif(coalesce(input_bytes, 0) + ${argument('bytes')}, 0)`,
    })
    .where('id', '=', argument('id'))
    .where('step', '=', 'waiting')
    .returning('id'),
);

/** What a fetch has stored. */
interface Fetched {
  readonly mediaJson: string;
  readonly bytes: number;
}

/**
 * Records that all references of an order are stored: it becomes claimable as soon as its key has a free slot.
 * @returns false if the claim was lost or the order has ended
 */
export async function admitFetched(
  trx: Transaction,
  claim: Claim,
  task: Pick<TaskRow, 'id' | 'api_key_id'>,
  { mediaJson: media, bytes }: Fetched,
): Promise<boolean> {
  const concurrency = await lockSlotsOf(trx, task.api_key_id);
  if (!(await endWork(trx, claim))) return false;
  const claimable = concurrency === 0 ? 1 : 0;
  const row = await trx.first(setFetched, { id: task.id, media, unfetched: 0, claimable, bytes });
  if (row !== undefined) await fillSlots(trx, task.api_key_id, concurrency);
  return row !== undefined;
}

/**
 * Stores what was fetched; the rest is fetched after a pause.
 * @returns false if the claim was lost or the order has ended
 */
export async function postponeFetch(
  trx: Transaction,
  claim: Claim,
  { mediaJson: media, bytes, afterMs }: Fetched & { readonly afterMs: number },
): Promise<boolean> {
  if (!(await releaseWork(trx, claim, { inMs: afterMs, attempts: claim.attempts + 1 }))) return false;
  return (await trx.first(setFetched, { id: claim.subject, media, unfetched: 1, claimable: 0, bytes })) !== undefined;
}
