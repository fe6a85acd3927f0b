import { type JsonObject, ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey } from '@darkroom-service/darkroom/kernel';
import { claimAbandonedCall, type RecentDisconnects } from './abandoned-calls.ts';
import { attachRetry, type Call, enterCall, findCall } from './calls.ts';
import type { DeliveredCalls } from './delivered-calls.ts';
import { callOf } from './erase-calls.ts';
import type { RequestedCall } from './requested-call.ts';

type IdempotencyClaim = Parameters<Kernel['idempotency']['claim']>[1];

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

/** The parts of the service that place the orders of calls. */
type OrderingKernel = Pick<Kernel, 'clock' | 'idempotency' | 'orders' | 'process' | 'store' | 'tasks' | 'work'>;

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
    kernel,
    placing,
    leavers,
    delivered,
  }: {
    readonly kernel: OrderingKernel;
    readonly placing: PlacingCalls;
    readonly leavers: RecentDisconnects;
    readonly delivered: Pick<DeliveredCalls, 'record'>;
  },
  key: OrderingKey,
  { body, count, view, examinedBy }: RequestedCall,
  identity: CallIdentity,
): Promise<Call> {
  const { clock, idempotency, orders, store, work } = kernel;
  const process = kernel.process.id;
  // The calls of an end user with a client token are found by its own retries only.
  const owner = key.client === undefined ? {} : { owner: idempotency.scopeOf(key) };
  const fingerprint = await idempotency.fingerprint({ path: identity.path, body: identity.body, ...owner });
  const claim: IdempotencyClaim | null =
    identity.idempotencyKey === null
      ? null
      : { scope: idempotency.scopeOf(key), key: identity.idempotencyKey, fingerprint };
  const digest = claim === null ? fingerprint : null;
  const { retryCount } = identity;
  // A retry belongs to a call whose answer was lost, rather than to one that has it.
  if (retryCount > 0) await delivered.record();
  const of = { keyId: key.id, digest, retryCount, now: clock.now() };
  const binding: Parameters<Kernel['orders']['place']>[1]['binding'] = {
    async find(trx) {
      if (claim !== null) return await idempotency.claim(trx, claim);
      const repetition = { keyId: key.id, digest: fingerprint, process, now: of.now };
      if (retryCount === 0) return leavers.mayBeAmong(store, of.now) ? await claimAbandonedCall(trx, repetition) : null;
      return await attachRetry(trx, { ...repetition, count: retryCount });
    },
    bind(trx, taskIds) {
      const id = callOf(taskIds);
      if (claim !== null) idempotency.bind(trx, claim, id);
      enterCall(trx, { id, taskIds, view, process }, of);
    },
  };
  const order = {
    operation: identity.type,
    body,
    simulate: identity.simulate,
    count,
    ...(examinedBy && { examinedBy }),
  };
  const judgeAndPlace = async () => {
    const judged = await work.tracer.span('judge', () => orders.judge(key, order));
    return await orders.place(judged, { count, binding, immediateStart: true });
  };
  const place = () =>
    judgeAndPlace().catch(async (refusal: unknown) => {
      // A repetition finds its call, even if it would be refused as a new one.
      const replayOf = await store.write('openai_replay', binding.find);
      if (replayOf === null) throw refusal;
      return { replayOf };
    });
  const placed = await afterEqualCalls(placing, `${key.id} ${fingerprint}`, retryCount > 0, place);
  if ('tasks' in placed) {
    const { tasks } = placed;
    const taskIds = tasks.map(({ row }) => row.id);
    return { id: callOf(taskIds), taskIds, view, process, placed: tasks[0] };
  }
  const call = await findCall(kernel, key, placed.replayOf);
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
