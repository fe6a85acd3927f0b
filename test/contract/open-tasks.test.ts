import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFakeServer } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine, type ScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { ManualClock } from '../helpers/task-services.ts';

const ORDER = { model_id: 'scripted', prompt: 'a fox' };

async function start(t: Parameters<typeof startTestService>[0], engine: ScriptedEngine) {
  const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
  const clock = new ManualClock();
  const service = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t as never, models)).directory },
    service: { engines: [engine], clock },
  });
  const { call, keys } = service;
  const order = async () => (await call(keys.live, 'POST', '/v1/images', ORDER)).data;
  const open = async (query = '') => (await call(keys.admin, 'GET', `/admin/v1/tasks?state=open${query}`)).data;
  const look = async (id: string) => (await call(keys.admin, 'GET', `/admin/v1/tasks/${id}`)).data;
  const deed = (id: string, name: 'ask' | 'cancel' | 'give_up', key = `${name} ${id}`) =>
    call(keys.admin, 'POST', `/admin/v1/tasks/${id}/${name}`, undefined, { 'idempotency-key': key });
  const acts = async () => (await call(keys.admin, 'GET', '/admin/v1/audit')).data.items.map(({ act }) => act);
  return { ...service, clock, order, open, look, deed, acts };
}

test('the open orders of all keys are listed oldest first, by page and by name, price and model, each with the reason why it stands still', async (t) => {
  const engine = createScriptedEngine({ concurrency: 1 });
  engine.answer = () => ({ status: 'pending', said: 'IN_QUEUE', checkAfterMs: 50 });
  const { call, issueKey, keys, order, open, look, clock } = await start(t, engine);
  const first = await order();
  await until(
    () => engine.started.length,
    (count) => count === 1,
  );
  const { key } = await issueKey({ mode: 'live', name: 'Anna at the studio' });
  clock.advance(1_000);
  const second = (await call(key, 'POST', '/v1/images', ORDER)).data;
  clock.advance(1_000);
  const third = (await call(keys.live, 'POST', '/v1/images', ORDER)).data;
  const idsOf = ({ items }: Awaited<ReturnType<typeof open>>) => items.map(({ task_id }) => task_id);
  assert.deepEqual(idsOf(await open()), [first.task_id, second.task_id, third.task_id]);
  assert.deepEqual(idsOf(await open(`&limit=1&after=${first.task_id}`)), [second.task_id]);
  assert.deepEqual(idsOf(await open('&search=aNNa')), [second.task_id]);
  assert.deepEqual(idsOf(await open(`&search=${third.task_id}`)), [third.task_id]);
  assert.equal((await open(`&search=${first.cost.amount}`)).items.length, 3);
  assert.equal((await open('&search=scripted')).items.length, 3);
  assert.deepEqual(idsOf(await open('&search=%25')), []);
  const found = (await open()).items;
  assert.deepEqual([found[1]?.key_name, found[1]?.account_name], ['Anna at the studio', 'default']);
  assert.deepEqual([found[1]?.standing?.cause, found[1]?.standing?.ahead], ['turn', 0]);
  assert.equal(found[2]?.standing?.sentence, 'Waits for its turn at scripted behind one order.');
  clock.advance(6_000);
  const told = await until(
    () => look(first.task_id),
    ({ standing }) => standing?.said === 'IN_QUEUE',
  );
  assert.equal(told.standing?.cause, 'upstream');
  assert.match(told.standing?.sentence ?? '', /^scripted was asked \d+ s ago and said IN_QUEUE\.$/);
});

test('while a result cannot be fetched, the operator is told so and why', async (t) => {
  const upstream = await openFakeServer(({ reply }) => reply(503, 'busy'));
  t.after(() => upstream.stop());
  const engine = createScriptedEngine();
  const source = { url: `${upstream.url}/fox.png`, allowOrigins: [upstream.url] };
  const output = { source, seed: null, revisedPrompt: null, tiles: null };
  engine.answer = () => ({ status: 'succeeded', delivery: { outputs: [output] } });
  const { order, look, clock } = await start(t, engine);
  const { task_id: id } = await order();
  const told = await until(
    async () => {
      clock.advance(2_000);
      return (await look(id)).standing;
    },
    (standing) => standing?.cause === 'check_failed',
  );
  assert.match(
    told?.sentence ?? '',
    /^scripted has made it\. Its result could not be fetched \d+ s ago and is asked for again: its address answered 503 instead of the file\.$/,
  );
});

