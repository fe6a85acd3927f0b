import { sql } from 'kysely';
import { isClosed, prepare, type TaskRow, type TaskServices, type Transaction } from '../../kernel.ts';
import { hasPlace, type SettleServices, settleTask } from '../../kernel-orders.ts';
import { STATUS_OF_TASK } from './batch-view.ts';

/** Tasks that are canceled in one transaction. */
const CANCELED_TOGETHER = 50;

const selectQueued = prepare<{ batch: string }, { id: string }>('cancel_queued', (builder, argument) =>
  builder
    .selectFrom('batch_orders')
    .select('task_id as id')
    .where('batch_id', '=', argument('batch'))
    .where('state', 'in', ['held', 'open'])
    .where(STATUS_OF_TASK, '=', 'queued')
    .limit(1),
);

/** The last first, so that orders are canceled before those that they wait for. */
const selectHeld = prepare<{ batch: string; limit: number }, TaskRow>('cancel_held', (builder, argument) =>
  builder
    .selectFrom('batch_orders')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .selectAll('tasks')
    .where('batch_id', '=', argument('batch'))
    .where('state', '=', 'held')
    .orderBy('position', 'desc')
    .limit(sql<number>`${argument('limit')}`),
);

const selectOpen = prepare<{ batch: string; limit: number }, TaskRow>('cancel_open', (builder, argument) =>
  builder
    .selectFrom('batch_orders')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .selectAll('tasks')
    .where('batch_id', '=', argument('batch'))
    .where('state', '=', 'open')
    .where(STATUS_OF_TASK, '=', 'queued')
    .limit(sql<number>`${argument('limit')}`),
);

/**
 * Cancels tasks of a batch that have not started, those that have no place in the queue first.
 * @returns whether others may remain
 */
export async function cancelPortion(
  services: SettleServices & Pick<TaskServices, 'cancelRequested' | 'database'>,
  batchId: string,
): Promise<boolean> {
  if ((await services.database.read.first(selectQueued, { batch: batchId })) === undefined) return false;
  return await services.database.write('cancel_portion', async (trx) => {
    await trx.lock(`batch:${batchId}`);
    const first = await trx.all(selectHeld, { batch: batchId, limit: CANCELED_TOGETHER });
    await cancelAll(services, trx, first);
    const room = CANCELED_TOGETHER - first.length;
    const others = room === 0 ? [] : await trx.all(selectOpen, { batch: batchId, limit: room });
    await cancelAll(services, trx, others);
    return others.length === room;
  });
}

async function cancelAll(
  services: SettleServices & Pick<TaskServices, 'cancelRequested'>,
  trx: Transaction,
  tasks: readonly TaskRow[],
): Promise<void> {
  for (const task of tasks) {
    const ended = await settleTask(services, trx, task, { status: 'canceled' });
    if (ended && isClosed(task, 'reference') && hasPlace(task))
      trx.afterCommit(() => services.cancelRequested(task.id, null));
  }
}
