import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openTestHttp } from '../../../test/helpers/http.ts';

/** Sends a request with these header lines over a real connection, and returns its status and its error. */
async function open(t: TestContext) {
  const { app, issue } = await openTestHttp(t);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const { key } = await issue();
  return (lines: readonly string[], host: string | null = 'x') =>
    new Promise<{ status: number; code?: string; param?: string }>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('close', () => {
        const { error = {} } = JSON.parse(text.split('\r\n\r\n')[1] ?? '{}');
        resolve({ status: Number(text.split(' ')[1]), code: error.code, param: error.param });
      });
      const all = [...(host === null ? [] : [`Host: ${host}`]), `Authorization: Bearer ${key}`, ...lines];
      const body = '{"model_id":"sketch"}';
      const rest = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'];
      socket.end(`POST /v1/prices HTTP/1.1\r\n${[...all, ...rest].join('\r\n')}\r\n\r\n${body}`);
    });
}

test('a header of one value that occurs twice is refused, also with the same value, and lists are not', async (t) => {
  const send = await open(t);
  for (const [name, ...values] of [
    ['Authorization', 'Bearer x'],
    ['content-type', 'application/json'],
    ['Host', 'x'],
    ['Idempotency-Key', 'a', 'b'],
    ['Content-Encoding', 'identity', 'identity'],
    ['Darkroom-Simulate', 'seconds=1', 'seconds=2'],
    ['Origin', 'https://a.example', 'https://b.example'],
    ['Range', 'bytes=0-1', 'bytes=2-3'],
    ['Expect', '100-continue', '100-continue'],
  ] as const) {
    const answer = await send(values.map((value) => `${name}: ${value}`));
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'], name);
    assert.equal(answer.param?.toLowerCase(), name.toLowerCase());
  }
  for (const name of ['Prefer', 'Accept', 'If-None-Match', 'X-Forwarded-For', 'Cookie'])
    assert.equal((await send([`${name}: a`, `${name}: b`])).status, 200, name);
});

test('a host that could be none is refused, and one that could be is not', async (t) => {
  const send = await open(t);
  for (const host of ['a/b@c', 'a@b', 'a b', 'a?b', 'a#b', 'a\\b', '[::1', 'a:b', 'a:80:80', 'http://a', '<a>', 'a"b'])
    assert.deepEqual(await send([], host), { status: 400, code: 'invalid_request', param: 'Host' }, host);
  for (const host of ['a', 'a.example:8080', '127.0.0.1', '[::1]:8080', 'a_b.example', 'xn--a.example.', 'a:'])
    assert.equal((await send([], host)).status, 200, host);
});

test('an expectation that is not met is refused with 417', async (t) => {
  const send = await open(t);
  for (const value of ['foo', '100-continue, foo', '200-ok', ''])
    assert.deepEqual((await send([`Expect: ${value}`])).status, 417, value);
});
