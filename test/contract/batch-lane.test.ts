import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import { openFakeGoogle, openFakeOpenAi } from '@darkroom-service/engines/fakes';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay, shippedEntry } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Orders with speed batch, from the front door to a strict fake of the vendor's batch interface. */

const HOUR_MS = 3_600_000;
const fake = await openFakeOpenAi();
wholeFile.after(() => fake.stop());
const google = await openFakeGoogle();
wholeFile.after(() => google.stop());
const overlay = await openCatalogOverlay(wholeFile, [
  await shippedEntry('openai', 'gpt-image-2'),
  await shippedEntry('google', 'nano-banana-pro'),
  plainEntry({ model_id: 'plain', routes: [{ engine: 'swift' }] }),
]);
const clock = { aheadMs: 0, now: () => systemClock.now() + clock.aheadMs };
const service = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_DIR: overlay.directory,
    OPENAI_API_KEY: fake.key,
    DARKROOM_OPENAI_URL: fake.url,
    GEMINI_API_KEY: google.key,
    DARKROOM_GOOGLE_URL: google.url,
  },
  service: { clock, engines: [createSwiftEngine()] },
});
const { call, keys } = service;
let jobs = 0;
const orderOf = (words: string, fields: object = {}) => {
  const job = `lane-${++jobs}`;
  return {
    job,
    body: {
      model_id: 'gpt-image-2',
      prompt: `a fox [[job=${job} ${words}]]`,
      quality: 'low',
      speed: 'batch',
      ...fields,
    },
  };
};
const create = async (body: object, key = keys.live) => {
  const { status, data, error } = await call(key, 'POST', '/v1/images', body);
  assert.equal(status, 201, JSON.stringify(error));
  return data;
};
const ended = (task: TaskAnswer) => service.ended(keys.live, task);
/** The movements of money of an order, the last first. */
const movements = async (task: TaskAnswer) => {
  const { data } = await call(keys.live, 'GET', '/v1/account/ledger?limit=100');
  return data.items.flatMap(({ kind, amount, task_id: id }) => (id === task.task_id ? [[kind, amount]] : []));
};
const read = async (task: TaskAnswer) => (await call(keys.live, 'GET', task.urls.self)).data;

test('an order with speed batch costs half, is made by the batch interface alone, and is charged as quoted', async () => {
  const { job, body } = orderOf('queue=1 run=1');
  const [full, half] = await Promise.all(
    ['standard', 'batch'].map(async (speed) => (await call(keys.live, 'POST', '/v1/prices', { ...body, speed })).data),
  );
  assert.equal(Math.round(Number(half?.amount) * 2e6) - Math.round(Number(full?.amount) * 1e6) <= 2, true);
  assert.ok(Number(half?.amount) < Number(full?.amount));
  const task = await create(body);
  assert.equal(task.input.speed, 'batch');
  assert.equal(task.estimated_seconds, null);
  assert.equal(Date.parse(task.deadline_at) - Date.parse(task.created_at), 25 * HOUR_MS);
  const done = await ended(task);
  assert.deepEqual(
    [done.status, done.cost.state, done.cost.amount, done.cost.quoted],
    ['succeeded', 'charged', half?.amount, half?.amount],
  );
  const [made] = [...fake.jobs.values()].filter(({ name }) => name === job);
  assert.match(made?.id ?? '', /^batch_/);
  assert.deepEqual([fake.counts(job).accepted, fake.uploads.size], [1, 0], 'the uploaded order is deleted');
  const standard = await ended(await create(orderOf('', { speed: 'standard' }).body));
  assert.equal(standard.status, 'succeeded');
  assert.doesNotMatch([...fake.jobs.values()].at(-1)?.id ?? '', /^batch_/);
});

