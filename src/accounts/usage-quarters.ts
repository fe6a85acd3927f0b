import { type Selectable, sql } from 'kysely';
import { compilable } from '../database/compilable.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { UsageQuartersTable } from '../database/day-sum-tables.ts';
import { DAY_MS, type DaySums, dayOf, insertInPortions, readClosedDays, reopenDay } from './closed-days.ts';
import { createdBetween, taskDays } from './task-days.ts';

/**
 * Number of milliseconds in a quarter of an hour. Tasks are summed by the quarter of their creation and by end user,
 * since a day of any time zone consists of quarters. These sums are kept as long as the tasks' rows; afterwards only
 * the sums of days remain.
 */
export const QUARTER_MS = 15 * 60_000;
const QUARTERS_OF_DAY = DAY_MS / QUARTER_MS;
/** Value for orders without an end user, or whose end user was erased. */
export const NOBODY = '';
const DROPPED_TOGETHER = 4;

type UsageQuarter = Selectable<UsageQuartersTable>;

/** A final task as counted in its quarter. */
interface CountedTask {
  readonly api_key_id: string;
  readonly model_id: string;
  readonly status: string;
  readonly end_user: string | null;
  readonly created_at: number;
  readonly charged: number | null;
}

export const usageQuarters: DaySums<UsageQuarter> = {
  name: 'quarters',
  nextDay: taskDays.nextDay,
  sumDay: async (session, day) => {
    const rows = await sumQuarters(session, day);
    return rows.some(({ open }) => open > 0) ? null : rows.map(({ open: _open, ...row }) => row);
  },
  async clear(trx, day) {
    await trx.run(
      trx.builder
        .deleteFrom('usage_quarters')
        .where('quarter', '>=', day * QUARTERS_OF_DAY)
        .where('quarter', '<', (day + 1) * QUARTERS_OF_DAY),
    );
  },
  async insert(trx, _day, rows) {
    await insertInPortions(rows, (some) => trx.run(trx.builder.insertInto('usage_quarters').values([...some])));
  },
};

/** Sums the tasks of a day that have rows, and counts those that are not final. */
export async function sumQuarters(
  session: Session,
  day: number,
): Promise<(UsageQuarter & { readonly open: number })[]> {
  const from = day * DAY_MS;
  const query = sql<UsageQuarter & { readonly open: number }>`
    select api_key_id, created_at / ${sql.lit(QUARTER_MS)} as quarter, model_id, status,
      coalesce(end_user, ${sql.lit(NOBODY)}) as end_user, max(coalesce(end_user_sent, end_user)) as end_user_sent,
      count(*) as tasks, coalesce(sum(charged), 0) as charged,
      sum(case when step = 'final' then 0 else 1 end) as open
    from ${sql.table('tasks')} where ${createdBetween(from, from + DAY_MS)}
    group by 1, 2, 3, 4, 5`;
  const rows = await session.all(compilable(session, query));
  return rows.map((row) => ({
    ...row,
    quarter: Number(row.quarter),
    tasks: Number(row.tasks),
    charged: Number(row.charged),
    open: Number(row.open),
  }));
}

/** Returns the stored sums of a day. */
export async function readQuarters(session: Session, day: number) {
  return await session.all(
    session.builder
      .selectFrom('usage_quarters')
      .selectAll()
      .where('quarter', '>=', day * QUARTERS_OF_DAY)
      .where('quarter', '<', (day + 1) * QUARTERS_OF_DAY),
  );
}

/** Subtracts a refunded charge from the sum of its quarter. */
export async function takeFromQuarter(trx: Transaction, task: CountedTask, amount: number): Promise<void> {
  await reopenDay(trx, 'quarters', Number.MAX_SAFE_INTEGER);
  await change(trx, task, { tasks: 0, charged: amount });
}

/**
 * Keeps the sums of a task's day from being closed until this transaction ends, because it removes the end user's name
 * from the task.
 * @returns the day before which sums are kept
 */
