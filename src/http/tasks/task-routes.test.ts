import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { LightMyRequestResponse } from 'fastify';
import { openTestHttp, type TestHttp } from '../../../test/helpers/http.ts';

const order = (prompt = 'a red fox') => ({ model_id: 'sketch', prompt });
const refused = (response: LightMyRequestResponse) => [response.statusCode, response.json().error.code];

async function create(http: TestHttp, key: string, headers: Record<string, string> = {}, payload: object = order()) {
  return await http.as(key, { method: 'POST', url: '/v1/images', payload, headers });
}

/** Ends a task as a runner would, with a file in storage. */
async function succeed({ services }: TestHttp, taskId: string, bytes = Buffer.from('0123456789')) {
  const key = `tasks/${taskId.slice(4, 10)}/${taskId}-1-output.png`;
  const stored = await services.storage.put(key, bytes, { contentType: 'image/png', maxBytes: 1_000_000 });
  const output = {
    ...stored,
    contentType: 'image/png',
    width: 10,
    height: 10,
    durationSeconds: null,
    hasAudio: null,
    fps: null,
    thumbnailKey: null,
    tiles: null,
    seed: 7,
    revisedPrompt: null,
  };
  await services.database.write('test', (trx) =>
    trx.run(
      trx.builder
        .updateTable('tasks')
        .set({ status: 'succeeded', step: 'final', progress: 100, revision: 5, charged: 10_000, claimable: 0 })
        .set({ outputs_json: JSON.stringify([output]), completed_at: services.clock.now() })
        .where('id', '=', taskId),
    ),
  );
  services.events.changed(taskId);
  return key;
}

test('a create answers 201, the task in the envelope, and where to find it', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const response = await create(http, key);
  const { code, data, message, timestamp, ...rest } = response.json();
  assert.deepEqual([response.statusCode, code, message, rest], [201, 201, 'ok', {}]);
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(response.headers.location, `http://darkroom.test/v1/images/${data.task_id}`);
  assert.equal(data.status, 'queued');
  const again = await http.as(key, { url: `/v1/images/${data.task_id}` });
  assert.equal(again.json().data.task_id, data.task_id);
  assert.ok(Number(again.headers['retry-after']) >= 1);
  assert.equal(again.headers.etag, undefined);
});

test('a repeated Idempotency-Key gives the same task and no second charge, also after its deletion', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const send = (payload: object = order()) => create(http, key, { 'idempotency-key': 'once' }, payload);
  const [first, second] = [await send(), await send()];
  const { task_id: taskId } = first.json().data;
  assert.deepEqual([second.statusCode, second.json().data.task_id], [201, taskId]);
  assert.deepEqual([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']], [undefined, 'true']);
  assert.deepEqual(refused(await send(order('a blue fox'))), [422, 'idempotency_key_reused']);
  assert.deepEqual(refused(await create(http, key, { 'idempotency-key': 'x'.repeat(256) })), [400, 'invalid_request']);
  await http.as(key, { method: 'POST', url: `/v1/images/${taskId}/cancel` });
  await http.as(key, { method: 'DELETE', url: `/v1/images/${taskId}` });
  const replay = await send();
  assert.equal(replay.statusCode, 201);
  assert.deepEqual(Object.keys(replay.json().data), ['task_id', 'status', 'deleted_at']);
});

test('another key, even of the same account, finds nothing of a task', async (t) => {
  const http = await openTestHttp(t);
  const [mine, other] = [await http.issue(), await http.issue()];
  const { task_id: taskId } = (await create(http, mine.key)).json().data;
  for (const request of [
    { url: `/v1/images/${taskId}` },
    { url: `/v1/videos/${taskId}` },
    { url: `/v1/images/${taskId}/content` },
    { method: 'POST', url: `/v1/images/${taskId}/cancel` },
    { method: 'DELETE', url: `/v1/images/${taskId}` },
  ] as const)
    assert.deepEqual(refused(await http.as(other.key, request)), [404, 'task_not_found']);
  assert.deepEqual((await http.as(other.key, { url: '/v1/images' })).json().data.items, []);
});

test('a final task has an ETag that holds for as long as what it shows', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const { task_id: taskId } = (await create(http, key)).json().data;
  await succeed(http, taskId);
  const look = (etag = '"none"') => http.as(key, { url: `/v1/images/${taskId}`, headers: { 'if-none-match': etag } });
  const first = await look();
  const etag = String(first.headers.etag);
  const unchanged = await look(`"x", W/${etag}`);
  assert.deepEqual([unchanged.statusCode, unchanged.body, unchanged.headers.etag], [304, '', etag]);
  assert.equal((await look()).body.includes(first.json().data.outputs[0].url), true);
  http.clock.advance(12 * 3_600_000);
  const later = await look(etag);
  assert.equal(later.statusCode, 200);
  assert.notEqual(later.json().data.outputs[0].url, first.json().data.outputs[0].url);
});

