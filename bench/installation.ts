import { join } from 'node:path';
import { createIdFactory } from '@darkroom-service/contract';
import { createAccount } from '../src/accounts/accounts.ts';
import type { NewSecretView } from '../src/accounts/api-keys.ts';
import { issueKey } from '../src/accounts/api-keys.ts';
import { closeDays } from '../src/accounts/closed-days.ts';
import { taskDays } from '../src/accounts/task-days.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { costDays } from '../src/record/cost-days.ts';
import type { TaskRow } from '../src/record/task.ts';
import { type Running, startService } from './child-service.ts';
import { fillTasks } from './fill-tasks.ts';
import { makeTask } from './make-task.ts';

/** A service on data of its own, with tasks in it and keys that no limit holds back. */
export interface Installation extends Running {
  /** Owns finished tasks. */
  readonly reader: NewSecretView;
  /** Orders, and may run one task at a time, which it does: everything else that it orders waits. */
  readonly orderer: NewSecretView;
  /** Orders without any limit. */
  readonly painter: NewSecretView;
  /** A thousand finished tasks of the reader, spread over all that it has; all of them if it has fewer. */
  readonly taskIds: readonly string[];
}

const ACCOUNT = 'bench';
const OTHER_KEYS = 20;
/** As many with few tasks as with many, so that both have the same load. */
const TASKS_READ = 1_000;
const PICTURE = { model_id: 'sketch', prompt: 'a red fox in the snow', aspect_ratio: '16:9' };

/**
 * Makes the data, fills in so many finished tasks, and starts the service on them.
 * @param variables of the service, beside those of the others
 */
export async function openInstallation(
  dataDirectory: string,
  tasks: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const first = await startService(dataDirectory);
  const database = await openDatabase({ url: null, path: join(dataDirectory, 'darkroom.db') });
  try {
    const by = { actor: 'bench', now: Date.now(), createId: createIdFactory(() => Date.now()) };
    await createAccount(database, by, { id: ACCOUNT, name: ACCOUNT, creditLimit: null });
    const issue = (concurrency: number) =>
      issueKey(database, by, { mode: 'test', accountId: ACCOUNT, queueLimit: 0, readsPerMinute: 0, concurrency });
    const [reader, orderer, painter] = [await issue(0), await issue(1), await issue(0)];
    const made = await makeTask(first.url, painter.key, '/v1/images', PICTURE);
    await first.stop();
    await fillTasks({
      database,
      pattern: await rowOf(database, made.task_id),
      count: tasks,
      keyIds: [
        reader.key_id,
        orderer.key_id,
        ...Array.from({ length: OTHER_KEYS }, (_, place) => `key_other_${place}`),
      ],
    });
    // Otherwise the service sums up all these days in its second minute, under load.
    await closeDays(database, taskDays, Date.now());
    await closeDays(database, costDays, Date.now());
    const taskIds = await finishedTasks(database, reader.key_id);
    const second = await startService(dataDirectory, undefined, variables);
    return { ...second, reader, orderer, painter, taskIds };
  } finally {
    await first.stop();
    await database.close();
  }
}

async function rowOf(database: Database, taskId: string): Promise<TaskRow> {
  const { read } = database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  if (row === undefined) throw new Error(`the task ${taskId} is not in the database`);
  return row;
}

async function finishedTasks(database: Database, keyId: string): Promise<string[]> {
  const { read } = database;
  const rows = await read.all(
    read.builder
      .selectFrom('tasks')
      .select('id')
      .where('api_key_id', '=', keyId)
      .where('type', '=', 'image')
      .where('status', '=', 'succeeded'),
  );
  const step = Math.max(1, Math.floor(rows.length / TASKS_READ));
  const spread = rows.filter((_, place) => place % step === 0);
  return spread.slice(0, TASKS_READ).map((row) => row.id);
}
