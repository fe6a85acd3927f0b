import type { BatchView } from '@darkroom-service/contract';
import type { Kernel, OrderingKey } from '../../kernel.ts';
import type { Binding } from '../../kernel-http.ts';
import { findBatch, findBatchRow } from './find-batches.ts';

/**
 * Cancels the orders of a batch that have not started; started orders continue. The request is stored, and its tasks
 * are canceled soon after. Repeating it, or canceling a batch that has ended, changes nothing.
 * @throws ServiceError `not_found`
 */
export async function cancelBatch(
  kernel: Pick<Kernel, 'clock' | 'settings' | 'store' | 'work'>,
  key: OrderingKey,
  batchId: string,
  binding?: Binding,
): Promise<BatchView> {
  const { clock, store, work } = kernel;
  const { id } = await findBatchRow(kernel, key, batchId);
  await store.write('cancel_batch', async (trx) => {
    await binding?.within(trx, id);
    await trx.run(
      trx.builder
        .updateTable('batches')
        .set({ cancel_requested_at: clock.now() })
        .where('id', '=', id)
        .where('status', '=', 'processing')
        .where('cancel_requested_at', 'is', null),
    );
    trx.afterCommit(() => work.wake('batch', id));
  });
  return await findBatch(kernel, key, id);
}
