import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { TaskRow } from '../tasks/task.ts';
import { NEW_TASK, TASK_COLUMNS } from '../tasks/task-columns.ts';

const insert = prepare<TaskRow, unknown>('insert_task', (builder, argument) => {
  const values = Object.fromEntries(TASK_COLUMNS.map((column) => [column, argument(column)]));
  return builder.insertInto('tasks').values(values as never);
});

const CONSTANTS: Readonly<Partial<Record<keyof TaskRow, string | number | null>>> = NEW_TASK;

/** The columns that every new task has alike are part of the statement: half the values need not be bound. */
const insertNew = prepare<TaskRow, unknown>('insert_new_task', (builder, argument) => {
  const values = Object.fromEntries(
    TASK_COLUMNS.map((column) => {
      const constant = CONSTANTS[column];
      return [column, constant === undefined ? argument(column) : sql.lit(constant)];
    }),
  );
  return builder.insertInto('tasks').values(values as never);
});

/** Enters a task in any state. */
export function insertTask(trx: Transaction, row: TaskRow): void {
  trx.send(insert, row);
}

/** Enters a task that waits for nothing but its turn: it has all values of `NEW_TASK`. */
export function insertNewTask(trx: Transaction, row: TaskRow): void {
  trx.send(insertNew, row);
}
