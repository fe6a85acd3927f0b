import { timeIdPrefix } from '@darkroom-service/contract';
import type { Transaction } from '../../kernel.ts';
import './webhook-tables.ts';

/** Removes the deliveries of tasks or batches: their URLs may name people. */
export async function removeDeliveries(trx: Transaction, subjects: readonly string[]): Promise<void> {
  await removeFound(trx, selectIds(trx).where('task_id', 'in', subjects));
}

/** Removes the deliveries of a task, except for a pending notice about its key. */
export async function removeDeliveriesOfTask(trx: Transaction, taskId: string): Promise<void> {
  const own = selectIds(trx).where('task_id', '=', taskId);
  await removeFound(
    trx,
    own.where(({ or, eb }) => or([eb('data_json', 'is', null), eb('status', '<>', 'pending')])),
  );
}

const REMOVED_TOGETHER = 200;

/** Removes all deliveries of an account. */
export async function removeDeliveriesOf(trx: Transaction, accountId: string): Promise<void> {
  await removeFound(trx, selectIds(trx).where('account_id', '=', accountId));
}

/** Removes some deliveries from before a time that will not be sent any more. @returns the number of deliveries */
export async function removeOldDeliveries(trx: Transaction, before: number): Promise<number> {
  const old = selectIds(trx).where('id', '<', timeIdPrefix('whd', before)).where('status', '<>', 'pending');
  return await removeFound(trx, old.limit(REMOVED_TOGETHER));
}

function selectIds({ builder }: Transaction) {
  return builder.selectFrom('webhook_deliveries').select('id').orderBy('id').forUpdate();
}

async function removeFound(trx: Transaction, select: ReturnType<typeof selectIds>): Promise<number> {
  const { builder } = trx;
  const ids = (await trx.all(select)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await trx.run(builder.deleteFrom('work').where('kind', '=', 'webhook').where('subject', 'in', ids));
  await trx.run(builder.deleteFrom('webhook_attempts').where('delivery_id', 'in', ids));
  return await trx.run(builder.deleteFrom('webhook_deliveries').where('id', 'in', ids));
}
