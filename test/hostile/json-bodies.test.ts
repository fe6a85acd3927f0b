import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { BodyPace } from '../../src/http/bodies/body-pace.ts';
import type { HttpOptions } from '../../src/http/http-options.ts';
import { openTestHttp } from '../helpers/http.ts';
import { openRaw, sendRaw } from '../helpers/raw-http.ts';

const MB = 1024 * 1024;

async function open(t: TestContext, limits: { readonly body_bytes?: number } = {}, changes: Partial<HttpOptions> = {}) {
  const http = await openTestHttp(t, { maxBodyBytes: 32 * MB, ...changes }, limits);
  const { key, key_id: keyId } = await http.issue();
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 });
  const head = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, error: ((await response.json()) as { error: { message: string } }).error };
  };
  return { ...http, keyId, url, head, post };
}

test('a body of hundreds of thousands of names is refused with what was found as soon as it is too many, before anything is made of it', async (t) => {
  const { post } = await open(t);
  const names = Array.from({ length: 300_000 }, (_, index) => `"k${index}":0`).join();
  for (const path of ['/v1/prices', '/v1/images', '/v1/images/actions']) {
    const { status, error } = await post(path, `{"model_id":"sketch",${names}}`, { 'idempotency-key': 'many' });
    assert.equal(status, 400, path);
    assert.match(error.message, /^The body has an object of at least \d{3,5} names; the limit is 256\.$/);
  }
  const lists = await post('/v1/images', `{"a":[${Array(80_000).fill('[]').join()}]}`, { 'idempotency-key': 'lists' });
  assert.equal(lists.status, 400);
  assert.match(lists.error.message, /has at least \d{4,5} values; the limit is 2000\.$/);
});

test('a body that ends within a data: string is refused by its measure, before text is made of it', async (t) => {
  const { post } = await open(t);
  const cut = `{"model_id":"sketch","image_urls":["data:image/png;base64,${'A'.repeat(500_000)}`;
  const { status, error } = await post('/v1/images', cut);
  assert.deepEqual(
    [status, error.message],
    [400, `The body is not valid JSON: it ends after ${cut.length} bytes, inside a string, an object or an array.`],
  );
});

test('a number beyond a double is a fault of the field, also with an Idempotency-Key', async (t) => {
  const { post } = await open(t);
  for (const headers of [{}, { 'idempotency-key': 'infinite' }]) {
    const { status, error } = await post('/v1/images', '{"model_id":"sketch","prompt":"x","seed":1e400}', headers);
    assert.deepEqual([status, (error as { param?: string }).param], [400, 'seed']);
  }
});

