import type { OrderingKey } from '../accounts/api-key.ts';
import { fingerprint, type JsonObject } from '../base/canonical-json.ts';
import { isoTime } from '../base/clock.ts';
import { errorFromFaults, ServiceError } from '../base/errors.ts';
import { resolveRequest } from '../catalog/resolve-request.ts';
import { chooseModel, chooseRoute } from './choose-model.ts';
import type { Desk } from './desk.ts';
import { findRowOrTombstone, positionInLine, queuePosition } from './find-tasks.ts';
import { findClaimed, type IdempotencyClaim } from './idempotency.ts';
import { discardFiles } from './new-file.ts';
import { judgeMedia } from './order-media.ts';
import { type NewlyPlaced, type Placement, placeOrder } from './place-order.ts';
import { findSubject, refusalOf } from './refuse-order.ts';
import { takeServiceFields } from './service-fields.ts';
import type { TaskStatus } from './task.ts';
import { type TaskView, viewTask } from './task-view.ts';

export interface CreateOrder {
  readonly type: 'image' | 'video';
  /** The path as sent: an Idempotency-Key belongs to it. */
  readonly path: string;
  readonly body: JsonObject;
  readonly idempotencyKey: string | null;
  /** The `Darkroom-Simulate` header. */
  readonly simulate: string | null;
}

/** What is left of a deleted task. */
export interface Tombstone {
  readonly task_id: string;
  readonly status: TaskStatus;
  readonly deleted_at: string;
}

export interface Created {
  readonly task: TaskView | Tombstone;
  /** The Idempotency-Key was known: neither a task nor a charge was made. */
  readonly replayed: boolean;
  /** Set on a deprecated model: when it will be retired, if that is known. */
  readonly deprecation: { readonly sunsetAt: string | null } | null;
}

/**
 * Takes an order: everything wrong with it is said at once and nothing is written, or a task is queued and its price held.
 * @throws ServiceError
 */
export async function createTask(desk: Desk, key: OrderingKey, order: CreateOrder): Promise<Created> {
  const claim = claimOf(key, order);
  const judged = await judgeOrder(desk, key, order).catch((fault: unknown) => replayInstead(desk, key, claim, fault));
  if ('replayed' in judged) return judged;
  return await finishOrder(desk, { key, ...judged, wireFields: {}, parentTaskId: null, claim });
}

/** Everything of an order that can be judged without its key's money and limits. */
async function judgeOrder(desk: Desk, key: OrderingKey, order: CreateOrder) {
  const { fields, rest, faults } = takeServiceFields(
    order.body,
    key.mode,
    order.simulate,
    desk.settings.allowedAddresses,
  );
  const model = await findSubject(() => chooseModel(desk, key, order.body.model_id, order.type), faults);
  const resolution = resolveRequest(model, rest, { purpose: 'create' });
  if (!resolution.ok || faults.length > 0) throw await refusalOf(desk, key.id, model, resolution, faults);
  const route = chooseRoute(desk, key, model, resolution.request);
  const judged = await judgeMedia(desk, key.id, model, resolution.request, { keep: true });
  if (judged.faults.length > 0) throw errorFromFaults(judged.faults);
  return { model, route, judged, fields };
}

/** Places what was judged, cleans up after a refusal, and answers the task as it stands. */
export async function finishOrder(desk: Desk, placement: Placement): Promise<Created> {
  const { key, model, judged, claim } = placement;
  const files = judged.newFiles.map((file) => file.media.key);
  const placed = await placeOrder(desk, placement).catch(async (error: unknown) => {
    await discardFiles(desk, files, error);
    return await replayInstead(desk, key, claim, error);
  });
  if ('replayed' in placed) return placed;
  if ('replayOf' in placed) {
    await discardFiles(desk, files, null);
    const replay = await replayOf(desk, key, claim);
    if (replay !== null) return replay;
    throw new Error(`the task ${placed.replayOf} of a bound Idempotency-Key is not there`);
  }
  return {
    task: viewTask(desk, key, placed.row, await positionIfKnown(desk, key, placed), placed.written),
    replayed: false,
    deprecation: model.status === 'deprecated' ? { sunsetAt: model.sunset_at } : null,
  };
}

/** An order that is taken is answered as taken, whatever happens to the database after that. */
async function positionIfKnown(desk: Desk, key: OrderingKey, { row, line }: NewlyPlaced): Promise<number | null> {
  return await positionInLine(desk.database.read, key.id, row, line).catch((error: unknown) => {
    desk.log.warn({ err: error, task_id: row.id }, 'an order is taken, and its place in the queue cannot be read');
    return null;
  });
}

/** The binding of an order's Idempotency-Key: to the path and the body as canonical JSON. */
export function claimOf(key: OrderingKey, order: Omit<CreateOrder, 'type'>): IdempotencyClaim | null {
  if (order.idempotencyKey === null) return null;
  return { scope: key.id, key: order.idempotencyKey, fingerprint: fingerprint({ path: order.path, body: order.body }) };
}

/**
 * What a refused order is answered after all: the task of its Idempotency-Key, where that is known, since the key counts before whatever
 * was refused. An order that is not refused meets its key in the transaction, so that only refusals pay for a look-up of their own.
 * @throws the refusal, where the key is new; ServiceError `idempotency_key_reused`.
 */
async function replayInstead(
  desk: Desk,
  key: OrderingKey,
  claim: IdempotencyClaim | null,
  refusal: unknown,
): Promise<Created> {
  const replay = await replayOf(desk, key, claim).catch((fault: unknown) => {
    // Whoever is told that nothing was taken, while it may have been, would look no further.
    throw refusal instanceof ServiceError && refusal.outcomeUnknown ? refusal : fault;
  });
  if (replay === null) throw refusal;
  return replay;
}

/** The task that a known Idempotency-Key stands for, as it now stands; looked up before the body is judged. */
export async function replayOf(desk: Desk, key: OrderingKey, claim: IdempotencyClaim | null): Promise<Created | null> {
  if (claim === null) return null;
  const { read } = desk.database;
  const taskId = await findClaimed(read, claim);
  if (taskId === null) return null;
  const row = await findRowOrTombstone(read, key.id, taskId);
  if (row === undefined) return null;
  const task =
    row.deleted_at === null
      ? viewTask(desk, key, row, await queuePosition(read, key.id, row))
      : { task_id: row.id, status: row.status, deleted_at: isoTime(row.deleted_at) };
  return { task, replayed: true, deprecation: null };
}
