import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** The tools as follow-up actions of whatever finished image. */

const { call, keys, make, issueKey } = await startTestService(wholeFile);
const IMAGES = '/v1/images';
const ACTIONS = `${IMAGES}/actions`;
const fox = await make(keys.test, IMAGES, { model_id: 'sketch', prompt: 'a fox', size: '96x64' });

const offerOf = (task: TaskAnswer) => task.available_actions.find(({ action }) => action === 'enlarge');

test('a finished image of a model without actions offers to be enlarged, with the price that is charged', async () => {
  const offer = offerOf(fox);
  assert.deepEqual([offer?.price, Object.keys(offer?.parameters ?? {})], ['0.008', ['factor', 'output_format']]);
  const body = { parent_task_id: fox.task_id, action: 'enlarge' };
  const quoted = await call(keys.test, 'POST', '/v1/prices', { model_id: 'sketch', ...body });
  assert.deepEqual([quoted.data.model_id, quoted.data.amount, quoted.data.exact], ['enlarge', '0.008', true]);
  const large = await make(keys.test, ACTIONS, body);
  assert.deepEqual([large.status, large.model_id, large.cost.amount], ['succeeded', 'enlarge', offer?.price]);
  assert.deepEqual([large.outputs[0].width, large.outputs[0].height], [192, 128]);
  assert.deepEqual(large.input.image_urls, [`task:${fox.task_id}`]);
});

test('the fields of the action are those of its model, which may be named, and so may the model of the parent', async () => {
  const body = { parent_task_id: fox.task_id, action: 'enlarge', factor: 4 };
  for (const model_id of ['enlarge', 'sketch', undefined]) {
    const { status, data } = await call(keys.test, 'POST', ACTIONS, { ...body, model_id });
    assert.deepEqual([status, data?.model_id, data?.input.factor], [201, 'enlarge', 4]);
  }
  const other = await call(keys.test, 'POST', ACTIONS, { ...body, model_id: 'sketch-grid' });
  assert.deepEqual([other.status, other.error.param], [400, 'model_id']);
  const wrong = await call(keys.test, 'POST', ACTIONS, { ...body, factor: 3 });
  assert.deepEqual([wrong.status, wrong.error.param], [400, 'factor']);
});

test('a grid, an image that is too large and a key that may not order the tool are offered nothing', async () => {
  const grid = await make(keys.test, IMAGES, { model_id: 'sketch-grid', prompt: 'a fox' });
  assert.equal(offerOf(grid), undefined);
  const body = { parent_task_id: grid.task_id, action: 'enlarge' };
  const refused = await call(keys.test, 'POST', ACTIONS, body);
  assert.deepEqual([refused.status, refused.error.code], [400, 'unsupported_action']);
  const large = await make(keys.test, IMAGES, { model_id: 'sketch', prompt: 'a fox', size: '1600x1200' });
  assert.equal(offerOf(large), undefined);
  const beyond = await call(keys.test, 'POST', ACTIONS, { ...body, parent_task_id: large.task_id });
  assert.match(beyond.error?.message ?? '', /1600x1200; the maximum is 1\.5 megapixels/);
  const limited = await issueKey({ mode: 'test', models: ['sketch'] });
  const small = await make(limited.key, IMAGES, { model_id: 'sketch', prompt: 'a fox', size: '96x64' });
  assert.deepEqual(small.available_actions, []);
});

test('a parent that is missing, of another key or unfinished is refused as for every action, or waited for', async () => {
  const missing = await call(keys.test, 'POST', ACTIONS, { action: 'enlarge' });
  assert.deepEqual([missing.status, missing.error.param], [400, 'parent_task_id']);
  const body = { parent_task_id: fox.task_id, action: 'enlarge' };
  const other = await call((await issueKey({ mode: 'test' })).key, 'POST', ACTIONS, body);
  assert.deepEqual([other.status, other.error.code], [404, 'task_not_found']);
  const slow = { model_id: 'sketch', prompt: 'a fox', size: '96x64', simulate: { seconds: 2 } };
  const { data: parent } = await call(keys.test, 'POST', IMAGES, slow);
  const onParent = { ...body, parent_task_id: parent.task_id };
  const early = await call(keys.test, 'POST', ACTIONS, onParent);
  assert.deepEqual([early.status, early.error.code], [409, 'parent_not_ready']);
  const waiting = await make(keys.test, ACTIONS, { ...onParent, wait_for_parent: true });
  assert.deepEqual([waiting.status, waiting.outputs[0].width], ['succeeded', 192]);
});
