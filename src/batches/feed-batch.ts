import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { insertTask } from '../orders/insert-task.ts';
import { lockSlotsOf, placeInQueue } from '../tasks/fair-queue.ts';
import { settleWithin } from '../tasks/settle-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { BatchRow } from '../views/batch-view.ts';
import { readPortion } from './portions.ts';

/** The tasks of a batch that are in line at once. A small number lets the batches of a key take turns. */
const IN_LINE = 32;
/** Tasks that are canceled in one transaction. */
const CANCELED_TOGETHER = 50;
/** Until a task is let in, no reference of it is fetched. */
const FETCHED_LATER = Number.MAX_SAFE_INTEGER;

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

const countInLine = prepare<{ batch: string }, { tasks: number }>('feed_in_line', (builder, argument) =>
  builder
    .selectFrom((from) =>
      from
        .selectFrom('tasks')
        .select('id')
        .where('batch_id', '=', argument('batch'))
        .where('status', '=', 'queued')
        .where('rank', '>=', 0)
        .limit(IN_LINE)
        .as('in_line'),
    )
    .select((expression) => expression.fn.countAll<number>().as('tasks')),
);

const countRunning = prepare<{ batch: string; most: number }, { tasks: number }>('feed_running', (builder, argument) =>
  builder
    .selectFrom((from) =>
      from
        .selectFrom('tasks')
        .select('id')
        .where('batch_id', '=', argument('batch'))
        .where('status', '=', 'processing')
        .limit(sql<number>`${argument('most')}`)
        .as('running'),
    )
    .select((expression) => expression.fn.countAll<number>().as('tasks')),
);

const selectQueued = prepare<{ batch: string }, { id: string }>('feed_queued', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('batch_id', '=', argument('batch'))
    .where('status', '=', 'queued')
    .limit(1),
);

interface Held {
  id: string;
  queue: string;
  fetch_at: number | null;
}

const selectHeld = prepare<{ batch: string; room: number }, Held>('feed_held', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(['id', 'queue', 'fetch_at'])
    .where('batch_id', '=', argument('batch'))
    .where('status', '=', 'queued')
    .where('rank', '<', 0)
    .orderBy('rank')
    .limit(sql<number>`${argument('room')}`),
);

const letIn = prepare<{ id: string; rank: number; claimable: number; deadline: number }, unknown>(
  'feed_let_in',
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set((expression) => ({
        rank: argument('rank'),
        claimable: argument('claimable'),
        next_at: argument('deadline'),
        deadline_at: argument('deadline'),
        fetch_at: sql<number | null>`case when fetch_at is null then null else 0 end`,
        revision: expression('revision', '+', 1),
      }))
      .where('id', '=', argument('id'))
      .where('status', '=', 'queued')
      .where('rank', '<', 0),
);

/**
 * Inserts the tasks of the next orders of a batch, once each: whoever is first moves `placed` on. The tasks are held back by the batch.
 * @returns whether others remain
 */
export async function placePortion(services: TaskServices, batchId: string): Promise<boolean> {
  const { read } = services.database;
  const batch = await read.first(selectBatch, { id: batchId });
  if (batch === undefined || batch.placed >= batch.orders) return false;
  const { placed: first, orders } = batch;
  const portion = await read.first(selectPortion, { batch: batchId, first });
  // Another process has inserted it since the batch was read.
  if (portion === undefined) return true;
  const rows = await readPortion(portion.rows_deflated);
  await services.database.write('place_portion', async (trx) => {
    await trx.lock(`batch:${batchId}`);
    const now = await trx.first(selectBatch, { id: batchId });
    if (now?.placed !== first) return;
    // Before anything is written.
    await lockSlotsOf(trx, now.api_key_id);
    for (const [index, row] of rows.entries()) {
      insertTask(trx, {
        ...row,
        batch_id: batchId,
        // Held back, in the order of the batch.
        rank: first + index - orders,
        claimable: 0,
        next_at: null,
        fetch_at: row.fetch_at === null ? null : FETCHED_LATER,
      });
    }
    const amount = rows.reduce((sum, { price }) => sum + price, 0);
    trx.send(countPlaced, { id: batchId, orders: rows.length, amount });
    trx.send(deletePortion, { batch: batchId, first });
    if (now.cancel_requested_at === null) await letInWithin(services, trx, now);
  });
  return first + rows.length < orders;
}

/** Lets in the next tasks of a batch, as far as there is room. @returns how many */
export async function letInNext(services: TaskServices, batch: BatchRow): Promise<number> {
  if ((await roomOf(services.database.read, batch)) === 0) return 0;
  const held = await services.database.read.first(selectHeld, { batch: batch.id, room: 1 });
  if (held === undefined) return 0;
  return await services.database.write('let_in', async (trx) => {
    await trx.lock(`batch:${batch.id}`);
    const now = await trx.first(selectBatch, { id: batch.id });
    if (now === undefined || now.cancel_requested_at !== null) return 0;
    return await letInWithin(services, trx, now);
  });
}

async function letInWithin(services: TaskServices, trx: Transaction, batch: BatchRow): Promise<number> {
  const room = await roomOf(trx, batch);
  if (room === 0) return 0;
  const concurrency = await lockSlotsOf(trx, batch.api_key_id);
  const deadline = services.clock.now() + services.settings.hardDeadlineMs;
  const tasks = await trx.all(selectHeld, { batch: batch.id, room });
  for (const { id, queue, fetch_at } of tasks) {
    const unfetched = fetch_at !== null;
    const place = { queue, keyId: batch.api_key_id, concurrency, unfetched, isOfBatch: true };
    const { rank, claimable } = await placeInQueue(trx, place);
    // Waited for: the next one counts the slots that are taken.
    await trx.run(letIn, { id, rank, claimable, deadline });
    trx.afterCommit(() => services.events.changed(id));
    if (unfetched) trx.afterCommit(services.wakeFetcher);
  }
  if (tasks.length > 0) trx.afterCommit(services.wakeRunner);
  return tasks.length;
}

/** How many tasks of a batch may be let in now. */
async function roomOf(session: Pick<Transaction, 'first'>, batch: BatchRow): Promise<number> {
  const inLine = (await session.first(countInLine, { batch: batch.id }))?.tasks ?? 0;
  if (batch.max_parallel === null) return IN_LINE - inLine;
  const running = (await session.first(countRunning, { batch: batch.id, most: batch.max_parallel }))?.tasks ?? 0;
  return Math.max(0, Math.min(IN_LINE, batch.max_parallel - running) - inLine);
}

/** Cancels tasks of a batch that have not started. @returns whether others may remain */
export async function cancelSome(services: TaskServices, batchId: string): Promise<boolean> {
  if ((await services.database.read.first(selectQueued, { batch: batchId })) === undefined) return false;
  return await services.database.write('cancel_portion', async (trx) => {
    await trx.lock(`batch:${batchId}`);
    const tasks = await trx.all(
      trx.builder
        .selectFrom('tasks')
        .selectAll()
        .where('batch_id', '=', batchId)
        .where('status', '=', 'queued')
        .limit(CANCELED_TOGETHER),
    );
    for (const task of tasks) {
      const ended = await settleWithin(services, trx, task, { status: 'canceled' });
      if (ended && task.fetch_worker !== null) trx.afterCommit(() => services.cancelRequested(task.id));
    }
    return tasks.length === CANCELED_TOGETHER;
  });
}
