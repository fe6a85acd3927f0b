import { prepare } from '../../database/prepared.ts';
import { type TaskRow, taskOfFileKey } from '../../tasks/task.ts';
import { outputsOf } from '../../tasks/task-json.ts';
import type { TaskRecord } from '../../tasks/task-record.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

const selectOutputs = prepare<{ id: string }, Pick<TaskRow, 'outputs_json'>>('used_outputs', (builder, argument) =>
  builder.selectFrom('tasks').select('outputs_json').where('id', '=', argument('id')),
);

/**
 * Finds an earlier task whose picture an order uses although it does not decode: only its structure was checked before
 * it was charged.
 */
export async function findBrokenInput(
  { database, thumbnails }: Pick<TaskServices, 'database' | 'thumbnails'>,
  task: Pick<TaskRecord, 'id' | 'media' | 'parent_task_id'>,
): Promise<string | null> {
  const keys = task.media.flatMap(({ stored }) => (stored === null ? [] : [stored.key]));
  const ids = new Set([task.parent_task_id, ...keys.map(taskOfFileKey)]);
  for (const id of ids) {
    if (id === null || id === task.id) continue;
    const row = await database.read.first(selectOutputs, { id });
    for (const output of row === undefined ? [] : outputsOf(row))
      if ((id === task.parent_task_id || keys.includes(output.key)) && !(await thumbnails.prove(output))) return id;
  }
  return null;
}
