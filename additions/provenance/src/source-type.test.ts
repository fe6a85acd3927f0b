import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mark } from '@darkroom-service/media';
import type { TaskMedia } from '../../../src/record/task.ts';
import { readTask, type TaskRecord } from '../../../src/record/task-record.ts';
import { placeOrder } from '../../../test/helpers/ended-order.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { BUILT_IN, sourceTypeOf } from './source-type.ts';

const ELSEWHERE = 'fal';

test('an output is marked as made by a model, by an algorithm, or from another picture, as its order says', async (t) => {
  const { services, database } = await openTestServices(t);
  const key = await insertKey(services);
  const drawn = readTask(await placeOrder(services, key));
  const painted = await placeOrder(services, key);
  const route_json = JSON.stringify({ ...drawn.route, engine: ELSEWHERE });
  await database.write('route', (trx) =>
    trx.run(trx.builder.updateTable('tasks').set({ route_json }).where('id', '=', painted.id)),
  );
  const of = (engine: string, changes: Partial<Pick<TaskRecord, 'media' | 'parent_task_id'>> = {}) =>
    sourceTypeOf(database.read, { ...drawn, route: { ...drawn.route, engine }, ...changes });
  const mediumOf = (task: string) => ({ stored: { key: `tasks/${task}/0-out.png` } }) as TaskMedia;
  const cases: [Mark['source'], Promise<Mark['source']>][] = [
    ['trainedAlgorithmicMedia', of(ELSEWHERE)],
    ['compositeWithTrainedAlgorithmicMedia', of(ELSEWHERE, { media: [mediumOf(drawn.id)] })],
    ['compositeWithTrainedAlgorithmicMedia', of(ELSEWHERE, { parent_task_id: drawn.id })],
    ['algorithmicMedia', of(BUILT_IN)],
    // A file of the task itself was uploaded with it.
    ['compositeSynthetic', of(BUILT_IN, { media: [mediumOf(drawn.id)] })],
    ['compositeWithTrainedAlgorithmicMedia', of(BUILT_IN, { parent_task_id: painted.id })],
  ];
  for (const [index, [expected, found]] of cases.entries()) assert.equal(await found, expected, `case ${index}`);
});
