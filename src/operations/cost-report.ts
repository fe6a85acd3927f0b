import { sql } from 'kysely';
import { formatMicros } from '../base/money.ts';
import type { Session } from '../database/database.ts';
import type { CostRowView } from '../wire/cost.ts';
import type { CostGroup } from '../wire/words.ts';

interface Sums {
  readonly model_id?: string;
  readonly account_id?: string;
  readonly engine?: string;
  readonly orders: number;
  readonly unsuccessful: number | null;
  readonly unknown: number | null;
  readonly revenue: number | null;
  readonly expected: number | null;
  readonly told: number | null;
  readonly cost: number | null;
  readonly without_amount: number | null;
  readonly differing: number | null;
  readonly below_cost: number | null;
}

/**
 * Returns what orders that ended in `from <= time < to` earned and cost, a page at a time, in the order of the group's
 * names.
 */
export async function reportCosts(
  session: Session,
  query: {
    readonly from: number;
    readonly to: number;
    readonly groupBy: readonly CostGroup[];
    readonly limit: number;
    /** Returns rows after these group values; null = from the first. */
    readonly after: readonly (string | number)[] | null;
  },
): Promise<{ readonly items: CostRowView[]; readonly last: readonly string[] | null; readonly hasMore: boolean }> {
  const count = (condition: string) => sql<number | null>`sum(case when ${sql.raw(condition)} then 1 else 0 end)`;
  let sums = session.builder
    .selectFrom('task_costs')
    .where('settled_at', '>=', query.from)
    .where('settled_at', '<', query.to)
    .select((expression) => [
      expression.fn.countAll<number>().as('orders'),
      expression.fn.sum<number | null>('charged').as('revenue'),
      expression.fn.sum<number | null>('expected').as('expected'),
      expression.fn.sum<number | null>('told').as('told'),
      sql<number | null>`sum(coalesce(told, expected))`.as('cost'),
      count("outcome in ('failed', 'canceled')").as('unsuccessful'),
      count("outcome = 'unknown'").as('unknown'),
      count('coalesce(told, expected) is null').as('without_amount'),
      count('abs(told - expected) * 20 > expected').as('differing'),
      count("outcome = 'succeeded' and coalesce(told, expected) > charged").as('below_cost'),
    ]);
  for (const group of query.groupBy) sums = sums.select(group).groupBy(group) as typeof sums;
  if (query.groupBy.length === 0) sums = sums.having((expression) => expression.fn.countAll(), '>', 0);
  let page = session.builder
    .selectFrom(sums.as('grouped'))
    .selectAll()
    .limit(query.limit + 1);
  const places = query.groupBy.map((group) => sql.ref(group));
  for (const place of places) page = page.orderBy(place);
  if (query.after !== null && places.length > 0)
    page = page.where(sql<boolean>`(${sql.join(places)}) > (${sql.join(query.after)})`);
  const found = (await session.all(page)) as unknown as Sums[];
  const rows = found.slice(0, query.limit);
  const lastRow = rows.at(-1);
  return {
    items: rows.map(viewOf),
    last: lastRow === undefined ? null : query.groupBy.map((group) => lastRow[group] ?? ''),
    hasMore: found.length > query.limit,
  };
}

function viewOf(row: Sums): CostRowView {
  const revenue = Number(row.revenue ?? 0);
  const cost = Number(row.cost ?? 0);
  return {
    ...(row.model_id === undefined ? {} : { model_id: row.model_id }),
    ...(row.account_id === undefined ? {} : { account_id: row.account_id }),
    ...(row.engine === undefined ? {} : { engine: row.engine }),
    orders: Number(row.orders),
    unsuccessful: Number(row.unsuccessful ?? 0),
    unknown: Number(row.unknown ?? 0),
    revenue: formatMicros(revenue),
    expected: formatMicros(Number(row.expected ?? 0)),
    told: formatMicros(Number(row.told ?? 0)),
    cost: formatMicros(cost),
    margin: formatMicros(revenue - cost),
    without_amount: Number(row.without_amount ?? 0),
    differing: Number(row.differing ?? 0),
    below_cost: Number(row.below_cost ?? 0),
    currency: 'USD',
  };
}
