import { sql } from 'kysely';
import { selectOpenGroups } from '../accounts/open-groups.ts';
import type { Transaction } from '../database/database.ts';
import type { TaskRow } from '../record/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { ordersOfGroup } from '../views/task-range.ts';
import { readGroups } from '../views/task-view.ts';

/**
 * Orders examined first at each end of a group. Orders are mostly erased from the oldest or from the newest on, so a
 * few at both ends decide for nearly all groups.
 */
const LOOKED_AT_FIRST = 8;

/**
 * Removes the data of a group of orders as a whole, such as a batch, when its last order is erased.
 * @returns the ids of the groups
 */
export async function forgetErasedGroups(
  { hooks }: Pick<TaskServices, 'hooks'>,
  trx: Transaction,
  tasks: readonly Pick<TaskRow, 'id' | 'line'>[],
): Promise<readonly string[]> {
  const groups = await readGroups({ hooks }, trx, tasks);
  const ids: string[] = [];
  for (const id of new Set([...groups.values()].map((group) => group.id)))
    if (!(await hasContent({ hooks }, trx, id))) ids.push(id);
  if (ids.length > 0) for (const { forgotten } of hooks) await forgotten?.(trx, ids);
  return ids;
}

/** Tells whether a group has an order that is not erased, or is no row of `tasks` yet. */
async function hasContent({ hooks }: Pick<TaskServices, 'hooks'>, trx: Transaction, groupId: string): Promise<boolean> {
  const promised = selectOpenGroups(trx, hooks).select('id').where('id', '=', groupId).where('unplaced', '>', 0);
  if ((await trx.first(promised.limit(1))) !== undefined) return true;
  const orders = ordersOfGroup({ hooks }, groupId);
  const ends = [
    sql`order by task_id desc limit ${sql.lit(LOOKED_AT_FIRST)}`,
    sql`order by task_id limit ${sql.lit(LOOKED_AT_FIRST)}`,
    sql``,
  ];
  for (const end of ends) {
    const kept = trx.builder
      .selectFrom(sql<{ task_id: string }>`(select task_id from (${orders}) as grouped ${end})`.as('grouped'))
      .innerJoin('tasks', 'tasks.id', 'task_id')
      .select('tasks.id')
      .where('erased_at', 'is', null)
      .limit(1);
    if ((await trx.first(kept)) !== undefined) return true;
  }
  return false;
}
