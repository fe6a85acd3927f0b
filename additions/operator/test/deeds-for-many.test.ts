import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../test/helpers/plain-entry.ts';
import { createScriptedEngine } from '../../../test/helpers/scripted-engine.ts';
import { startTestService } from '../../../test/helpers/service.ts';

/** What an operator does about all orders that a filter finds: as many as were confirmed, each once. */

async function start(t: TestContext) {
  const engine = createScriptedEngine({ concurrency: 2 });
  engine.answer = () => ({ status: 'pending', checkAfterMs: 3_600_000 });
  const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
  const service = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t as never, models)).directory },
    service: { engines: [engine] },
  });
  const { call, keys } = service;
  const order = async (endUser: string) => {
    const body = { model_id: 'scripted', prompt: 'a fox', end_user: endUser };
    return (await call(keys.live, 'POST', '/v1/images', body)).data.task_id;
  };
  // Two are at the upstream, the others wait.
  const placed: string[] = [];
  for (const name of ['ann', 'bob', 'ann', 'ann', 'bob', 'cem']) placed.push(await order(name));
  await until(
    () => engine.checked.length,
    (checked) => checked === 2,
  );
  const stateOf = async (id: string) => (await call(keys.admin, 'GET', `/admin/v1/tasks/${id}`)).data;
  const counts = async (query = '') => (await call(keys.admin, 'GET', `/admin/v1/tasks/deeds${query}`)).data;
  const deed = (name: string, body: object, key = `${name} ${JSON.stringify(body)}`) =>
    call(keys.admin, 'POST', `/admin/v1/tasks/${name as 'cancel'}`, body, { 'idempotency-key': key });
  const acts = async (act: string) =>
    (await call(keys.admin, 'GET', `/admin/v1/audit?act=${act}&limit=100`)).data.items.map(({ target }) => target);
  return { ...service, engine, placed, stateOf, counts, deed, acts };
}

test('all orders that a filter finds are canceled once, however often the request is sent, and each is on record', async (t) => {
  const { placed, stateOf, counts, deed, acts } = await start(t);
  assert.deepEqual(await counts(), { ask: 2, cancel: 4, give_up: 2 });
  assert.deepEqual(await counts('?search=ann'), { ask: 1, cancel: 2, give_up: 1 });
  const wish = { search: 'ann', expected: 2 };
  const answers = await Promise.all([deed('cancel', wish), deed('cancel', wish), deed('cancel', wish)]);
  const [first] = answers;
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual(new Set(answers.map(({ data }) => data.deed_id)).size, 1);
  assert.deepEqual([first.data.deed, first.data.orders], ['cancel', 2]);
  const done = await until(
    () => deed('cancel', wish),
    ({ data }) => data.pending === 0,
  );
  assert.deepEqual([done.data.orders, done.headers.get('idempotent-replayed')], [2, 'true']);
  const states = await Promise.all(placed.map(async (id) => (await stateOf(id)).status));
  assert.deepEqual(states, ['processing', 'processing', 'canceled', 'canceled', 'queued', 'queued']);
  assert.deepEqual((await acts('task.cancel')).sort(), [placed[2], placed[3]].sort());
  assert.deepEqual(await acts('tasks.cancel'), [first.data.deed_id]);
});

test('a deed is refused with the new number if the filter finds other orders than were confirmed', async (t) => {
  const { placed, stateOf, deed, acts } = await start(t);
  for (const expected of [1, 3]) {
    const { status, error } = await deed('cancel', { search: 'ann', expected });
    assert.deepEqual([status, error.code], [409, 'orders_changed']);
    assert.match(error.message, /^This would change 2 orders, not [13]\. Nothing was changed\./);
  }
  const none = await deed('give_up', { search: 'cem', expected: 1 });
  assert.deepEqual([none.status, none.error.code], [409, 'orders_changed']);
  assert.equal((await deed('cancel', { expected: 0 })).status, 400);
  const states = await Promise.all(placed.map(async (id) => (await stateOf(id)).status));
  assert.equal(states.filter((status) => status === 'canceled').length, 0);
  assert.deepEqual(await acts('tasks.cancel'), []);
  assert.equal((await deed('cancel', { search: 'ann', expected: 2 }, 'the refused key is free')).status, 200);
});

test('orders at an upstream are asked for and given up together, and an order that has ended meanwhile is left alone', async (t) => {
  const { call, keys, engine, placed, stateOf, deed, acts } = await start(t);
  assert.equal((await deed('ask', { engine: 'scripted', expected: 2 })).status, 200);
  await until(
    () => engine.checked.length,
    (checked) => checked === 4,
  );
  const [gone = '', left = ''] = placed;
  // Both are entered; one is given up alone first.
  const [, many] = await Promise.all([
    call(keys.admin, 'POST', `/admin/v1/tasks/${gone}/give_up`),
    deed('give_up', { engine: 'scripted', expected: 2 }),
  ]);
  if (many.status === 200)
    await until(
      () => deed('give_up', { engine: 'scripted', expected: 2 }),
      ({ data }) => data.pending === 0,
    );
  else assert.equal((await deed('give_up', { search: left, expected: 1 })).status, 200);
  await until(
    () => stateOf(left),
    ({ status }) => status === 'failed',
  );
  assert.equal((await stateOf(gone)).status, 'failed');
  const ended = await acts('task.give_up');
  assert.deepEqual(
    [gone, left].map((id) => ended.filter((target) => target === id).length),
    [1, 1],
    'each once',
  );
  assert.equal((await call(keys.admin, 'GET', '/admin/v1/reconciliation')).data.items.length, 2);
});
