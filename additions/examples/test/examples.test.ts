import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { type DataOf, startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Orders that operators show as examples of their models: which may be, who sees what of them, and when they end. */

const DAY_MS = 86_400_000;
const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  env: { DARKROOM_RETENTION_DAYS: '1', DARKROOM_TASK_DAYS: '91' },
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});
const { call, issueKey, keys, make } = service;
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
type Example = DataOf<'GET', '/v1/models/{model_id}/examples'>['items'][0];

const addressOf = (taskId: string) => `/admin/v1/tasks/${taskId}/example` as '/admin/v1/tasks/{task_id}/example';
const mark = (taskId: string, key = keys.admin) => call(key, 'PUT', addressOf(taskId));
const unmark = (taskId: string) => call(keys.admin, 'DELETE', addressOf(taskId));

async function examplesOf(model = 'sketch', key = keys.test): Promise<readonly Example[]> {
  const { status, data } = await call(key, 'GET', `/v1/models/${model}/examples` as '/v1/models/{model_id}/examples');
  assert.equal(status, 200);
  return data.items;
}

async function examplesFrom(taskId: string) {
  const path = `/admin/v1/examples?task_id=${taskId}` as '/admin/v1/examples';
  return (await call(keys.admin, 'GET', path)).data.items;
}

async function shown(more: object = {}) {
  const task = await make(keys.live, '/v1/images', { ...ORDER, ...more });
  const answer = await mark(task.task_id);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { task, example: answer.data };
}

async function pictureStatus({ picture_url: url }: Pick<Example, 'picture_url'>): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

test('an order that the operator shows is an example of its model for everybody, with prompt, price and picture', async () => {
  const { key: stranger } = await issueKey({ mode: 'live', accountId: await service.createAccount(0) });
  assert.deepEqual(await examplesOf('sketch', stranger), []);
  const { task, example } = await shown({ prompt: 'a red fox', metadata: { note: 'secret' } });
  const [seen, ...more] = await examplesOf('sketch', stranger);
  assert.deepEqual(more, []);
  assert.deepEqual(seen, {
    example_id: example.example_id,
    model_id: 'sketch',
    type: 'image',
    prompt: 'a red fox',
    amount: task.cost.amount,
    currency: 'USD',
    picture_url: `${service.url}/examples/${example.example_id}`,
    width: task.outputs[0]?.width,
    height: task.outputs[0]?.height,
    ordered_at: task.created_at,
  });
  assert.deepEqual([example.task_id, example.account_id], [task.task_id, 'default']);
  assert.deepEqual(await examplesOf('sketch-grid', stranger), []);

  const picture = await fetch(seen?.picture_url ?? '');
  const bytes = Buffer.from(await picture.arrayBuffer());
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
  assert.equal(bytes.subarray(8, 12).toString(), 'WEBP');
  assert.match(picture.headers.get('cache-control') ?? '', /^public, max-age=\d+, must-revalidate$/);
  const etag = picture.headers.get('etag') ?? '';
  assert.equal((await fetch(seen?.picture_url ?? '', { headers: { 'if-none-match': etag } })).status, 304);
  assert.ok(!JSON.stringify([seen, [...picture.headers]]).includes(task.task_id));
  await unmark(task.task_id);
});

test('showing an order again changes nothing, and what is shown no longer is gone; both are in the audit log', async () => {
  const { task, example } = await shown();
  assert.deepEqual((await mark(task.task_id)).data, example);
  assert.deepEqual(await examplesFrom(task.task_id), [example]);
  assert.equal((await unmark(task.task_id)).data.task_id, task.task_id);
  assert.deepEqual(await examplesOf(), []);
  assert.equal(await pictureStatus(example), 404);
  assert.deepEqual(await examplesFrom(task.task_id), []);
  const { status, error } = await unmark(task.task_id);
  assert.deepEqual([status, error.code, error.param], [404, 'not_found', 'task_id']);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=100');
  const entries = data.items.filter(({ detail }) => (detail as { task_id?: string }).task_id === task.task_id);
  assert.deepEqual(
    entries.map(({ act, target }) => [act, target]),
    [
      ['example.remove', 'sketch'],
      ['example.add', 'sketch'],
    ],
  );
});