test('a model without the lane says which models have it, and the model with it shows its prices', async () => {
  const { status, error } = await call(keys.live, 'POST', '/v1/images', {
    model_id: 'plain',
    prompt: 'a fox',
    speed: 'batch',
  });
  assert.deepEqual([status, error.code, error.param], [400, 'unsupported_field', 'speed']);
  assert.match(error.message, /plain has no batch speed\. Models with it: .*gpt-image-2/);
  const wrong = await call(keys.live, 'POST', '/v1/prices', { ...orderOf('').body, speed: 'slow' });
  assert.deepEqual([wrong.status, wrong.error.param], [400, 'speed']);
  const { data: model } = await call(keys.live, 'GET', '/v1/models/gpt-image-2');
  assert.deepEqual([model.default_config.speed, model.parameters.speed?.enum], ['standard', ['standard', 'batch']]);
  const prices = model.pricing.components.filter(({ when }) => when?.speed === 'batch');
  assert.equal(prices.length * 2, model.pricing.components.length);
  const { data: plain } = await call(keys.live, 'GET', '/v1/models/plain');
  assert.deepEqual([model.availability.batch, plain.availability.batch], [true, false]);
});

test('an order that the lane cannot express is refused, not sent at another speed', async () => {
  const picture =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC';
  const { status, error } = await call(keys.live, 'POST', '/v1/images', orderOf('', { image_urls: [picture] }).body);
  assert.deepEqual([status, error.param], [400, 'image_urls'], error.message);
});

test('the orders of a batch can all have one speed, and each its own', async () => {
  const orders = [orderOf(''), orderOf('', { speed: undefined }), orderOf('', { speed: 'standard' })];
  const sent = { orders: orders.map(({ body }) => ({ operation: 'images', body })) };
  const { data: half } = await call(keys.live, 'POST', '/v1/batches/prices?speed=batch', sent);
  const { data: mixed } = await call(keys.live, 'POST', '/v1/batches/prices', sent);
  assert.ok(Number(half.amount) < Number(mixed.amount), `${half.amount} ${mixed.amount}`);
  const refused = await call(keys.live, 'POST', '/v1/batches', { ...sent, speed: 'batch' });
  assert.deepEqual([refused.status, refused.error.param], [400, 'speed']);
  assert.match(refused.error.message, /\?speed=batch/);
  const placed = await call(keys.live, 'POST', '/v1/batches?speed=batch', sent);
  assert.deepEqual([placed.status, placed.data.cost.quoted], [201, half.amount], JSON.stringify(placed.error));
  const batch = await until(
    async () => (await call(keys.live, 'GET', `/v1/batches/${placed.data.batch_id}`)).data,
    ({ status }) => status !== 'processing',
  );
  assert.deepEqual([batch.status, batch.cost.charged], ['succeeded', half.amount]);
  const { data: tasks } = await call(keys.live, 'GET', `/v1/batches/${batch.batch_id}/tasks`);
  const spans = tasks.items.map(({ input, created_at: from, deadline_at: to }) => [
    input.speed,
    Date.parse(to) - Date.parse(from) > 24 * HOUR_MS,
  ]);
  assert.deepEqual(spans.toSorted(), [
    ['batch', true],
    ['batch', true],
    ['standard', false],
  ]);
});

test('a cancel reaches the batch interface; what was made all the same is delivered and charged', async () => {
  for (const [words, status, state] of [
    ['run=100000', 'canceled', 'released'],
    ['run=100000 end=late', 'succeeded', 'charged'],
  ] as const) {
    const { job, body } = orderOf(words);
    const task = await create(body);
    await until(
      () => fake.counts(job).polls,
      (polls) => polls > 0,
    );
    assert.equal((await read(task)).can_cancel, true);
    await call(keys.live, 'POST', task.urls.cancel);
    const done = await ended(task);
    assert.deepEqual([done.status, done.cost.state, fake.counts(job).cancels > 0], [status, state, true], words);
    const { quoted } = task.cost;
    const returned = [
      ['release', quoted],
      ['hold', `-${quoted}`],
    ];
    const paid = [['charge', `-${quoted}`], ...returned];
    assert.deepEqual(await movements(task), state === 'released' ? returned : paid);
  }
});

