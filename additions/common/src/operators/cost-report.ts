import { type CostGroup, type CostRowView, formatMicros } from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';
import { COST_FIGURES, withCosts } from '@darkroom-service/darkroom/kernel-views';
import { sql } from 'kysely';

type CostFigures = Readonly<Record<keyof typeof COST_FIGURES, number>>;
type CostParts = Parameters<Parameters<typeof withCosts>[2]>[0];

const FIGURE_NAMES = Object.keys(COST_FIGURES) as (keyof CostFigures)[];

type Sums = { readonly [figure in keyof CostFigures]: number | null } & {
  readonly [group in CostGroup]?: string;
};

interface CostQuery {
  readonly from: number;
  readonly to: number;
  readonly groupBy: readonly CostGroup[];
  readonly limit: number;
  /** Group values after which the rows begin; null = from the first. */
  readonly after: readonly (string | number)[] | null;
}

interface CostPage {
  readonly items: CostRowView[];
  readonly last: readonly string[] | null;
  readonly hasMore: boolean;
}

/**
 * Returns the earnings and costs of orders that ended in `from <= time < to`, a page at a time, in the order of the
 * group's names.
 */
export async function reportCosts(session: Session, query: CostQuery): Promise<CostPage> {
  return await withCosts(session, query, (parts) => readPage(session, query, parts));
}

async function readPage(session: Session, query: CostQuery, parts: CostParts): Promise<CostPage> {
  let sums = session.builder
    .selectFrom(parts.as('parts'))
    .select(FIGURE_NAMES.map((name) => sql<number | null>`sum(${sql.ref(name)})`.as(name)));
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
  const unknownRevenue = Number(row.revenue_without_amount ?? 0);
  return {
    ...(row.model_id === undefined ? {} : { model_id: row.model_id }),
    ...(row.account_id === undefined ? {} : { account_id: row.account_id }),
    ...(row.engine === undefined ? {} : { engine: row.engine }),
    orders: Number(row.orders ?? 0),
    unsuccessful: Number(row.unsuccessful ?? 0),
    unknown: Number(row.unknown ?? 0),
    revenue: formatMicros(revenue),
    expected: formatMicros(Number(row.expected ?? 0)),
    told: formatMicros(Number(row.told ?? 0)),
    cost: formatMicros(cost),
    // An order of unknown outcome earns nothing.
    margin: formatMicros(revenue - unknownRevenue - cost),
    without_amount: Number(row.without_amount ?? 0),
    revenue_without_amount: formatMicros(unknownRevenue),
    unknown_cost: formatMicros(Number(row.unknown_cost ?? 0)),
    differing: Number(row.differing ?? 0),
    below_cost: Number(row.below_cost ?? 0),
    currency: 'USD',
  };
}
