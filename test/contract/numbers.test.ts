import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { copyTask } from '../helpers/copy-task.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { openRaw } from '../helpers/raw-http.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const MB = 1_048_576;
const DAY = 86_400_000;
const seeded = { seed: { type: 'integer', minimum: 0, maximum: 9, default: null, description: 'A seed.' } };
const { parameters } = plainEntry({ model_id: 'x' });
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({
    model_id: 'without-limits',
    parameters: { ...parameters, ...seeded },
    supported_features: ['text_to_image', 'seed'],
    routes: [],
  }),
]);
const service = await startTestService(wholeFile, { env: { DARKROOM_CATALOG_DIR: overlay.directory } });
const { call, keys, database } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const told = ({ status, error }: Pick<Answer, 'status' | 'error'>) => [status, error?.code];
const create = (body: unknown, key = keys.test, headers: Record<string, string> = {}) =>
  call(key, 'POST', '/v1/images', body, headers);

/** Sends the head of a request that announces so many bytes, and none of them. */
async function announce(path: string, type: string, bytes: number): Promise<Pick<Answer, 'status' | 'error'>> {
  const connection = await openRaw(service.url);
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.test}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  return await connection.answer;
}

test('a JSON body may have 32 MB with the media in it, and not a byte more', async () => {
  const uri = `data:image/png;base64,${'A'.repeat(15 * MB)}`;
  const text = JSON.stringify({ ...order, image_urls: [uri, uri, 'data:'] });
  const full = text.replace('"data:"', `"data:${'A'.repeat(32 * MB - text.length)}"`);
  assert.equal(Buffer.byteLength(full), 32 * MB);
  assert.deepEqual(told(await create(full)), [400, 'invalid_reference']);
  const over = await announce('/v1/images', 'application/json', 32 * MB + 1);
  assert.deepEqual(told(over), [413, 'body_too_large']);
  assert.match(
    over.error.message,
    /^The body has 33554433 bytes; the limit is 33554432 bytes \(setting DARKROOM_MAX_BODY_MB\)\./,
  );
});

test('a JSON body may have 256 KB beside its media, 2,000 values, 256 names an object and 32 levels', async () => {
  const metadata = (text: string) => `{"model_id":"sketch","prompt":"a fox","resolution":"0.5K","metadata":${text}}`;
  const padded = (bytes: number) => create(metadata('{}').padEnd(bytes));
  assert.equal((await padded(256 * 1024)).status, 201);
  const long = await padded(256 * 1024 + 1);
  assert.deepEqual(told(long), [413, 'body_too_large']);
  assert.match(long.error.message, /262145 bytes outside of data: strings; the limit is 262144 bytes/);
  const faults = [
    [`[${Array(2_000).fill(0).join()}]`, /2005 values; the limit is 2000/],
    [`{${Array.from({ length: 257 }, (_, index) => `"${index}":0`).join()}}`, /257 names; the limit is 256/],
    ['['.repeat(32) + ']'.repeat(32), /at least 33 levels deep; the limit is 32/],
  ] as const;
  for (const [text, message] of faults) {
    const refused = await create(metadata(text));
    assert.deepEqual(told(refused), [400, 'invalid_request']);
    assert.match(refused.error.message, message);
  }
});

test('an upload may have 100 MB', async () => {
  assert.deepEqual(told(await announce('/v1/files', 'image/png', 100 * MB + 1)), [413, 'body_too_large']);
});

