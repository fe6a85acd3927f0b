import type { BatchView } from '@darkroom-service/contract';
import type { OrderingKey, TaskServices } from '../../kernel.ts';
import type { Binding } from '../../kernel-http.ts';
import { findBatch, findBatchRow } from './find-batches.ts';

/**
 * Cancels the orders of a batch that have not started; started orders continue. The request is stored, and its tasks
 * are canceled soon after. Repeating it, or canceling a batch that has ended, changes nothing.
 * @throws ServiceError `not_found`
 */
export async function cancelBatch(
  services: Pick<TaskServices, 'clock' | 'database' | 'settings' | 'wakeWork'>,
  key: OrderingKey,
  batchId: string,
  binding?: Binding,
): Promise<BatchView> {
  const { id } = await findBatchRow(services, key, batchId);
  await services.database.write('cancel_batch', async (trx) => {
    await binding?.within(trx, id);
    await trx.run(
      trx.builder
        .updateTable('batches')
        .set({ cancel_requested_at: services.clock.now() })
        .where('id', '=', id)
        .where('status', '=', 'processing')
        .where('cancel_requested_at', 'is', null),
    );
    trx.afterCommit(() => services.wakeWork('batch', id));
  });
  return await findBatch(services, key, id);
}
