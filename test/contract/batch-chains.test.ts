import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createGatedEngine } from '../helpers/gated-engine.ts';
import { type BatchAnswer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Orders of a batch that use others of the same batch by their names. */

const engine = createGatedEngine();
const { call, keys } = await startTestService(wholeFile, { service: { engines: [engine] } });
const key = keys.test;

const image = (name: string | null, body: object, more: object = {}) => ({
  ...(name === null ? {} : { name }),
  operation: 'images',
  body: { model_id: 'sketch', prompt: 'a fox', size: '128x96', ...body },
  ...more,
});
const grid = (name: string, prompt: string) =>
  image(name, { model_id: 'sketch-grid', prompt, size: undefined, aspect_ratio: '1:1' });
const action = (name: string | null, body: object) => ({ ...image(name, {}), operation: 'actions', body });
const film = (body: object) => ({
  operation: 'videos',
  body: { model_id: 'sketch-motion', duration: 1, resolution: '360p', ...body },
});

async function place(orders: readonly object[], more: object = {}): Promise<BatchAnswer> {
  const { status, data, error } = await call(key, 'POST', '/v1/batches', { orders, ...more });
  assert.equal(status, 201, JSON.stringify(error));
  return data;
}

async function refused(orders: readonly object[]): Promise<[string, string][]> {
  const { status, error } = await call(key, 'POST', '/v1/batches', { orders });
  assert.ok(status >= 400, 'refused');
  const faults = error.details.length > 0 ? error.details : [error];
  return faults.map(({ param, message }) => [param, message]);
}

const read = async (batch: BatchAnswer): Promise<BatchAnswer> => (await call(key, 'GET', batch.urls.self)).data;
const ended = (batch: BatchAnswer) =>
  until(
    () => read(batch),
    ({ status }) => status !== 'processing',
  );
const tasksOf = async (batch: BatchAnswer): Promise<TaskAnswer[]> =>
  (await call(key, 'GET', `${batch.urls.tasks}?limit=100`)).data.items;
const placed = (batch: BatchAnswer) =>
  until(
    () => tasksOf(batch),
    (tasks) => tasks.length === Math.min(100, batch.orders),
  );

test('a grid, its tile, a film of the tile and pictures of both are one request, and each waits for those that it names', async () => {
  const orders = [
    grid('board', 'hold the board'),
    action('hero', { parent_task_id: 'order:board', action: 'upscale', index: 2 }),
    action('again', { parent_task_id: 'order:hero', action: 'reroll' }),
    film({ first_frame_url: 'order:hero' }),
    image('both', { image_urls: ['order:hero', 'order:board#3'] }),
  ];
  const quote = await call(key, 'POST', '/v1/batches/prices', { orders });
  assert.deepEqual([quote.status, quote.data?.exact], [200, true], JSON.stringify(quote.error));
  const batch = await place(orders, { max_price: quote.data.amount });
  assert.equal(batch.cost.quoted, quote.data.amount);
  const byName = new Map((await placed(batch)).map((task) => [task.batch_name ?? task.type, task]));
  const [board, hero, again, both, flight] = ['board', 'hero', 'again', 'both', 'video'].map((name) =>
    byName.get(name),
  ) as [TaskAnswer, TaskAnswer, TaskAnswer, TaskAnswer, TaskAnswer];
  assert.deepEqual([hero.parent_task_id, hero.waiting_for], [board.task_id, [board.task_id]]);
  assert.deepEqual([again.parent_task_id, again.waiting_for], [hero.task_id, [hero.task_id]]);
  assert.deepEqual(both.input.image_urls, [`task:${hero.task_id}`, `task:${board.task_id}#3`]);
  assert.deepEqual(both.waiting_for.toSorted(), [hero.task_id, board.task_id].toSorted());
  assert.equal(flight.input.first_frame_url, `task:${hero.task_id}`);
  const { queued, processing } = (await read(batch)).counts;
  assert.equal(queued + processing, 5);
  engine.letEnd('hold the board');
  const end = await ended(batch);
  const errors = (await tasksOf(batch)).map(({ batch_name, error }) => [batch_name, error]);
  assert.deepEqual([end.status, end.counts.succeeded], ['succeeded', 5], JSON.stringify(errors));
  assert.deepEqual([end.cost.charged, end.cost.held], [quote.data.amount, '0.00']);
});

test('names are also resolved in JSON lines, in varied values and in inputs that an action repeats', async () => {
  const lines = [
    image('a', { prompt: 'x' }),
    image('b', { prompt: 'y' }, { vary: { seed: [1, 2] } }),
    image(
      'c',
      { model_id: 'sketch-grid', size: undefined },
      { vary: { image_urls: [['order:a'], ['order:b-2', 'order:a']] } },
    ),
    action('d', { parent_task_id: 'order:c-2', action: 'reroll' }),
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const { status, data, error } = await call(key, 'POST', '/v1/batches', text, {
    'content-type': 'application/jsonl',
  });
  assert.equal(status, 201, JSON.stringify(error));
  const end = await ended(data);
  assert.deepEqual([end.status, end.orders], ['succeeded', 6]);
  const tasks = await tasksOf(data);
  const id = (name: string) => tasks.find(({ batch_name }) => batch_name === name)?.task_id;
  const inputs = (name: string) => tasks.find(({ batch_name }) => batch_name === name)?.input.image_urls;
  assert.deepEqual(inputs('c-1'), [`task:${id('a')}`]);
  assert.deepEqual(inputs('c-2'), [`task:${id('b-2')}`, `task:${id('a')}`]);
});

test('a name that cannot be used is told with its place, together with the other faults', async () => {
  const faults = await refused([
    image('first', { prompt: 7 }),
    image('early', { image_urls: ['order:late'] }),
    image('late', {}),
    image('size', {}, { vary: { seed: [1, 2, 3] } }),
    image(null, { image_urls: ['order:size', 'order:size-3'] }),
    image(null, { image_urls: ['order:first'], camera: 1 }),
    image(null, { image_urls: ['order:late#2'] }),
    film({ first_frame_url: 'order:late', reference_video_urls: ['order:late'] }),
    action(null, { parent_task_id: 'order:nobody', action: 'reroll' }),
    { ...film({ prompt: 'a fox' }), name: 'clip' },
    action(null, { parent_task_id: 'order:clip', action: 'reroll' }),
  ]);
  const found = (place: number) => faults.filter(([param]) => param.startsWith(`orders[${place}].`));
  const [early, late, size, first, tile, nobody, clip] = [1, 2, 4, 5, 6, 8, 10].map(found);
  assert.match(early?.[0]?.[1] ?? '', /^orders\[1\]: image_urls\[0\]: no earlier order of this batch is named 'late'/);
  assert.deepEqual(late, []);
  assert.match(size?.[0]?.[1] ?? '', /'size' has become 3 orders by vary\. Name one of them, 'size-1' to 'size-3'/);
  assert.equal(size?.length, 1);
  assert.deepEqual(first?.map(([param]) => param).toSorted(), [
    'orders[5].body.camera',
    'orders[5].body.image_urls[0]',
  ]);
  assert.match(JSON.stringify(first), /the order 'first' \(orders\[0\]\) has faults itself/);
  assert.match(tile?.[0]?.[1] ?? '', /expected #1, found #2/);
  assert.ok(found(7).length > 0);
  assert.match(nobody?.[0]?.[1] ?? '', /parent_task_id: no earlier order of this batch is named 'nobody'/);
  assert.match(clip?.[0]?.[1] ?? '', /makes a video/);
  const single = await call(key, 'POST', '/v1/images', image(null, { image_urls: ['order:late'] }).body);
  assert.deepEqual([single.status, single.error.code], [400, 'invalid_reference']);
  assert.match(single.error.message, /outside of batches use task:<task_id>/);
});

test('a batch whose only fault is a model that is away now may be repeated, also if orders use those that were refused', async () => {
  const away = image('first', { model_id: 'sketch-grid', size: undefined, aspect_ratio: '1:1' });
  await call(keys.admin, 'POST', '/admin/v1/models/sketch-grid/pause');
  const using = image('second', { image_urls: ['order:first'] });
  const follow = action('third', { parent_task_id: 'order:first', action: 'reroll' });
  const { status, error } = await call(key, 'POST', '/v1/batches', { orders: [away, using, follow] });
  assert.deepEqual([status, error.code, error.retryable], [503, 'model_unavailable', true]);
  assert.equal(error.param, 'orders[0].body.model_id');
  const wrong = image('fourth', { camera: 1 });
  const answer = await call(key, 'POST', '/v1/batches', { orders: [away, using, wrong] });
  assert.deepEqual([answer.error.code, answer.error.retryable], ['unsupported_field', false]);
  assert.match(JSON.stringify(answer.error.details), /the order 'first' \(orders\[0\]\) has faults itself/);
  await call(keys.admin, 'POST', '/admin/v1/models/sketch-grid/resume');
});

test('at most sixteen orders of a batch wait one behind the other', async () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, at) => image(`o${at}`, at === 0 ? {} : { image_urls: [`order:o${at - 1}`] }));
  assert.equal((await ended(await place(chain(17)))).status, 'succeeded');
  const [[param, message] = []] = await refused(chain(18));
  assert.equal(param, 'orders[17].body.wait_for_parent');
  assert.match(message ?? '', /17 orders would wait one behind the other; the maximum is 16/);
});