test('a data URI may hold 20 MB', async () => {
  const uri = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`;
  const refused = async (bytes: number) => (await create({ ...order, image_urls: [uri(bytes)] })).error;
  const over = await refused(20 * MB + 1);
  assert.deepEqual([over.code, over.param], ['invalid_reference', 'image_urls[0]']);
  assert.match(over.message, /20971520|20 MB/);
  // As large as may be it is looked into, and found to be no picture.
  assert.doesNotMatch((await refused(20 * MB)).message, /20971520|20 MB/);
});

test('a prompt may have 10,000 characters where the entry says nothing, however many bytes they take', async () => {
  for (const character of ['x', 'ä', '🦊']) {
    const body = (length: number) => ({
      model_id: 'without-limits',
      prompt: character.repeat(length),
      simulate: { outcome: 'timeout' },
    });
    assert.equal((await create(body(10_000))).status, 201, character);
    assert.deepEqual(told(await create(body(10_001))), [400, 'prompt_too_long'], character);
  }
});

test('a list skips at most 10,000 entries, and then names after', async () => {
  for (const [path, over] of [
    ['/v1/images?offset=10000', '/v1/images?offset=10001'],
    ['/v1/videos?limit=100&page=101', '/v1/videos?limit=100&page=102'],
  ] as const) {
    assert.equal((await call(keys.test, 'GET', path)).status, 200, path);
    const refused = await call(keys.test, 'GET', over);
    assert.deepEqual(told(refused), [400, 'invalid_request'], over);
    assert.match(refused.error.message, /'after'/);
  }
});

test('a page has 20 entries unless asked for 1 to 100; outside that is refused, never clamped', async () => {
  for (const path of ['/v1/images', '/v1/videos'] as const) {
    assert.equal((await call(keys.test, 'GET', path)).data.limit, 20);
    for (const limit of [1, 100])
      assert.equal((await call(keys.test, 'GET', `${path}?limit=${limit}`)).data.limit, limit);
    for (const limit of [0, -1, 101, 1_000_000])
      assert.deepEqual(told(await call(keys.test, 'GET', `${path}?limit=${limit}`)), [400, 'invalid_request']);
  }
});

test('a list with several filters that finds nothing in 20,000 rows walks on, so that has_more always comes with a task to go on from', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const stuck = { ...order, simulate: { outcome: 'stuck' } };
  const needle = (await create(stuck, key)).data;
  await call(key, 'POST', `/v1/images/${needle.task_id}/cancel`);
  assert.equal(
    (await call(key, 'GET', `/v1/images/${needle.task_id}`, undefined, { prefer: 'wait=60' })).data.status,
    'canceled',
  );
  const last = (await create({ ...order, simulate: { outcome: 'timeout' } }, key, { prefer: 'wait=60' })).data;
  const beginning = `${last.task_id.slice(0, -12)}zzzzzzz`;
  const id = (place: number) => `${beginning}${String(place).padStart(5, '0')}`;
  await copyTask(database, last.task_id, {
    count: 20_000,
    changes: { id: sql`${sql.lit(beginning)} || substr(cast(100000 + i as text), 2)` },
  });
  const list = async (query: string) => {
    const { items, has_more: more } = (await call(key, 'GET', `/v1/images?limit=1&${query}`)).data;
    return [items.map((task) => task.task_id), more];
  };
  assert.deepEqual(await list('status=canceled'), [[needle.task_id], false]);
  assert.deepEqual(await list('model_id=sketch&status=failed'), [[id(19_999)], true]);
  assert.deepEqual(await list('model_id=sketch&status=canceled'), [[needle.task_id], false]);
  assert.deepEqual(await list(`model_id=sketch&status=canceled&after=${last.task_id}`), [[needle.task_id], false]);
});

test('simulate takes neither, either or both of its fields, from 0 to 3600 seconds, by body or header', async () => {
  const ask = async (simulate: unknown) =>
    told(await create({ ...order, model_id: 'sketch-grid', resolution: '1K', simulate }));
  for (const simulate of [
    { seconds: 3600 },
    { seconds: 3600, outcome: 'stuck' },
    { outcome: 'timeout' },
    { seconds: 0.5, outcome: 'late' },
  ])
    assert.deepEqual(await ask(simulate), [201, undefined], JSON.stringify(simulate));
  for (const simulate of [
    { seconds: -1 },
    { seconds: 3600.1 },
    { outcome: 'success' },
    { outcome: null },
    { color: 1 },
    [],
    7,
  ])
    assert.deepEqual(await ask(simulate), [400, 'invalid_request'], JSON.stringify(simulate));
  const both = await create(order, keys.test, {
    'darkroom-simulate': 'outcome=upstream_error; seconds=0',
    prefer: 'wait=60',
  });
  assert.equal(both.data.error.code, 'upstream_error');
  for (const header of ['outcome=nonsense', 'seconds=many', 'colour=red', 'timeout'])
    assert.equal((await create(order, keys.test, { 'darkroom-simulate': header })).status, 400, header);
  const plain = await create({ ...order, simulate: {} }, keys.test, { prefer: 'wait=60' });
  assert.equal(plain.data.status, 'succeeded');
});

test('a simulated wait holds no painter and can be canceled', async () => {
  const waiting = await Promise.all(
    Array.from({ length: 40 }, async () => (await create({ ...order, simulate: { seconds: 3600 } })).data),
  );
  const made = await service.make(keys.test, '/v1/images', order);
  assert.equal(made.status, 'succeeded');
  const [stuck] = waiting;
  const asked = await call(keys.test, 'POST', `/v1/images/${stuck?.task_id}/cancel`);
  assert.equal(asked.status, 200);
  const { data } = await call(keys.test, 'GET', `/v1/images/${stuck?.task_id}`, undefined, { prefer: 'wait=60' });
  assert.deepEqual([data.status, data.cost.state], ['canceled', 'released']);
});

test('the sketch models cost more than nothing, whatever is asked of them', async () => {
  const { items } = (await call(null, 'GET', '/v1/catalog')).data;
  for (const model of items.filter((entry) => entry.model_id.startsWith('sketch'))) {
    for (const resolution of model.parameters.resolution.enum!) {
      const quoted = await call(keys.test, 'POST', '/v1/prices', { model_id: model.model_id, resolution });
      assert.ok(Number(quoted.data.amount) > 0, `${model.model_id} ${resolution}`);
    }
  }
});

test("the TEST mark stands on what a test key orders of another vendor's model, and on nothing else", async () => {
  const paint = async (key: string, body: object) => {
    const task = await service.make(key, '/v1/images', { prompt: 'a fox', seed: 7, ...body });
    assert.equal(task.status, 'succeeded', JSON.stringify(task));
    const file = await (await fetch(task.outputs[0].url)).arrayBuffer();
    const { data, info } = await sharp(Buffer.from(file)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [512, 512]);
    return data;
  };
  const own = { model_id: 'sketch', resolution: '0.5K' };
  const [lived, tested, foreign] = [
    await paint(keys.live, own),
    await paint(keys.test, own),
    await paint(keys.test, { model_id: 'without-limits' }),
  ];
  assert.ok(tested.equals(lived), 'a sketch is the same for either key');
  const changed = [...foreign].flatMap((value, place) => (value === lived[place] ? [] : [Math.floor(place / 3)]));
  assert.ok(changed.length > 100, 'there is a mark');
  for (const pixel of changed)
    assert.ok(pixel % 512 > 384 && pixel / 512 > 448, `only the lower right corner differs, not pixel ${pixel}`);
});

test('the default times: 30 days for files, 24 hours for a signed URL, 6 hours for a task', async (t) => {
  const clock = new ManualClock();
  const other = await startTestService(t, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
  const task = await other.make(other.keys.test, '/v1/images', order);
  const created = Date.parse(task.created_at);
  assert.equal(created, clock.now());
  assert.equal(Date.parse(task.expires_at) - created, 30 * DAY);
  assert.equal(Date.parse(task.deadline_at) - created, DAY / 4);
  const [output] = task.outputs;
  const end = Date.parse(output.url_expires_at);
  assert.equal(end % (DAY / 2), 0);
  assert.ok(end - clock.now() >= DAY && end - clock.now() < 1.5 * DAY, output.url_expires_at);
  clock.advance(end - clock.now() - 1);
  assert.equal((await fetch(output.url)).status, 200);
  clock.advance(2);
  assert.equal((await fetch(output.url)).status, 403);
});

test('settings change these numbers, and each refusal names the current number', async (t) => {
  const other = await startTestService(t, {
    env: {
      DARKROOM_MAX_BODY_MB: '0.5',
      DARKROOM_MAX_UPLOAD_MB: '0.2',
      DARKROOM_RETENTION_DAYS: '2',
      DARKROOM_URL_LIFETIME_HOURS: '1',
      DARKROOM_HARD_DEADLINE_MINUTES: '90',
      DARKROOM_PUBLIC_URL: 'https://pictures.example.com/darkroom',
    },
    config: { maxDataUriBytes: Math.floor(0.1 * MB) },
    service: { engines: [createSwiftEngine()] },
  });
  const post = (body: object) => other.call(other.keys.test, 'POST', '/v1/images', body, { prefer: 'wait=60' });
  const uri = `data:image/png;base64,${Buffer.alloc(0.1 * MB + 1).toString('base64')}`;
  assert.equal((await post({ ...order, image_urls: [uri] })).error.code, 'invalid_reference');
  assert.equal((await post({ ...order, prompt: 'x'.repeat(MB / 2) })).error.code, 'body_too_large');
  const { data: task } = await post(order);
  assert.equal(Date.parse(task.expires_at) - Date.parse(task.created_at), 2 * DAY);
  assert.equal(Date.parse(task.deadline_at) - Date.parse(task.created_at), 5_400_000);
  assert.ok(Date.parse(task.outputs[0].url_expires_at) - Date.now() <= DAY / 2 + 3_600_000);
  for (const url of [...Object.values(task.urls), task.outputs[0].url, task.outputs[0].content_url])
    if (url !== null) assert.match(String(url), /^https:\/\/pictures\.example\.com\/darkroom\//);
});
