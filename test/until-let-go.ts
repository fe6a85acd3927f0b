import type { Database } from '../src/database/database.ts';
import { until } from './until.ts';

/** Until nobody holds a task: only then is it on disk when it is asked about next, and a clock that a test moves may be moved. */
export async function untilLetGo(database: Database): Promise<void> {
  const { read } = database;
  const held = () => read.first(read.builder.selectFrom('tasks').select('id').where('worker', 'is not', null).limit(1));
  await until(held, (task) => task === undefined);
}
