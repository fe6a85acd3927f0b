import { DeferUnit } from '@darkroom-service/store';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import type { TaskRow } from './task.ts';

const lockRow = prepare<{ id: string }, TaskRow>('task_lock', (builder, argument) =>
  builder.selectFrom('tasks').selectAll().where('id', '=', argument('id')).forUpdate(),
);

const lockFreeRow = prepare<{ id: string }, TaskRow>('task_lock_free', (builder, argument) =>
  builder.selectFrom('tasks').selectAll().where('id', '=', argument('id')).forUpdate().skipLocked(),
);

/**
 * Locks the row of an existing task, for writers of tasks of any process. Waits for another writer only while the group
 * of the unit holds nothing: processes that write several tasks in different orders do not wait for each other.
 * @throws DeferUnit
 */
export async function lockTask(trx: Transaction, id: string): Promise<TaskRow> {
  const mayWait = trx.mayWait();
  const row = await trx.first(mayWait ? lockRow : lockFreeRow, { id });
  if (row !== undefined) return row;
  throw mayWait ? new Error(`the task ${id} has gone`) : new DeferUnit(`another process writes ${id}`);
}

/**
 * Begins an update of the tasks that `select` finds and that no other transaction has locked. So processes that claim
 * at the same time get different tasks and do not wait for each other. The caller adds `set`.
 */
export function updateUnlocked(
  builder: Kysely<Schema>,
  select: SelectQueryBuilder<Schema, 'tasks', { readonly id: string }>,
) {
  return (
    builder
      // Materialized: PostgreSQL might otherwise run the selection again for each row, and lock more than its limit.
      .with(
        (name) => name('picked').materialized(),
        () => select.forUpdate().skipLocked(),
      )
      .updateTable('tasks')
      .where('id', 'in', (inner) => inner.selectFrom('picked').select('id'))
  );
}
