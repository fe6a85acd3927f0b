import { timeIdPrefix } from '@darkroom-service/contract';
import type { Transaction } from '@darkroom-service/darkroom/kernel';
import { expireKeys } from '@darkroom-service/darkroom/kernel-accounts';
import './call-tables.ts';

const REMOVED_TOGETHER = 500;

/** Returns the id of the call that ordered these tasks, derived from that of the first task. */
export function callOf(taskIds: readonly string[]): string {
  const [first = ''] = taskIds;
  return `call${first.slice(first.indexOf('_'))}`;
}

/**
 * Removes the calls with an Idempotency-Key whose first task is one of these, which are erased. A call without a key
 * stays for the retries of its client, until it is removed by age.
 */
export async function removeKeyedCalls(trx: Transaction, taskIds: readonly string[]): Promise<void> {
  const calls = trx.builder.selectFrom('openai_calls').select(['id', 'digest']).where('digest', 'is', null);
  const ids = taskIds.map((id) => callOf([id]));
  await removeCalls(trx, await trx.all(calls.where('id', 'in', ids)));
}

/** Removes some calls that are older than a time and whose tasks are erased. @returns the number of calls */
export async function removeOldCalls(trx: Transaction, before: number): Promise<number> {
  const calls = trx.builder.selectFrom('openai_calls').select(['id', 'digest']).orderBy('id');
  const old = calls.where('id', '<', timeIdPrefix('call', before)).limit(REMOVED_TOGETHER);
  return await removeCalls(trx, await trx.all(old));
}

/** Removes calls. Hashes of the Idempotency-Keys remain, so that a repetition never orders again. */
async function removeCalls(
  trx: Transaction,
  calls: readonly { readonly id: string; readonly digest: string | null }[],
): Promise<number> {
  if (calls.length === 0) return 0;
  const keyed = calls.filter(({ digest }) => digest === null).map(({ id }) => id);
  await expireKeys(trx, keyed, true);
  const ids = calls.map(({ id }) => id);
  return await trx.run(trx.builder.deleteFrom('openai_calls').where('id', 'in', ids));
}