test('Prefer: wait answers as soon as the task is final, or when the time is up', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const { task_id: taskId } = (await create(http, key)).json().data;
  const wait = (prefer: string) => http.as(key, { url: `/v1/images/${taskId}`, headers: { prefer } });
  const begun = performance.now();
  const timedOut = await wait('respond-async, wait=1');
  assert.deepEqual([timedOut.json().data.status, timedOut.headers['preference-applied']], ['queued', 'wait=1']);
  assert.ok(performance.now() - begun >= 990);
  for (const malformed of ['wait', 'wait=', 'wait=0', 'wait=-1', 'wait=1.5', 'wait=soon', 'waits=5'])
    assert.equal((await wait(malformed)).headers['preference-applied'], undefined, malformed);
  const { events } = http.services;
  const watch = events.watch.bind(events);
  const asleep = Promise.withResolvers<void>();
  t.mock.method(events, 'watch', (id: string) => {
    const watched = watch(id);
    return {
      next(...args: Parameters<typeof watched.next>) {
        const woken = watched.next(...args);
        asleep.resolve();
        return woken;
      },
      close: () => watched.close(),
    };
  });
  const waiting = wait('wait=600');
  await asleep.promise;
  await succeed(http, taskId);
  const done = await waiting;
  assert.deepEqual([done.json().data.status, done.headers['preference-applied']], ['succeeded', 'wait=45']);
});

test('closing the API answers requests that wait for a task', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const waiting = create(http, key, { prefer: 'wait=60' });
  await until(
    async () => (await http.as(key, { url: '/v1/images' })).json().data.items.length,
    (count) => count === 1,
  );
  const begun = performance.now();
  await http.app.close();
  const response = await waiting;
  assert.ok(performance.now() - begun < 30_000, 'it did not wait for the minute that was asked for');
  assert.deepEqual([response.statusCode, response.json().data.status], [201, 'queued']);
});

test('images are paged by offset and videos by page, newest first, and a wrong parameter names the right one', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift((await create(http, key)).json().data.task_id);
  const list = async (query: string) => (await http.as(key, { url: `/v1/images?${query}` })).json().data;
  const idsOf = (page: { items: { task_id: string }[] }) => page.items.map((task) => task.task_id);
  const { items, ...position } = await list('limit=2&offset=2');
  assert.deepEqual([idsOf({ items }), position], [ids.slice(2, 4), { limit: 2, offset: 2, has_more: true }]);
  assert.deepEqual(idsOf(await list(`after=${ids[3]}`)), [ids[4]]);
  assert.equal((await list('')).limit, 20);
  const videos = (await http.as(key, { url: '/v1/videos?page=2' })).json().data;
  assert.deepEqual(videos, { items: [], limit: 20, page: 2, has_more: false });
});

test('an invalid query is refused, never clamped and never ignored', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const ask = async (url: string) => (await http.as(key, { url })).json().error;
  for (const [url, code, param, hint] of [
    ['/v1/images?page=2', 'unsupported_field', 'page', /'offset'/],
    ['/v1/videos?offset=2', 'unsupported_field', 'offset', /'page'/],
    ['/v1/images?limit=0', 'invalid_request', 'limit', /1/],
    ['/v1/images?limit=101', 'invalid_request', 'limit', /100/],
    ['/v1/images?limit=1.5', 'invalid_request', 'limit', /integer/],
    ['/v1/images?limit=', 'invalid_request', 'limit', /integer/],
    ['/v1/images?limit=0x10', 'invalid_request', 'limit', /integer/],
    ['/v1/images?limit=1&limit=2', 'invalid_request', 'limit', /integer/],
    ['/v1/images?offset=-1', 'invalid_request', 'offset', /0/],
    ['/v1/images?offset=10001', 'invalid_request', 'offset', /'after'/],
    ['/v1/videos?page=0', 'invalid_request', 'page', /1/],
    ['/v1/videos?page=1000&limit=100', 'invalid_request', 'page', /'after'/],
    ['/v1/images?status=done', 'invalid_request', 'status', /queued/],
    ['/v1/images?status=', 'invalid_request', 'status', /queued/],
    ['/v1/images?created_after=yesterday', 'invalid_request', 'created_after', /ISO 8601/],
    ['/v1/images?after=img_1', 'invalid_request', 'after', /task_id/],
    [`/v1/images?after=img_${'0'.repeat(26)}&offset=1`, 'invalid_request', 'offset', /cannot be combined/],
    ['/v1/catalog?kind=image', 'unsupported_field', 'kind', /type/],
    ['/v1/catalog?type=audio', 'invalid_request', 'type', /image, video/],
    ['/v1/images/img_1?wait=5', 'unsupported_field', 'wait', /No field/],
  ] as const) {
    const error = await ask(url);
    assert.deepEqual([error?.code, error?.param], [code, param], url);
    assert.match(error.message, hint, url);
  }
  const several = await ask('/v1/images?limit=0&page=1&status=a');
  assert.deepEqual(several.details.map((fault: { param: string }) => fault.param).sort(), ['limit', 'page', 'status']);
});

