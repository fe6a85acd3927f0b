import {
  type Claim,
  databaseNow,
  endWork,
  enterWork,
  releaseWork,
  type TaskRow,
  type Transaction,
} from '../../kernel.ts';
import { lockSlotsOf, openReferenceGate, storeReferences } from '../../kernel-orders.ts';

/** Pause after which an order that somebody else was writing is tried again. */
const LOOK_AGAIN_MS = 200;

/** Media that a fetch has stored. */
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
  const key = { keyId: task.api_key_id, concurrency };
  const gate = await openReferenceGate(trx, { id: task.id, media, bytes }, key);
  if (gate === 'busy') {
    const now = (await databaseNow(trx)) + LOOK_AGAIN_MS;
    enterWork(trx, { kind: 'references', subject: task.id, owner: task.api_key_id, now });
  }
  return gate === 'opened';
}

/**
 * Stores the fetched media; the rest is fetched after a pause.
 * @returns false if the claim was lost, the order has ended, or somebody else writes it
 */
export async function postponeFetch(
  trx: Transaction,
  claim: Claim,
  { mediaJson: media, bytes, afterMs }: Fetched & { readonly afterMs: number },
): Promise<boolean> {
  if (!(await releaseWork(trx, claim, { inMs: afterMs, attempts: claim.attempts + 1 }))) return false;
  return await storeReferences(trx, { id: claim.subject, media, bytes });
}
