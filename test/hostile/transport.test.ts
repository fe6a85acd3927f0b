import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import { type ChildService, openPremises } from '../crash/child-service.ts';
import { openTestHttp } from '../helpers/http.ts';
import { assertHealthy, assertNoTrace } from './target.ts';

/** Far less than a request may take to arrive, after which the service ends it. */
const ANSWERED_WITHIN_MS = 20_000;

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes and answers all that came back until the connection ended, or until nothing more can come. */
async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const socket = await open(url);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.end(bytes);
  const ended = await Promise.race([closed.then(() => true), sleep(ANSWERED_WITHIN_MS, false, { ref: false })]);
  socket.destroy();
  assert.ok(ended, `the connection still hangs after ${JSON.stringify(answer.slice(0, 200))}`);
  return answer;
}

function statusesOf(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/**
 * What is sent, and how the first answer must begin: with a 4xx, or with nothing at all where no request was to be
 * seen.
 */
function garbage(
  key: string,
): Record<string, { readonly bytes: string | Buffer; readonly statuses?: readonly number[] }> {
  const auth = `host: a\r\nauthorization: Bearer ${key}\r\n`;
  const post = `POST /v1/images HTTP/1.1\r\n${auth}content-type: application/json\r\n`;
  const get = `GET /v1/images HTTP/1.1\r\n${auth}\r\n`;
  return {
    'random bytes': { bytes: Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 37 + 11) % 256)) },
    zeroes: { bytes: Buffer.alloc(1_000) },
    'a TLS greeting': { bytes: Buffer.from('16030100a5010000a10303', 'hex') },
    'the preface of HTTP/2': { bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
    'HTTP/0.9': { bytes: 'GET /\r\n' },
    'HTTP/9.9': { bytes: `GET /healthz HTTP/9.9\r\n${auth}\r\n` },
    'a method of its own': { bytes: `GETT /healthz HTTP/1.1\r\n${auth}\r\n` },
    'a space in the path': { bytes: `GET /v1/ima ges HTTP/1.1\r\n${auth}\r\n` },
    'a header without name': { bytes: `GET /v1/images HTTP/1.1\r\n: a\r\n${auth}\r\n` },
    'a header with a space': { bytes: `GET /v1/images HTTP/1.1\r\nx y: a\r\n${auth}\r\n` },
    'a folded header': { bytes: `GET /v1/images HTTP/1.1\r\nx-a: b\r\n c: d\r\n${auth}\r\n` },
    'NUL in a header': { bytes: `GET /v1/images HTTP/1.1\r\nx-a: b\0c\r\n${auth}\r\n` },
    'two hosts': { bytes: `GET /v1/images HTTP/1.1\r\nhost: b\r\n${auth}\r\n` },
    'lines without CR': { bytes: `GET /v1/images HTTP/1.1\nhost: a\n\n` },
    'a header of 100 KB': {
      bytes: `GET /v1/images HTTP/1.1\r\nx-a: ${'a'.repeat(100_000)}\r\n${auth}\r\n`,
      statuses: [431],
    },
    'ten thousand headers': { bytes: `GET /v1/images HTTP/1.1\r\n${'a: b\r\n'.repeat(10_000)}\r\n`, statuses: [431] },
    'an address of 100 KB': { bytes: `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${auth}\r\n`, statuses: [414] },
    'a negative length': { bytes: `${post}content-length: -1\r\n\r\n{}` },
    'a length of letters': { bytes: `${post}content-length: 0x10\r\n\r\n{}` },
    'two lengths': { bytes: `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}` },
    'an endless length': { bytes: `${post}content-length: 99999999999999999999\r\n\r\n{}` },
    'a length of 33 MB': { bytes: `${post}content-length: 34603009\r\n\r\n{}`, statuses: [413] },
    'a length of a terabyte': { bytes: `${post}content-length: 1099511627776\r\n\r\n{}`, statuses: [413] },
    'a length and chunks': { bytes: `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n` },
    'chunks twice': { bytes: `${post}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n` },
    'a coding of its own': { bytes: `${post}transfer-encoding: zip\r\n\r\n{}` },
    'chunks in gzip': { bytes: `${post}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n` },
    'a chunk without a number': { bytes: `${post}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n` },
    'a chunk without end': { bytes: `${post}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}` },
    'a chunk longer than it says': { bytes: `${post}transfer-encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n` },
    'extensions of 100 KB': {
      bytes: `${post}transfer-encoding: chunked\r\n\r\n2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
      statuses: [413],
    },
    'trailers of 100 KB': { bytes: `${post}transfer-encoding: chunked\r\n\r\n0\r\nx: ${'a'.repeat(100_000)}\r\n\r\n` },
    'a smuggled request': {
      bytes: `${post}content-length: 2\r\ntransfer-encoding : chunked\r\n\r\n{}GET /admin/v1/accounts HTTP/1.1\r\nhost: a\r\n\r\n`,
    },
    'an upgrade': {
      bytes: `GET /v1/images HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nhost: a\r\n\r\n`,
      statuses: [401],
    },
    CONNECT: { bytes: 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nhost: a\r\n\r\n', statuses: [405] },
    TRACE: { bytes: `TRACE /v1/images HTTP/1.1\r\n${auth}\r\n`, statuses: [405] },
    // A refusal here would pass for the answer to the first of them.
    'two good ones and garbage': { bytes: `${get}${get}\x01\x02\x03\r\n\r\n`, statuses: [] },
    'a body nobody asked for': {
      bytes: `GET /v1/images HTTP/1.1\r\n${auth}content-length: 3\r\n\r\nabcGET /nowhere HTTP/1.1\r\n${auth}\r\n`,
      statuses: [200, 404],
    },
  };
}

test('garbage on the wire is answered with a 4xx or not at all, and never hangs', async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  const all = garbage(premises.keys.test);
  const faults: string[] = [];
  const run = async () => {
    for (const [what, { bytes, statuses }] of Object.entries(all)) {
      const found = statusesOf(await exchange(child.url, bytes).catch((error: unknown) => `hung: ${String(error)}`));
      const isRefused = found.length <= 1 && found.every((status) => status >= 400 && status < 500);
      if (statuses === undefined ? !isRefused : String(found) !== String(statuses)) faults.push(`${what}: ${found}`);
    }
  };
  await assertNoTrace(t, child, run);
  assert.deepEqual(faults, []);
  await assertHealthy(child, premises);
});

test('any number of incomplete bodies delays nobody and leaves nothing behind', async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  const auth = `host: a\r\nauthorization: Bearer ${premises.keys.test}\r\n`;
  const halves = [
    `POST /v1/images HTTP/1.1\r\n${auth}content-type: application/json\r\ncontent-length: 30000000\r\n\r\n{"model_id":"`,
    `POST /v1/files HTTP/1.1\r\n${auth}content-type: image/png\r\ncontent-length: 30000000\r\n\r\n\x89PNG`,
    `POST /v1/files HTTP/1.1\r\n${auth}content-type: multipart/form-data; boundary=x\r\ncontent-length: 30000\r\n\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc`,
    `POST /v1/images HTTP/1.1\r\n${auth}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"mod`,
    `POST /v1/images HTTP/1.1\r\n${auth}`,
    'GET',
  ];
  await assertNoTrace(t, child, async () => {
    const sockets = await Promise.all(Array.from({ length: 120 }, () => open(child.url)));
    for (const [index, socket] of sockets.entries()) {
      socket.resume();
      socket.write(Buffer.from(halves[index % halves.length] ?? '', 'latin1'));
    }
    await assertAnswersQuickly(child);
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) socket.destroy();
      else socket.end();
    }
    await until(
      () => sockets.filter(({ closed }) => !closed).length,
      (open) => open === 0,
    );
    await assertAnswersQuickly(child);
  });
  await assertHealthy(child, premises);
});

