import { type OrderingKey, priceMultiplier } from '../accounts/api-key.ts';
import { assertCanPay, hold } from '../accounts/ledger.ts';
import { assertWithinSpendLimits, countHold } from '../accounts/spend-limits.ts';
import { assertRoomToStore, countStored } from '../accounts/stored-bytes.ts';
import type { JsonObject } from '../base/canonical-json.ts';
import { ServiceError } from '../base/errors.ts';
import { formatMicros } from '../base/money.ts';
import type { Model } from '../catalog/model.ts';
import { wireInput } from '../catalog/wire-input.ts';
import type { Transaction } from '../database/database.ts';
import { quoteRequest } from '../pricing/quote.ts';
import { type Line, placeInQueue, waitingOf } from '../tasks/fair-queue.ts';
import type { Route } from '../tasks/route.ts';
import { isUnfetched, type TaskRow } from '../tasks/task.ts';
import { NEW_TASK } from '../tasks/task-columns.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { insertFile, type NewFile } from '../uploads/new-file.ts';
import type { WrittenJson } from '../views/task-view.ts';
import { bindClaim, claimWithin, type IdempotencyClaim } from './idempotency.ts';
import { insertTask } from './insert-task.ts';
import type { JudgedMedia } from './order-media.ts';
import type { ServiceFields } from './service-fields.ts';

/** An order that everything but money and limits has agreed to. */
export interface Placement {
  readonly key: OrderingKey;
  readonly model: Model;
  readonly route: Route;
  readonly judged: JudgedMedia;
  readonly fields: ServiceFields;
  /** The request as the wire shows it, before the media are renamed. */
  readonly wireFields: JsonObject;
  readonly parentTaskId: string | null;
  readonly claim: IdempotencyClaim | null;
}

/** Either the new task's row, or the id of the task that the Idempotency-Key stands for already. */
export type Placed = NewlyPlaced | { readonly replayOf: string };

export interface NewlyPlaced {
  readonly row: TaskRow;
  readonly written: WrittenJson;
  /** Those that it was placed with. */
  readonly line: Line;
}

/** Simulated orders wait without a painter, so they do not take the place of those that paint. */
const SIMULATED_QUEUE = 'simulated';
const WAITING_READ_EVERY_MS = 1000;
const FULL_QUEUE_READ_EVERY_MS = 100;

/**
 * The transaction of an order: idempotency once more, limits, hold and the task's row, committed together or not at all.
 * @throws ServiceError `price_exceeded`, `queue_full`, `insufficient_balance`, `spend_limit_reached`, `idempotency_key_reused`
 */
