import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@darkroom-service/contract';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { readTask } from '../record/task-record.ts';
import { draftTask } from './draft-task.ts';
import { judgeOrder } from './judge-order.ts';

test('a worker gets the same record from a drafted order as from the row that it becomes, for each model and mode', async (t) => {
  const { services, clock } = await openTestServices(t);
  const key = await insertKey(services, { mode: 'test' });
  let drafted = 0;
  for (const model of services.catalog().models) {
    const bodies: JsonObject[] = [
      { model_id: model.model_id, prompt: 'a fox – "in" the snow\n', metadata: { a: 'b' } },
      {
        ...model.compiled.fields.defaults,
        model_id: model.model_id,
        prompt: 'a fox',
        simulate: { seconds: 3 },
      } as JsonObject,
    ];
    for (const body of bodies) {
      const operation = model.type;
      const order = await judgeOrder(services, key, { operation, body, simulate: null }).catch(() => null);
      if (order === null) continue;
      const draft = draftTask(services, order, clock.now());
      const row = draft.rowOf('img_1', { rank: 0, claimable: 1 });
      assert.deepEqual(draft.recordOf(row), readTask(row), JSON.stringify(body));
      drafted++;
    }
  }
  assert.ok(drafted > 50, `${drafted} orders`);
});
