import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { changedModel, modelOf } from '../../catalog/fixtures/sample-catalog.ts';
import { createTask } from '../../orders/create-task.ts';
import type { StoredOutput, TaskRow } from '../../record/task.ts';
import { type ParentRow, resolveChild } from './resolve-child.ts';

test('a blocked order is judged by the outputs of its parents, as if it were ordered now', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services);
  const { read } = services.database;
  const order = async (fields: object): Promise<TaskRow> => {
    const body = { model_id: 'sketch', prompt: 'a fox', ...fields };
    const sent = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
    const { task } = await createTask(services, key, sent);
    const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', task.task_id));
    assert.ok(row !== undefined);
    return row;
  };
  const placed = await order({});
  const child = await order({ image_urls: [`task:${placed.id}`], wait_for_parent: true });
  const parent = (width: number): ParentRow => ({ ...placed, status: 'succeeded', outputs_json: outputsOf(width) });
  const failure = async (one: ParentRow, changes: Partial<typeof services> = {}) => {
    const outlook = await resolveChild(kernelOf({ ...services, ...changes }), child, [one]);
    return 'failure' in outlook ? outlook.failure : outlook;
  };

  const released = await resolveChild(kernelOf(services), child, [parent(640)]);
  assert.ok('media' in released);
  assert.deepEqual(
    released.media.map(({ awaited, stored }) => [awaited, stored?.width]),
    [[undefined, 640]],
  );

  const catalog = services.catalog();
  const sketch = modelOf(catalog, 'sketch');
  const small = changedModel(sketch, {
    limits: { ...sketch.limits, image_urls: { role: 'reference', max_side: 600 } },
  });
  assert.deepEqual(await failure(parent(640), { catalog: () => ({ ...catalog, find: () => small }) }), {
    code: 'invalid_input',
    message: 'image_urls[0]: The size is 640x64; each side can have at most 600 pixels.',
  });
  assert.deepEqual(await failure({ ...parent(640), outputs_json: '[]' }), {
    code: 'invalid_input',
    message: `image_urls[0]: the task ${placed.id} has no such output: it has no output.`,
  });
  const routing = { ...services.routing, routeFor: () => ({ route: null, faults: [], isBelowCost: false }) };
  assert.deepEqual(await failure(parent(640), { routing }), {
    code: 'invalid_input',
    message: 'sketch has no configured engine any more.',
  });
});

function outputsOf(width: number): string {
  const output: Partial<StoredOutput> = { key: 'tasks/x/0-out.png', contentType: 'image/png', bytes: 1, sha256: '' };
  return JSON.stringify([{ ...output, width, height: 64 }]);
}
