import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What a task looks like, and how it moves (contract §6). */

const engine = createScriptedEngine();
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] }),
]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [engine] },
});
const { call, keys, make } = service;

const SMALL = { model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K' };
const STUCK = { ...SMALL, simulate: { outcome: 'stuck' } };
const FILM = { model_id: 'sketch-motion', prompt: 'a red fox', resolution: '360p', duration: 1 };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MONEY = /^\d+\.\d{2,6}$/;

/** What the contract shows of a task, and nothing besides. */
const TASK_FIELDS = [
  'task_id',
  'type',
  'status',
  'progress',
  'queue_position',
  'estimated_seconds',
  'revision',
  'model_id',
  'action',
  'parent_task_id',
  'batch_id',
  'batch_name',
  'input',
  'outputs',
  'error',
  'cost',
  'available_actions',
  'can_cancel',
  'cancel_requested_at',
  'end_user',
  'metadata',
  'mode',
  'created_at',
  'started_at',
  'completed_at',
  'deadline_at',
  'expires_at',
  'urls',
];
const OUTPUT_FIELDS = [
  'url',
  'url_expires_at',
  'content_url',
  'content_type',
  'bytes',
  'width',
  'height',
  'duration_seconds',
  'fps',
  'has_audio',
  'sha256',
  'thumbnail_url',
  'preview_url',
  'provenance',
  'tiles',
  'seed',
  'revised_prompt',
];

function assertShape(task: TaskAnswer): void {
  // An order that has waited for seconds also tells why.
  const { delay, ...shown } = task;
  assert.ok(delay === undefined || task.status === 'queued', delay?.code);
  assert.deepEqual(Object.keys(shown).sort(), [...TASK_FIELDS].sort());
  assert.deepEqual(Object.keys(task.cost), ['state', 'amount', 'quoted', 'currency', 'basis', 'lines']);
  assert.deepEqual(Object.keys(task.urls), ['self', 'cancel', 'events']);
  for (const name of ['created_at', 'deadline_at', 'expires_at'] as const) assert.match(task[name], TIME, name);
  for (const name of ['started_at', 'completed_at', 'cancel_requested_at'] as const)
    assert.ok(task[name] === null || TIME.test(task[name]), name);
  for (const amount of [task.cost.amount, task.cost.quoted]) assert.match(amount, MONEY);
  assert.equal(task.cost.currency, 'USD');
  for (const line of task.cost.lines)
    assert.deepEqual(Object.keys(line), ['description', 'unit', 'quantity', 'unit_price', 'amount']);
  assert.ok(Number.isInteger(task.progress) && task.progress >= 0 && task.progress <= 100);
  assert.ok(Number.isInteger(task.revision) && task.revision >= 1);
  for (const output of task.outputs) assert.deepEqual(Object.keys(output).sort(), [...OUTPUT_FIELDS].sort());
}

const read = async (key: string, task: TaskAnswer) => (await call(key, 'GET', task.urls.self)).data;
const cancel = (key: string, task: TaskAnswer) => call(key, 'POST', task.urls.cancel);

test('a create answers 201, the Location, and the task with every field of the contract', async () => {
  const { status, headers, data } = await call(keys.test, 'POST', '/v1/images', {
    ...SMALL,
    simulate: { seconds: 30 },
  });
  assert.equal(status, 201);
  assertShape(data);
  assert.equal(headers.get('location'), data.urls.self);
  assert.equal(data.urls.self, `${service.url}/v1/images/${data.task_id}`);
  assert.equal(data.urls.cancel, `${data.urls.self}/cancel`);
  assert.match(data.task_id, /^img_[0-9a-z]{26}$/);
  const { status: state, progress, revision, outputs, error, action, parent_task_id, available_actions } = data;
  // Where nothing has to be waited for, it may have begun with the commit that placed it.
  assert.match(state, /^(queued|processing)$/);
  assert.deepEqual([progress, revision, outputs, error], [0, 1, [], null]);
  assert.deepEqual([action, parent_task_id, available_actions, data.can_cancel], [null, null, [], true]);
  assert.deepEqual([data.end_user, data.metadata, data.mode, data.type], [null, {}, 'test', 'image']);
  assert.equal(data.started_at === null, state === 'queued');
  assert.deepEqual([data.completed_at, data.cancel_requested_at], [null, null]);
  assert.deepEqual([data.cost.state, data.cost.amount, data.cost.quoted], ['held', '0.005', '0.005']);
  assert.equal(Date.parse(data.deadline_at) - Date.parse(data.created_at), 6 * 3_600_000);
  assert.equal(Date.parse(data.expires_at) - Date.parse(data.created_at), 30 * 86_400_000);
  await cancel(keys.test, data);
});

test('the input is the request with its defaults filled in, and nothing of the service', async () => {
  const order = { ...STUCK, metadata: { a: 'b' }, end_user: 'ann', max_price: '1' };
  const { data } = await call(keys.test, 'POST', '/v1/images', order);
  assert.deepEqual(data.input, {
    model_id: 'sketch',
    prompt: 'a red fox',
    num_images: 1,
    negative_prompt: null,
    image_urls: null,
    style_image_urls: null,
    resolution: '0.5K',
    aspect_ratio: 'auto',
    size: null,
    style: null,
    output_format: 'png',
    seed: null,
  });
  await cancel(keys.test, data);
});

test('a task_id says its type and sorts by the time of creation', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    const { data } = await call(keys.test, 'POST', '/v1/videos', { ...FILM, simulate: { outcome: 'stuck' } });
    assert.match(data.task_id, /^vid_[0-9a-z]{26}$/);
    ids.push(data.task_id);
    await cancel(keys.test, data);
    // Within one millisecond a counter would order them, and not the time.
    await until(Date.now, (now) => now > Date.parse(data.created_at), 1);
  }
  assert.deepEqual(ids, ids.toSorted());
});

