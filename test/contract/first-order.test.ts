import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';

test('a first order becomes a picture that is charged and can be fetched', async (t) => {
  const service = await startTestService(t);
  const created = await service.call(service.keys.test, 'POST', '/v1/images', {
    model_id: 'sketch',
    prompt: 'a red fox in the snow',
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const task = await service.make(service.keys.test, '/v1/images', {
    model_id: 'sketch',
    prompt: 'a red fox in the snow',
  });
  assert.equal(task.status, 'succeeded', JSON.stringify(task));
  const file = await fetch(task.outputs[0].url);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get('content-type'), 'image/png');
});