export async function placeOrder(services: TaskServices, placement: Placement): Promise<Placed> {
  const { key, model, judged, fields, claim } = placement;
  const { request } = judged;
  const { known } = judged;
  const quote = quoteRequest(model, known.request, priceMultiplier(key.account, model.model_id), known.measurements);
  if (fields.maxPrice !== null && quote.amount > fields.maxPrice) {
    throw new ServiceError(
      'price_exceeded',
      `The order costs ${formatMicros(quote.amount)} USD, more than max_price (${formatMicros(fields.maxPrice)}). Nothing was charged. Raise max_price or order less.`,
      {
        param: 'max_price',
        details: [{ price: formatMicros(quote.amount), max_price: formatMicros(fields.maxPrice), currency: 'USD' }],
      },
    );
  }
  const now = services.clock.now();
  const id = services.createId(request.type === 'image' ? 'img' : 'vid');
  const queue = `${placement.route.engine}:${fields.simulate === null ? key.mode : SIMULATED_QUEUE}`;
  const input = { model_id: model.model_id, ...placement.wireFields, ...wireInput(model, request) };
  const unfetched = judged.media.some(isUnfetched);
  const place = async (trx: Transaction): Promise<Placed> => {
    if (claim !== null) {
      const replayOf = await claimWithin(trx, claim);
      if (replayOf !== null) return { replayOf };
    }
    await assertRoomInQueue(services, trx, key);
    await assertWithinSpendLimits(trx, key, quote.amount, now);
    await assertCanPay(trx, key.account, key.mode, quote.amount);
    await countNewFiles(services, trx, key, judged.newFiles, unfetched);
    const { rank, claimable, line } = await placeInQueue(trx, {
      queue,
      keyId: key.id,
      concurrency: key.concurrency,
      unfetched,
    });
    const row: TaskRow = {
      ...NEW_TASK,
      id,
      type: request.type,
      api_key_id: key.id,
      account_id: key.account.id,
      mode: key.mode,
      model_id: model.model_id,
      action: request.action,
      parent_task_id: placement.parentTaskId,
      end_user: fields.endUser,
      metadata_json: JSON.stringify(fields.metadata),
      input_json: JSON.stringify(input),
      request_json: JSON.stringify(request),
      media_json: judged.media.length === 0 ? null : JSON.stringify(judged.media),
      price: quote.amount,
      lines_json: JSON.stringify(quote.lines),
      price_basis_json: quote.exact ? null : JSON.stringify(quote.basis),
      simulate_json: fields.simulate === null ? null : JSON.stringify(fields.simulate),
      route_json: JSON.stringify(placement.route),
      queue,
      rank,
      claimable,
      next_at: now + services.settings.hardDeadlineMs,
      fetch_at: unfetched ? 0 : null,
      created_at: now,
      deadline_at: now + services.settings.hardDeadlineMs,
      expires_at: now + services.settings.retentionMs,
      webhook_url: fields.webhookUrl ?? key.account.webhookUrl,
    };
    insertTask(trx, row);
    hold(trx, { accountId: row.account_id, apiKeyId: key.id, mode: key.mode, taskId: id }, quote.amount, now);
    countHold(trx, key, quote.amount, now);
    for (const file of judged.newFiles) await insertFile(trx, file, key.id, { now, expiresAt: row.expires_at });
    if (claim !== null) bindClaim(trx, claim, id);
    if (claimable === 1) trx.afterCommit(services.wakeRunner);
    if (unfetched) trx.afterCommit(services.wakeFetcher);
    return { row, written: { input, lines: quote.lines }, line };
  };
  return await services.database.write('create_task', place, { together: true });
}

/** Bytes of references are counted once they are fetched. */
async function countNewFiles(
  services: TaskServices,
  trx: Transaction,
  key: OrderingKey,
  files: readonly NewFile[],
  unfetched: boolean,
): Promise<void> {
  const limit = services.settings.storedBytesPerKey;
  const bytes = files.reduce((sum, file) => sum + file.media.bytes, 0);
  if (bytes > 0) await countStored(trx, key.id, bytes, limit);
  if (unfetched) await assertRoomToStore(trx, key.id, 1, limit);
}

interface WaitingCount {
  readonly readAt: number;
  /** Kept by all orders that come while it is read. */
  readonly read: Promise<void>;
  count: number;
}
const waitingCounts = new WeakMap<TaskServices, Map<string, WaitingCount>>();

/**
 * Counted in this process and read anew each second, so that an order does not walk its key's whole queue. Those that have started since
 * are still in the count, so it is read again before an order is refused for it.
 */
async function assertRoomInQueue(services: TaskServices, trx: Transaction, key: OrderingKey): Promise<void> {
  if (key.queueLimit === 0) return;
  const counts = waitingCounts.get(services) ?? new Map<string, WaitingCount>();
  waitingCounts.set(services, counts);
  const now = services.clock.now();
  let known = counts.get(key.id);
  // A clock that was set back makes it old, not young.
  const age = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - known.readAt);
  const isFull = known !== undefined && known.count >= key.queueLimit;
  if (known === undefined || age >= (isFull ? FULL_QUEUE_READ_EVERY_MS : WAITING_READ_EVERY_MS)) {
    known = countWaiting(trx, key.id, now);
    if (counts.size > 10_000) counts.clear();
    counts.set(key.id, known);
    known.read.catch(() => counts.delete(key.id));
  }
  await known.read;
  if (known.count >= key.queueLimit) {
    throw new ServiceError(
      'queue_full',
      `${known.count} tasks of this API key are waiting; the limit is ${key.queueLimit}. Retry when some have started.`,
      {
        retryAfterSeconds: 5,
      },
    );
  }
  known.count++;
}

function countWaiting(trx: Transaction, keyId: string, now: number): WaitingCount {
  const counted: { readAt: number; read: Promise<void>; count: number } = {
    readAt: now,
    count: 0,
    read: waitingOf(trx, keyId).then((waiting) => {
      counted.count += waiting;
    }),
  };
  return counted;
}
