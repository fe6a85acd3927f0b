import type { Argument } from '@darkroom-service/store';
import { type Kysely, sql } from 'kysely';
import {
  type Claim,
  databaseNow,
  endWork,
  enterWork,
  isClosedIn,
  prepare,
  releaseWork,
  type Schema,
  type TaskRow,
  type Transaction,
} from '../../kernel.ts';
import { fillSlots, lockSlotsOf, updateUnlocked, withoutGate } from '../../kernel-orders.ts';
import { hasClosed } from '../../tasks/gates.ts';

/** The pause after which an order that somebody else was writing is looked at again. */
const LOOK_AGAIN_MS = 200;

interface FetchedArguments {
  id: string;
  media: string;
  /** The size of the references fetched since the claim. */
  bytes: number;
}

type Changed = Pick<TaskRow, 'gates'>;

/** Nothing is changed while somebody else writes the order: perhaps it ends. */
const storeFetched = (builder: Kysely<Schema>, argument: Argument<FetchedArguments>) =>
  updateUnlocked(
    builder,
    builder.selectFrom('tasks').select('id').where('id', '=', argument('id')).where(isClosedIn('reference')),
  )
    .set({
      media_json: argument('media'),
      input_bytes: sql<number | null>`nullif(coalesce(input_bytes, 0) + ${argument('bytes')}, 0)`,
    })
    .returning('gates');

const storeSome = prepare<FetchedArguments, Changed>('fetch_store', storeFetched);

const storeAll = prepare<FetchedArguments & { claimable: 0 | 1 }, Changed>('fetch_open', (builder, argument) =>
  storeFetched(builder, argument).set({
    gates: withoutGate('reference'),
    claimable: sql<number>`case when ${withoutGate('reference')} = 0 then ${argument('claimable')} else 0 end`,
  }),
);

/** What a fetch has stored. */
interface Fetched {
  readonly mediaJson: string;
  readonly bytes: number;
}

/**
 * Records that all references of an order are stored: it becomes claimable as soon as its key has a free slot.
 * @returns false if the claim was lost, the order has ended, or somebody else writes it: then it is fetched again soon
 */
export async function admitFetched(
  trx: Transaction,
  claim: Claim,
  task: Pick<TaskRow, 'id' | 'api_key_id'>,
  { mediaJson: media, bytes }: Fetched,
): Promise<boolean> {
  const concurrency = await lockSlotsOf(trx, task.api_key_id);
  if (!(await endWork(trx, claim))) return false;
  const opened = await trx.first(storeAll, { id: task.id, media, bytes, claimable: concurrency === 0 ? 1 : 0 });
  if (opened !== undefined) {
    await fillSlots(trx, task.api_key_id, concurrency);
    return true;
  }
  if (await hasClosed(trx, task.id, 'reference')) {
    const now = (await databaseNow(trx)) + LOOK_AGAIN_MS;
    enterWork(trx, { kind: 'references', subject: task.id, owner: task.api_key_id, now });
  }
  return false;
}

/**
 * Stores what was fetched; the rest is fetched after a pause.
 * @returns false if the claim was lost, the order has ended, or somebody else writes it
 */
export async function postponeFetch(
  trx: Transaction,
  claim: Claim,
  { mediaJson: media, bytes, afterMs }: Fetched & { readonly afterMs: number },
): Promise<boolean> {
  if (!(await releaseWork(trx, claim, { inMs: afterMs, attempts: claim.attempts + 1 }))) return false;
  return (await trx.first(storeSome, { id: claim.subject, media, bytes })) !== undefined;
}