test('a picture that succeeded shows its output in full, charged, with nothing left to cancel', async () => {
  const task = await make(keys.test, '/v1/images', { ...SMALL, seed: 1234 });
  assertShape(task);
  const { status, progress, queue_position, estimated_seconds, can_cancel, error } = task;
  assert.deepEqual(
    [status, progress, queue_position, estimated_seconds, can_cancel, error],
    ['succeeded', 100, null, null, false, null],
  );
  assert.deepEqual([task.cost.state, task.cost.amount, task.cost.quoted], ['charged', '0.005', '0.005']);
  assert.ok(task.created_at <= task.started_at && task.started_at <= task.completed_at);
  const [output, ...more] = task.outputs;
  assert.equal(more.length, 0, 'one output per order');
  assert.deepEqual([output.content_type, output.width, output.height], ['image/png', 512, 512]);
  assert.deepEqual([output.duration_seconds, output.fps, output.has_audio, output.tiles], [null, null, null, null]);
  assert.deepEqual([output.seed, output.revised_prompt], [1234, null]);
  const bytes = Buffer.from(await (await fetch(output.url)).arrayBuffer());
  assert.equal(bytes.byteLength, output.bytes);
  assert.equal(createHash('sha256').update(bytes).digest('hex'), output.sha256);
  assert.equal(output.content_url, `${task.urls.self}/content`);
  assert.match(new URL(output.url).pathname, /^\/files\//);
  const validFor = Date.parse(output.url_expires_at) - Date.now();
  assert.ok(validFor > 23.9 * 3_600_000 && validFor <= 36 * 3_600_000, `${validFor / 3_600_000} h`);
});

test('a succeeded film shows its length, frame rate and sound', async () => {
  const task = await make(keys.test, '/v1/videos', FILM);
  assertShape(task);
  const [output] = task.outputs;
  assert.deepEqual(
    [output.content_type, output.width, output.height, output.duration_seconds, output.has_audio],
    ['video/mp4', 640, 360, 1, true],
  );
  assert.ok(output.fps > 0);
  assert.ok(output.thumbnail_url);
});

test('a watched task goes from queued through processing to its end, and neither progress nor revision ever falls', async () => {
  for (const [path, order] of [
    ['/v1/images', { ...SMALL, simulate: { seconds: 2 } }],
    // Long enough to be looked at on the way.
    ['/v1/videos', { ...FILM, duration: 2 }],
  ] as const) {
    const { data } = await call(keys.test, 'POST', path, order);
    const seen: TaskAnswer[] = [data];
    await until(
      async () => {
        const task = await read(keys.test, data);
        seen.push(task);
        return task;
      },
      (task) => !['queued', 'processing'].includes(task.status),
      20,
    );
    const order_ = ['queued', 'processing', 'succeeded'];
    for (const [index, task] of seen.entries()) {
      assertShape(task);
      const before = seen[index - 1] ?? task;
      assert.ok(order_.indexOf(task.status) >= order_.indexOf(before.status), `${before.status} ${task.status}`);
      assert.ok(task.progress >= before.progress, `${before.progress} ${task.progress}`);
      assert.ok(task.revision >= before.revision);
      if (task.status !== before.status || task.progress !== before.progress)
        assert.ok(task.revision > before.revision, 'a change has a revision of its own');
      assert.equal(task.started_at === null, task.status === 'queued', task.status);
      assert.equal(task.completed_at === null, task.status !== 'succeeded');
      assert.equal(task.cost.state, task.status === 'succeeded' ? 'charged' : 'held');
      assert.equal(task.outputs.length, task.status === 'succeeded' ? 1 : 0);
    }
    const statuses = [...new Set(seen.map((task) => task.status))];
    assert.deepEqual(statuses, data.status === 'queued' ? order_ : order_.slice(1));
    const between = seen.filter((task) => task.progress > 0 && task.progress < 100);
    assert.ok(between.length > 0, 'progress was seen on the way');
  }
});

test('a waiting task shows its queue position: 1 is next, counted up to a hundred, and not in lists', async () => {
  const { key } = await service.issueKey({ mode: 'test', concurrency: 1 });
  const running = (await call(key, 'POST', '/v1/images', STUCK)).data;
  await until(
    () => read(key, running),
    (task) => task.status === 'processing',
  );
  const waiting: TaskAnswer[] = [];
  for (let count = 0; count < 102; count++) waiting.push((await call(key, 'POST', '/v1/images', STUCK)).data);
  assert.deepEqual(
    waiting.map((task) => task.queue_position),
    [...Array.from({ length: 100 }, (_, index) => index + 1), null, null],
  );
  assert.equal((await read(key, running)).queue_position, null);
  assert.equal((await read(key, waiting[2]!)).queue_position, 3);
  await cancel(key, waiting[0]!);
  assert.equal((await read(key, waiting[2]!)).queue_position, 2);
  const { items } = (await call(key, 'GET', '/v1/images?limit=100')).data;
  assert.ok(items.every((task) => task.queue_position === null));
  assert.ok(items.every((task) => task.status === 'queued'));
  for (const item of items) assertShape(item);
});

test('reported progress is shown and never decreases', async () => {
  let progress = 40.7;
  engine.answer = () => ({ status: 'pending', progress, checkAfterMs: 20 });
  const { data } = await call(keys.live, 'POST', '/v1/images', { model_id: 'scripted', prompt: 'a fox' });
  await until(
    () => read(keys.live, data),
    (task) => task.progress === 40,
  );
  progress = 10;
  const checks = engine.checked.length;
  await until(
    () => engine.checked.length,
    (count) => count > checks + 3,
  );
  assert.equal((await read(keys.live, data)).progress, 40);
  engine.answer = () => ({ status: 'failed', error: { code: 'upstream_error', message: 'broke' } });
  const failed = await until(
    () => read(keys.live, data),
    (task) => task.status === 'failed',
  );
  assert.equal(failed.progress, 40);
});

test('a task is retrieved under its own type only, and the other address names the right one', async () => {
  const { data } = await call(keys.test, 'POST', '/v1/images', STUCK);
  const wrong = await call(keys.test, 'GET', `/v1/videos/${data.task_id}`);
  assert.deepEqual([wrong.status, wrong.error.code], [404, 'task_not_found']);
  assert.match(wrong.error.message, new RegExp(`/v1/images/${data.task_id}`));
  await cancel(keys.test, data);
});

test('num_images is one on every create and every quote', async () => {
  for (const path of ['/v1/images', '/v1/prices'] as const) {
    const send = (num_images: unknown) => call(keys.test, 'POST', path, { ...STUCK, num_images });
    const taken = path === '/v1/prices' ? 200 : 201;
    assert.equal(
      (await call(keys.test, 'POST', path, { model_id: 'sketch', prompt: 'x', num_images: 1 })).status,
      taken,
    );
    for (const wrong of [0, 2, 1.5, '1']) {
      const { status, error } = await send(wrong);
      assert.equal(status, 400, `${path} ${wrong}`);
      assert.ok(error.details.some((fault) => fault.param === 'num_images'));
    }
  }
});