test('an order that the vendor did not make in time costs nothing, and says why', async () => {
  const made = ['expired', 'silence', 'invalid', 'unpaid', 'content'].map(async (end) => {
    const task = await ended(await create(orderOf(`end=${end}`).body));
    assert.deepEqual(await movements(task), [
      ['release', task.cost.quoted],
      ['hold', `-${task.cost.quoted}`],
    ]);
    return [end, task.status, task.error.code, task.cost.amount];
  });
  assert.deepEqual(await Promise.all(made), [
    ['expired', 'failed', 'timeout', '0.00'],
    ['silence', 'failed', 'timeout', '0.00'],
    ['invalid', 'failed', 'upstream_error', '0.00'],
    ['unpaid', 'failed', 'upstream_billing', '0.00'],
    ['content', 'failed', 'content_policy', '0.00'],
  ]);
});

test('a smaller image than ordered is told, and costs the half price of what came', async () => {
  const { body } = orderOf('side=512', { size: '1024x1024' });
  const done = await ended(await create(body));
  assert.deepEqual(done.warnings, [{ code: 'smaller', field: 'size', ordered: '1024x1024', delivered: '512x512' }]);
  const [tokens] = done.cost.lines;
  assert.deepEqual([done.status, tokens?.quantity, tokens?.unit_price], ['succeeded', '145', '0.000015']);
  assert.ok(Number(done.cost.amount) < Number(done.cost.quoted), `${done.cost.amount} ${done.cost.quoted}`);
});

test('an order at Google with references costs half, is found in its list if the submission got no answer, and can be canceled', async () => {
  const picture = `data:image/png;base64,${(await smallPicture).toString('base64')}`;
  const fields = { model_id: 'nano-banana-pro', quality: undefined, image_urls: [picture] };
  const lost = orderOf('submit=reset', fields);
  const { data: full } = await call(keys.live, 'POST', '/v1/prices', { ...lost.body, speed: 'standard' });
  const done = await ended(await create(lost.body));
  assert.deepEqual([done.status, done.cost.state], ['succeeded', 'charged']);
  assert.equal(Number(done.cost.amount) * 2, Number(full.amount));
  assert.deepEqual([google.counts(lost.job).attempts, google.counts(lost.job).accepted], [1, 1]);
  const { job, body } = orderOf('run=100000', fields);
  const task = await create(body);
  await until(
    () => google.counts(job).polls,
    (polls) => polls > 0,
  );
  await call(keys.live, 'POST', task.urls.cancel);
  const canceled = await ended(task);
  assert.deepEqual(
    [canceled.status, canceled.cost.state, google.counts(job).cancels > 0],
    ['canceled', 'released', true],
  );
});

test('an order whose submission got no answer is found in the list of jobs, and submitted once', async () => {
  const others = Array.from({ length: 105 }, async () => ended(await create(orderOf('', { prompt: 'others' }).body)));
  const { job, body } = orderOf('submit=reset');
  const done = await ended(await create(body));
  assert.deepEqual([done.status, fake.counts(job).attempts], ['succeeded', 1]);
  await Promise.all(others);
});

test('an order of the lane is neither overdue nor over after hours, and ends after its own deadline', async () => {
  const { job, body } = orderOf('run=100000');
  const task = await create(body);
  await until(
    () => fake.counts(job).polls,
    (polls) => polls > 0,
  );
  clock.aheadMs = 20 * HOUR_MS;
  const before = fake.counts(job).polls;
  await until(
    () => fake.counts(job).polls,
    (polls) => polls > before,
  );
  assert.equal((await read(task)).status, 'processing');
  const text = await (
    await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${keys.admin}` } })
  ).text();
  assert.doesNotMatch(text, /darkroom_overdue[a-z_]*\{[^}]*openai-batch[^}]*\} [1-9]/);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/engines');
  const engine = data.items.find(({ name }) => name === 'openai-batch');
  assert.ok(engine !== undefined);
  clock.aheadMs = 26 * HOUR_MS;
  const done = await ended(task);
  assert.deepEqual([done.status, done.error.code, done.cost.amount], ['failed', 'timeout', '0.00']);
});
