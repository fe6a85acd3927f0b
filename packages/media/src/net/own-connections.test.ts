import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FetchFault } from './fetch-fault.ts';
import { openOwnConnections } from './own-connections.ts';
import { createTrustedFetch, type FetchOptions } from './trusted-fetch.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const LENGTH = 'Content-Length: 3\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const CHUNKS = '3\r\nfox\r\n0\r\n\r\n';

/** Bytes of answers, of which some are not HTTP. */
const ANSWERS: Readonly<Record<string, string>> = {
  'with a length': `${OK}${LENGTH}\r\nfox`,
  'up to the end of the connection': `${OK}\r\nfox`,
  'in chunks': `${OK}${CHUNKED}\r\n${CHUNKS}`,
  'with trailers': `${OK}${CHUNKED}\r\n3;a=b\r\nfox\r\n0\r\nX-A: b\r\n\r\n`,
  'cut within its chunks': `${OK}${CHUNKED}\r\n3\r\nfox\r\n`,
  'cut within its length': `${OK}Content-Length: 9\r\n\r\nfox`,
  'with a chunk of no size': `${OK}${CHUNKED}\r\nzz\r\nfox\r\n0\r\n\r\n`,
  'with length and chunks': `${OK}${CHUNKED}${LENGTH}\r\n${CHUNKS}`,
  'with two lengths': `${OK}${LENGTH}${LENGTH}\r\nfox`,
  'with a length that is none': `${OK}Content-Length: x3\r\n\r\nfox`,
  'in another transfer coding': `${OK}Transfer-Encoding: gzip\r\n\r\nfox`,
  'with a folded header': `${OK}X-A: b\r\n c\r\n${LENGTH}\r\nfox`,
  'with bare line feeds': `${OK}${LENGTH}\r\nfox`.replaceAll('\r', ''),
  'with a space before a colon': `${OK}Content-Length : 3\r\n\r\nfox`,
  'with a control character': `${OK}X-A: a\x01b\r\n${LENGTH}\r\nfox`,
  'with a letter beyond ASCII': `${OK}X-A: caf\xe9\r\n${LENGTH}\r\nfox`,
  'with a header of no value': `${OK}X-A\r\n${LENGTH}\r\nfox`,
  'of HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\nfox',
  'of no HTTP': 'fox',
  'of no status': `HTTP/1.1 99 No\r\n${LENGTH}\r\nfox`,
  'without a body': 'HTTP/1.1 204 No Content\r\n\r\n',
  'after hints': `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}${LENGTH}\r\nfox`,
  'in another protocol': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nfox',
  'with another one behind it': `${OK}${LENGTH}\r\nfox${OK}${LENGTH}\r\ncat`,
  'with 3,000 headers': `${OK}${Array.from({ length: 3_000 }, (_, index) => `a${index}: 1\r\n`).join('')}${LENGTH}\r\nfox`,
  'with repeated headers': `${OK}X-A: a\r\nx-a: b\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n${LENGTH}\r\nfox`,
  'with the names of objects': `${OK}__proto__: x\r\nconstructor: y\r\n${LENGTH}\r\nfox`,
  'of nothing': '',
  'of half a line': 'HTTP/1.1 200',
};

