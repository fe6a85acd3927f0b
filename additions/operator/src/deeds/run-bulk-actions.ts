import { ORDER_DEEDS, ServiceError } from '@darkroom-service/contract';
import type { Act, Claim, Kernel, Transaction } from '@darkroom-service/darkroom/kernel';
import { endWork } from '@darkroom-service/store';
import { BULK_ACTIONS } from './deed-table.ts';
import { findEntry } from './insert-bulk-actions.ts';

/** Maximum number of orders that one process works on at once. */
const AT_ONCE = 20;

/**
 * Starts to carry out the actions that operators entered for many orders, each in a commit of its own. Every process
 * does this.
 */
export function startBulkActions(kernel: Kernel): void {
  kernel.work.start({ kind: 'deed', concurrency: AT_ONCE, perform: (claim) => runBulkAction(kernel, claim) });
}

/**
 * Carries out one entered action, and ends its work in the same commit. An order to which it does not apply any more is
 * left alone.
 */
export async function runBulkAction(kernel: Kernel, claim: Claim): Promise<void> {
  const [name, taskId = ''] = claim.subject.split(':');
  const action = ORDER_DEEDS.find((known) => known === name);
  await kernel.store.write('do_deed', async (trx) => {
    if (action !== undefined)
      await BULK_ACTIONS[action].within(kernel, trx, await actorOf(kernel, trx, claim.owner), taskId).catch(passOver);
    if (!(await endWork(trx, claim))) throw new Error(`another process does ${claim.subject}`);
  });
}

/** Ignores a refusal: the order has ended since, or another action was requested. Nothing was written. */
function passOver(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}

/** Returns the operator who entered the deed as its actor. */
async function actorOf(
  { clock, store }: Pick<Kernel, 'clock' | 'store'>,
  trx: Transaction,
  deedId: string,
): Promise<Act> {
  const entry = await findEntry(trx, deedId);
  const now = { now: clock.now(), createId: store.createId };
  if (entry === undefined) return { actor: 'deed', ...now };
  const { actor: id, actor_name: name, actor_kind: kind, address } = entry;
  return { actor: { id, name, kind: kind ?? 'program' }, address, ...now };
}
