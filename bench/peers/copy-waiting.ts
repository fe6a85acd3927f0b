import { type Compilable, sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

/** Copied by one statement. */
const GROUP = 10_000;
const IDS = 130;

/** Enters copies of an order that waits, which has to be there. @returns the ids of some of them */
export async function copyWaiting(database: Database, count: number): Promise<string[]> {
  const { read } = database;
  const waiting = read.builder.selectFrom('tasks').selectAll().where('step', '=', 'waiting');
  const task = await read.first(waiting);
  if (task === undefined) throw new Error('no order waits that could be copied');
  const columns = Object.keys(task);
  // The last six of the 30 characters of an id.
  const values = columns.map((column) =>
    column === 'id' ? sql`substr(id, 1, 24) || substr(cast(1000000 + copy as text), 2)` : sql.ref(column),
  );
  for (let first = 1; first <= count; first += GROUP) {
    const copy = sql`
      with recursive copies(copy) as (
        select cast(${sql.lit(first)} as integer) union all
        select copy + 1 from copies where copy < ${sql.lit(first + GROUP - 1)}
      )
      insert into tasks (${sql.join(columns.map((column) => sql.ref(column)))})
        select ${sql.join(values)} from copies, tasks where id = ${task.id}`;
    await database.write('bench_fill', async (trx) => {
      await trx.run({ compile: () => copy.compile(trx.builder) } as Compilable<unknown>);
    });
  }
  const ids = await read.all(read.builder.selectFrom('tasks').select('id').where('step', '=', 'waiting').limit(IDS));
  return ids.map(({ id }) => id);
}
