import { sql } from 'kysely';
import { type Kernel, prepare, prepareTaskCount, type Transaction } from '../../kernel.ts';
import { HELD_BY_BATCH } from '../../kernel-orders.ts';
import { type BatchRow, STATUS_OF_TASK } from './batch-view.ts';
import { readPortion } from './portions.ts';
import { BATCH_FOLLOWER } from './wake-batches.ts';

/** Maximum number of tasks of a batch in the queue. A small number makes the batches of a key take turns. */
const MOST_IN_QUEUE = 32;

const selectBatch = prepare<{ id: string }, BatchRow>('feed_select', (builder, argument) =>
  builder.selectFrom('batches').selectAll().where('id', '=', argument('id')),
);

const selectPortion = prepare<{ batch: string; first: number }, { rows_deflated: string }>(
  'feed_portion',
  (builder, argument) =>
    builder
      .selectFrom('batch_portions')
      .select('rows_deflated')
      .where('batch_id', '=', argument('batch'))
      .where('first', '=', argument('first')),
);

const deletePortion = prepare<{ batch: string; first: number }, unknown>('feed_delete_portion', (builder, argument) =>
  builder.deleteFrom('batch_portions').where('batch_id', '=', argument('batch')).where('first', '=', argument('first')),
);

const countPlaced = prepare<{ id: string; orders: number; amount: number }, unknown>(
  'feed_count',
  (builder, argument) =>
    builder
      .updateTable('batches')
      .set((expression) => ({
        placed: expression('placed', '+', argument('orders')),
        placed_amount: expression('placed_amount', '+', argument('amount')),
      }))
      .where('id', '=', argument('id')),
);

const insertOrder = prepare<InsertArguments, unknown>('feed_insert_order', (builder, argument) =>
  builder.insertInto('batch_orders').values({
    task_id: argument('task'),
    batch_id: argument('batch'),
    position: argument('position'),
    name: argument('name'),
    state: argument('state'),
    price: argument('price'),
    charged: null,
  }),
);

interface InsertArguments {
  task: string;
  batch: string;
  position: number;
  name: string | null;
  state: 'held';
  price: number;
}

const countLetIn = (name: string, status: 'queued' | 'processing') =>
  prepareTaskCount<{ batch: string; most: number }, 'batch_orders'>(name, (builder, argument) =>
    builder
      .selectFrom('batch_orders')
      .select('task_id as id')
      .where('batch_id', '=', argument('batch'))
      .where('state', '=', 'open')
      .where(STATUS_OF_TASK, '=', status)
      .limit(sql<number>`${argument('most')}`),
  );
const countInQueue = countLetIn('feed_in_queue', 'queued');
const countRunning = countLetIn('feed_running', 'processing');

interface GatedTask {
  id: string;
  queue: string;
  gates: number;
}

const selectGated = prepare<{ batch: string; room: number }, GatedTask>('feed_gated', (builder, argument) =>
  builder
    .selectFrom('batch_orders')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .select(['tasks.id', 'queue', 'gates'])
    .where('batch_id', '=', argument('batch'))
    .where('state', '=', 'held')
    .where(HELD_BY_BATCH)
    .orderBy('position')
    .limit(sql<number>`${argument('room')}`),
);

/**
 * Inserts the tasks of the next orders of a batch, once each: the first process advances `placed`. The tasks are held
 * back by the batch.
 * @returns whether others remain
 */
export async function placePortion(
  { gates, groups, store, work }: Pick<Kernel, 'gates' | 'groups' | 'store' | 'work'>,
  batchId: string,
): Promise<boolean> {
  const { read } = store;
  const batch = await read.first(selectBatch, { id: batchId });
  if (batch === undefined || batch.placed >= batch.orders) return false;
  const { placed: first, orders } = batch;
  const portion = await read.first(selectPortion, { batch: batchId, first });
  // Another process has inserted it since the batch was read.
  if (portion === undefined) return true;
  const stored = await readPortion(portion.rows_deflated);
  const keepTrace = await work.tracer.placingOf(batchId);
  await store.write('place_portion', async (trx) => {
    await trx.lock(`batch:${batchId}`);
    const now = await trx.first(selectBatch, { id: batchId });
    if (now?.placed !== first) return;
    // Before anything is written. A limit that the key gets meanwhile applies from the next order on.
    const concurrency = await gates.lockSlots(trx, now.api_key_id);
    for (const [index, { row, name, awaited }] of stored.entries()) {
      // Its orders are dated like the batch, whose day may have been over when they were drafted.
      const dated = { ...row, created_at: now.created_at, deliver_json: row.deliver_json ?? now.deliver_json };
      await groups.insert(trx, dated, awaited, BATCH_FOLLOWER.bit);
      const own = { task: row.id, name, price: row.price };
      trx.send(insertOrder, { ...own, batch: batchId, position: first + index, state: 'held' });
      keepTrace(trx, row.id);
    }
    const amount = stored.reduce((sum, { row }) => sum + row.price, 0);
    trx.send(countPlaced, { id: batchId, orders: stored.length, amount });
    trx.send(deletePortion, { batch: batchId, first });
    if (now.cancel_requested_at === null) await enqueueWithin(groups, trx, now, concurrency);
  });
  return first + stored.length < orders;
}

/** Enqueues the next tasks of a batch, as far as there is room. @returns the number of tasks */
export async function enqueueNext(
  { gates, groups, store }: Pick<Kernel, 'gates' | 'groups' | 'store'>,
  batch: BatchRow,
): Promise<number> {
  if ((await roomOf(store.read, batch)) === 0) return 0;
  const gated = await store.read.first(selectGated, { batch: batch.id, room: 1 });
  if (gated === undefined) return 0;
  return await store.write('let_in', async (trx) => {
    await trx.lock(`batch:${batch.id}`);
    const now = await trx.first(selectBatch, { id: batch.id });
    if (now === undefined || now.cancel_requested_at !== null) return 0;
    return await enqueueWithin(groups, trx, now, await gates.lockSlots(trx, now.api_key_id));
  });
}

/** @param concurrency limit of the key, whose slots are locked unless it is 0 */
async function enqueueWithin(
  groups: Kernel['groups'],
  trx: Transaction,
  batch: BatchRow,
  concurrency: number,
): Promise<number> {
  const room = await roomOf(trx, batch);
  if (room === 0) return 0;
  const key = { keyId: batch.api_key_id, concurrency };
  const letInNow: string[] = [];
  for (const task of await trx.all(selectGated, { batch: batch.id, room }))
    if (await groups.enqueue(trx, task, key)) letInNow.push(task.id);
  if (letInNow.length === 0) return 0;
  await trx.run(trx.builder.updateTable('batch_orders').set({ state: 'open' }).where('task_id', 'in', letInNow));
  return letInNow.length;
}

/** Returns the number of tasks of a batch that may be enqueued now. */
async function roomOf(session: Pick<Transaction, 'first'>, batch: BatchRow): Promise<number> {
  const inQueue = (await session.first(countInQueue, { batch: batch.id, most: MOST_IN_QUEUE }))?.count ?? 0;
  if (batch.max_parallel === null) return MOST_IN_QUEUE - inQueue;
  const running = (await session.first(countRunning, { batch: batch.id, most: batch.max_parallel }))?.count ?? 0;
  return Math.max(0, Math.min(MOST_IN_QUEUE, batch.max_parallel - running) - inQueue);
}