test('an order of a batch may wait for tasks outside of it, and use a tile of a finished grid', async () => {
  const parent = (await call(key, 'POST', '/v1/images', image(null, { prompt: 'hold the parent' }).body)).data;
  const follow = { image_urls: [`task:${parent.task_id}`] };
  const [[param] = []] = await refused([image(null, follow)]);
  assert.equal(param, 'orders[0].body.image_urls[0]');
  const batch = await place([image('child', { ...follow, wait_for_parent: true }), image('other', {})]);
  const [child] = await placed(batch);
  assert.deepEqual(child?.waiting_for, [parent.task_id]);
  engine.letEnd('hold the parent');
  assert.equal((await ended(batch)).status, 'succeeded');
  const board = await place([grid('board', 'x')]);
  await ended(board);
  const [{ task_id } = {} as TaskAnswer] = await tasksOf(board);
  assert.equal((await ended(await place([image(null, { image_urls: [`task:${task_id}#1`] })]))).status, 'succeeded');
});

test('if an order fails, those that wait for it fail too, and the batch holds nothing any more', async () => {
  const batch = await place([
    image('bad', { simulate: { outcome: 'content_policy' } }),
    image('child', { image_urls: ['order:bad'] }),
    image(null, { image_urls: ['order:child'] }),
    image('good', {}),
  ]);
  const { status, counts, cost } = await ended(batch);
  assert.deepEqual([status, counts.failed, counts.succeeded, cost.held], ['partial', 3, 1, '0.00']);
  const codes = (await tasksOf(batch)).map(({ error }) => error?.code ?? null);
  assert.deepEqual(codes, ['content_policy', 'parent_failed', 'parent_failed', null]);
});

