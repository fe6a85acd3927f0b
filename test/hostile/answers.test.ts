import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Registry } from 'prom-client';
import { openTestHttp } from '../helpers/http.ts';

const PIPELINED = 300;
const ANSWER_BYTES = 300_000;

/** Figures that are long, and that tell how often they were asked for. */
class LongFigures extends Registry {
  asked = 0;
  readonly #text: string;

  constructor(bytes: number) {
    super();
    this.#text = 'x'.repeat(bytes);
  }

  override async metrics(): Promise<string> {
    this.asked++;
    return this.#text;
  }
}

async function open(t: TestContext, bytes: number, arrival: { readonly unreadMs?: number } = {}) {
  const metrics = new LongFigures(bytes);
  const { app, issue } = await openTestHttp(t, { metrics, arrival });
  const { key } = await issue({ mode: 'admin' });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const request = `GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const dial = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { app, url, metrics, request, dial };
}

test('of pipelined requests with unread answers only a few run, and all run in order once they are read', async (t) => {
  const { url, metrics, request, dial } = await open(t, ANSWER_BYTES);
  const socket = await dial();
  socket.pause();
  socket.write(request.repeat(PIPELINED));
  // Others are answered meanwhile; after some rounds every request of the first chunk would have been begun.
  for (let round = 0; round < 20; round++) assert.equal((await fetch(`${url}/healthz`)).status, 200);
  const begun = metrics.asked;
  assert.ok(begun < PIPELINED / 2, `${begun} of ${PIPELINED} were begun`);
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  socket.resume();
  while (received < PIPELINED * ANSWER_BYTES) await once(socket, 'data');
  assert.equal(metrics.asked, PIPELINED);
});

test('a connection is cut when its answer is not read at all', async (t) => {
  const { app, request, dial } = await open(t, 30_000_000, { unreadMs: 100 });
  const accepted = once(app.server, 'connection');
  const socket = await dial();
  socket.pause();
  const [served] = (await accepted) as [Socket];
  socket.write(request);
  await once(served, 'close');
  assert.ok(served.destroyed);
});

test('a path of thousands of segments is answered as unknown or too long', async (t) => {
  const { url } = await open(t, 1);
  const { port } = new URL(url);
  for (const [path, status] of [
    [`/${'a/'.repeat(3_900)}`, 404],
    [`/v1/images/${'a/'.repeat(3_900)}`, 404],
    [`/${'a/'.repeat(4_100)}`, 414],
  ] as const) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.match(first.toString('latin1'), new RegExp(`^HTTP/1\\.1 ${status} `), path.slice(0, 20));
    socket.destroy();
  }
});
