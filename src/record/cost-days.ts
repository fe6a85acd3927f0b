import type { Micros } from '@darkroom-service/contract';
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, type DaySums, dayOf, insertInPortions, reopenDay, withClosedDays } from '../accounts/closed-days.ts';
import { compilable } from '../database/compilable.ts';
import type { Session, Transaction } from '../database/database.ts';
import type { CostFigures } from '../database/day-sum-tables.ts';
import type { TaskRow } from './task.ts';
import { addToStoredCost, type OrderCost } from './task-costs.ts';

/** Sums of the earnings and costs of orders, by the day of their settlement. */

type CostDay = CostFigures & {
  readonly account_id: string;
  readonly model_id: string;
  readonly engine: string;
};

/** Cost of an order of known outcome; null = the cost is not known. */
const COST = sql`case when outcome <> 'unknown' then coalesce(told, expected) end`;
const IS_WITHOUT_AMOUNT = sql`outcome <> 'unknown' and coalesce(told, expected) is null`;

/** Each figure of the report as the amount that one row adds to it. */
export const COST_FIGURES: Readonly<Record<keyof CostFigures, RawBuilder<number>>> = {
  orders: sql`1`,
  unsuccessful: sql`case when outcome in ('failed', 'canceled') then 1 else 0 end`,
  unknown: sql`case when outcome = 'unknown' then 1 else 0 end`,
  revenue: sql`charged`,
  expected: sql`coalesce(expected, 0)`,
  told: sql`coalesce(told, 0)`,
  cost: sql`coalesce(${COST}, 0)`,
  without_amount: sql`case when ${IS_WITHOUT_AMOUNT} then 1 else 0 end`,
  differing: sql`case when abs(told - expected) * 20 > expected then 1 else 0 end`,
  revenue_without_amount: sql`case when ${IS_WITHOUT_AMOUNT} then charged else 0 end`,
  unknown_cost: sql`case when outcome = 'unknown' then coalesce(told, expected, 0) else 0 end`,
  below_cost: sql`case when outcome = 'succeeded' and is_short = 0 and coalesce(told, expected) > charged then 1 else 0 end`,
};
export const COST_FIGURE_NAMES = Object.keys(COST_FIGURES) as (keyof CostFigures)[];

export const costDays: DaySums<CostDay> = {
  name: 'costs',
  async nextDay(session, day) {
    const first = await session.first(
      session.builder
        .selectFrom('task_costs')
        .select('settled_at')
        .where('settled_at', '>=', day * DAY_MS)
        .orderBy('settled_at')
        .limit(1),
    );
    return first === undefined ? null : dayOf(first.settled_at);
  },
  sumDay: sumCosts,
  async clear(trx, day) {
    await trx.run(trx.builder.deleteFrom('cost_days').where('day', '=', day));
  },
  async insert(trx, day, rows) {
    await insertInPortions(rows, (some) =>
      trx.run(trx.builder.insertInto('cost_days').values(some.map((row) => ({ ...row, day })))),
    );
  },
};

/**
 * Runs a report over the costs of orders that were settled in `from <= time < to`.
 * @param report receives the rows to add up, as SQL: the figures of `COST_FIGURES`, by model, account and engine
 */
export async function withCosts<T>(
  session: Session,
  span: { readonly from: number; readonly to: number },
  report: (parts: RawBuilder<CostDay>) => Promise<T>,
): Promise<T> {
  return await withClosedDays(session, 'costs', ({ beforeDay }) => report(costParts(span, beforeDay)));
}

/**
 * Returns the rows that add up to the costs of a span: the sums of whole days that are closed, and the orders of the
 * rest.
 */
function costParts(
  { from, to }: { readonly from: number; readonly to: number },
  beforeDay: number,
): RawBuilder<CostDay> {
  const [firstDay, endDay] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
  const summedEnd = Math.max(firstDay, Math.min(endDay, beforeDay));
  const parts: RawBuilder<unknown>[] = [];
  const rows = (start: number, end: number) => {
    if (start < end) parts.push(rowsOf(start, end));
  };
  if (firstDay < summedEnd) {
    rows(from, firstDay * DAY_MS);
    parts.push(sumsOf(firstDay, summedEnd));
    rows(summedEnd * DAY_MS, to);
  } else rows(from, to);
  return sql<CostDay>`(${sql.join(parts, sql` union all `)})`;
}

function rowsOf(from: number, to: number): RawBuilder<unknown> {
  const figures = COST_FIGURE_NAMES.map((name) => sql`${COST_FIGURES[name]} as ${sql.ref(name)}`);
  return sql`select model_id, account_id, engine, ${sql.join(figures)}
    from ${sql.table('task_costs')} where settled_at >= ${from} and settled_at < ${to}`;
}

function sumsOf(from: number, to: number): RawBuilder<unknown> {
  const figures = COST_FIGURE_NAMES.map((name) => sql.ref(name));
  return sql`select model_id, account_id, engine, ${sql.join(figures)}
    from ${sql.table('cost_days')} where day >= ${from} and day < ${to}`;
}

/** Sums the rows of a day. */
export async function sumCosts(session: Session, day: number): Promise<CostDay[]> {
  const sums = COST_FIGURE_NAMES.map((name) => sql`sum(${COST_FIGURES[name]}) as ${sql.ref(name)}`);
  const query = sql<CostDay>`select account_id, model_id, engine, ${sql.join(sums)} from ${sql.table('task_costs')}
    where settled_at >= ${day * DAY_MS} and settled_at < ${(day + 1) * DAY_MS}
    group by account_id, model_id, engine order by account_id, model_id, engine`;
  const rows = await session.all(compilable(session, query));
  // PostgreSQL sums to a decimal number.
  return rows.map((row) => ({
    ...row,
    ...(Object.fromEntries(COST_FIGURE_NAMES.map((name) => [name, Number(row[name])])) as unknown as CostFigures),
  }));
}

/** Adds the cost that a late result reports to the cost of a settled order, and withdraws the sums that contain it. */
export async function storeLateCost(
  trx: Transaction,
  task: Pick<TaskRow, 'id' | 'account_id' | 'model_id'>,
  cost: OrderCost,
  told: { readonly charged: Micros; readonly now: number },
): Promise<void> {
  const row = await trx.first(trx.builder.selectFrom('task_costs').select('settled_at').where('task_id', '=', task.id));
  if (row !== undefined) await reopenDay(trx, 'costs', dayOf(row.settled_at));
  addToStoredCost(trx, task, cost, told);
}
