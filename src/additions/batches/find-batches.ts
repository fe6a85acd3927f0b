import { type BatchView, cutText, nextTurn, ServiceError, timeIdPrefix } from '@darkroom-service/contract';
import { type Kernel, type OrderingKey, prepare, sql } from '../../kernel.ts';
import { type BatchRow, viewBatch } from './batch-view.ts';

const selectBatch = prepare<{ id: string; key: string }, BatchRow>('find_batch', (builder, argument) =>
  builder.selectFrom('batches').selectAll().where('id', '=', argument('id')).where('api_key_id', '=', argument('key')),
);

/** Returns the row of a batch of this key. @throws ServiceError `not_found` */
export async function findBatchRow(
  { store }: Pick<Kernel, 'store'>,
  key: OrderingKey,
  batchId: string,
): Promise<BatchRow> {
  const row = await store.read.first(selectBatch, { id: batchId, key: key.id });
  if (row !== undefined) return row;
  throw new ServiceError('not_found', `This API key has no batch '${cutText(batchId, 64)}'.`, { param: 'batch_id' });
}

/** Finds a batch of a key. @throws ServiceError `not_found` */
export async function findBatch(
  kernel: Pick<Kernel, 'settings' | 'store'>,
  key: OrderingKey,
  batchId: string,
): Promise<BatchView> {
  return await viewBatch(kernel, await findBatchRow(kernel, key, batchId));
}

interface BatchListQuery {
  readonly limit: number;
  /** Batch after which the page begins; older ones follow it. */
  readonly after: string | null;
  readonly status: BatchRow['status'] | null;
  /** Earliest time of creation, in milliseconds. */
  readonly createdAfter: number | null;
  readonly createdBefore: number | null;
}

/** Returns a page of the key's batches, newest first. */
export async function listBatches(
  kernel: Pick<Kernel, 'settings' | 'store'>,
  key: OrderingKey,
  query: BatchListQuery,
): Promise<{ readonly items: BatchView[]; readonly hasMore: boolean }> {
  const { read } = kernel.store;
  let select = read.builder
    .selectFrom('batches')
    .selectAll()
    .where('api_key_id', '=', key.id)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.after !== null) select = select.where('id', '<', query.after);
  // As a literal: otherwise SQLite does not use the index of open batches.
  if (query.status !== null) select = select.where('status', '=', sql.lit(query.status));
  if (query.createdAfter !== null) select = select.where('id', '>=', timeIdPrefix('bat', query.createdAfter + 1));
  if (query.createdBefore !== null) select = select.where('id', '<', timeIdPrefix('bat', query.createdBefore));
  const rows = await read.all(select);
  const items: BatchView[] = [];
  for (const row of rows.slice(0, query.limit)) {
    items.push(await viewBatch(kernel, row));
    // Counting the tasks of a large batch takes milliseconds.
    await nextTurn();
  }
  return { items, hasMore: rows.length > query.limit };
}
