import { type Follower, prepare, type Session, sql } from '../../kernel.ts';

/** Number of orders per query. */
const AT_ONCE = 100;

/** Records the end of an order, so that the batch counts it by its status. */
const countEnd = prepare<{ task: string; state: 'succeeded' | 'failed' | 'canceled'; charged: number }, unknown>(
  'batch_order_end',
  (builder, argument) =>
    builder
      .updateTable('batch_orders')
      .set({ state: argument('state'), charged: argument('charged') })
      .where('task_id', '=', argument('task')),
);

const countRefund = prepare<{ task: string }, unknown>('batch_order_refund', (builder, argument) =>
  builder.updateTable('batch_orders').set({ charged: 0 }).where('task_id', '=', argument('task')),
);

const subtract = prepare<{ task: string; amount: number }, unknown>('batch_refund', (builder, argument) =>
  builder
    .updateTable('batches')
    .set((expression) => ({ charged: expression('charged', '-', argument('amount')) }))
    .where('id', '=', (batch) =>
      batch.selectFrom('batch_orders').select('batch_id').where('task_id', '=', argument('task')),
    ),
);

const ENDS: Readonly<Record<string, 'succeeded' | 'failed' | 'canceled'>> = {
  'task.succeeded': 'succeeded',
  'task.failed': 'failed',
  'task.canceled': 'canceled',
};

/** Follows the orders of batches: whenever one begins or ends, its batch may enqueue the next ones, or end. */
export const BATCH_FOLLOWER = {
  name: 'batches',
  bit: 16,
  // The portions of batches follow it by themselves.
  follows: () => false,
  wakes: 'batch',
  ended(unit, { id }, { event, charged }) {
    const state = ENDS[event];
    if (state !== undefined) unit.send(countEnd, { task: id, state, charged });
  },
  refunded(unit, { id }, { amount }) {
    unit.send(countRefund, { task: id });
    // A batch that has not ended has no charge: its end waits for this unit, or this one for it.
    unit.send(subtract, { task: id, amount });
  },
  async dropped(trx, since) {
    await trx.run(
      trx.builder
        .updateTable('batches')
        .set({ webhook_url: null })
        .where('status', '=', sql.lit('processing'))
        .where('created_at', '<=', since),
    );
    return 0;
  },
} as const satisfies Follower;

/** Returns the batches of these orders, and those that are named themselves. */
export async function batchesOf(read: Session, subjects: readonly string[]): Promise<Set<string>> {
  const batches = new Set(subjects.filter(isBatch));
  const orders = subjects.filter((id) => !isBatch(id));
  for (let from = 0; from < orders.length; from += AT_ONCE) {
    const some = orders.slice(from, from + AT_ONCE);
    const rows = await read.all(
      read.builder.selectFrom('batch_orders').select('batch_id').distinct().where('task_id', 'in', some),
    );
    for (const { batch_id: id } of rows) batches.add(id);
  }
  return batches;
}

export const isBatch = (id: string) => id.startsWith('bat_');
