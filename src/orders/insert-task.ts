import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { TaskRow } from '../tasks/task.ts';
import { TASK_COLUMNS } from '../tasks/task-columns.ts';

const insert = prepare<TaskRow, unknown>('insert_task', (builder, argument) => {
  const values = Object.fromEntries(TASK_COLUMNS.map((column) => [column, argument(column)]));
  return builder.insertInto('tasks').values(values as never);
});

/** Enters a task. */
export function insertTask(trx: Transaction, row: TaskRow): void {
  trx.send(insert, row);
}