test('a small limit holds where no order is taken, and JSON is no upload', async (t) => {
  const { post, issue, url } = await open(t);
  const { key: admin } = await issue({ mode: 'admin' });
  const body = JSON.stringify({ name: 'x'.repeat(70_000) });
  const response = await fetch(`${url}/admin/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body,
  });
  const { error } = (await response.json()) as { error: { message: string } };
  assert.deepEqual(
    [response.status, error.message],
    [413, `The body has ${body.length} bytes; the limit is 65536 bytes.`],
  );
  assert.equal((await post('/v1/files', body)).status, 415);
});

test('bodies on the way are limited for each key, whether they announce their length or not, and end with the connection', async (t) => {
  const { services, keyId, url, head } = await open(t, { body_bytes: MB });
  const remaining = () => services.budgets.state(keyId, ['body_bytes'])[0]?.remaining;
  const announced = await openRaw(url);
  announced.write(`${head('/v1/images', 'Content-Length: 700000')}{`);
  await until(remaining, (left) => left === MB - 700_000);
  const second = await sendRaw(url, head('/v1/images', 'Content-Length: 700000'));
  assert.deepEqual([second.status, second.error.code], [429, 'rate_limited']);
  assert.match(
    second.error.message,
    /limit of bytes of request bodies: 700000 in use, 700000 more requested, at most 1048576 at once\. Retry/,
  );
  const rates = ['retry-after', 'ratelimit-policy', 'ratelimit'].map((name) => second.headers.get(name));
  assert.deepEqual(rates, ['1', '"body_bytes";q=1048576;qu="content-bytes"', '"body_bytes";r=348576']);
  announced.close();
  await until(remaining, (left) => left === MB);
  const data = 'x'.repeat(300_000);
  const chunked = await openRaw(url);
  chunked.write(
    `${head('/v1/images', 'Transfer-Encoding: chunked')}493e7\r\n{"image_urls":["data:${data.slice(21)}\r\n`,
  );
  await until(remaining, (left) => (left ?? MB) < MB - 300_000);
  chunked.close();
  await until(remaining, (left) => left === MB);
});

test('bodies that one end user sends at once are limited to its share, and one that grows beyond it is not refused', async (t) => {
  const { as, issue, services, url } = await open(t, { body_bytes: MB });
  const { key, key_id: keyId } = await issue();
  const remaining = () => services.budgets.state(keyId, ['body_bytes'])[0]?.remaining;
  const headOf = async (endUser: string | null) => {
    const issued = as(key, { method: 'POST', url: '/v1/client_tokens', payload: { end_user: endUser } });
    const credential = endUser === null ? key : (await issued).json().data.token;
    return (more: string) =>
      `POST /v1/images HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
  };
  const [ada, bob, own] = [await headOf('ada'), await headOf('bob'), await headOf(null)];
  const first = await openRaw(url);
  t.after(() => first.close());
  first.write(`${ada('Content-Length: 400000')}{`);
  await until(remaining, (left) => left === MB - 400_000);
  const second = await sendRaw(url, ada('Content-Length: 400000'));
  assert.deepEqual([second.status, second.error.code], [429, 'rate_limited']);
  assert.match(
    second.error.message,
    /^This end user has reached its share of the bytes of request bodies: 400000 in use/,
  );
  const rates = ['ratelimit-policy', 'ratelimit'].map((name) => second.headers.get(name));
  assert.deepEqual(rates, ['"body_bytes";q=524288;qu="content-bytes"', '"body_bytes";r=124288']);
  const bodyOf = (bytes: number) => `{"image_urls":["data:${'x'.repeat(bytes - 24)}"]}`;
  for (const head of [bob, own]) {
    const { status } = await sendRaw(url, head('Content-Length: 400000') + bodyOf(400_000));
    assert.equal(status, 400, 'it is read to its end and judged');
  }
  first.close();
  await until(remaining, (left) => left === MB);

  const body = bodyOf(900_000);
  const chunks = Array.from({ length: 9 }, (_, at) => `186a0\r\n${body.slice(at * 100_000, (at + 1) * 100_000)}\r\n`);
  const grown = await sendRaw(url, `${ada('Transfer-Encoding: chunked')}${chunks.join('')}0\r\n\r\n`);
  assert.equal(grown.status, 400);
  await until(remaining, (left) => left === MB);
});

test('what is discarded of refused bodies counts against the speed of their key, and the connection serves on', async (t) => {
  const read = new Map<string, number>();
  const bodyPace: BodyPace = (owner, bytes) => {
    read.set(owner, (read.get(owner) ?? 0) + bytes);
    return 0;
  };
  const { url, head, keyId } = await open(t, {}, { bodyPace });
  const filler = 'x'.repeat(3 * MB);
  const next = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  for (const [path, refused] of [
    ['/v1/images', '413'],
    ['/v1/nowhere', '404'],
  ] as const) {
    read.clear();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`${head(path, `Content-Length: ${filler.length}`)}${filler}${next}`);
    const answers = Buffer.concat(await socket.toArray()).toString();
    assert.match(answers, new RegExp(`^HTTP/1\\.1 ${refused}[^]*HTTP/1\\.1 200 `), path);
    const [[owner, bytes = 0] = []] = [...read];
    assert.equal(owner, refused === '413' ? keyId : 'anonymous');
    assert.ok(bytes > 2 * MB, `${bytes} bytes of ${path}`);
  }
});
