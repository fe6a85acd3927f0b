import type { OrderingKey } from '../accounts/api-key.ts';
import { fingerprintInSlices, type JsonObject } from '../base/canonical-json.ts';
import { createTasks } from '../orders/create-tasks.ts';
import { bindClaim, claimWithin, type IdempotencyClaim } from '../orders/idempotency.ts';
import type { Binding } from '../orders/place-order.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { type Call, enterCall, findCall } from './calls.ts';
import type { ImageCall } from './image-call.ts';

/** What identifies a call, besides its API key. */
export interface CallIdentity {
  readonly type: 'image' | 'video';
  readonly path: string;
  /** As sent: a repetition is recognized by it. */
  readonly body: JsonObject;
  readonly idempotencyKey: string | null;
  /** The `Darkroom-Simulate` header. */
  readonly simulate: string | null;
}

/**
 * Takes the orders of a call: all of them in one transaction, or none. A call whose Idempotency-Key is known places
 * nothing and is returned as it was.
 * @throws ServiceError
 */
export async function orderCall(
  services: TaskServices,
  key: OrderingKey,
  { body, count, view }: ImageCall,
  identity: CallIdentity,
): Promise<Call> {
  const fingerprint = await fingerprintInSlices({ path: identity.path, body: identity.body });
  const id = services.createId('call');
  const claim: IdempotencyClaim | null =
    identity.idempotencyKey === null ? null : { scope: key.id, key: identity.idempotencyKey, fingerprint };
  const digest = claim === null ? fingerprint : null;
  const binding: Binding = {
    find: async (trx) => (claim === null ? null : await claimWithin(trx, claim)),
    bind(trx, taskIds) {
      if (claim !== null) bindClaim(trx, claim, id);
      enterCall(trx, { id, taskIds, view }, { keyId: key.id, digest, attached: 0, now: services.clock.now() });
    },
  };
  const order = { type: identity.type, body, simulate: identity.simulate };
  const placed = await createTasks(services, key, order, { count, binding }).catch(async (refusal: unknown) => {
    // A repetition finds its call, whatever would refuse it as a new one.
    const replayOf = await services.database.write('openai_replay', binding.find);
    if (replayOf === null) throw refusal;
    return { replayOf };
  });
  if ('taskIds' in placed) return { id, taskIds: placed.taskIds, view };
  const call = await findCall(services.database.read, key.id, placed.replayOf);
  if (call === null) throw new Error(`the call ${placed.replayOf} of a repeated request does not exist`);
  return call;
}
