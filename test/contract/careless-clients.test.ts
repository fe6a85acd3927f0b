import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Refusal, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, {
  env: { DARKROOM_MAX_BODY_MB: '1', DARKROOM_MAX_UPLOAD_MB: '1' },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys, make } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const told = ({ details }: Refusal) => details.map(({ param, code }) => `${param} ${code}`);

/** What a client reads that first writes all of its body. */
async function writeAll(path: string, head: string, pieces: readonly string[]) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  try {
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${keys.test}\r\n${head}\r\n\r\n`);
    for (const piece of pieces) if (!socket.write(piece)) await once(socket, 'drain');
    // The connection serves on: it is the same that answers this.
    socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    await once(socket, 'close');
    return [...text.matchAll(/HTTP\/1\.1 (\d+)|"code":"(\w+)"/g)].map(([, status, code]) => status ?? code);
  } finally {
    socket.destroy();
  }
}

test('a client that sends the whole of too large a body can still read the error', async () => {
  const piece = 'x'.repeat(65_536);
  const pieces = Array<string>(128).fill(piece);
  const length = `content-length: ${pieces.length * piece.length}`;
  const chunks = [...pieces.map((part) => `10000\r\n${part}\r\n`), '0\r\n\r\n'];
  for (const [path, type] of [
    ['/v1/images', 'application/json'],
    ['/v1/files', 'image/png'],
  ] as const) {
    const told = ['413', 'body_too_large', '200'];
    assert.deepEqual(await writeAll(path, `content-type: ${type}\r\n${length}`, pieces), told);
    assert.deepEqual(await writeAll(path, `content-type: ${type}\r\ntransfer-encoding: chunked`, chunks), told);
  }
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  // Whole, so that its size is all that is wrong with it.
  const end = '\r\n--x--\r\n';
  const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const form = [chunkOf(part), ...pieces.map(chunkOf), chunkOf(end), '0\r\n\r\n'];
  const head = 'content-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked';
  assert.deepEqual(await writeAll('/v1/files', head, form), ['413', 'body_too_large', '200']);
});

test('a connection can be used after a body that is not JSON', async () => {
  const head = 'content-type: application/json\r\ncontent-length: 1';
  assert.deepEqual(await writeAll('/v1/images', head, ['{']), ['400', 'invalid_json', '200']);
});

test('a compressed body is refused for being compressed', async () => {
  for (const [path, type] of [
    ['/v1/images', 'application/json'],
    ['/v1/files', 'image/png'],
  ] as const) {
    for (const coding of ['gzip', 'br', 'zstd']) {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.test}`, 'content-type': type, 'content-encoding': coding },
        body: gzipSync(JSON.stringify(order)),
      });
      const { error } = (await response.json()) as { readonly error: Refusal };
      assert.deepEqual([response.status, error.code, error.param], [415, 'unsupported_media_type', 'Content-Encoding']);
      assert.match(error.message, new RegExp(`'${coding}'`));
    }
  }
  const plain = await call(keys.test, 'POST', '/v1/prices', order, { 'content-encoding': 'identity' });
  const without = await call(keys.test, 'GET', '/v1/images', undefined, { 'content-encoding': 'gzip' });
  assert.deepEqual([plain.status, without.status], [200, 200]);
});

test('a missing or unknown model is reported together with faults that do not depend on the model', async () => {
  const faulty = { metadata: [], end_user: 5, max_price: 'much', webhook_url: 'nowhere' };
  const others = ['metadata', 'end_user', 'webhook_url', 'max_price'].map((param) => `${param} invalid_request`);
  for (const path of ['/v1/images', '/v1/videos', '/v1/prices']) {
    const missing = await call(keys.test, 'POST', path, faulty);
    assert.deepEqual([missing.status, told(missing.error)], [400, ['model_id invalid_request', ...others]]);
    const unknown = await call(keys.test, 'POST', path, { model_id: 'nope', ...faulty });
    assert.deepEqual([unknown.status, told(unknown.error)], [404, ['model_id model_not_found', ...others]]);
  }
  const action = await call(keys.test, 'POST', '/v1/images/actions', faulty);
  assert.deepEqual(
    [action.status, told(action.error)],
    [400, ['parent_task_id invalid_request', 'action invalid_request', ...others]],
  );
});

