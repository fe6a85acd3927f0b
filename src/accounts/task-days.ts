import { timeIdPrefix } from '@darkroom-service/contract';
import { type RawBuilder, sql } from 'kysely';
import { compilable } from '../database/compilable.ts';
import type { Session, Transaction } from '../database/database.ts';
import { DAY_MS, type DaySums, dayOf, insertInPortions, reopenDay } from './closed-days.ts';

/**
 * The sums of tasks by the day of their creation. Rows of tasks are removed only from days that are summed, so reports
 * and spend limits still count them.
 */

interface TaskDay {
  readonly api_key_id: string;
  readonly model_id: string;
  readonly status: 'succeeded' | 'failed' | 'canceled';
  readonly tasks: number;
  readonly charged: number;
}

const ID_PREFIX = { image: 'img', video: 'vid' } as const;
const TYPES = ['image', 'video'] as const;
/** Milliseconds by which an id may be made before or after its order is dated. Ids sort by creation time. */
const ID_SLACK_MS = 15 * 60_000;

export const taskDays: DaySums<TaskDay> = {
  name: 'usage',
  async nextDay(session, day) {
    const first = TYPES.map((type) =>
      session.first(
        session.builder
          .selectFrom('tasks')
          .select('created_at')
          .where('id', '>=', timeIdPrefix(ID_PREFIX[type], day * DAY_MS - ID_SLACK_MS))
          .where('id', '<', `${ID_PREFIX[type]}~`)
          .where('created_at', '>=', day * DAY_MS)
          .orderBy('id')
          .limit(1),
      ),
    );
    const times = (await Promise.all(first)).flatMap((row) => (row === undefined ? [] : [row.created_at]));
    // The ids that follow may be dated a little earlier.
    return times.length === 0 ? null : Math.max(day, dayOf(Math.min(...times) - ID_SLACK_MS));
  },
  sumDay: async (session, day) => {
    const rows = await sumTasks(session, day);
    return rows.some(({ open }) => Number(open) > 0) ? null : rows;
  },
  async clear(trx, day) {
    await trx.run(trx.builder.deleteFrom('usage_days').where('day', '=', day));
  },
  async insert(trx, day, rows) {
    await insertInPortions(rows, (some) =>
      trx.run(
        trx.builder.insertInto('usage_days').values(
          some.map(({ api_key_id, model_id, status, tasks, charged }) => ({
            api_key_id,
            day,
            model_id,
            status,
            tasks: Number(tasks),
            charged: Number(charged),
          })),
        ),
      ),
    );
  },
};

/** Sums the tasks of a day that have rows, and counts those that are not final. */
export async function sumTasks(session: Session, day: number): Promise<(TaskDay & { readonly open: number })[]> {
  const from = day * DAY_MS;
  const query = sql<TaskDay & { readonly open: number }>`
    select api_key_id, model_id, status, count(*) as tasks, coalesce(sum(charged), 0) as charged,
      sum(case when step = 'final' then 0 else 1 end) as open
    from ${sql.table('tasks')} where ${createdBetween(from, from + DAY_MS)}
    group by api_key_id, model_id, status order by api_key_id, model_id, status`;
  return await session.all(compilable(session, query));
}

/** Subtracts a refunded charge from the sums of its day, also where rows of that day were removed. */
export async function takeFromTaskDay(
  trx: Transaction,
  task: { readonly api_key_id: string; readonly model_id: string; readonly created_at: number },
  amount: number,
): Promise<void> {
  // Reopens no day, but sums that were read before this are not stored.
  await reopenDay(trx, 'usage', Number.MAX_SAFE_INTEGER);
  await trx.run(
    trx.builder
      .updateTable('usage_days')
      .set((expression) => ({ charged: expression('charged', '-', amount) }))
      .where('api_key_id', '=', task.api_key_id)
      .where('day', '=', dayOf(task.created_at))
      .where('model_id', '=', task.model_id)
      .where('status', '=', 'succeeded'),
  );
}

/** Returns a condition for tasks created in `from <= time < to`, in a form that an index over types and ids can use. */
export function createdBetween(from: number, to: number): RawBuilder<boolean> {
  const ids = TYPES.map((type) => {
    const [first, end] = [from - ID_SLACK_MS, to + ID_SLACK_MS].map((time) => timeIdPrefix(ID_PREFIX[type], time));
    return sql`(type = ${sql.lit(type)} and id >= ${first} and id < ${end})`;
  });
  return sql<boolean>`(${sql.join(ids, sql` or `)}) and created_at >= ${from} and created_at < ${to}`;
}
