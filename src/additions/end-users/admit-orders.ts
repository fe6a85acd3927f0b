import {
  effectiveLimits,
  findScopeRow,
  lockScope,
  mayLimitScopes,
  ownLimitsOf,
  zoneOf,
} from '@darkroom-service/addition-common/limits/scope-limits';
import { spentByScope } from '@darkroom-service/addition-common/limits/scope-spending';
import { cutText, formatMicros, type Micros, ServiceError } from '@darkroom-service/contract';
import {
  assertLeft,
  limitedWindows,
  type OrderingKey,
  scopeDigest,
  type TaskHooks,
  type Transaction,
} from '../../kernel.ts';

/** Maximum number of end users of one batch, if their limits must be checked one by one. */
const MOST_END_USERS = 100;

/**
 * Refuses orders that would exceed a limit of one of their end users. Only orders of keys that limit some end user read
 * and lock, in the order of the locks' names, which is that of every transaction.
 */
export const admitOrders: NonNullable<TaskHooks['admit']> = (trx, key, spending, now, hooks) =>
  mayLimitScopes(key) ? assertEachMaySpend({ trx, key, now, hooks }, spending()) : null;

interface Admission {
  readonly trx: Transaction;
  readonly key: OrderingKey;
  readonly now: number;
  readonly hooks: readonly TaskHooks[];
}

async function assertEachMaySpend(admission: Admission, spending: ReadonlyMap<string, Micros>): Promise<void> {
  if (spending.size > MOST_END_USERS)
    throw new ServiceError(
      'invalid_request',
      `orders: expected orders of at most ${MOST_END_USERS} end users, found ${spending.size}. This API key limits what end users spend; send several batches.`,
      { param: 'orders' },
    );
  const { key } = admission;
  const shares = [...spending].map(([endUser, price]) => ({ endUser, price, lock: scopeDigest(key.id, endUser) }));
  for (const { endUser, price } of shares.sort((a, b) => (a.lock < b.lock ? -1 : 1)))
    await assertMaySpend(admission, endUser, price);
}

async function assertMaySpend({ trx, key, now, hooks }: Admission, endUser: string, price: Micros): Promise<void> {
  const known = await findScopeRow(trx, key.id, endUser);
  if (limitedWindows(effectiveLimits(key, ownLimitsOf(known))).length === 0) return;
  await lockScope(trx, [key.id], endUser);
  // Read again: the limits may have changed before the lock was free.
  const row = await findScopeRow(trx, key.id, endUser);
  const own = ownLimitsOf(row);
  const zone = zoneOf(key, own);
  const found = await spentByScope(trx, { keyId: key.id, endUser, zone }, { now, hooks });
  for (const [window, limit] of limitedWindows(effectiveLimits(key, own))) {
    // An order without cost is admitted, whatever was spent.
    const spent = Math.min(limit, found[window]);
    assertLeft({ window, limit, spent, zone }, price, now, () => ({
      code: 'end_user_limit_reached',
      subject: `The end user '${cutText(endUser, 64)}' needs ${formatMicros(price)} USD for this, but`,
      remedy: remedyFor(key),
      endUser,
    }));
  }
}

/** Returns the remedy. A client token is in the hands of the end user, who may not set limits. */
function remedyFor({ client }: OrderingKey): string {
  if (client === undefined) return 'raise the limit with PUT /v1/end_users/{end_user}.';
  return `ask ${client.person === undefined ? 'the provider of this app' : 'a manager of the account'} for a higher limit.`;
}
