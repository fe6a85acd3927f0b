import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import type { TaskRow } from '../../src/record/task.ts';

/**
 * Inserts copies of a task straight into the database by one statement: more than a test could order.
 * @param options.changes the columns that differ from the task's, as SQL in which `i` is the place of the copy: from
 * `first`, which is 0 by default, upwards
 */
export async function copyTask(
  database: Database,
  taskId: string,
  options: {
    readonly count: number;
    readonly first?: number;
    readonly changes: { readonly [column in keyof TaskRow]?: RawBuilder<unknown> };
  },
): Promise<void> {
  const { count, first = 0, changes } = options;
  const { builder } = database.read;
  const row = await database.read.first(builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  if (row === undefined) throw new Error(`there is no task ${taskId} to copy`);
  const columns = Object.keys(row) as (keyof TaskRow)[];
  const statement = sql`
    with recursive places(i) as (
      select ${sql.lit(first)} union all select i + 1 from places where i < ${sql.lit(first + count - 1)}
    )
    insert into tasks (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(columns.map((column) => changes[column] ?? sql.ref(`tasks.${column}`)))}
    from places cross join tasks where tasks.id = ${taskId}`;
  await database.write('copy_task', (trx) =>
    trx.run({ compile: () => statement.compile(trx.builder) } as Compilable<unknown>),
  );
}
