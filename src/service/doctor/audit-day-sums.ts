import type { Selectable } from 'kysely';
import { type DaySums, readClosedDays } from '../../accounts/closed-days.ts';
import { sumTasks, taskDays } from '../../accounts/task-days.ts';
import { firstSummedDay, QUARTER_MS, readQuarters, sumQuarters, usageQuarters } from '../../accounts/usage-quarters.ts';
import type { Session } from '../../database/database.ts';
import type { SummedTable, UsageDaysTable } from '../../database/day-sum-tables.ts';
import { COST_FIGURE_NAMES, costDays, sumCosts } from '../../record/cost-days.ts';
import type { AuditReport } from '../check.ts';

/**
 * Checks whether the stored sums of each closed day equal its rows, from the first day whose rows are all there. Reads
 * one day at a time.
 */
export async function auditDaySums(session: Session): Promise<AuditReport> {
  const faults: string[] = [];
  const usage = await auditDays(session, taskDays, faults);
  const costs = await auditDays(session, costDays, faults);
  const quarters = await auditDays(session, usageQuarters, faults);
  return { looked: usage + costs + quarters, faults };
}

async function auditDays(session: Session, sums: DaySums<unknown>, faults: string[]): Promise<number> {
  const { name } = sums;
  const days = await daysOf(session, sums);
  for (const day of days) {
    const wrong = await faultOf(session, name, day);
    // The sums may have been withdrawn between two reads.
    if (wrong === null || (await faultOf(session, name, day)) === null) continue;
    faults.push(`${new Date(day * 86_400_000).toISOString().slice(0, 10)} (${name}): ${wrong}`);
  }
  return days.length;
}

/** Lists the closed days from the first one with sums or rows on. */
async function daysOf(session: Session, { name, nextDay }: DaySums<unknown>): Promise<number[]> {
  const { beforeDay } = await readClosedDays(session, name);
  const { removedDay } = await readClosedDays(session, name === 'costs' ? 'costs' : 'usage');
  const firsts = [await KINDS[name].first(session), await nextDay(session, removedDay)].filter((day) => day !== null);
  const from = Math.max(Math.min(...firsts), removedDay);
  return Array.from({ length: Math.max(0, beforeDay - from) }, (_, index) => from + index);
}

async function faultOf(session: Session, name: SummedTable, day: number): Promise<string | null> {
  const stored = new Map(await KINDS[name].stored(session, day));
  const found = new Map(await KINDS[name].found(session, day));
  const { beforeDay } = await readClosedDays(session, name);
  const { removedDay } = await readClosedDays(session, name === 'costs' ? 'costs' : 'usage');
  if (day >= beforeDay || day < removedDay) return null;
  const group = [...new Set([...stored.keys(), ...found.keys()])].find((one) => stored.get(one) !== found.get(one));
  if (group === undefined) return null;
  // The name of an end user is left out.
  const [shown] = group.split('\n');
  return `${shown} has ${found.get(group) ?? 'no rows'}, the sum says ${stored.get(group) ?? 'nothing'}`;
}

type Figures = Promise<readonly (readonly [string, string])[]>;

/** Kinds of sums: each with its stored sums, and with the sums of its current rows, by subject. */
const KINDS: Readonly<
  Record<
    SummedTable,
    {
      first(session: Session): Promise<number | null>;
      stored(session: Session, day: number): Figures;
      found(session: Session, day: number): Figures;
    }
  >
> = {
  usage: {
    first: (session) => firstDayIn(session, 'usage_days'),
    stored: async (session, day) =>
      (await session.all(session.builder.selectFrom('usage_days').selectAll().where('day', '=', day))).map(usageOf),
    found: async (session, day) => (await sumTasks(session, day)).map(usageOf),
  },
  costs: {
    first: (session) => firstDayIn(session, 'cost_days'),
    stored: async (session, day) =>
      (await session.all(session.builder.selectFrom('cost_days').selectAll().where('day', '=', day))).map(costOf),
    found: async (session, day) => (await sumCosts(session, day)).map(costOf),
  },
  quarters: {
    first: firstSummedDay,
    stored: async (session, day) => (await readQuarters(session, day)).map(quarterOf),
    found: async (session, day) => (await sumQuarters(session, day)).map(quarterOf),
  },
};

async function firstDayIn(session: Session, table: 'usage_days' | 'cost_days'): Promise<number | null> {
  const first = session.builder.selectFrom(table).select(({ fn }) => fn.min<number | null>('day').as('day'));
  return (await session.first(first))?.day ?? null;
}

function usageOf(row: Awaited<ReturnType<typeof sumTasks>>[number] | Selectable<UsageDaysTable>) {
  return [[row.api_key_id, row.model_id, row.status].join(' '), tasksIn(row)] as const;
}

function quarterOf(row: Awaited<ReturnType<typeof readQuarters>>[number]) {
  const { api_key_id, quarter, model_id, status, end_user } = row;
  const time = new Date(quarter * QUARTER_MS).toISOString().slice(11, 16);
  return [`${[api_key_id, model_id, status].join(' ')} from ${time}\n${end_user}`, tasksIn(row)] as const;
}

function tasksIn({ tasks, charged }: { readonly tasks: number; readonly charged: number }): string {
  return `${Number(tasks)} tasks, ${Number(charged)} charged`;
}

function costOf(row: Awaited<ReturnType<typeof sumCosts>>[number]) {
  const figures = COST_FIGURE_NAMES.map((figure) => `${figure} ${row[figure]}`).join(', ');
  return [[row.account_id, row.model_id, row.engine].join(' '), figures] as const;
}
