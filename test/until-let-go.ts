import { until } from '@darkroom-service/testing/until';
import type { Database } from '../src/database/database.ts';

/**
 * Until nobody works on a task, and none that an engine has is due: only then may a clock be moved that a test moves.
 * What is looked at while the clock moves is asked about again that much later. A process keeps a running task between
 * its checks.
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
            and([eb('worker', 'is not', null), eb('step', '!=', 'running')]),
            and([eb('worker', 'is', null), eb('step', '=', 'running'), eb('next_at', '<=', read.now)]),
          ]),
        )
        .limit(1),
    );
  await until(atWork, (task) => task === undefined);
}
