import { type DaySums, readClosedDays } from '../../accounts/closed-days.ts';
import { sumTasks, taskDays } from '../../accounts/task-days.ts';
import type { Session } from '../../database/database.ts';
import { COST_FIGURE_NAMES, costDays, sumCosts } from '../../tasks/cost-days.ts';
import type { AuditReport } from '../finding.ts';
import { MAX_FAULTS } from './audit-ledger.ts';

/**
 * Checks whether the stored sums of each closed day equal its rows, from the first day whose rows are all there. Reads
 * one day at a time.
 */
export async function auditDaySums(session: Session): Promise<AuditReport> {
  const faults: string[] = [];
  const usage = await auditDays(session, taskDays, faults);
  const costs = await auditDays(session, costDays, faults);
  return { looked: usage + costs, faults };
}

async function auditDays(session: Session, sums: DaySums<unknown>, faults: string[]): Promise<number> {
  const { name } = sums;
  const days = await daysOf(session, sums);
  for (const day of days) {
    if (faults.length >= MAX_FAULTS) break;
    const wrong = await faultOf(session, name, day);
    // The sums may have been withdrawn between two reads.
    if (wrong === null || (await faultOf(session, name, day)) === null) continue;
    faults.push(`${new Date(day * 86_400_000).toISOString().slice(0, 10)} (${name}): ${wrong}`);
  }
  return days.length;
}

/** The closed days from the first one with sums or rows on. */
async function daysOf(session: Session, { name, nextDay }: DaySums<unknown>): Promise<number[]> {
  const { beforeDay, removedDay } = await readClosedDays(session, name);
  const stored = await session.first(
    session.builder
      .selectFrom(name === 'usage' ? 'usage_days' : 'cost_days')
      .select((expression) => expression.fn.min<number | null>('day').as('day')),
  );
  const firsts = [stored?.day ?? null, await nextDay(session, removedDay)].filter((day) => day !== null);
  const from = Math.max(Math.min(...firsts), removedDay);
  return Array.from({ length: Math.max(0, beforeDay - from) }, (_, index) => from + index);
}

async function faultOf(session: Session, name: 'usage' | 'costs', day: number): Promise<string | null> {
  const stored = new Map<string, string>();
  const found = new Map<string, string>();
  if (name === 'usage') {
    const table = session.builder.selectFrom('usage_days').selectAll();
    for (const row of await session.all(table.where('day', '=', day)))
      stored.set([row.api_key_id, row.model_id, row.status].join(' '), `${row.tasks} tasks, ${row.charged} charged`);
    for (const row of await sumTasks(session, day))
      found.set(
        [row.api_key_id, row.model_id, row.status].join(' '),
        `${Number(row.tasks)} tasks, ${Number(row.charged)} charged`,
      );
  } else {
    const textOf = (row: Awaited<ReturnType<typeof sumCosts>>[number]) =>
      COST_FIGURE_NAMES.map((figure) => `${figure} ${row[figure]}`).join(', ');
    const table = session.builder.selectFrom('cost_days').selectAll();
    for (const row of await session.all(table.where('day', '=', day)))
      stored.set([row.account_id, row.model_id, row.engine].join(' '), textOf(row));
    for (const row of await sumCosts(session, day))
      found.set([row.account_id, row.model_id, row.engine].join(' '), textOf(row));
  }
  const { beforeDay, removedDay } = await readClosedDays(session, name);
  if (day >= beforeDay || day < removedDay) return null;
  const group = [...new Set([...stored.keys(), ...found.keys()])].find((one) => stored.get(one) !== found.get(one));
  return group === undefined
    ? null
    : `${group} has ${found.get(group) ?? 'no rows'}, the sum says ${stored.get(group) ?? 'nothing'}`;
}
