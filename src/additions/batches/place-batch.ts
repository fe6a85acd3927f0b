import { type BatchView, type Micros, ServiceError } from '@darkroom-service/contract';
import { sql } from 'kysely';
import { type Kernel, type OrderingKey, prepare, type Transaction } from '../../kernel.ts';
import { type BatchRow, viewBatch } from './batch-view.ts';
import type { DraftedBatch } from './draft-batch.ts';
import { findBatch } from './find-batches.ts';
import { storedRows } from './portions.ts';

/** The fields of a batch beside its orders. */
export type BatchFields = Awaited<ReturnType<Kernel['groups']['readFields']>> & {
  readonly maxParallel: number | null;
};

/** The `Idempotency-Key` of a request. */
type IdempotencyClaim = Parameters<Kernel['idempotency']['claim']>[1];

/** Maximum number of batches of one key in progress. */
const MOST_OPEN_BATCHES = 20;

const insertPortion = prepare<{ batch: string; first: number; rows: string; users: string }, unknown>(
  'batch_insert_portion',
  (builder, argument) =>
    builder.insertInto('batch_portions').values({
      batch_id: argument('batch'),
      first: argument('first'),
      rows_deflated: argument('rows'),
      end_users_json: argument('users'),
    }),
);

const countOpen = prepare<{ key: string }, { open: number }>('batch_count_open', (builder, argument) =>
  builder
    .selectFrom('batches')
    .select((expression) => expression.fn.countAll<number>().as('open'))
    .where('api_key_id', '=', argument('key'))
    .where('status', '=', sql.lit('processing')),
);

type PlacingKernel = Pick<Kernel, 'groups' | 'idempotency' | 'settings' | 'store' | 'work'>;

interface BatchToPlace {
  readonly draft: DraftedBatch;
  readonly fields: BatchFields;
  readonly claim: IdempotencyClaim | null;
}

/**
 * Places a batch: its row, its orders, one hold for their sum and the Idempotency-Key are one commit. The rows of its
 * tasks follow (feed-batch.ts).
 * @throws ServiceError `price_exceeded`, `queue_full`, `insufficient_balance`, `spend_limit_reached`,
 * `end_user_limit_reached`, `idempotency_key_reused`
 */
export async function placeBatch(
  kernel: PlacingKernel,
  key: OrderingKey,
  batch: BatchToPlace,
): Promise<{ readonly batch: BatchView; readonly replayed: boolean }> {
  const { total, createdAt } = batch.draft;
  const group = { total, maxPrice: batch.fields.maxPrice, now: createdAt };
  return await kernel.groups.place(key, group, (now, keyNow) => placeAt(kernel, keyNow, batch, now));
}

async function placeAt(
  kernel: PlacingKernel,
  key: OrderingKey,
  { draft, fields, claim }: BatchToPlace,
  now: number,
): Promise<{ readonly batch: BatchView; readonly replayed: boolean }> {
  const { groups, idempotency, store, work } = kernel;
  const { total } = draft;
  const row: BatchRow = {
    id: store.createId('bat'),
    api_key_id: key.id,
    account_id: key.account.id,
    mode: key.mode,
    status: 'processing',
    orders: draft.orders,
    quoted: total,
    max_parallel: fields.maxParallel,
    metadata_json: JSON.stringify(fields.metadata),
    webhook_url: fields.webhookUrl,
    deliver_json: fields.deliverTo,
    placed: 0,
    placed_amount: 0,
    counts_json: null,
    charged: null,
    created_at: now,
    cancel_requested_at: null,
    completed_at: null,
  };
  const keepTrace = work.tracer.placing();
  const replayOf = await store.write('create_batch', async (trx) => {
    const known = claim === null ? null : await idempotency.claim(trx, claim);
    if (known !== null) return known;
    await assertRoomForBatch(trx, key.id);
    const group = { id: row.id, total, spending: () => spendingOf(draft), now, storesFiles: draft.unfetched };
    await groups.admit(trx, key, group);
    await trx.run(trx.builder.insertInto('batches').values(row));
    for (const portion of draft.portions) {
      const users = JSON.stringify(Object.fromEntries(portion.endUsers));
      trx.send(insertPortion, { batch: row.id, first: portion.first, rows: storedRows(portion), users });
    }
    keepTrace(trx, row.id);
    if (claim !== null) idempotency.bind(trx, claim, row.id);
    trx.afterCommit(() => work.wake('batch', row.id));
    return null;
  });
  if (replayOf !== null) return { batch: await findBatch(kernel, key, replayOf), replayed: true };
  return { batch: await viewBatch(kernel, row), replayed: false };
}

/** Sums the prices of the orders of each end user. */
function spendingOf({ portions }: DraftedBatch): ReadonlyMap<string, Micros> {
  const sums = new Map<string, Micros>();
  for (const { endUsers } of portions)
    for (const [endUser, amount] of endUsers) sums.set(endUser, (sums.get(endUser) ?? 0) + amount);
  return sums;
}

/** Returns the batch of a known Idempotency-Key, in its current state; null if the key is new. */
export async function replayOfBatch(
  kernel: Pick<Kernel, 'idempotency' | 'settings' | 'store'>,
  key: OrderingKey,
  claim: IdempotencyClaim | null,
): Promise<BatchView | null> {
  const known = claim === null ? null : await kernel.idempotency.find(kernel.store.read, claim);
  return known === null ? null : await findBatch(kernel, key, known);
}

async function assertRoomForBatch(trx: Transaction, keyId: string): Promise<void> {
  await trx.lock(`batches:${keyId}`);
  const open = (await trx.first(countOpen, { key: keyId }))?.open ?? 0;
  if (open < MOST_OPEN_BATCHES) return;
  throw new ServiceError(
    'queue_full',
    `${open} batches of this API key are in progress; the limit is ${MOST_OPEN_BATCHES}. Retry when one has ended.`,
    { retryAfterSeconds: 5 },
  );
}
