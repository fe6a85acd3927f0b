import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { TaskRow } from '../tasks/task.ts';
import { BEGUN_COLUMNS, NEW_TASK, TASK_COLUMNS } from '../tasks/task-columns.ts';

const insert = prepare<TaskRow, unknown>('insert_task', (builder, argument) => {
  const values = Object.fromEntries(TASK_COLUMNS.map((column) => [column, argument(column)]));
  return builder.insertInto('tasks').values(values as never);
});

const CONSTANTS: Readonly<Partial<Record<keyof TaskRow, string | number | null>>> = NEW_TASK;

/** The columns that such tasks have alike are part of the statement: half the values need not be bound. */
const insertAlike = (name: string, given: readonly (keyof TaskRow)[]) =>
  prepare<TaskRow, unknown>(name, (builder, argument) => {
    const values = Object.fromEntries(
      TASK_COLUMNS.map((column) => {
        const constant = given.includes(column) ? undefined : CONSTANTS[column];
        return [column, constant === undefined ? argument(column) : sql.lit(constant)];
      }),
    );
    return builder.insertInto('tasks').values(values as never);
  });
const insertNew = insertAlike('insert_new_task', []);
const insertBegun = insertAlike('insert_begun_task', BEGUN_COLUMNS);

/** Enters a task in any state. */
export function insertTask(trx: Transaction, row: TaskRow): void {
  trx.send(insert, row);
}

/** Enters a task that waits for nothing but its turn, or has begun: it has all other values of `NEW_TASK`. */
export function insertNewTask(trx: Transaction, row: TaskRow): void {
  trx.send(row.step === 'waiting' ? insertNew : insertBegun, row);
}
