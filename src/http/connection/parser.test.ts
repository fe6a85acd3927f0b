import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openTestHttp } from '../../../test/helpers/http.ts';
import type { HttpOptions } from '../http-options.ts';

/** Sends bytes over a real connection and reads what comes until it is quiet or closed. */
async function open(t: TestContext, changes: Partial<HttpOptions> = {}) {
  const http = await openTestHttp(t, changes);
  await http.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.app.server.address() as AddressInfo;
  const send = (bytes: string, quietMs = 150) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      let timer = setTimeout(() => finish(), 60_000);
      const finish = () => {
        clearTimeout(timer);
        socket.destroy();
        resolve(text);
      };
      socket.on('data', (chunk) => {
        text += chunk.toString('utf8');
        clearTimeout(timer);
        timer = setTimeout(finish, quietMs);
      });
      socket.on('close', finish);
      socket.on('error', () => {});
      socket.write(bytes, 'latin1');
    });
  return { ...http, send };
}

/** Status and error of an answer, checked to be whole and in the one shape. */
function readFailure(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const status = Number(head.split(' ')[1]);
  const requestId = /^x-request-id: (.+)$/im.exec(head)?.[1];
  assert.match(head, /^content-type: application\/json/im);
  const { error, timestamp } = JSON.parse(body);
  assert.equal(error.status, status);
  assert.equal(error.request_id, requestId);
  assert.equal(error.docs_url, `http://darkroom.test/docs#error-${error.code}`);
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return { status, code: error.code, head };
}

const cases: readonly (readonly [string, string, number, string])[] = [
  ['what is no HTTP', 'HELLO\r\n\r\n', 400, 'invalid_request'],
  ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_request'],
  ['a request without Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
  [
    'two lengths of one body',
    'POST /v1/images HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'invalid_request',
  ],
  ...['gzip, chunked', 'gzip,chunked', 'x-zip , chunked', 'identity, chunked'].map(
    (coding) =>
      [
        `a body in the transfer coding ${coding}`,
        `POST /v1/prices HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
        415,
        'unsupported_media_type',
      ] as const,
  ),
  [
    'transfer codings in two headers',
    'POST /v1/prices HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    415,
    'unsupported_media_type',
  ],
  ['headers beyond 16 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['an address beyond 8000 characters', `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'uri_too_long'],
  ['an address beyond all headers', `GET /${'a'.repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'uri_too_long'],
  ['a broken percent-encoding in the path', 'GET /v1/images/%zz HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['a lone surrogate in the path', 'GET /v1/images/%ED%A0%80 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['ill-formed Unicode in a query', 'GET /v1/catalog?type=%ff HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['NUL in a query', 'GET /v1/catalog?type=a%00 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['NUL in the path', 'GET /files/a%00 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['raw bytes in the address', 'GET /v1/catalog?type=\xe9 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['a method that nothing takes', 'PROPFIND /v1/images HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ['a tunnel', 'CONNECT other:80 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
];

test("requests that Node's parser refuses get the usual error format", async (t) => {
  const { send } = await open(t);
  const answers = await Promise.all(cases.map(([, bytes]) => send(bytes)));
  for (const [index, [name, , status, code]] of cases.entries()) {
    const failure = readFailure(answers[index]!);
    assert.deepEqual([failure.status, failure.code], [status, code], name);
  }
});

test('the transfer coding chunked is accepted in any case of its letters', async (t) => {
  const { send, issue } = await open(t);
  const { key } = await issue();
  const body = JSON.stringify({ model_id: 'sketch' });
  for (const coding of ['chunked', 'Chunked']) {
    const head = `POST /v1/prices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    assert.match(await send(`${head}Transfer-Encoding: ${coding}\r\n\r\n${chunk}`), /^HTTP\/1\.1 200 /);
  }
});

test('a request that does not arrive in time is answered 408, whether its headers or its body are missing', async (t) => {
  const { send, issue } = await open(t, { arrival: { requestMs: 400, headersMs: 200 } });
  const { key } = await issue();
  const [headers, body] = await Promise.all([
    send('GET / HTTP/1.1\r\nHost'),
    send(
      `POST /v1/images HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    ),
  ]);
  for (const answer of [headers, body]) assert.equal(readFailure(answer).code, 'request_timeout');
});

test('100 Continue is sent only after authentication', async (t) => {
  const { send, issue } = await open(t);
  const { key } = await issue();
  const ask = (secret: string) =>
    send(
      `POST /v1/prices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n`,
    );
  assert.equal(await ask(key), 'HTTP/1.1 100 Continue\r\n\r\n');
  assert.equal(readFailure(await ask('dk_live_wrong')).code, 'invalid_api_key');
});

test('a body that is too large is refused before it is read, and the refusal arrives', async (t) => {
  const { app, issue } = await open(t, { maxBodyBytes: 100_000 });
  const { key } = await issue();
  const { port } = app.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/v1/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: Buffer.alloc(8_000_000, 'a'),
  });
  const { error } = (await response.json()) as { error: { code: string } };
  assert.deepEqual([response.status, error.code], [413, 'body_too_large']);
});
