import { type JsonObject, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey, TaskServices } from '@darkroom-service/darkroom/kernel';
import { ownerId } from '@darkroom-service/darkroom/kernel-accounts';
import {
  bindClaim,
  claimWithin,
  fingerprintInSlices,
  type IdempotencyClaim,
  type JudgeServices,
  judgeOrder,
  type OrderBinding,
  type PlaceServices,
  placeOrders,
} from '@darkroom-service/darkroom/kernel-orders';
import { claimAbandonedCall, type RecentDisconnects } from './abandoned-calls.ts';
import { attachRetry, type Call, enterCall, findCall } from './calls.ts';
import type { DeliveredCalls } from './delivered-calls.ts';
import { callOf } from './erase-calls.ts';
import type { RequestedCall } from './requested-call.ts';

/** The parts of a request that identify a call, besides its API key. */
export interface CallIdentity {
  readonly type: 'image' | 'video';
  readonly path: string;
  /** Body as sent, by which a repetition is recognized. */
  readonly body: JsonObject;
  readonly idempotencyKey: string | null;
  /** Number of times that the client says it sent this call before. Ignored with an Idempotency-Key. */
  readonly retryCount: number;
  /** The `Darkroom-Simulate` header. */
  readonly simulate: string | null;
}

/** Calls that this process is placing, by key and digest: a retry that overtakes its call waits for it. */
export type PlacingCalls = Map<string, Promise<unknown>>;

/**
 * Places the orders of a call: all of them in one transaction, or none. A call whose Idempotency-Key is known, a retry
 * whose call exists, and the repetition of one whose client left without its answer, place nothing and return that
 * call.
 * @throws ServiceError
 */
export async function orderCall(
  {
    services,
    placing,
    leavers,
    delivered,
    process,
  }: {
    readonly services: JudgeServices & PlaceServices & Pick<TaskServices, 'clock'>;
    readonly placing: PlacingCalls;
    readonly leavers: RecentDisconnects;
    readonly delivered: Pick<DeliveredCalls, 'record'>;
    /** Id of this process. */
    readonly process: string;
  },
  key: OrderingKey,
  { body, count, view, examinedBy }: RequestedCall,
  identity: CallIdentity,
): Promise<Call> {
  // The calls of an end user with a client token are found by its own retries only.
  const owner = key.client === undefined ? {} : { owner: ownerId(key) };
  const fingerprint = await fingerprintInSlices({ path: identity.path, body: identity.body, ...owner });
  const claim: IdempotencyClaim | null =
    identity.idempotencyKey === null ? null : { scope: ownerId(key), key: identity.idempotencyKey, fingerprint };
  const digest = claim === null ? fingerprint : null;
  const { retryCount } = identity;
  // A retry belongs to a call whose answer was lost, rather than to one that has it.
  if (retryCount > 0) await delivered.record();
  const of = { keyId: key.id, digest, retryCount, now: services.clock.now() };
  const binding: OrderBinding = {
    async find(trx) {
      if (claim !== null) return await claimWithin(trx, claim);
      const repetition = { keyId: key.id, digest: fingerprint, process, now: of.now };
      if (retryCount === 0)
        return leavers.mayBeAmong(services.database, of.now) ? await claimAbandonedCall(trx, repetition) : null;
      return await attachRetry(trx, { ...repetition, count: retryCount });
    },
    bind(trx, taskIds) {
      const id = callOf(taskIds);
      if (claim !== null) bindClaim(trx, claim, id);
      enterCall(trx, { id, taskIds, view, process }, of);
    },
  };
  const order = { operation: identity.type, body, simulate: identity.simulate, ...(examinedBy && { examinedBy }) };
  const judgeAndPlace = async () => {
    const judged = await services.tracer.span('judge', () => judgeOrder(services, key, order));
    return await placeOrders(services, judged, { count, binding, immediateStart: true });
  };
  const place = () =>
    judgeAndPlace().catch(async (refusal: unknown) => {
      // A repetition finds its call, even if it would be refused as a new one.
      const replayOf = await services.database.write('openai_replay', binding.find);
      if (replayOf === null) throw refusal;
      return { replayOf };
    });
  const placed = await afterEqualCalls(placing, `${key.id} ${fingerprint}`, retryCount > 0, place);
  if ('tasks' in placed) {
    const { tasks } = placed;
    const taskIds = tasks.map(({ row }) => row.id);
    return { id: callOf(taskIds), taskIds, view, process, placed: tasks[0] };
  }
  const call = await findCall(services.database.read, key, placed.replayOf);
  if (call === null)
    throw new ServiceError('task_expired', 'The tasks of this call were erased just now. Send a new order.');
  return call;
}

/** Places a call; a retry after the equal calls that are being placed now. */
async function afterEqualCalls<T>(
  calls: PlacingCalls,
  name: string,
  isRetry: boolean,
  place: () => Promise<T>,
): Promise<T> {
  const before = calls.get(name);
  const placed = isRetry && before !== undefined ? before.then(place, place) : place();
  const all = Promise.allSettled([before, placed]);
  calls.set(name, all);
  try {
    return await placed;
  } finally {
    if (calls.get(name) === all) calls.delete(name);
  }
}
