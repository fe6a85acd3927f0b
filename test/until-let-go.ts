import type { Database } from '../src/database/database.ts';
import { until } from './until.ts';

/**
 * Until nobody holds a task, and none that an engine has is due: only then is it on disk when it is asked about next,
 * and a clock that a test moves may be moved. What is looked at while the clock moves is asked about again that much
 * later.
 */
export async function untilLetGo(database: Database): Promise<void> {
  const { read } = database;
  const atWork = () =>
    read.first(
      read.builder
        .selectFrom('tasks')
        .select('id')
        .where(({ and, eb, or }) =>
          or([
            eb('worker', 'is not', null),
            and([eb('step', 'in', ['running', 'collecting']), eb('next_at', '<=', read.now)]),
          ]),
        )
        .limit(1),
    );
  await until(atWork, (task) => task === undefined);
}