test("only finished live orders of the operator's own account can be shown", async () => {
  const accountId = await service.createAccount(null);
  const customer = await issueKey({ mode: 'live', accountId });
  const assertRefused = async (why: RegExp, key: string, body: object, path = '/v1/images') => {
    const { status, error } = await mark((await make(key, path, body)).task_id);
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_request', 'task_id']);
    assert.match(error.message, why);
  };
  await assertRefused(/ was placed with a test key, so sketch did not make it\./, keys.test, ORDER);
  await assertRefused(/ was placed for an end user\./, keys.live, { ...ORDER, end_user: 'ann' });
  await assertRefused(new RegExp(` belongs to the account '${accountId}'\\.`), customer.key, ORDER);
  const grid = await make(keys.live, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
  const upscale = { parent_task_id: grid.task_id, action: 'upscale', index: 1 };
  await assertRefused(/ is the action 'upscale'\./, keys.live, upscale, '/v1/images/actions');
  assert.equal((await mark('img_01kafx2r5gq3v8m1t0z6y4n7wd')).error.code, 'task_not_found');

  const { key_id: own } = await issueKey({ mode: 'admin', accountId });
  const theirs = await make(customer.key, '/v1/images', ORDER);
  assert.equal((await mark(theirs.task_id)).status, 200);
  await call(keys.admin, 'POST', `/admin/v1/keys/${own}/revoke` as '/admin/v1/keys/{key_id}/revoke');
  await assertRefused(/Only orders of an account with an admin key/, customer.key, ORDER);
  await unmark(theirs.task_id);
});

test('a model has at most twelve examples, which operators page through with their orders', async () => {
  const tasks = await Promise.all(Array.from({ length: 13 }, () => make(keys.live, '/v1/images', ORDER)));
  const answers = await Promise.all(tasks.map(({ task_id: id }) => mark(id)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 12);
  assert.match(
    answers.find(({ status }) => status === 400)?.error.message ?? '',
    /^sketch has 12 examples, the maximum\./,
  );
  const page = async (query: string) =>
    (await call(keys.admin, 'GET', `/admin/v1/examples?model_id=sketch&${query}` as '/admin/v1/examples')).data;
  const first = await page('limit=10');
  const rest = await page(`limit=10&after=${first.items.at(-1)?.example_id}`);
  assert.deepEqual([first.items.length, first.has_more, rest.items.length, rest.has_more], [10, true, 2, false]);
  const listed = [...first.items, ...rest.items];
  assert.deepEqual(
    listed.map(({ example_id: id }) => id),
    (await examplesOf()).map(({ example_id: id }) => id),
  );
  for (const { task_id: id } of listed) assert.equal((await unmark(id)).status, 200);
});

test('an example outlives the retention of its order, and the order itself, until it is removed', async () => {
  const { task, example } = await shown();
  for (const days of [3, 90]) {
    clock.advance(days * DAY_MS);
    await service.service.runHousekeeping();
    assert.deepEqual([(await examplesOf()).length, await pictureStatus(example)], [1, 200]);
  }
  assert.equal((await call(keys.live, 'GET', task.urls.self)).status, 410);
  assert.equal((await mark(task.task_id)).status, 200);
  assert.equal((await unmark(task.task_id)).status, 200);
  assert.deepEqual(await examplesOf(), []);
  assert.equal((await mark(task.task_id)).error.code, 'task_expired');
});

test('deleting an order removes its example at once, also after its retention; taking that back shows it again', async () => {
  const [expired, fresh, delayed] = [await shown(), await shown(), await shown()];
  clock.advance(3 * DAY_MS);
  await service.service.runHousekeeping();
  const late = await shown();
  for (const { task, example } of [expired, fresh, late]) {
    await call(keys.live, 'DELETE', task.urls.self);
    assert.equal(await pictureStatus(example), 404);
  }
  const { task } = await shown();
  await call(keys.live, 'DELETE', `${task.urls.self}?after=600`);
  assert.equal((await examplesOf()).length, 1);
  await call(keys.live, 'POST', `${task.urls.self}/restore`);
  assert.equal((await examplesOf()).length, 2);
  await call(keys.live, 'DELETE', `${task.urls.self}?after=600`);
  clock.advance(601_000);
  await service.service.runHousekeeping();
  assert.equal((await examplesOf()).length, 1);
  await unmark(delayed.task.task_id);
});

test('erasing an account removes its examples, also those whose orders have expired', async () => {
  const accountId = await service.createAccount(null);
  const { key } = await issueKey({ mode: 'live', accountId });
  const { key_id: own } = await issueKey({ mode: 'admin', accountId });
  const task = await make(key, '/v1/images', ORDER);
  const { data: example } = await mark(task.task_id);
  clock.advance(3 * DAY_MS);
  await service.service.runHousekeeping();
  assert.equal(await pictureStatus(example), 200);
  await call(keys.admin, 'POST', `/admin/v1/keys/${own}/revoke` as '/admin/v1/keys/{key_id}/revoke');
  await call(keys.admin, 'POST', '/admin/v1/erasures', { account_id: accountId });
  await until(
    async () => {
      clock.advance(1_000);
      return await pictureStatus(example);
    },
    (status) => status === 404,
  );
  assert.deepEqual(await examplesOf(), []);
});

test('the newest example of each model comes in one answer, of the models that a key may order', async () => {
  const [old, fresh, film] = [
    await shown({ prompt: 'an old fox' }),
    await shown({ prompt: 'a new fox' }),
    await shown({ model_id: 'sketch-grid', prompt: 'four foxes', resolution: undefined }),
  ];
  const newest = async (key: string) =>
    (await call(key, 'GET', '/v1/examples')).data.items.map(({ example_id }) => example_id);
  assert.deepEqual(await newest(keys.test), [film.example.example_id, fresh.example.example_id]);
  const { key } = await issueKey({ mode: 'test', models: ['sketch'] });
  assert.deepEqual(await newest(key), [fresh.example.example_id]);
  await unmark(fresh.task.task_id);
  assert.deepEqual(await newest(key), [old.example.example_id]);
});
