import {
  canonicalName,
  type EndUserView,
  errorFromFaults,
  formatMicros,
  given,
  isoTime,
  isTimeZone,
  type Micros,
  parseMicros,
  SPEND_WINDOWS,
  type SpendLimits,
  type SpendWindow,
  unknownTimeZone,
  windowEnd,
} from '@darkroom-service/contract';
import {
  type Act,
  type ApiKey,
  type Database,
  prepare,
  type recordAct,
  recordChange,
  type Schema,
  type Session,
  scopeDigest,
  type Transaction,
} from '@darkroom-service/darkroom/kernel';
import type { Selectable } from 'kysely';
import { type SpendingAt, viewSpending } from './scope-spending.ts';

/**
 * Limits of what each scope of a key may spend per day, per month and in total. A scope without a limit of its own in a
 * window has the key's, and without a time zone of its own that of the key. Who belongs to a scope, an end user or a
 * member, is known to additions.
 */

/** Own limits of a scope: null = no limit, absent = the key's. */
export type OwnLimits = { readonly [window in SpendWindow]?: Micros | null } & { readonly timezone?: string };

type ScopeRow = Selectable<Schema['end_users']>;

const selectEndUser = prepare<{ key: string; user: string }, ScopeRow>('end_user', (builder, argument) =>
  builder
    .selectFrom('end_users')
    .selectAll()
    .where('api_key_id', '=', argument('key'))
    .where('end_user', '=', argument('user')),
);

/** Locks an end user's limits and orders at some keys until the transaction ends, in the order that all units keep. */
export async function lockScope(trx: Transaction, keyIds: readonly string[], endUser: string): Promise<void> {
  const names = keyIds.map((keyId) => `end_user:${scopeDigest(keyId, endUser)}`);
  for (const name of names.sort()) await trx.lock(name);
}

export async function findScopeRow(session: Session, keyId: string, endUser: string): Promise<ScopeRow | undefined> {
  return await session.first(selectEndUser, { key: keyId, user: canonicalName(endUser) });
}

export function ownLimitsOf(row: Pick<ScopeRow, 'limits_json'> | undefined): OwnLimits {
  return row === undefined ? {} : (JSON.parse(row.limits_json) as OwnLimits);
}

/** Returns the limit of each window: the end user's own, or else the key's. */
export function effectiveLimits(key: Pick<ApiKey, 'endUserLimits'>, own: OwnLimits): SpendLimits {
  const limitOf = (window: SpendWindow) => {
    const limit = own[window];
    return limit === undefined ? key.endUserLimits[window] : limit;
  };
  return { day: limitOf('day'), month: limitOf('month'), total: limitOf('total') };
}

/** Returns the time zone of the limits: the end user's own, or else the key's. */
export function zoneOf(key: Pick<ApiKey, 'timezone'>, own: Pick<OwnLimits, 'timezone'>): string {
  return own.timezone ?? key.timezone;
}

/** Tells whether any end user of the key may have a limit. */
export function mayLimitScopes(key: ApiKey): boolean {
  return key.limitsEndUsers || SPEND_WINDOWS.some((window) => key.endUserLimits[window] !== null);
}

/** Returns the own limits of a scope as callers see them, and its spending in each window. */
export async function viewScope(
  session: Session,
  key: Pick<ApiKey, 'endUserLimits' | 'id' | 'timezone'>,
  endUser: string,
  at: SpendingAt,
): Promise<Pick<EndUserView, 'limits' | 'windows'>> {
  const row = await findScopeRow(session, key.id, endUser);
  const own = ownLimitsOf(row);
  const limits = effectiveLimits(key, own);
  const zone = zoneOf(key, own);
  const spending = await viewSpending(session, { keyId: key.id, endUser, zone }, at);
  const window = (name: SpendWindow) => {
    const { charged, held } = spending[name];
    const limit = limits[name];
    return {
      limit: amountOrNull(limit),
      charged: formatMicros(charged),
      held: formatMicros(held),
      available: limit === null ? null : formatMicros(Math.max(0, limit - charged - held)),
      resets_at: isoTime(windowEnd(name, at.now, zone)),
    };
  };
  return { limits: shownLimits(own), windows: { day: window('day'), month: window('month'), total: window('total') } };
}

/** Reads limits that a caller sent, in micro-dollars; null = no limit. @throws ServiceError for an unknown time zone */
export function readOwnLimits(sent: EndUserView['limits']): OwnLimits {
  const { timezone } = sent;
  if (timezone !== undefined && !isTimeZone(timezone))
    throw errorFromFaults([unknownTimeZone('limits.timezone', timezone)]);
  const set = SPEND_WINDOWS.flatMap((window) => {
    const limit = sent[window];
    if (limit === undefined) return [];
    return [[window, limit === null ? null : parseMicros(limit)] as const];
  });
  return { ...Object.fromEntries(set), ...given({ timezone }) };
}

/**
 * Replaces the limits of an end user; without any, those of the key apply. They also count what the windows hold
 * already. The audit log has a digest in place of the end user's name, so that it need not change when the name is
 * erased.
 * @param what act, target and details of the entry in the audit log
 */
export async function setScopeLimits(
  database: Pick<Database, 'write'>,
  by: Act,
  key: Pick<ApiKey, 'id'>,
  endUser: string,
  limits: OwnLimits,
  what: Parameters<typeof recordAct>[2] = {
    act: 'end_user.limits',
    target: scopeDigest(key.id, endUser),
    detail: { key_id: key.id },
  },
): Promise<void> {
  await database.write('end_user_limits', async (trx) => {
    await lockScope(trx, [key.id], endUser);
    const change = { limits_json: JSON.stringify(limits) };
    const known = await findScopeRow(trx, key.id, endUser);
    if (known === undefined && Object.keys(limits).length === 0) return;
    await trx.run(
      trx.builder
        .insertInto('end_users')
        .values({ api_key_id: key.id, end_user: canonicalName(endUser), ...change })
        .onConflict((conflict) => conflict.columns(['api_key_id', 'end_user']).doUpdateSet(change)),
    );
    await recordChange(trx, by, {
      ...what,
      before: { limits: shownLimits(ownLimitsOf(known)) },
      after: { limits: shownLimits(limits) },
    });
  });
}

function shownLimits(own: OwnLimits): EndUserView['limits'] {
  const set = SPEND_WINDOWS.flatMap((window) => {
    const limit = own[window];
    return limit === undefined ? [] : [[window, amountOrNull(limit)] as const];
  });
  return { ...Object.fromEntries(set), ...given({ timezone: own.timezone }) };
}

function amountOrNull(amount: Micros | null): string | null {
  return amount === null ? null : formatMicros(amount);
}
