import { formatMicros, type Micros } from '@darkroom-service/contract/money';
import type { Selectable } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import type { ApiKey } from './api-key.ts';
import { type Checkpoint, moveCheckpoint, readSpending } from './end-user-spending.ts';
import { scopeDigest } from './scope.ts';
import { SPEND_WINDOWS, type SpendLimits, type SpendWindow } from './spend-windows.ts';
import { assertLeft, limitedWindows } from './window-limits.ts';

/**
 * Limits what each end user of a key may spend per UTC day, per UTC month and in total. An end user without a limit of
 * its own in a window has the key's. Only orders of limited end users lock and count.
 */

/** Limits of an end user's own: null = no limit, absent = the key's. */
export type OwnLimits = { readonly [window in SpendWindow]?: Micros | null };

type EndUserRow = Selectable<Schema['end_users']>;

const selectEndUser = prepare<{ key: string; user: string }, EndUserRow>('end_user', (builder, argument) =>
  builder
    .selectFrom('end_users')
    .selectAll()
    .where('api_key_id', '=', argument('key'))
    .where('end_user', '=', argument('user')),
);

/** Refuses an order that would exceed one of its end user's limits. Does nothing where no limit can apply. */
export async function assertWithinEndUserLimits(
  trx: Transaction,
  key: ApiKey,
  endUser: string | null,
  price: Micros,
  now: number,
): Promise<void> {
  if (endUser === null || !mayLimitEndUsers(key)) return;
  const known = await findEndUserRow(trx, key.id, endUser);
  if (limitsInForce(key, known).length === 0) return;
  await lockEndUser(trx, [key.id], endUser);
  // Read again: the limits or the checkpoint may have changed before the lock was free.
  const row = await findEndUserRow(trx, key.id, endUser);
  const owner = { keyId: key.id, endUser };
  const checkpoint = checkpointOf(row);
  const found = await readSpending(trx, owner, checkpoint, now);
  for (const [window, limit] of limitsInForce(key, row)) {
    const { charged, held } = found.spending[window];
    // An order that costs nothing passes, whatever was spent.
    const spent = Math.min(limit, charged + held);
    assertLeft({ window, limit, spent }, price, now, () => ({
      code: 'end_user_limit_reached',
      subject: `The end user '${endUser.slice(0, 64)}' needs ${formatMicros(price)} USD for this, but`,
      // A client token is in the hands of the end user, who may not set limits.
      remedy:
        key.client === undefined
          ? 'raise the limit with PUT /v1/end_users/{end_user}.'
          : key.client.person === undefined
            ? 'ask the provider of this app for a higher limit.'
            : 'ask a manager of the account for a higher limit.',
      endUser,
    }));
  }
  await moveCheckpoint(trx, owner, checkpoint, found, now);
}

/** Locks an end user's limits and orders at some keys until the transaction ends, in the order that all units keep. */
export async function lockEndUser(trx: Transaction, keyIds: readonly string[], endUser: string): Promise<void> {
  const names = keyIds.map((keyId) => lockOf(scopeDigest(keyId, endUser)));
  for (const name of names.sort()) await trx.lock(name);
}

const lockOf = (digest: string) => `end_user:${digest}`;

/**
 * Makes an end user's older orders count as not summed, because this transaction changes the charge of one.
 * @param digest of the end user: its order may be erased
 */
export async function forgetCheckpoint(trx: Transaction, keyId: string, digest: string): Promise<void> {
  await trx.lock(lockOf(digest));
  const { builder } = trx;
  const rows = await trx.all(
    builder.selectFrom('end_users').select('end_user').where('api_key_id', '=', keyId).where('closed_at', '>', 0),
  );
  const row = rows.find(({ end_user: endUser }) => scopeDigest(keyId, endUser) === digest);
  if (row === undefined) return;
  await trx.run(
    builder
      .updateTable('end_users')
      .set({ closed_at: 0, closed_day: 0, closed_month: 0, closed_total: 0 })
      .where('api_key_id', '=', keyId)
      .where('end_user', '=', row.end_user),
  );
}

export async function findEndUserRow(
  session: Session,
  keyId: string,
  endUser: string,
): Promise<EndUserRow | undefined> {
  return await session.first(selectEndUser, { key: keyId, user: endUser });
}

export function ownLimitsOf(row: Pick<EndUserRow, 'limits_json'> | undefined): OwnLimits {
  return row === undefined ? {} : (JSON.parse(row.limits_json) as OwnLimits);
}

export function checkpointOf(row: EndUserRow | undefined): Checkpoint | null {
  if (row === undefined || row.closed_at === 0) return null;
  return { at: row.closed_at, day: row.closed_day, month: row.closed_month, total: row.closed_total };
}

/** Returns the limit of each window, whether the end user's own or the key's. */
export function effectiveLimits(key: Pick<ApiKey, 'endUserLimits'>, own: OwnLimits): SpendLimits {
  const limitOf = (window: SpendWindow) => {
    const limit = own[window];
    return limit === undefined ? key.endUserLimits[window] : limit;
  };
  return { day: limitOf('day'), month: limitOf('month'), total: limitOf('total') };
}

/** Tells whether any end user of the key may have a limit. */
export function mayLimitEndUsers(key: ApiKey): boolean {
  return key.limitsEndUsers || SPEND_WINDOWS.some((window) => key.endUserLimits[window] !== null);
}

function limitsInForce(key: ApiKey, row: EndUserRow | undefined): [SpendWindow, Micros][] {
  return limitedWindows(effectiveLimits(key, ownLimitsOf(row)));
}
