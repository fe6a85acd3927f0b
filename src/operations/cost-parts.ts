import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../accounts/closed-days.ts';
import type { CostFigures } from '../database/day-sum-tables.ts';
import { COST_FIGURE_NAMES, COST_FIGURES } from '../tasks/cost-days.ts';

type CostPart = CostFigures & { readonly model_id: string; readonly account_id: string; readonly engine: string };

/** What the costs of a span add up: for whole days that are closed their sums, and rows of the rest. */
export function costParts(
  { from, to }: { readonly from: number; readonly to: number },
  beforeDay: number,
): RawBuilder<CostPart> {
  const [firstDay, endDay] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
  const summedEnd = Math.max(firstDay, Math.min(endDay, beforeDay));
  const parts: RawBuilder<unknown>[] = [];
  const rows = (start: number, end: number) => {
    if (start < end) parts.push(rowsOf(start, end));
  };
  if (firstDay < summedEnd) {
    rows(from, firstDay * DAY_MS);
    parts.push(sumsOf(firstDay, summedEnd, sql`1 = 1`));
    rows(summedEnd * DAY_MS, to);
  } else rows(from, to);
  if (summedEnd < endDay) parts.push(sumsOf(summedEnd, endDay, sql`archived = 1`));
  return sql<CostPart>`(${sql.join(parts, sql` union all `)})`;
}

function rowsOf(from: number, to: number): RawBuilder<unknown> {
  const figures = COST_FIGURE_NAMES.map((name) => sql`${COST_FIGURES[name]} as ${sql.ref(name)}`);
  return sql`select model_id, account_id, engine, ${sql.join(figures)}
    from ${sql.table('task_costs')} where settled_at >= ${from} and settled_at < ${to}`;
}

function sumsOf(from: number, to: number, which: RawBuilder<unknown>): RawBuilder<unknown> {
  const figures = COST_FIGURE_NAMES.map((name) => sql.ref(name));
  return sql`select model_id, account_id, engine, ${sql.join(figures)}
    from ${sql.table('cost_days')} where day >= ${from} and day < ${to} and ${which}`;
}
