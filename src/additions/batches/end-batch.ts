import { sql } from 'kysely';
import { type Kernel, prepare, type Session } from '../../kernel.ts';
import { type BatchRow, type BatchTally, tallyBatch } from './batch-view.ts';

const lockBatch = prepare<{ id: string }, BatchRow>('batch_lock', (builder, argument) =>
  builder.selectFrom('batches').selectAll().where('id', '=', argument('id')).forUpdate(),
);

const selectOpen = prepare<{ batch: string }, { open: number }>('batch_open_task', (builder, argument) =>
  builder
    .selectFrom('batch_orders')
    .select(sql<number>`1`.as('open'))
    .where('batch_id', '=', argument('batch'))
    .where('state', 'in', ['held', 'open'])
    .limit(1),
);

interface EndArguments {
  id: string;
  status: BatchRow['status'];
  counts: string;
  charged: number;
  now: number;
}

const endRow = prepare<EndArguments, { id: string }>('batch_end', (builder, argument) =>
  builder
    .updateTable('batches')
    .set({
      status: argument('status'),
      counts_json: argument('counts'),
      charged: argument('charged'),
      completed_at: argument('now'),
    })
    .where('id', '=', argument('id'))
    .where('status', '=', 'processing')
    .returning('id'),
);

/** Whether every order of a batch has a task, and all of them are final. Final tasks never reopen. */
export async function isOver(session: Session, batch: BatchRow): Promise<boolean> {
  if (batch.placed < batch.orders) return false;
  return (await session.first(selectOpen, { batch: batch.id })) === undefined;
}

/** Ends a batch whose tasks are all final, and notifies its followers. Only one of several attempts succeeds. */
export async function endBatch(
  { clock, groups, store, tasks }: Pick<Kernel, 'clock' | 'groups' | 'store' | 'tasks'>,
  { id }: Pick<BatchRow, 'id'>,
): Promise<void> {
  await store.write('end_batch', async (trx) => {
    // A refund writes this row after the charge of its task: the second of two transactions sees the first.
    const batch = await trx.first(lockBatch, { id });
    if (batch === undefined) return;
    const tally = await tallyBatch(trx, id);
    const status = statusOf(tally, batch);
    const now = clock.now();
    const counts = JSON.stringify(tally.counts);
    if ((await trx.first(endRow, { id, status, counts, charged: tally.charged, now })) === undefined) return;
    await groups.notifyEnded(trx, batch, { event: `batch.${status}`, outputs: [], charged: tally.charged, now });
    trx.afterCommit(() => tasks.events.changed(id));
  });
}

function statusOf({ counts }: BatchTally, batch: BatchRow): Exclude<BatchRow['status'], 'processing'> {
  if (counts.succeeded === batch.orders) return 'succeeded';
  if (counts.canceled > 0 && (batch.cancel_requested_at !== null || counts.canceled === batch.orders))
    return 'canceled';
  return counts.succeeded === 0 ? 'failed' : 'partial';
}
