import { endWork, enterWork, releaseWork } from '@darkroom-service/store';
import type { Claim, Kernel, TaskRow, Transaction } from '../../kernel.ts';

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
  { gates, store }: Pick<Kernel, 'gates' | 'store'>,
  trx: Transaction,
  claim: Claim,
  task: Pick<TaskRow, 'id' | 'api_key_id'>,
  { mediaJson: media, bytes }: Fetched,
): Promise<boolean> {
  const concurrency = await gates.lockSlots(trx, task.api_key_id);
  if (!(await endWork(trx, claim))) return false;
  const key = { keyId: task.api_key_id, concurrency };
  const gate = await gates.openReference(trx, { id: task.id, media, bytes }, key);
  if (gate === 'busy') {
    const now = (await store.now(trx)) + LOOK_AGAIN_MS;
    enterWork(trx, { kind: 'references', subject: task.id, owner: task.api_key_id, now });
  }
  return gate === 'opened';
}

/**
 * Stores the fetched media; the rest is fetched after a pause.
 * @returns false if the claim was lost, the order has ended, or somebody else writes it
 */
export async function postponeFetch(
  { gates }: Pick<Kernel, 'gates'>,
  trx: Transaction,
  claim: Claim,
  { mediaJson: media, bytes, afterMs }: Fetched & { readonly afterMs: number },
): Promise<boolean> {
  if (!(await releaseWork(trx, claim, { inMs: afterMs, attempts: claim.attempts + 1 }))) return false;
  return await gates.storeReferences(trx, { id: claim.subject, media, bytes });
}
