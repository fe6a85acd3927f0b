import { sleep, timeIdPrefix, world } from '@darkroom-service/contract';
import { sql } from 'kysely';
import { DAY_MS, dayOf, readClosedDays } from '../accounts/closed-days.ts';
import type { Session, Transaction } from '../database/database.ts';
import { expireKeys } from '../database/deeds.ts';
import { rowNeededBy, type TaskHooks } from '../tasks/task-hooks.ts';
import type { TaskServices } from '../tasks/task-services.ts';

const REMOVED_TOGETHER = 100;
const MAX_PAUSE_MS = 200;

/**
 * Removes the rows of tasks that ended long ago, once their day is summed. Ledger, costs, the sums of days and the
 * spending stay. An Idempotency-Key leaves a hash, so that it never orders again. Each commit is complete by itself, so
 * a kill between two of them loses nothing.
 */
export async function removeOldTasks(
  { database, clock, hooks, settings: { taskMs } }: Pick<TaskServices, 'database' | 'clock' | 'hooks' | 'settings'>,
  signal: AbortSignal,
  perCommit = REMOVED_TOGETHER,
): Promise<void> {
  if (taskMs === null) return;
  const { beforeDay } = await readClosedDays(database.read, 'usage');
  const before = Math.min(clock.now() - taskMs, beforeDay * DAY_MS);
  for (const prefix of ['img', 'vid']) {
    for (let after = `${prefix}_`; !signal.aborted; ) {
      const began = world.monotonic();
      const found = await database.read.all(
        selectRemovable(database.read, hooks, before)
          .where('id', '>', after)
          .where('id', '<', timeIdPrefix(prefix, before))
          .orderBy('id')
          .limit(perCommit),
      );
      const last = found.at(-1);
      if (last === undefined) break;
      after = last.id;
      const ids = found.map(({ id }) => id);
      await database.write('remove_tasks', (trx) => removeTasks(trx, hooks, ids, before));
      // Pauses for as long as it worked, to leave time for orders.
      await sleep(Math.min(MAX_PAUSE_MS, world.monotonic() - began));
    }
  }
}

/**
 * Selects erased tasks that have ended and are not needed any more. An erased task has no files, tags and share links.
 */
function selectRemovable(session: Session, hooks: readonly TaskHooks[], before: number) {
  return session.builder
    .selectFrom('tasks')
    .select(['id', 'created_at'])
    .where('step', '=', 'final')
    .where('erased_at', 'is not', null)
    .where('next_at', 'is', null)
    .where('created_at', '<', before)
    .where('completed_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reconciliation')
            .select('id')
            .whereRef('task_id', '=', 'tasks.id')
            .where('resolved_at', 'is', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks as children')
            .select('id')
            .whereRef('children.parent_task_id', '=', 'tasks.id')
            .where('children.step', '<>', 'final'),
        ),
      ),
    )
    .where(({ not }) => not(rowNeededBy(hooks)));
}

async function removeTasks(
  trx: Transaction,
  hooks: readonly TaskHooks[],
  found: readonly string[],
  before: number,
): Promise<void> {
  const { builder } = trx;
  const tasks = await trx.all(
    selectRemovable(trx, hooks, before).where('id', 'in', found).orderBy('id').forUpdate('tasks'),
  );
  if (tasks.length === 0) return;
  const ids = tasks.map(({ id }) => id);
  const nextDay = 1 + Math.max(...tasks.map((task) => dayOf(task.created_at)));
  const noted = await trx.run(
    builder
      .updateTable('closed_days')
      .set({
        removed_before_day: sql<number>`case when removed_before_day >= ${nextDay} then removed_before_day else ${nextDay} end`,
      })
      .where('name', '=', 'usage')
      .where('before_day', '>=', nextDay),
  );
  if (noted === 0) throw new Error('the sums of days whose tasks are to be removed are not stored');
  trx.erases('later');
  await expireKeys(trx, ids, false);
  await trx.run(builder.deleteFrom('reconciliation').where('task_id', 'in', ids));
  await trx.run(builder.deleteFrom('tasks').where('id', 'in', ids));
  for (const { forgotten } of hooks) await forgotten?.(trx, ids);
}
