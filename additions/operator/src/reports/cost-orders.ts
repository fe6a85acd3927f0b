import { type CostGroup, type CostNote, type CostOrderView, formatMicros, isoTime } from '@darkroom-service/contract';
import type { Schema, Session } from '@darkroom-service/darkroom/kernel';
import { COST_FIGURES } from '@darkroom-service/darkroom/kernel-views';
import { type Selectable, sql } from 'kysely';

/** Maximum number of orders that one page reads: few of many may match. */
const MOST_EXAMINED = 20_000;

interface CostOrderQuery {
  readonly from: number;
  readonly to: number;
  /** Model, account or engine of the orders; absent = any. */
  readonly of: { readonly [group in CostGroup]?: string | undefined };
  /** Note that the cost report gives the orders; null = all orders. */
  readonly note: CostNote | null;
  readonly limit: number;
  /** Order after which the page begins; null = the first page. */
  readonly after: string | null;
}

interface CostOrderPage {
  readonly items: CostOrderView[];
  /** Order after which the next page begins; null = this is the last page. */
  readonly nextAfter: string | null;
}

/** Lists the orders behind the cost report that were settled in `from <= time < to`, latest first. */
export async function listCostOrders(session: Session, query: CostOrderQuery): Promise<CostOrderPage> {
  const { builder } = session;
  let examined = builder
    .selectFrom('task_costs')
    .selectAll()
    .where('settled_at', '>=', query.from)
    .where('settled_at', '<', query.to)
    .orderBy('settled_at', 'desc')
    .orderBy('task_id', 'desc')
    .limit(MOST_EXAMINED);
  if (query.after !== null) {
    const last = await session.first(
      builder.selectFrom('task_costs').select(['settled_at', 'task_id']).where('task_id', '=', query.after),
    );
    if (last === undefined) return { items: [], nextAfter: null };
    examined = examined.where(sql<boolean>`(settled_at, task_id) < (${last.settled_at}, ${last.task_id})`);
  }
  let matching = builder.selectFrom(examined.as('examined')).selectAll();
  for (const [group, value] of Object.entries(query.of))
    if (value !== undefined) matching = matching.where(sql.ref<string>(group), '=', value);
  if (query.note !== null) matching = matching.where(sql<boolean>`${COST_FIGURES[query.note]} = 1`);
  const found = await session.all(
    builder
      .selectFrom(matching.as('costs'))
      .leftJoin('accounts', 'accounts.id', 'costs.account_id')
      .selectAll('costs')
      .select('accounts.name as account_name')
      .orderBy('costs.settled_at', 'desc')
      .orderBy('costs.task_id', 'desc')
      .limit(query.limit + 1),
  );
  const rows = found.slice(0, query.limit);
  const amount = (micros: number | null) => (micros === null ? null : formatMicros(Number(micros)));
  return {
    items: rows.map((row) => ({
      task_id: row.task_id,
      account_id: row.account_id,
      account_name: row.account_name ?? row.account_id,
      model_id: row.model_id,
      engine: row.engine,
      outcome: row.outcome,
      revenue: formatMicros(Number(row.charged)),
      expected: amount(row.expected),
      told: amount(row.told),
      cost: amount(costOf(row)),
      margin: amount(marginOf(row)),
      settled_at: isoTime(row.settled_at),
    })),
    nextAfter: found.length > query.limit ? (rows.at(-1)?.task_id ?? null) : await lastExamined(),
  };

  /** Returns the last of as many orders as are examined at a time; null if there are no more. */
  async function lastExamined(): Promise<string | null> {
    const last = await session.first(
      examined
        .clearSelect()
        .select('task_id')
        .offset(MOST_EXAMINED - 1)
        .limit(1),
    );
    return last?.task_id ?? null;
  }
}

function costOf({ outcome, told, expected }: Selectable<Schema['task_costs']>): number | null {
  return outcome === 'unknown' ? null : (told ?? expected);
}

function marginOf(row: Selectable<Schema['task_costs']>): number | null {
  const cost = costOf(row);
  return cost === null ? null : Number(row.charged) - Number(cost);
}
