import { until } from '@darkroom-service/testing';
import type { Database } from '../../src/database/database.ts';

/**
 * Waits until nobody works on a task, and none that an engine has is due: only then may a test move the clock. A check
 * made while the clock moves is repeated that much later. A process keeps a running task between its checks.
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
