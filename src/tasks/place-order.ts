import { type OrderingKey, priceMultiplier } from '../accounts/api-key.ts';
import { assertCanPay, hold } from '../accounts/ledger.ts';
import { assertWithinSpendLimits, countHold } from '../accounts/spend-limits.ts';
import type { JsonObject } from '../base/canonical-json.ts';
import { ServiceError } from '../base/errors.ts';
import { formatMicros } from '../base/money.ts';
import type { Model, ResolvedRequest } from '../catalog/model.ts';
import type { Transaction } from '../database/database.ts';
import { quoteRequest } from '../pricing/quote.ts';
import type { Desk, Route } from './desk.ts';
import { type Line, placeInQueue, waitingOf } from './fair-queue.ts';
import { bindClaim, claimWithin, type IdempotencyClaim } from './idempotency.ts';
import { insertTask } from './insert-task.ts';
import { insertFile } from './new-file.ts';
import type { JudgedMedia } from './order-media.ts';
import type { ServiceFields } from './service-fields.ts';
import type { TaskRow } from './task.ts';
import type { WrittenJson } from './task-view.ts';

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
export async function placeOrder(desk: Desk, placement: Placement): Promise<Placed> {
  const { key, model, judged, fields, claim } = placement;
  const { request } = judged;
  const quote = quoteRequest(model, request, priceMultiplier(key.account, model.model_id));
  if (fields.maxPrice !== null && quote.amount > fields.maxPrice) {
    throw new ServiceError(
      'price_exceeded',
      `This order costs ${formatMicros(quote.amount)} USD, more than max_price (${formatMicros(fields.maxPrice)}). Nothing was charged.`,
      {
        param: 'max_price',
        details: [{ price: formatMicros(quote.amount), max_price: formatMicros(fields.maxPrice), currency: 'USD' }],
      },
    );
  }
  const now = desk.clock.now();
  const id = desk.createId(request.type === 'image' ? 'img' : 'vid');
  const queue = `${placement.route.engine}:${fields.simulate === null ? key.mode : SIMULATED_QUEUE}`;
  const input = wireInput(placement, request);
  const place = async (trx: Transaction): Promise<Placed> => {
    if (claim !== null) {
      const replayOf = await claimWithin(trx, claim);
      if (replayOf !== null) return { replayOf };
    }
    await assertRoomInQueue(desk, trx, key);
    await assertWithinSpendLimits(trx, key, quote.amount, now);
    await assertCanPay(trx, key.account, key.mode, quote.amount);
    const { rank, claimable, line } = await placeInQueue(trx, { queue, keyId: key.id, concurrency: key.concurrency });
    const row: TaskRow = {
      id,
      type: request.type,
      api_key_id: key.id,
      account_id: key.account.id,
      mode: key.mode,
      status: 'queued',
      step: 'waiting',
      progress: 0,
      revision: 1,
      model_id: model.model_id,
      action: request.action,
      parent_task_id: placement.parentTaskId,
      end_user: fields.endUser,
      metadata_json: JSON.stringify(fields.metadata),
      input_json: JSON.stringify(input),
      request_json: JSON.stringify(request),
      media_json: judged.media.length === 0 ? null : JSON.stringify(judged.media),
      outputs_json: '[]',
      keep_json: null,
      error_json: null,
      price: quote.amount,
      charged: null,
      lines_json: JSON.stringify(quote.lines),
      price_basis_json: quote.exact ? null : JSON.stringify(quote.basis),
      simulate_json: fields.simulate === null ? null : JSON.stringify(fields.simulate),
      route_json: JSON.stringify(placement.route),
      queue,
      rank,
      claimable,
      fence: 0,
      worker: null,
      next_at: now + desk.settings.hardDeadlineMs,
      operation_json: null,
      attempts: 0,
      estimated_end_at: null,
      created_at: now,
      started_at: null,
      progressed_at: null,
      completed_at: null,
      deadline_at: now + desk.settings.hardDeadlineMs,
      expires_at: now + desk.settings.retentionMs,
      cancel_requested_at: null,
      erased_at: null,
      deleted_at: null,
      webhook_url: fields.webhookUrl ?? key.account.webhookUrl,
    };
    insertTask(trx, row);
    hold(trx, { accountId: row.account_id, apiKeyId: key.id, mode: key.mode, taskId: id }, quote.amount, now);
    countHold(trx, key, quote.amount, now);
    for (const file of judged.newFiles) await insertFile(trx, file, key.id, { now, expiresAt: row.expires_at });
    if (claim !== null) bindClaim(trx, claim, id);
    if (claimable === 1) trx.afterCommit(desk.wakeRunner);
    return { row, written: { input, lines: quote.lines }, line };
  };
  return await desk.database.write('create_task', place, { together: true });
}

function wireInput(placement: Placement, request: ResolvedRequest): JsonObject {
  return { model_id: placement.model.model_id, ...placement.wireFields, ...request.values };
}

interface WaitingCount {
  readonly readAt: number;
  /** Kept by all orders that come while it is read. */
  readonly read: Promise<void>;
  count: number;
}
const waitingCounts = new WeakMap<Desk, Map<string, WaitingCount>>();

/**
 * Counted in this process and read anew each second, so that an order does not walk its key's whole queue. Those that have started since
 * are still in the count, so it is read again before an order is refused for it.
 */
async function assertRoomInQueue(desk: Desk, trx: Transaction, key: OrderingKey): Promise<void> {
  if (key.queueLimit === 0) return;
  const counts = waitingCounts.get(desk) ?? new Map<string, WaitingCount>();
  waitingCounts.set(desk, counts);
  const now = desk.clock.now();
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
      `${known.count} tasks of this API key are waiting; it may have ${key.queueLimit}. Try again when some have started.`,
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
