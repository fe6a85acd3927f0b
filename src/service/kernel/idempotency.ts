import type { JsonValue } from '@darkroom-service/contract';
import { type Owner, ownerId } from '../../accounts/scope.ts';
import { fingerprintInSlices } from '../../base/canonical-json.ts';
import type { Session, Transaction } from '../../database/database.ts';
import { bindClaim, claimWithin, findClaimed, type IdempotencyClaim } from '../../orders/idempotency.ts';

/** Keys by which a repeated request gets the earlier result, for results that `http.once` does not make. */
export interface Idempotency {
  /**
   * Returns the scope of a caller's keys: end users with client tokens have their own.
   * @example const scope = kernel.idempotency.scopeOf(key);
   */
  scopeOf(owner: Owner): string;
  /**
   * Returns a text that is equal for equal requests, and lets other work run while it reads a long one.
   * @example const fingerprint = await kernel.idempotency.fingerprint({ path: '/v1/brands', body: {} });
   */
  fingerprint(request: JsonValue): Promise<string>;
  /**
   * Returns the id of the earlier result of a key; null if the key is new.
   * @throws ServiceError `idempotency_key_reused` if it came with another request; `task_expired`
   * @example const known = await kernel.idempotency.find(session, { scope: key.id, key: 'a', fingerprint: 'f' });
   */
  find(session: Session, claim: IdempotencyClaim): Promise<string | null>;
  /**
   * Returns the id of the earlier result, in the unit that otherwise makes the result and binds it.
   * @throws ServiceError like `find`
   * @example const known = await kernel.idempotency.claim(trx, { scope: key.id, key: 'a', fingerprint: 'f' });
   */
  claim(trx: Transaction, claim: IdempotencyClaim): Promise<string | null>;
  /**
   * Binds a key to its result, in the unit that makes the result.
   * @example kernel.idempotency.bind(trx, { scope: key.id, key: 'a', fingerprint: 'f' }, 'brand_1');
   */
  bind(trx: Transaction, claim: IdempotencyClaim, subjectId: string): void;
}

/** Keys of repeated requests, which need no parts of the service. */
export const IDEMPOTENCY: Idempotency = {
  scopeOf: ownerId,
  fingerprint: fingerprintInSlices,
  find: findClaimed,
  claim: claimWithin,
  bind: bindClaim,
};