export async function lockQuarters(trx: Transaction, task: CountedTask): Promise<number> {
  const day = dayOf(task.created_at);
  const row = await trx.first(
    trx.builder
      .insertInto('closed_days')
      .values({ name: 'quarters', before_day: 0, revision: 0 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({
          // Sums of this day that were read earlier are not stored.
          revision: sql<number>`closed_days.revision + case when closed_days.before_day = ${sql.lit(day)} then 1 else 0 end`,
        }),
      )
      .returning('before_day'),
  );
  return row?.before_day ?? 0;
}

/** Counts a task without its end user, whose name is being removed. @param beforeDay by `lockQuarters` */
export async function forgetInQuarter(trx: Transaction, task: CountedTask, beforeDay: number): Promise<void> {
  if (dayOf(task.created_at) >= beforeDay) return;
  const charged = task.charged ?? 0;
  if ((await change(trx, task, { tasks: 1, charged })) === 0) return;
  const { api_key_id, model_id, status } = task;
  const place = { api_key_id, model_id, quarter: quarterOf(task), status: status as UsageQuarter['status'] };
  await trx.run(
    trx.builder
      .deleteFrom('usage_quarters')
      .where(({ and }) => and({ ...place, end_user: task.end_user ?? NOBODY, tasks: 0 })),
  );
  await trx.run(
    trx.builder
      .insertInto('usage_quarters')
      .values({ ...place, end_user: NOBODY, end_user_sent: null, tasks: 1, charged })
      .onConflict((conflict) =>
        conflict.columns(['api_key_id', 'quarter', 'model_id', 'status', 'end_user']).doUpdateSet({
          tasks: sql<number>`usage_quarters.tasks + 1`,
          charged: sql<number>`usage_quarters.charged + ${sql.lit(charged)}`,
        }),
      ),
  );
}

/** Subtracts from the sum of a task's quarter. @returns 0 if its quarter is not summed */
async function change(trx: Transaction, task: CountedTask, less: Pick<UsageQuarter, 'tasks' | 'charged'>) {
  const { api_key_id, model_id, status } = task;
  const end_user = task.end_user ?? NOBODY;
  return await trx.run(
    trx.builder
      .updateTable('usage_quarters')
      .set(({ eb }) => ({ tasks: eb('tasks', '-', less.tasks), charged: eb('charged', '-', less.charged) }))
      .where(({ and }) =>
        and({ api_key_id, quarter: quarterOf(task), model_id, status: status as UsageQuarter['status'], end_user }),
      ),
  );
}

function quarterOf({ created_at: at }: CountedTask): number {
  return Math.floor(at / QUARTER_MS);
}

/** Removes the sums of days whose tasks may be removed, one hour at a time. */
export async function dropRemovedQuarters(database: Database, signal: AbortSignal): Promise<void> {
  const end = (await readClosedDays(database.read, 'usage')).removedDay * QUARTERS_OF_DAY;
  while (!signal.aborted) {
    const first = await firstQuarter(database.read);
    if (first === null || first >= end) return;
    const before = Math.min(first + DROPPED_TOGETHER, end);
    await database.write('drop_quarters', (trx) =>
      trx.run(trx.builder.deleteFrom('usage_quarters').where('quarter', '<', before)),
    );
  }
}

/** Returns the first day with sums; null if there is none. */
export async function firstSummedDay(session: Session): Promise<number | null> {
  const first = await firstQuarter(session);
  return first === null ? null : Math.floor(first / QUARTERS_OF_DAY);
}

async function firstQuarter(session: Session): Promise<number | null> {
  // The condition, which every row meets, makes both databases use the index.
  const every = session.builder.selectFrom('usage_quarters').select('quarter').where('quarter', '>=', 0);
  return (await session.first(every.orderBy('quarter').limit(1)))?.quarter ?? null;
}
