import type { EndUserView } from '@darkroom-service/contract';
import { viewScope } from '../../accounts/scope-limits.ts';
import { type OrderingKey, prepare, type Session } from '../../kernel.ts';

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
  key: OrderingKey,
  endUser: string,
  now: number,
): Promise<EndUserView> {
  const { limits, windows } = await viewScope(session, key, endUser, now);
  return { end_user: endUser, mode: key.mode, currency: 'USD', limits, windows };
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

/** The order of both databases; JavaScript compares by UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
