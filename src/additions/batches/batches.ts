import { loadPart } from '@darkroom-service/media/process';
import { type Addition, DAILY_MS, type Session, sql, type Transaction } from '../../kernel.ts';
import { expireKeys } from '../../kernel-accounts.ts';
import { BATCH_TABLES } from './batch-tables.ts';
import { emptied, emptyOldBatches } from './empty-batches.ts';
import { BATCH_FOLLOWER, isBatch } from './wake-batches.ts';

/** Many orders of one request, placed at one price. They become tasks a few at a time, in a line of their own. */
export const BATCHES: Addition = {
  name: 'batches',
  tables: BATCH_TABLES,
  follower: BATCH_FOLLOWER,
  hooks: {
    openGroups: sql`select id, api_key_id, created_at, orders - placed as unplaced, quoted - placed_amount as promised,
      webhook_url, deliver_json from batches where status = 'processing'`,
    unplacedParts: sql`select api_key_id, created_at, end_users_json from batches
      join batch_portions on batch_portions.batch_id = batches.id where status = 'processing'`,
    // A batch that ends counts its orders.
    needsRow: sql`exists (select 1 from batch_orders join batches on batches.id = batch_orders.batch_id
      where batch_orders.task_id = tasks.id and batches.status = 'processing')`,
    groupsOf: readBatchesOf,
    ordersOfGroup: (id) => sql`select task_id from batch_orders where batch_id = ${id}`,
    erased: (trx, { id }) => trx.run(withoutNames(trx).where('task_id', '=', id)),
    forgotten: forget,
    accountClosed: cancelBatchesOf,
    accountErased: (trx, accountId) => trx.run(emptied(trx).where('account_id', '=', accountId)),
    personalTables: [
      { table: 'batches', keyColumn: 'api_key_id', groupColumns: ['id', 'metadata_json', 'created_at'] },
    ],
    async *unplaced(read, keyId) {
      const { readUnplaced } = await loadPart(() => import('./portions.ts'));
      yield* readUnplaced(read, keyId);
    },
  },
  findBatch: async (kernel, key, batchId) =>
    await (await loadPart(() => import('./find-batches.ts'))).findBatch(kernel, key, batchId),
  chores(kernel, signal) {
    let done = '';
    const run = async () => {
      done = await emptyOldBatches(kernel, done, signal);
    };
    return [{ name: 'old batches', everyMs: DAILY_MS, run }];
  },
  findOpenWork: findOpen,
  audit: {
    what: 'batches',
    run: async (read) => await (await import('./audit-batches.ts')).auditBatches(read),
  },
  open: (kernel, closers) => ({
    async start() {
      const { startBatchFeeder } = await import('./batch-feeder.ts');
      const feeder = startBatchFeeder(kernel);
      kernel.work.serve('batch', feeder);
      closers.defer(() => feeder.stop());
    },
    async http(serving) {
      const [{ batchRoutes }, { batchResultRoutes }, { BATCH_OPERATIONS }] = await Promise.all([
        import('./batch-routes.ts'),
        import('./batch-result-routes.ts'),
        import('./batch-operations.ts'),
      ]);
      return {
        async v1(v1, _options, { waits }) {
          await batchRoutes(v1, serving);
          batchResultRoutes(v1, waits, serving);
        },
        operations: BATCH_OPERATIONS,
        behind: ['/v1/prices/compare'],
      };
    },
  }),
};

const selectBatchesOf = (session: Session, taskIds: readonly string[]) =>
  session.all(
    session.builder.selectFrom('batch_orders').select(['task_id', 'batch_id', 'name']).where('task_id', 'in', taskIds),
  );

async function readBatchesOf(session: Session, taskIds: readonly string[]) {
  const rows = await selectBatchesOf(session, taskIds);
  return new Map(rows.map(({ task_id, batch_id, name }) => [task_id, { id: batch_id, name }]));
}

/** Removes the names of orders, which customers choose. */
const withoutNames = ({ builder }: Transaction) => builder.updateTable('batch_orders').set({ name: null });

/** Removes rows: an order's row stays as long as that of its task, and that of a batch as long as one of its orders. */
async function forget(trx: Transaction, subjects: readonly string[]): Promise<void> {
  const { builder } = trx;
  const batches = subjects.filter(isBatch);
  if (batches.length > 0) await trx.run(emptied(trx).where('id', 'in', batches));
  await trx.run(withoutNames(trx).where('task_id', 'in', subjects));
  const removed = await trx.all(
    builder
      .deleteFrom('batch_orders')
      .where('task_id', 'in', subjects)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('tasks').select('id').whereRef('id', '=', 'batch_orders.task_id'))),
      )
      .returning('batch_id'),
  );
  await removeEmpty(trx, [...new Set(removed.map(({ batch_id: id }) => id))]);
}

/** Removes those of these batches that have no order any more. Their Idempotency-Keys never order again. */
async function removeEmpty(trx: Transaction, found: readonly string[]): Promise<void> {
  if (found.length === 0) return;
  const removed = await trx.all(
    trx.builder
      .deleteFrom('batches')
      .where('id', 'in', found)
      .where('status', '<>', 'processing')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('batch_orders').select('task_id').whereRef('batch_id', '=', 'batches.id'))),
      )
      .returning('id'),
  );
  const ids = removed.map(({ id }) => id);
  await expireKeys(trx, ids, false);
}

async function cancelBatchesOf(
  trx: Transaction,
  accountId: string,
  now: number,
  wakeAfterCommit: (kind: 'batch') => void,
): Promise<void> {
  const { builder } = trx;
  const keys = builder.selectFrom('api_keys').select('id').where('account_id', '=', accountId);
  const canceled = await trx.run(
    builder
      .updateTable('batches')
      .set({ cancel_requested_at: now })
      .where('api_key_id', 'in', keys)
      .where('status', '=', sql.lit('processing'))
      .where('cancel_requested_at', 'is', null),
  );
  if (canceled > 0) wakeAfterCommit('batch');
}

/** Finds a batch whose orders have not all ended. */
async function findOpen(read: Session): Promise<string | null> {
  const { builder } = read;
  const open = await read.first(
    builder.selectFrom('batches').select('id').where('status', '=', sql.lit('processing')).limit(1),
  );
  return open === undefined ? null : `'${open.id}' has orders that have not ended.`;
}