test('an operator has an upstream asked at once, once in ten seconds, and however often the request is repeated', async (t) => {
  const engine = createScriptedEngine();
  engine.answer = () => ({ status: 'pending', checkAfterMs: 3_600_000 });
  const { order, deed, acts, clock } = await start(t, engine);
  const { task_id: id } = await order();
  await until(
    () => engine.checked.length,
    (checks) => checks === 1,
  );
  assert.equal((await deed(id, 'ask', 'one')).status, 200);
  await until(
    () => engine.checked.length,
    (checks) => checks === 2,
  );
  const again = await deed(id, 'ask', 'one');
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  const soon = await deed(id, 'ask', 'two');
  assert.deepEqual([soon.status, soon.error.code, soon.headers.get('retry-after')], [429, 'rate_limited', '10']);
  clock.advance(10_000);
  assert.equal((await deed(id, 'ask', 'three')).status, 200);
  await until(
    () => engine.checked.length,
    (checks) => checks === 3,
  );
  assert.equal((await acts()).filter((act) => act === 'task.ask').length, 2);
  assert.equal(engine.started.length, 1);
});

test('an order that is given up releases its hold, is never sent again, and its late result goes to reconciliation', async (t) => {
  const engine = createScriptedEngine();
  const { call, keys, order, deed, acts, clock } = await start(t, engine);
  const { task_id: id, urls } = await order();
  await until(
    () => engine.checked.length,
    (checks) => checks > 0,
  );
  const { status, data } = await deed(id, 'give_up');
  assert.deepEqual([status, data.status, data.charged], [200, 'failed', '0.00']);
  assert.equal((await deed(id, 'give_up')).headers.get('idempotent-replayed'), 'true');
  assert.equal((await deed(id, 'give_up', 'anew')).error.code, 'not_stuck');
  const { data: task } = await call(keys.live, 'GET', urls.self);
  assert.deepEqual([task.error?.code, task.cost.state], ['outcome_unknown', 'released']);
  const source = { url: 'https://example.com/fox.png' };
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source, seed: null, revisedPrompt: null, tiles: null }] },
  });
  clock.advance(61_000);
  const entries = await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/reconciliation')).data.items,
    ({ length }) => length === 2,
  );
  assert.deepEqual(entries.map(({ kind }) => kind).sort(), ['late_result', 'outcome_unknown']);
  assert.deepEqual([entries[0]?.account_name, entries[0]?.key_name], ['default', 'live']);
  assert.equal((await call(keys.live, 'GET', urls.self)).data.cost.amount, '0.00');
  assert.equal(engine.started.length, 1);
  assert.equal((await acts()).filter((act) => act === 'task.give_up').length, 1);
});

test('an order that is given up while its upstream hangs is not charged when the answer comes, which goes to reconciliation', async (t) => {
  const gate = Promise.withResolvers<void>();
  t.after(() => gate.resolve());
  const engine = createScriptedEngine();
  const begin = engine.start.bind(engine);
  engine.start = async (...given) => {
    const started = await begin(...given);
    await gate.promise;
    return started;
  };
  const { call, keys, order, deed, look } = await start(t, engine);
  const { task_id: id } = await order();
  await until(
    () => engine.started.length,
    (orders) => orders === 1,
  );
  assert.equal((await look(id)).standing?.cause, 'submitting');
  const asked = await deed(id, 'ask');
  assert.deepEqual([asked.status, asked.error.code], [409, 'not_stuck']);
  assert.equal((await deed(id, 'give_up')).data.status, 'failed');
  gate.resolve();
  const entries = await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/reconciliation')).data.items,
    ({ length }) => length === 2,
  );
  assert.deepEqual(entries.map(({ kind }) => kind).sort(), ['late_result', 'outcome_unknown']);
  assert.equal((await look(id)).charged, '0.00');
  assert.equal(engine.started.length, 1);
});

test('an operator cancels a waiting order for its customer, and cannot give up what no upstream has', async (t) => {
  const engine = createScriptedEngine({ concurrency: 1 });
  const { order, deed, acts } = await start(t, engine);
  const running = await order();
  await until(
    () => engine.checked.length,
    (checks) => checks > 0,
  );
  const { task_id: id } = await order();
  assert.equal((await deed(id, 'give_up')).error.code, 'not_stuck');
  assert.equal((await deed(id, 'ask')).error.code, 'not_stuck');
  const { data } = await deed(id, 'cancel');
  assert.deepEqual([data.status, data.charged, data.standing], ['canceled', '0.00', null]);
  assert.equal((await deed(running.task_id, 'cancel')).error.code, 'not_cancelable');
  assert.deepEqual(
    (await acts()).filter((act) => act.startsWith('task.')),
    ['task.cancel'],
  );
});
