import { createIdFactory } from '@darkroom-service/contract';
import type { Database } from '../src/database/database.ts';
import { insertTask } from '../src/orders/draft-task.ts';
import type { TaskRow } from '../src/tasks/task.ts';

const BATCH = 5_000;

/**
 * Enters copies of a finished task, each a little older than the one before, straight into the database.
 * @param change what is different about a copy, by its place
 */
export async function multiplyTask(
  database: Database,
  taskId: string,
  options: {
    readonly count: number;
    readonly everyMs: number;
    readonly change?: (index: number, createdAt: number) => Partial<TaskRow>;
  },
): Promise<void> {
  const { count, everyMs, change = () => ({}) } = options;
  const row = await database.read.first(database.read.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  if (row === undefined) throw new Error(`there is no task ${taskId} to copy`);
  for (let first = 0; first < count; first += BATCH) {
    await database.write('multiply_task', async (trx) => {
      for (let index = first; index < Math.min(count, first + BATCH); index++) {
        const created_at = row.created_at - (index + 1) * everyMs;
        const id = createIdFactory(() => created_at)(row.type === 'image' ? 'img' : 'vid');
        insertTask(trx, {
          ...row,
          id,
          created_at,
          completed_at: created_at + 2_000,
          ...change(index, created_at),
        });
      }
    });
  }
}