test('every faulty reference of a list is reported', async () => {
  const image_urls = ['http://127.0.0.1/a.png', 'ftp://example.com/a.png', 'upload:file_none', 'a.png'];
  const { status, error } = await call(keys.test, 'POST', '/v1/images', { ...order, image_urls });
  assert.equal(status, 400);
  assert.deepEqual(
    told(error).sort(),
    image_urls.map((_, index) => `image_urls[${index}] invalid_reference`),
  );
});

test('characters are counted as people count them, not as UTF-16 does', async () => {
  const fox = '🦊';
  const fields = { metadata: { [fox.repeat(40)]: fox.repeat(500) }, end_user: fox.repeat(128) };
  const taken = await call(keys.test, 'POST', '/v1/images', { ...order, ...fields });
  assert.deepEqual([taken.status, taken.data?.metadata, taken.data?.end_user], [201, fields.metadata, fields.end_user]);
  const listed = await call(keys.test, 'GET', `/v1/images?end_user=${encodeURIComponent(fields.end_user)}`);
  assert.deepEqual(
    listed.data.items.map(({ task_id }) => task_id),
    [taken.data.task_id],
  );
  const longer = { metadata: { [fox.repeat(41)]: 'a', a: fox.repeat(501) }, end_user: fox.repeat(129) };
  const refused = await call(keys.test, 'POST', '/v1/images', { ...order, ...longer });
  assert.equal(refused.error.details.length, 3);
});

test('the address of the actions takes a POST, and is no task of that name', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers, error } = await call(keys.test, method, '/v1/images/actions');
    assert.deepEqual([status, error.code, headers.get('allow')], [405, 'method_not_allowed', 'POST'], method);
  }
  assert.equal((await call(keys.test, 'HEAD', '/v1/images/actions')).status, 405);
});