test('canceling a batch cancels the orders that wait for others too', async () => {
  const batch = await place([
    image('running', { prompt: 'hold on' }),
    ...Array.from({ length: 120 }, () => image(null, { image_urls: ['order:running'] })),
  ]);
  await until(
    () => read(batch),
    ({ counts }) => counts.processing === 1,
  );
  await call(key, 'POST', batch.urls.cancel);
  await until(
    () => read(batch),
    ({ counts }) => counts.canceled === 120,
  );
  engine.letEnd('hold on');
  const { status, counts, cost } = await ended(batch);
  assert.deepEqual([status, counts.succeeded, counts.canceled, cost.held], ['canceled', 1, 120, '0.00']);
});

test('max_parallel holds for orders that were released as well, which keep their place in the batch', async () => {
  const batch = await place(
    [
      image('parent', { prompt: 'hold them' }),
      ...Array.from({ length: 5 }, (_, at) => image(`c${at}`, { prompt: `hold c${at}`, image_urls: ['order:parent'] })),
    ],
    { max_parallel: 2 },
  );
  engine.letEnd('hold them');
  const running = async () =>
    (await tasksOf(batch)).filter(({ status }) => status === 'processing').map(({ batch_name }) => batch_name);
  for (const expected of [['c0', 'c1'], ['c2', 'c3'], ['c4']]) {
    assert.deepEqual(
      await until(running, (names) => names.length === expected.length && names[0] === expected[0]),
      expected,
    );
    for (const name of expected) engine.letEnd(`hold ${name}`);
  }
  assert.equal((await ended(batch)).status, 'succeeded');
});
