import { isoTime, type JsonObject, ServiceError, type TaskView, type Tombstone } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import { ownerId } from '../accounts/scope.ts';
import { fingerprintInSlices } from '../base/canonical-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { type FindServices, findRowOrTombstone, positionInGroup, viewFoundTask } from '../views/find-tasks.ts';
import { viewTask } from '../views/task-view.ts';
import { findClaimed, type IdempotencyClaim } from './idempotency.ts';
import { type JudgeServices, judgeOrder } from './judge-order.ts';
import { type NewlyPlaced, type OrderToPlace, type PlaceServices, placeOrder } from './place-order.ts';

interface CreateOrder {
  readonly type: 'image' | 'video';
  /** Path as sent: an Idempotency-Key is bound to it. */
  readonly path: string;
  readonly body: JsonObject;
  readonly idempotencyKey: string | null;
  /** The `Darkroom-Simulate` header. */
  readonly simulate: string | null;
  /** Whether its caller waits for the end: it then begins at once if it can, and its place in the queue is not read. */
  readonly waits?: boolean;
}

type OrderServices = JudgeServices & PlaceServices & FindServices & Pick<TaskServices, 'tracer'>;

interface Deprecation {
  /** Time of the deprecation in ISO 8601; null if the catalog does not say since when. */
  readonly since: string | null;
  /** Time of its retirement, if that is known. */
  readonly sunsetAt: string | null;
  /** Model to order instead. */
  readonly successor: string | null;
}

export interface Created {
  readonly taskId: string;
  /** The task as it was placed or found. If its caller waits, its view is composed when it is read. */
  readonly task: TaskView | Tombstone;
  /** Task that this request has placed, if its caller waits for the end; null otherwise. */
  readonly placed: NewlyPlaced | null;
  /** Whether the Idempotency-Key was known: then neither a task nor a charge was made. */
  readonly replayed: boolean;
  /** The deprecation of the model, if any. */
  readonly deprecation: Deprecation | null;
}

/**
 * Accepts an order: either all its faults are reported at once and nothing is written, or a task is queued and its
 * price held.
 * @throws ServiceError
 */
export async function createTask(services: OrderServices, key: OrderingKey, order: CreateOrder): Promise<Created> {
  const claim = order.idempotencyKey === null ? null : await claimOf(key, order, order.idempotencyKey);
  const { type: operation, body, simulate } = order;
  const judging = services.tracer.span('judge', () => judgeOrder(services, key, { operation, body, simulate }));
  const judged = await judging.catch((fault: unknown) => replayInstead(services, key, claim, fault));
  if ('replayed' in judged) return judged;
  return await finishOrder(services, { ...judged, claim }, order.waits === true);
}

/** Accepts a follow-up action on an earlier image task of the same key (contract §7). @throws ServiceError */
export async function createAction(
  services: OrderServices,
  key: OrderingKey,
  order: Omit<CreateOrder, 'type'>,
): Promise<Created> {
  const claim = order.idempotencyKey === null ? null : await claimOf(key, order, order.idempotencyKey);
  const replay = await replayOf(services, key, claim);
  if (replay !== null) return replay;
  const { body, simulate } = order;
  const judge = () => judgeOrder(services, key, { operation: 'action', body, simulate });
  return await finishOrder(services, { ...(await services.tracer.span('judge', judge)), claim }, order.waits === true);
}

/** Places a judged order, and returns the task in its current state. */
async function finishOrder(services: OrderServices, order: OrderToPlace, waits: boolean): Promise<Created> {
  const { key, model, claim } = order;
  // A queued order can be canceled at no cost. If the engine cannot stop, the order stays queued unless its caller
  // waits.
  const immediateStart = waits || services.routing.canCancel(order.route.engine);
  const placing = placeOrder(services, order, immediateStart);
  const placed = await placing.catch((refusal: unknown) => replayInstead(services, key, claim, refusal));
  if ('replayed' in placed) return placed;
  if ('replayOf' in placed) {
    const replay = await replayOf(services, key, claim);
    if (replay !== null) return replay;
    throw new Error(`the task ${placed.replayOf} of a bound Idempotency-Key is not there`);
  }
  const created = {
    taskId: placed.row.id,
    replayed: false,
    deprecation:
      model.status === 'deprecated'
        ? { since: model.deprecated_at, sunsetAt: model.sunset_at, successor: model.replaced_by }
        : null,
  };
  const { row, written } = placed;
  if (waits)
    return {
      ...created,
      placed,
      get task() {
        return viewTask(services, key, row, null, written);
      },
    };
  // While it is sent, such an answer keeps the view, and neither the row nor the judged order.
  const position = await positionIfKnown(services, key, placed);
  return { ...created, placed: null, task: viewTask(services, key, row, position, written) };
}

/** Returns the queue position, or null if it cannot be read: a stored order is answered as accepted in any case. */
async function positionIfKnown(
  services: Pick<TaskServices, 'database' | 'log'>,
  key: OrderingKey,
  { row, group }: NewlyPlaced,
): Promise<number | null> {
  if (group === null) return null;
  return await positionInGroup(services.database.read, key.id, row, group).catch((error: unknown) => {
    services.log.warn({ err: error, task_id: row.id }, 'could not read the queue position of an accepted order');
    return null;
  });
}

/** Returns the binding of an order's Idempotency-Key: to the path and the body as canonical JSON. */
async function claimOf(
  key: OrderingKey,
  { path, body }: Pick<CreateOrder, 'path' | 'body'>,
  idempotencyKey: string,
): Promise<IdempotencyClaim> {
  const fingerprint = await fingerprintInSlices({ path, body });
  return { scope: ownerId(key), key: idempotencyKey, fingerprint };
}

/**
 * Returns the task of a refused order's Idempotency-Key, if there is one, because a known key takes precedence over the
 * refusal. Accepted orders check their key in the transaction, so only refusals need this extra lookup.
 * @throws the refusal if the key is new; ServiceError `idempotency_key_reused`
 */
async function replayInstead(
  services: FindServices,
  key: OrderingKey,
  claim: IdempotencyClaim | null,
  refusal: unknown,
): Promise<Created> {
  const replay = await replayOf(services, key, claim).catch((fault: unknown) => {
    // Keeps the original error: the order may have been accepted.
    throw refusal instanceof ServiceError && refusal.outcomeUnknown ? refusal : fault;
  });
  if (replay === null) throw refusal;
  return replay;
}

/** Returns the task of a known Idempotency-Key, in its current state. */
async function replayOf(
  services: FindServices,
  key: OrderingKey,
  claim: IdempotencyClaim | null,
): Promise<Created | null> {
  if (claim === null) return null;
  const { read } = services.database;
  const taskId = await findClaimed(read, claim);
  if (taskId === null) return null;
  const row = await findRowOrTombstone(read, key, taskId);
  if (row === undefined) return null;
  const task =
    row.deleted_at === null
      ? await viewFoundTask(services, key, row)
      : { task_id: row.id, status: row.status, deleted_at: isoTime(row.deleted_at) };
  return { taskId, task, placed: null, replayed: true, deprecation: null };
}
