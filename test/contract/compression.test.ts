import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { keys, call, make } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', metadata: { note: 'n'.repeat(500) } };

async function get(path: string, coding: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${keys.test}`, 'accept-encoding': coding, ...headers },
  });
  const header = (name: string) => response.headers.get(name);
  const text = await response.text();
  return {
    status: response.status,
    text,
    coding: header('content-encoding'),
    etag: header('etag'),
    vary: header('vary'),
  };
}

const PACKED = ['/v1/catalog', '/v1/catalog?type=image', '/v1/models', '/openapi.json', '/docs', '/docs/reference/'];

test('frequent answers come in Brotli, gzip or plain, each with its ETag, and each gets 304', async () => {
  for (const path of PACKED) {
    const withoutTime = (text: string) => text.replace(/"timestamp":"[^"]+"\}$/, '');
    const answers = [await get(path, 'br'), await get(path, 'gzip'), await get(path, 'identity')];
    assert.deepEqual(
      answers.map(({ coding }) => coding),
      ['br', 'gzip', null],
      path,
    );
    const [first] = answers.map(({ text }) => withoutTime(text));
    for (const { text, vary } of answers) {
      assert.equal(withoutTime(text), first, path);
      assert.match(String(vary), /Accept-Encoding/i);
    }
    const etags = answers.map(({ etag }) => String(etag));
    assert.equal(new Set(etags).size, 3, `${path}: ${etags.join()}`);
    for (const etag of etags)
      for (const coding of ['br', 'identity']) {
        const again = await get(path, coding, { 'if-none-match': `"other", W/${etag}` });
        assert.deepEqual([again.status, again.text, again.coding], [304, '', null], `${path} ${etag} ${coding}`);
      }
    assert.equal((await get(path, 'gzip', { 'if-none-match': '"other-gzip"' })).status, 200);
  }
});

test("the reference's script is compressed like its page", async () => {
  const path = '/docs/reference/js/scalar.js';
  const { coding, etag, text } = await get(path, 'gzip');
  assert.deepEqual([coding, text.length > 1_000_000], ['gzip', true]);
  assert.equal((await get(path, 'identity', { 'if-none-match': String(etag) })).status, 304);
});

test('the timestamp of a compressed answer is exact to the second, in every encoding', async () => {
  for (const coding of ['br', 'gzip', 'identity']) {
    const { timestamp, code, message, data } = JSON.parse((await get('/v1/catalog', coding)).text);
    assert.deepEqual([code, message, data.items.length > 10], [200, 'ok', true]);
    assert.ok(Math.abs(Date.now() - Date.parse(timestamp)) < 60_000);
  }
});

test('other long JSON answers are compressed on the way, short ones, files, streams and failures are not', async () => {
  const tasks: TaskAnswer[] = [];
  for (let count = 0; count < 5; count++) tasks.push(await make(keys.test, '/v1/images', order));
  const long = await get('/v1/images?limit=100', 'gzip, br');
  assert.deepEqual([long.coding, JSON.parse(long.text).data.items.length], ['gzip', 5]);
  const plain = await get('/v1/images?limit=100', 'identity');
  assert.deepEqual([plain.coding, plain.vary], [null, 'Accept-Encoding']);
  assert.deepEqual(JSON.parse(plain.text).data, JSON.parse(long.text).data);
  const task = tasks[0]!;
  const content = new URL(task.outputs[0].content_url).pathname;
  for (const path of [
    '/v1/account',
    content,
    new URL(task.outputs[0].url).pathname + new URL(task.outputs[0].url).search,
    `/v1/images/${task.task_id}/events`,
  ])
    assert.equal((await get(path, 'gzip, br')).coding, null, path);
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field_${index}`, 1]));
  const failed = await call(keys.test, 'POST', '/v1/images', { ...order, ...many }, { 'accept-encoding': 'gzip' });
  assert.deepEqual([failed.status, failed.headers.get('content-encoding')], [400, null]);
});

test('one long answer with an ETag has another ETag compressed, and either is answered 304', async () => {
  const path = '/v1/models/kling-v3';
  const plain = await get(path, 'identity');
  const packed = await get(path, 'gzip');
  assert.deepEqual([plain.coding, packed.coding], [null, 'gzip']);
  assert.notEqual(plain.etag, packed.etag);
  for (const etag of [plain.etag, packed.etag])
    for (const coding of ['gzip', 'identity'])
      assert.equal((await get(path, coding, { 'if-none-match': String(etag) })).status, 304);
});

test('answers with secrets are never stored, and so never compressed', async () => {
  const issued = await call(keys.admin, 'POST', '/admin/v1/keys', { mode: 'test' });
  const rotated = await call(keys.admin, 'POST', `/admin/v1/keys/${issued.data.key_id}/rotate`, {});
  const { key } = await service.issueKey({ mode: 'test', accountView: true });
  const secret = await call(key, 'GET', '/v1/account/webhooks/secret');
  const renewed = await call(key, 'POST', '/v1/account/webhooks/secret/rotate');
  for (const answer of [issued, rotated, secret, renewed]) {
    assert.ok(answer.status < 300, `${answer.status}`);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  }
});