test('HEAD of an event stream answers at once', async () => {
  const { data } = await call(keys.test, 'POST', '/v1/images', { ...order, simulate: { outcome: 'stuck' } });
  const { status, headers } = await fetch(`${service.url}/v1/images/${data.task_id}/events`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${keys.test}` },
    signal: AbortSignal.timeout(60_000),
  });
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
  assert.equal((await call(keys.test, 'HEAD', '/v1/images/img_none/events')).status, 404);
  await call(keys.test, 'POST', `/v1/images/${data.task_id}/cancel`);
});

test('a wait of any number above 45 counts as 45', async () => {
  const { task_id } = await make(keys.test, '/v1/images', order);
  for (const seconds of ['46', '86400', '9'.repeat(30)]) {
    const { headers } = await call(keys.test, 'GET', `/v1/images/${task_id}`, undefined, { prefer: `wait=${seconds}` });
    assert.equal(headers.get('preference-applied'), 'wait=45');
  }
});

test('the price of an action on a task of another model names the model of that task', async () => {
  const { task_id } = await make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a castle' });
  const question = { model_id: 'sketch', action: 'upscale', index: 1, parent_task_id: task_id };
  const { status, error } = await call(keys.test, 'POST', '/v1/prices', question);
  assert.deepEqual([status, error.code, error.param], [400, 'invalid_request', 'model_id']);
  assert.match(error.message, /sketch-grid/);
});

test('a thumbnail used as a reference is told apart from a missing output', async () => {
  const { outputs } = await make(keys.test, '/v1/images', order);
  const body = { ...order, image_urls: [outputs[0].thumbnail_url] };
  const { status, error } = await call(keys.test, 'POST', '/v1/images', body);
  assert.deepEqual([status, error.code], [400, 'invalid_reference']);
  assert.match(error.message, /thumbnail/);
  assert.doesNotMatch(error.message, /expired/);
});

test('a message that quotes what was sent never cuts a character in two', async () => {
  for (const body of [
    { model_id: `a${'🦊'.repeat(64)}` },
    { ...order, metadata: `a${'🦊'.repeat(64)}` },
    { ...order, [`a${'🦊'.repeat(80)}`]: 1 },
  ]) {
    const { status, body: answer } = await call(keys.test, 'POST', '/v1/images', body);
    assert.ok(status >= 400);
    const texts = [answer.error, ...answer.error.details].flatMap(({ param, message }) => [param, message]);
    for (const text of texts) assert.ok(text.isWellFormed(), JSON.stringify(text));
  }
});

test('null fields of a rotation count as not sent', async () => {
  const { key_id } = await service.issueKey({ mode: 'test' });
  const { status, data } = await call(keys.admin, 'POST', `/admin/v1/keys/${key_id}/rotate`);
  assert.deepEqual([status, data?.key.startsWith('dk_test_')], [200, true]);
});

test('an admin reads which field of a request is at fault', async () => {
  const credit = (amount: string) =>
    call(keys.admin, 'POST', '/admin/v1/accounts/default/credit', { amount }, { 'idempotency-key': 'once' });
  await credit('1.00');
  assert.deepEqual(told((await credit('2.00')).error), ['Idempotency-Key idempotency_key_reused']);
  const nowhere = await call(keys.admin, 'POST', '/admin/v1/keys', { mode: 'test', account_id: 'nope' });
  assert.deepEqual(told(nowhere.error), ['account_id not_found']);
  const { error } = await call(keys.admin, 'PATCH', '/admin/v1/accounts/default', {});
  assert.match(error.message, /name, credit_limit, price_rules, hidden_models/);
});

test('amounts that are too large are refused, and the message states dollars', async () => {
  const { account_id } = (await call(keys.admin, 'POST', '/admin/v1/accounts', {})).data;
  const credit = (amount: string) => call(keys.admin, 'POST', `/admin/v1/accounts/${account_id}/credit`, { amount });
  assert.equal((await credit('999999999')).status, 201);
  const beyond = await credit('2');
  assert.deepEqual([beyond.status, told(beyond.error)], [400, ['amount invalid_request']]);
  assert.match(beyond.error.message, /1000000001\.00.*1000000000\.00/);
  assert.equal((await credit('-999999999')).data.balance, '0.00');
  const negative = await call(keys.admin, 'POST', '/admin/v1/keys', { mode: 'test', spend_limits: { day: '-5' } });
  assert.match(negative.error.message, /found -5\.00/);
});

test('a price asked for without an action may say so', async () => {
  const plain = await call(keys.test, 'POST', '/v1/prices', order);
  const said = await call(keys.test, 'POST', '/v1/prices', { ...order, action: null, parent_task_id: null });
  assert.deepEqual([said.status, said.data], [200, plain.data]);
  const other = await call(keys.test, 'POST', '/v1/prices', {
    model_id: 'sketch-grid',
    action: 'reroll',
    parent_task_id: null,
  });
  assert.deepEqual([other.status, other.data?.action], [200, 'reroll']);
});

test('a browser that reconnects to a finished stream is told to stop', async () => {
  const task = await make(keys.test, '/v1/images', order);
  const follow = (lastEventId: string) =>
    fetch(task.urls.events, { headers: { 'last-event-id': lastEventId }, signal: AbortSignal.timeout(60_000) });
  assert.equal((await follow(String(task.revision))).status, 204);
  const behind = await follow(String(task.revision - 1));
  assert.deepEqual([behind.status, (await behind.text()).match(/^id: \d+/gm)], [200, [`id: ${task.revision}`]]);
});
