import { createIdFactory } from '@darkroom-service/contract';
import type { Database } from '../../src/database/database.ts';
import { insertTask } from '../../src/orders/draft-task.ts';
import type { TaskRow } from '../../src/record/task.ts';

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
  let created_at = 0;
  const createId = createIdFactory(() => created_at);
  // From the oldest on, so that one factory creates all ids: each keeps some kilobytes of random bytes.
  for (let rest = count; rest > 0; rest -= BATCH) {
    await database.write('multiply_task', async (trx) => {
      for (let index = rest - 1; index >= Math.max(0, rest - BATCH); index--) {
        created_at = row.created_at - (index + 1) * everyMs;
        insertTask(trx, {
          ...row,
          id: createId(row.type === 'image' ? 'img' : 'vid'),
          created_at,
          completed_at: created_at + 2_000,
          ...change(index, created_at),
        });
      }
    });
  }
}