test('clients that send bytes slowly delay no others', async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  await assertNoTrace(t, child, async () => {
    const sockets = await Promise.all(Array.from({ length: 150 }, () => open(child.url)));
    for (const socket of sockets) socket.write('GET /v1/images HTTP/1.1\r\n');
    for (let round = 0; round < 10; round++) {
      for (const socket of sockets) socket.write('x');
      await assertAnswersQuickly(child);
    }
    for (const socket of sockets) socket.destroy();
    await assertAnswersQuickly(child);
  });
  await assertHealthy(child, premises);
});

test('headers and bodies that do not arrive in time are answered 408 and cut', async (t: TestContext) => {
  const { app, issue } = await openTestHttp(t, { arrival: { headersMs: 300, requestMs: 600 } });
  const { key } = await issue();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const half = `POST /v1/images HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{`;
  for (const begun of ['GET /v1/images HTTP/1.1\r\nhost: a\r\n', half]) {
    const socket = await open(url);
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    socket.write(begun);
    await Promise.race([once(socket, 'close'), sleep(ANSWERED_WITHIN_MS, undefined, { ref: false })]);
    assert.deepEqual(statusesOf(answer), [408], JSON.stringify(begun));
    assert.equal(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).error.code, 'request_timeout');
    socket.destroy();
  }
});

/**
 * Asks over a connection of its own. The answer also shows that the service has had its turn at what the other
 * connections sent before.
 */
async function assertAnswersQuickly(child: ChildService): Promise<void> {
  const since = performance.now();
  assert.equal((await child.call(null, 'GET', '/healthz')).status, 200);
  const took = performance.now() - since;
  assert.ok(took < 15_000, `${Math.round(took)} ms`);
}