test('the content of a task is served to its key in whole, in part, and under a name', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const { task_id: taskId } = (await create(http, key)).json().data;
  const url = `/v1/images/${taskId}/content`;
  assert.deepEqual(refused(await http.as(key, { url })), [409, 'not_final']);
  await succeed(http, taskId);
  const whole = await http.as(key, { url: `${url}?download=1` });
  assert.deepEqual([whole.statusCode, whole.body, whole.headers['content-type']], [200, '0123456789', 'image/png']);
  assert.equal(whole.headers['content-disposition'], `attachment; filename="${taskId}.png"`);
  const part = await http.as(key, { url, headers: { range: 'bytes=-3' } });
  assert.deepEqual([part.statusCode, part.body, part.headers['content-range']], [206, '789', 'bytes 7-9/10']);
  assert.deepEqual(refused(await http.as(key, { url: `${url}?variant=thumbnail` })), [404, 'not_found']);
});

test('a signed address needs no key, and nothing of it can be changed', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const { task_id: taskId } = (await create(http, key)).json().data;
  const storageKey = await succeed(http, taskId);
  const output = (await http.as(key, { url: `/v1/images/${taskId}` })).json().data.outputs[0];
  const url = output.url.replace('http://darkroom.test', '');
  const get = (address: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    http.app.inject({ method, url: address, headers });
  const whole = await get(url);
  assert.deepEqual([whole.statusCode, whole.body], [200, '0123456789']);
  assert.equal(whole.headers['cross-origin-resource-policy'], 'cross-origin');
  assert.equal(whole.headers['x-content-type-options'], 'nosniff');
  assert.match(String(whole.headers['cache-control']), /^private, max-age=\d+, immutable$/);
  const head = await get(url, {}, 'HEAD');
  assert.deepEqual([head.statusCode, head.body, head.headers['content-length']], [200, '', '10']);
  assert.equal((await get(url, { 'if-none-match': String(whole.headers.etag) })).statusCode, 304);
  const beyond = await get(url, { range: 'bytes=10-' });
  assert.deepEqual(refused(beyond), [416, 'range_not_satisfiable']);
  assert.equal(beyond.headers['content-range'], 'bytes */10');
  assert.equal((await get(url, { range: 'bytes=0-0', 'if-range': '"other"' })).statusCode, 200);
  const last = url.at(-1) === 'A' ? 'B' : 'A';
  for (const forged of [
    url.slice(0, -1) + last,
    url.replace('1-output', '2-output'),
    url.replace(/expires=\d/, 'expires=9'),
    `/files/${storageKey}`,
  ])
    assert.deepEqual(refused(await get(forged)), [403, 'forbidden'], forged);
  http.clock.advance(48 * 3_600_000);
  assert.deepEqual(refused(await get(url)), [403, 'forbidden']);
});

test('a file that was erased is gone, under either address', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const { task_id: taskId } = (await create(http, key)).json().data;
  await succeed(http, taskId);
  const { url } = (await http.as(key, { url: `/v1/images/${taskId}` })).json().data.outputs[0];
  const { database } = http.services;
  await database.write('test', (trx) =>
    trx.run(trx.builder.updateTable('tasks').set({ erased_at: 1 }).where('id', '=', taskId)),
  );
  const gone = await http.app.inject(url.replace('http://darkroom.test', ''));
  assert.deepEqual(refused(gone), [410, 'outputs_expired'], 'the row tells before the file is removed');
  await http.as(key, { method: 'DELETE', url: `/v1/images/${taskId}` });
  assert.deepEqual(refused(await http.app.inject(url.replace('http://darkroom.test', ''))), [410, 'outputs_expired']);
  assert.deepEqual(refused(await http.as(key, { url: `/v1/images/${taskId}/content` })), [404, 'task_not_found']);
});

test('a cancel takes an empty body, an empty object, and nothing else', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const { task_id: taskId } = (await create(http, key)).json().data;
  const cancel = (payload: string | undefined) =>
    http.as(key, {
      method: 'POST',
      url: `/v1/images/${taskId}/cancel`,
      ...(payload === undefined ? {} : { payload, headers: { 'content-type': 'application/json' } }),
    });
  assert.deepEqual(refused(await cancel('{"reason":"x"}')), [400, 'unsupported_field']);
  for (const payload of ['{}', '', undefined]) {
    const response = await cancel(payload);
    assert.deepEqual([response.statusCode, response.json().data.status], [200, 'canceled']);
  }
});
