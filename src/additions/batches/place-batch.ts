import { type BatchView, type Micros, ServiceError } from '@darkroom-service/contract';
import { sql } from 'kysely';
import { type OrderingKey, prepare, type TaskServices, type Transaction } from '../../kernel.ts';
import { assertRoomToStore, storerOf } from '../../kernel-accounts.ts';
import {
  admitGroup,
  assertMaxPrice,
  bindClaim,
  claimWithin,
  defaultWebhookUrl,
  findClaimed,
  type IdempotencyClaim,
  retryOnNextDay,
} from '../../kernel-orders.ts';
import { type BatchRow, viewBatch } from './batch-view.ts';
import type { DraftedBatch } from './draft-batch.ts';
import { findBatch } from './find-batches.ts';
import { storedRows } from './portions.ts';

/** The fields of a batch beside its orders. */
export interface BatchFields {
  readonly maxPrice: Micros | null;
  readonly maxParallel: number | null;
  readonly webhookUrl: string | null;
  readonly deliverTo: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

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

/** The services that placing a batch needs. */
type BatchServices = Pick<
  TaskServices,
  'balances' | 'clock' | 'createId' | 'database' | 'hooks' | 'settings' | 'tracer' | 'wakeWork'
>;

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
  services: BatchServices,
  key: OrderingKey,
  batch: BatchToPlace,
): Promise<{ readonly batch: BatchView; readonly replayed: boolean }> {
  const { draft, fields } = batch;
  assertMaxPrice(draft.total, fields.maxPrice);
  return await retryOnNextDay(services, key, draft.createdAt, (now, keyNow) => placeAt(services, keyNow, batch, now));
}

async function placeAt(
  services: BatchServices,
  key: OrderingKey,
  { draft, fields, claim }: BatchToPlace,
  now: number,
): Promise<{ readonly batch: BatchView; readonly replayed: boolean }> {
  const { total } = draft;
  const row: BatchRow = {
    id: services.createId('bat'),
    api_key_id: key.id,
    account_id: key.account.id,
    mode: key.mode,
    status: 'processing',
    orders: draft.orders,
    quoted: total,
    max_parallel: fields.maxParallel,
    metadata_json: JSON.stringify(fields.metadata),
    webhook_url: fields.webhookUrl ?? defaultWebhookUrl(services, key),
    deliver_json: fields.deliverTo,
    placed: 0,
    placed_amount: 0,
    counts_json: null,
    charged: null,
    created_at: now,
    cancel_requested_at: null,
    completed_at: null,
  };
  const keepTrace = services.tracer.placing();
  const replayOf = await services.database.write('create_batch', async (trx) => {
    const known = claim === null ? null : await claimWithin(trx, claim);
    if (known !== null) return known;
    await assertRoomForBatch(trx, key.id);
    // Before the hold: a refusal after a write rolls back the whole group of the commit.
    if (draft.unfetched) await assertRoomToStore(trx, storerOf(key), 1, services.settings.storageLimits);
    await admitGroup(services, trx, key, { id: row.id, total, spending: () => spendingOf(draft), now });
    await trx.run(trx.builder.insertInto('batches').values(row));
    for (const portion of draft.portions) {
      const users = JSON.stringify(Object.fromEntries(portion.endUsers));
      trx.send(insertPortion, { batch: row.id, first: portion.first, rows: storedRows(portion), users });
    }
    keepTrace(trx, row.id);
    if (claim !== null) bindClaim(trx, claim, row.id);
    trx.afterCommit(() => services.wakeWork('batch', row.id));
    return null;
  });
  if (replayOf !== null) return { batch: await findBatch(services, key, replayOf), replayed: true };
  return { batch: await viewBatch(services, row), replayed: false };
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
  services: Pick<TaskServices, 'database' | 'settings'>,
  key: OrderingKey,
  claim: IdempotencyClaim | null,
): Promise<BatchView | null> {
  const known = claim === null ? null : await findClaimed(services.database.read, claim);
  return known === null ? null : await findBatch(services, key, known);
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
