import { viewScope } from '@darkroom-service/addition-common/limits/scope-limits';
import type { SpendingAt } from '@darkroom-service/addition-common/limits/scope-spending';
import type { EndUserView } from '@darkroom-service/contract';
import { type OrderingKey, prepare, type Session, sql } from '../../kernel.ts';

/** End users as the API shows them. Each belongs to one key, and so to one mode. */

interface NextArguments {
  key: string;
  after: string;
}

/** Reads one name from each index, so that a page does not read all orders of each end user. */
const nextName = prepare<NextArguments, { end_user: string | null }>('end_user_next', (builder, argument) => {
  const ordered = (type: 'image' | 'video') =>
    builder
      .selectFrom('tasks')
      .select(({ fn }) => fn.min<string | null>('end_user').as('end_user'))
      .where('api_key_id', '=', argument('key'))
      .where('type', '=', sql.lit(type))
      .where('end_user', '>', argument('after'));
  const limited = builder
    .selectFrom('end_users')
    .select(({ fn }) => fn.min<string | null>('end_user').as('end_user'))
    .where('api_key_id', '=', argument('key'))
    .where('end_user', '>', argument('after'))
    .where('limits_json', '!=', sql.lit('{}'));
  return builder
    .selectFrom(ordered('image').unionAll(ordered('video')).unionAll(limited).as('names'))
    .select(({ fn }) => fn.min<string | null>('end_user').as('end_user'));
});

/** Returns an end user with its limits and spending. One that has never ordered has spent nothing. */
export async function viewEndUser(
  session: Session,
  key: OrderingKey,
  endUser: string,
  at: SpendingAt,
): Promise<EndUserView> {
  const { limits, windows } = await viewScope(session, key, endUser, at);
  return { end_user: endUser, mode: key.mode, currency: 'USD', limits, windows };
}

/** Lists end users that have limits of their own, or an order that is not erased, by name. @param page.after a name */
export async function listEndUsers(
  session: Session,
  key: OrderingKey,
  page: { readonly limit: number; readonly after: string },
  at: SpendingAt,
): Promise<{ readonly items: EndUserView[]; readonly hasMore: boolean }> {
  const names: string[] = [];
  for (let after = page.after; names.length <= page.limit; ) {
    const name = (await session.first(nextName, { key: key.id, after }))?.end_user ?? null;
    if (name === null) break;
    names.push(name);
    after = name;
  }
  const shown = names.slice(0, page.limit);
  const items = await Promise.all(shown.map((name) => viewEndUser(session, key, name, at)));
  return { items, hasMore: names.length > page.limit };
}
