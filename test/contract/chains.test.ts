import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createGatedEngine } from '../helpers/gated-engine.ts';
import { type OrderPath, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Orders that wait for unfinished orders: `wait_for_parent`. */

const IMAGES = '/v1/images';
const engine = createGatedEngine();
const { call, keys, database, issueKey } = await startTestService(wholeFile, { service: { engines: [engine] } });
let made = 0;

/** An order that stays unfinished until the test lets it end. */
async function hold(body: object = {}): Promise<TaskAnswer> {
  const prompt = `hold ${made++}`;
  const { status, data, error } = await call(keys.test, 'POST', IMAGES, {
    model_id: 'sketch',
    prompt,
    size: '128x96',
    ...body,
  });
  assert.equal(status, 201, JSON.stringify(error));
  return data;
}

const follow = (parent: string, body: object = {}, path: OrderPath = IMAGES) =>
  call(keys.test, 'POST', path, {
    model_id: 'sketch',
    prompt: 'follows',
    image_urls: [`task:${parent}`],
    wait_for_parent: true,
    ...body,
  });

async function waitsFor(parent: string, body: object = {}, path: OrderPath = IMAGES): Promise<TaskAnswer> {
  const { status, data, error } = await follow(parent, body, path);
  assert.equal(status, 201, JSON.stringify(error));
  return data;
}

const final = (task: TaskAnswer): Promise<TaskAnswer> =>
  until(
    async () => (await call(keys.test, 'GET', task.urls.self, undefined, { prefer: 'wait=10' })).data,
    ({ status }) => status !== 'queued' && status !== 'processing',
  );

const letEnd = (task: TaskAnswer) => engine.letEnd(task.input.prompt);

test('an order waits for the task whose output it uses, is shown as queued, and runs once that has succeeded', async () => {
  const parent = await hold();
  const child = await waitsFor(parent.task_id);
  assert.deepEqual(
    [child.status, child.waiting_for, child.queue_position, child.estimated_seconds, child.can_cancel],
    ['queued', [parent.task_id], null, null, true],
  );
  assert.equal(child.cost.state, 'held');
  letEnd(parent);
  const ended = await final(child);
  assert.deepEqual([ended.status, ended.cost.state, 'waiting_for' in ended], ['succeeded', 'charged', false]);
  assert.deepEqual(ended.input.image_urls, [`task:${parent.task_id}`]);
});

test('without wait_for_parent an unfinished task is refused as ever, and with a wrong value the field is named', async () => {
  const parent = await hold();
  const refused = await follow(parent.task_id, { wait_for_parent: false });
  assert.deepEqual([refused.status, refused.error.code], [409, 'parent_not_ready']);
  const action = { parent_task_id: parent.task_id, action: 'reroll' };
  const acted = await call(keys.test, 'POST', `${IMAGES}/actions`, action);
  assert.deepEqual([acted.status, acted.error.code], [409, 'parent_not_ready']);
  const wrong = await follow(parent.task_id, { wait_for_parent: 'yes' });
  assert.deepEqual([wrong.status, wrong.error.code, wrong.error.param], [400, 'invalid_request', 'wait_for_parent']);
  letEnd(parent);
});

test('a picture, its tile enlarged and a film of it are ordered at once and end one after the other', async () => {
  const grid = await hold({ model_id: 'sketch-grid', size: undefined, aspect_ratio: '1:1' });
  const tile = await waitsFor(
    '',
    {
      model_id: undefined,
      prompt: undefined,
      image_urls: undefined,
      parent_task_id: grid.task_id,
      action: 'upscale',
      index: 2,
    },
    `${IMAGES}/actions`,
  );
  assert.deepEqual([tile.status, tile.waiting_for, tile.parent_task_id], ['queued', [grid.task_id], grid.task_id]);
  const last = await waitsFor(tile.task_id);
  assert.deepEqual(last.waiting_for, [tile.task_id]);
  letEnd(grid);
  assert.equal((await final(last)).status, 'succeeded');
  const [done, enlarged] = [await final(grid), await final(tile)];
  assert.deepEqual([enlarged.status, enlarged.outputs[0].tiles], ['succeeded', null]);
  assert.equal(enlarged.cost.amount, tile.cost.quoted);
  assert.equal(enlarged.outputs[0].width, done.outputs[0].width);
});

test('a tile of a grid is cut out, before and after the grid is finished', async () => {
  const grid = await hold({ model_id: 'sketch-grid', size: undefined, aspect_ratio: '1:1' });
  const source = `${grid.task_id}#3`;
  const early = await waitsFor(source);
  letEnd(grid);
  const { outputs } = await final(grid);
  const late = await waitsFor(source, { wait_for_parent: undefined });
  for (const child of [await final(early), await final(late)]) {
    assert.equal(child.status, 'succeeded', JSON.stringify(child.error));
    assert.deepEqual(child.input.image_urls, [`task:${source}`]);
    const row = await database.read.first(
      database.read.builder.selectFrom('tasks').select('media_json').where('id', '=', child.task_id),
    );
    const [{ stored }] = JSON.parse(row?.media_json ?? '[]') as [{ stored: { width: number; height: number } }];
    assert.deepEqual([stored.width, stored.height], [outputs[0].width / 2, outputs[0].height / 2]);
  }
  const beyond = await follow(`${grid.task_id}#5`);
  assert.deepEqual([beyond.status, beyond.error.code], [400, 'invalid_reference']);
  assert.match(beyond.error.message, /expected #1 to #4, found #5/);
});

test('a tile or output that the unfinished task will not have is refused at once, and so is a medium of the wrong kind', async () => {
  const parent = await hold();
  const second = await follow(`${parent.task_id}#2`);
  assert.deepEqual([second.status, second.error.code], [400, 'invalid_reference']);
  assert.match(second.error.message, /expected #1, found #2/);
  const film = await follow(
    parent.task_id,
    { model_id: 'sketch-motion', image_urls: undefined, reference_video_urls: [`task:${parent.task_id}`] },
    '/v1/videos',
  );
  assert.equal(film.status, 400);
  letEnd(parent);
});

test('if a parent fails, is canceled or is deleted, the orders behind it fail with parent_failed and cost nothing', async () => {
  const canceled = await hold();
  const child = await waitsFor(canceled.task_id);
  const grandchild = await waitsFor(child.task_id);
  assert.equal((await call(keys.test, 'POST', canceled.urls.cancel)).status, 200);
  for (const task of [await final(child), await final(grandchild)])
    assert.deepEqual(
      [task.status, task.error.code, task.error.retry, task.cost.state, task.cost.amount],
      ['failed', 'parent_failed', 'new_order', 'released', '0.00'],
    );
  assert.match((await final(grandchild)).error.message, new RegExp(`${child.task_id}.* failed`));

  const failing = await hold({ simulate: { outcome: 'upstream_error' } });
  const behind = await waitsFor(failing.task_id);
  letEnd(failing);
  assert.deepEqual([(await final(failing)).status, (await final(behind)).error?.code], ['failed', 'parent_failed']);

  const [first, second] = [await hold(), await hold()];
  const both = await waitsFor('', { image_urls: [`task:${first.task_id}`, `task:${second.task_id}`] });
  assert.deepEqual(both.waiting_for, [first.task_id, second.task_id]);
  letEnd(first);
  await until(
    async () => (await call(keys.test, 'GET', both.urls.self)).data,
    ({ waiting_for }) => waiting_for.length === 1,
  );
  assert.equal((await call(keys.test, 'DELETE', (await final(first)).urls.self)).status, 200);
  assert.equal((await final(both)).error.code, 'parent_failed');
  letEnd(second);
});

test('a waiting order can be canceled at once, and its Idempotency-Key finds it', async () => {
  const parent = await hold();
  const key = { 'idempotency-key': 'a chain' };
  const body = { model_id: 'sketch', prompt: 'x', image_urls: [`task:${parent.task_id}`], wait_for_parent: true };
  const [one, two] = [
    await call(keys.test, 'POST', IMAGES, body, key),
    await call(keys.test, 'POST', IMAGES, body, key),
  ];
  assert.equal(one.data.task_id, two.data.task_id);
  const answer = await call(keys.test, 'POST', one.data.urls.cancel);
  assert.deepEqual([answer.status, answer.data.status, answer.data.cost.state], [200, 'canceled', 'released']);
  letEnd(parent);
  assert.equal((await final(parent)).status, 'succeeded');
});

test('at most sixteen orders wait one behind the other', async () => {
  const first = await hold();
  let last = first;
  for (let depth = 1; depth <= 16; depth++) last = await waitsFor(last.task_id);
  const tooDeep = await follow(last.task_id);
  assert.deepEqual(
    [tooDeep.status, tooDeep.error.code, tooDeep.error.param],
    [400, 'invalid_request', 'wait_for_parent'],
  );
  letEnd(first);
  assert.equal((await final(last)).status, 'succeeded');
});

test('waiting orders count among the waiting orders of their key', async () => {
  const { key } = await issueKey({ mode: 'test', queueLimit: 1 });
  const parent = await call(key, 'POST', IMAGES, { model_id: 'sketch', prompt: 'hold the queue' });
  await until(
    async () => (await call(key, 'GET', parent.data.urls.self)).data.status,
    (status) => status === 'processing',
  );
  const wish = { model_id: 'sketch', prompt: 'x', image_urls: [`task:${parent.data.task_id}`], wait_for_parent: true };
  const one = await until(
    () => call(key, 'POST', IMAGES, wish),
    ({ status }) => status === 201,
  );
  assert.equal(one.data.status, 'queued');
  const two = await call(key, 'POST', IMAGES, wish);
  assert.deepEqual([two.status, two.error.code], [429, 'queue_full']);
  engine.letEnd('hold the queue');
});

test('a quote of an order on an unfinished task is exact where its size is certain, and equals the charge', async () => {
  const parent = await hold();
  const wish = { model_id: 'flux-2-pro', prompt: 'x', image_urls: [`task:${parent.task_id}`], wait_for_parent: true };
  const refused = await call(keys.test, 'POST', '/v1/prices', { ...wish, wait_for_parent: false });
  assert.equal(refused.status, 409);
  const { data: quote, error } = await call(keys.test, 'POST', '/v1/prices', wish);
  assert.equal(quote?.exact, true, JSON.stringify(error));
  const child = await waitsFor(parent.task_id, { model_id: 'flux-2-pro' });
  assert.equal(child.cost.quoted, quote.amount);
  letEnd(parent);
  const ended = await final(child);
  assert.deepEqual([ended.status, ended.cost.amount], ['succeeded', quote.amount]);
});
