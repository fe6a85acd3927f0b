import type { Argument } from '@darkroom-service/store';
import { sql } from 'kysely';
import { type Kernel, prepare, type Session, type TaskRow } from '../../kernel.ts';
import { STATUS_OF_TASK } from './batch-view.ts';

/** Number of tasks that are canceled in one transaction. */
const CANCELED_TOGETHER = 50;

const selectQueued = prepare<{ batch: string }, { api_key_id: string }>('cancel_queued', (builder, argument) =>
  builder
    .selectFrom('batch_orders')
    .innerJoin('batches', 'batches.id', 'batch_id')
    .select('api_key_id')
    .where('batch_id', '=', argument('batch'))
    .where('state', 'in', ['held', 'open'])
    .where(STATUS_OF_TASK, '=', 'queued')
    .limit(1),
);

/** Selects the last orders first, so that orders are canceled before those that they wait for. */
const selectHeld = prepare<{ batch: string; limit: number }, TaskRow>('cancel_held', (builder, argument) =>
  unlockedOrders(builder, argument).where('state', '=', 'held').orderBy('position', 'desc'),
);

const selectOpen = prepare<{ batch: string; limit: number }, TaskRow>('cancel_open', (builder, argument) =>
  unlockedOrders(builder, argument).where('state', '=', 'open').where(STATUS_OF_TASK, '=', 'queued'),
);

/** Selects and locks the orders of a batch that no other transaction writes: the others are found in a later round. */
function unlockedOrders(builder: Session['builder'], argument: Argument<{ batch: string; limit: number }>) {
  return builder
    .selectFrom('batch_orders')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .selectAll('tasks')
    .where('batch_id', '=', argument('batch'))
    .limit(sql<number>`${argument('limit')}`)
    .forUpdate('tasks')
    .skipLocked();
}

/**
 * Cancels tasks of a batch that have not started, those that have no place in the queue first. Orders that the original
 * of a held copy may have sent are left to its release.
 * @returns whether others may remain
 */
export async function cancelPortion(
  { gates, groups, store }: Pick<Kernel, 'gates' | 'groups' | 'store'>,
  batchId: string,
): Promise<boolean> {
  const queued = await store.read.first(selectQueued, { batch: batchId });
  if (queued === undefined) return false;
  return await store.write('cancel_portion', async (trx) => {
    await trx.lock(`batch:${batchId}`);
    // In the order of settlements: first the slots, then the rows.
    await gates.lockSlots(trx, queued.api_key_id);
    let canceled = 0;
    const cancelAll = async (tasks: readonly TaskRow[]) => {
      for (const task of tasks) if (await groups.cancel(trx, task)) canceled++;
    };
    const first = await trx.all(selectHeld, { batch: batchId, limit: CANCELED_TOGETHER });
    await cancelAll(first);
    const room = CANCELED_TOGETHER - first.length;
    const others = room === 0 ? [] : await trx.all(selectOpen, { batch: batchId, limit: room });
    await cancelAll(others);
    return others.length === room && canceled > 0;
  });
}