/** Serves what `answer` writes once a request has come to a path. */
async function serveBytes(t: TestContext, answer: (socket: Socket, path: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (head) => answer(socket, /^POST \/(\S*)/.exec(String(head))?.[1] ?? ''));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openReader(t: TestContext) {
  const { fetch, close } = createTrustedFetch({ allowedAddresses: ['127.0.0.0/8'] });
  t.after(close);
  /** Returns what a caller sees: the answer, or the fault. */
  return async (url: string, call: Partial<FetchOptions>): Promise<unknown> => {
    const limits = { method: 'POST', body: '{}', maxBytes: 1_000_000, timeoutMs: 60_000 };
    let status: number | undefined;
    try {
      const response = await fetch(url, { ...limits, ...call });
      status = response.status;
      return { status, headers: response.headers, body: await text(response.body) };
    } catch (error) {
      assert.ok(error instanceof FetchFault, String(error));
      return { status, kind: error.kind, sent: error.sent };
    }
  };
}

test('an order reads of every answer what a kept connection would read', async (t) => {
  const origin = await serveBytes(t, (socket, path) =>
    socket.end(Buffer.from(ANSWERS[decodeURIComponent(path)] ?? '', 'latin1')),
  );
  const read = openReader(t);
  for (const name of Object.keys(ANSWERS)) {
    const url = `${origin}/${encodeURIComponent(name)}`;
    const kept = await read(url, { freshConnection: false });
    assert.deepEqual(await read(url, { freshConnection: true }), kept, name);
  }
});

test('an answer counts that comes before the request was read, whatever becomes of the connection', async (t) => {
  const endings: Readonly<Record<string, (socket: Socket) => void>> = {
    open: () => {},
    ended: (socket) => socket.end(),
    closed: (socket) => socket.destroy(),
  };
  const origin = await serveBytes(t, (socket, path) => {
    socket.pause();
    socket.write(`HTTP/1.1 413 Too Large\r\n${LENGTH}\r\nfox`, () => endings[path]?.(socket));
  });
  const read = openReader(t);
  const answer = { status: 413, headers: { 'content-length': '3' }, body: 'fox' };
  for (const path of Object.keys(endings))
    for (const body of [Buffer.alloc(20_000_000), Readable.from(Array(300).fill(Buffer.alloc(65_536)))])
      assert.deepEqual(await read(`${origin}/${path}`, { body, freshConnection: true }), answer, path);
});

test('a request whose body cannot be read is broken off, and its connection ends', async (t) => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const origin = await serveBytes(t, (socket) => socket.once('close', () => resolve()).resume());
  const body = Readable.from(
    (async function* () {
      yield Buffer.from('fox');
      throw new Error('unreadable');
    })(),
  );
  const fault = { status: undefined, kind: 'protocol', sent: 'unknown' };
  assert.deepEqual(await openReader(t)(origin, { body, freshConnection: true }), fault);
  await closed;
});

test('closing ends requests that are under way', async (t) => {
  const { fetch, close } = createTrustedFetch({ allowedAddresses: ['127.0.0.0/8'] });
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const origin = await serveBytes(t, () => resolve());
  const call = fetch(origin, { method: 'POST', freshConnection: true, maxBytes: 1_000, timeoutMs: 60_000 });
  await asked;
  await close();
  await assert.rejects(call, (error) => error instanceof FetchFault && error.kind === 'protocol');
});

test('a request that is given up as its connection is there, or that cannot be written, is not sent, and its connection ends', async (t) => {
  const { port, ended, received } = await serveSilently(t);
  const controller = new AbortController();
  const connections = openOwnConnections((_, give) => {
    const socket = connect(port, '127.0.0.1', () => {
      give(null, socket);
      controller.abort(new Error('given up'));
    });
  });
  const request = { method: 'POST', body: null, idleTimeoutMs: 0 };
  const url = new URL(`http://127.0.0.1:${port}`);
  await assert.rejects(connections.request(url, { ...request, headers: {}, signal: controller.signal }), /given up/);
  await ended(1);
  const { fetch } = createTrustedFetch({ allowedAddresses: ['127.0.0.0/8'] });
  const unwritable = { headers: { 'x-a': 'a\nb' }, freshConnection: true, maxBytes: 1_000, timeoutMs: 60_000 };
  await assert.rejects(fetch(url.href, unwritable), TypeError);
  await ended(2);
  assert.equal(received(), 0);
});

test('a response that is paused keeps no more pieces than one read of its socket had', async (t) => {
  const chunk = '1\r\n \r\n';
  const origin = await serveBytes(t, (socket) => socket.write(`${OK}${CHUNKED}\r\n${chunk.repeat(200_000)}0\r\n\r\n`));
  const url = new URL(origin);
  const connections = openOwnConnections((_, give) => {
    const socket = connect(Number(url.port), url.hostname, () => give(null, socket));
  });
  t.after(() => connections.close());
  const { signal } = new AbortController();
  const response = await connections.request(url, {
    method: 'POST',
    headers: {},
    body: null,
    signal,
    idleTimeoutMs: 0,
  });
  let bytes = 0;
  response.on('data', (piece: Buffer) => (bytes += piece.length)).once('data', () => response.pause());
  await once(response, 'pause');
  // Turns enough to read everything.
  for (let turn = 0; turn < 200; turn++) await nextTurn();
  const most = Math.ceil((64 * 1024) / chunk.length);
  assert.ok(response.readableLength <= most, `${response.readableLength} pieces wait, expected at most ${most}`);
  response.resume();
  await once(response, 'end');
  assert.equal(bytes, 200_000);
});

/** Serves connections without a word. @returns what waits until so many have ended, and the bytes that came */
async function serveSilently(t: TestContext) {
  let bytes = 0;
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', (piece) => (bytes += piece.length));
    socket.once('close', () => server.emit('ended', ++count));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const ended = async (of: number) => {
    while (count < of) await once(server, 'ended');
  };
  return { port: (server.address() as AddressInfo).port, ended, received: () => bytes };
}
