import { isoTime } from '@darkroom-service/contract/clock';
import type { EndUserView } from '@darkroom-service/contract/end-user';
import { formatMicros, type Micros } from '@darkroom-service/contract/money';
import type { Database, Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { OrderingKey } from './api-key.ts';
import { type Act, recordChange, type What } from './audit.ts';
import {
  checkpointOf,
  effectiveLimits,
  findEndUserRow,
  lockEndUser,
  type OwnLimits,
  ownLimitsOf,
} from './end-user-limits.ts';
import { readSpending } from './end-user-spending.ts';
import { scopeDigest } from './scope.ts';
import { SPEND_WINDOWS, type SpendWindow, windowEnd } from './spend-windows.ts';

/** End users as the API shows them. Each belongs to one key, and so to one mode. */

interface NextArguments {
  key: string;
  after: string;
}

/** Reads one name from the index, so that a page does not read all orders of each end user. */
const nextWithOrders = prepare<NextArguments, { end_user: string }>('end_user_next', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('end_user')
    .$narrowType<{ end_user: string }>()
    .where('api_key_id', '=', argument('key'))
    .where('end_user', '>', argument('after'))
    .orderBy('api_key_id')
    .orderBy('end_user')
    .limit(1),
);

const nextWithLimits = prepare<NextArguments, { end_user: string }>('end_user_next_limited', (builder, argument) =>
  builder
    .selectFrom('end_users')
    .select('end_user')
    .where('api_key_id', '=', argument('key'))
    .where('end_user', '>', argument('after'))
    .where('limits_json', '!=', '{}')
    .orderBy('api_key_id')
    .orderBy('end_user')
    .limit(1),
);

/** Returns an end user with its limits and spending. One that has never ordered has spent nothing. */
export async function viewEndUser(
  session: Session,
  key: Pick<OrderingKey, 'endUserLimits' | 'id' | 'mode'>,
  endUser: string,
  now: number,
): Promise<EndUserView> {
  const row = await findEndUserRow(session, key.id, endUser);
  const own = ownLimitsOf(row);
  const limits = effectiveLimits(key, own);
  const { spending } = await readSpending(session, { keyId: key.id, endUser }, checkpointOf(row), now);
  const window = (name: SpendWindow) => {
    const { charged, held } = spending[name];
    const limit = limits[name];
    return {
      limit: amountOrNull(limit),
      charged: formatMicros(charged),
      held: formatMicros(held),
      available: limit === null ? null : formatMicros(Math.max(0, limit - charged - held)),
      resets_at: isoTime(windowEnd(name, now)),
    };
  };
  return {
    end_user: endUser,
    mode: key.mode,
    currency: 'USD',
    limits: shownLimits(own),
    windows: { day: window('day'), month: window('month'), total: window('total') },
  };
}

/** Lists end users that have limits of their own, or an order that is not erased, by name. @param page.after a name */
export async function listEndUsers(
  session: Session,
  key: OrderingKey,
  page: { readonly limit: number; readonly after: string },
  now: number,
): Promise<{ readonly items: EndUserView[]; readonly hasMore: boolean }> {
  const names: string[] = [];
  for (let after = page.after; names.length <= page.limit; ) {
    const next = { key: key.id, after };
    const found = await Promise.all([session.first(nextWithOrders, next), session.first(nextWithLimits, next)]);
    const [name] = found.flatMap((row) => (row === undefined ? [] : [row.end_user])).sort(byCodePoint);
    if (name === undefined) break;
    names.push(name);
    after = name;
  }
  const shown = names.slice(0, page.limit);
  const items = await Promise.all(shown.map((name) => viewEndUser(session, key, name, now)));
  return { items, hasMore: names.length > page.limit };
}

/**
 * Replaces the limits of an end user; without any it has the key's. They count what its windows hold already. The audit
 * log has a digest in place of the end user's name, so that it need not change when that is erased.
 * @param what what the audit log tells
 */
export async function setEndUserLimits(
  database: Database,
  by: Act,
  key: Pick<OrderingKey, 'id'>,
  endUser: string,
  limits: OwnLimits,
  what: What = { act: 'end_user.limits', target: scopeDigest(key.id, endUser), detail: { key_id: key.id } },
): Promise<void> {
  await database.write('end_user_limits', async (trx) => {
    await lockEndUser(trx, [key.id], endUser);
    const change = { limits_json: JSON.stringify(limits) };
    const known = await findEndUserRow(trx, key.id, endUser);
    if (known === undefined && Object.keys(limits).length === 0) return;
    const none = { closed_at: 0, closed_day: 0, closed_month: 0, closed_total: 0 };
    await trx.run(
      trx.builder
        .insertInto('end_users')
        .values({ api_key_id: key.id, end_user: endUser, ...change, ...none })
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
  return Object.fromEntries(set);
}

function amountOrNull(amount: Micros | null): string | null {
  return amount === null ? null : formatMicros(amount);
}

/** The order of both databases; JavaScript compares by UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
