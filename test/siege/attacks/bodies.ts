import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { bearer, flood, type Shot } from './flood.ts';

const MEGABYTE = 1_000_000;
const LARGE = 31 * MEGABYTE;
const STALLED_BODIES = 40;

/** Bodies that are legal JSON, or the greater part of it, and dear to read. */
export const BODY_ATTACKS: readonly Attack[] = [
  bodyOf('31 MB of field names', '/v1/prices', () => `{"model_id":"sketch"${names(LARGE)}}`),
  bodyOf('31 MB of empty arrays', '/v1/images', () => `{"model_id":"sketch","x":[${'[],'.repeat(LARGE / 3)}[]]}`),
  bodyOf(
    '31 MB of nesting',
    '/v1/images',
    () => `{"model_id":"sketch","x":${'['.repeat(LARGE / 2)}${']'.repeat(LARGE / 2)}}`,
  ),
  bodyOf('31 MB of prompt', '/v1/images', () => `{"model_id":"sketch","prompt":"${'\\u0041'.repeat(LARGE / 6)}"}`),
  bodyOf('31 MB of data URI without end', '/v1/images', () => {
    const data = 'A'.repeat(LARGE);
    return `{"model_id":"sketch","prompt":"x","image_urls":["data:image/png;base64,${data}"]}`;
  }),
  bodyOf(
    '31 MB of data URI in escapes, of unknown length',
    '/v1/images',
    () => `{"model_id":"sketch","prompt":"x","image_urls":["data:image/png;base64,${'\\u0041'.repeat(LARGE / 6)}"]}`,
    { 'transfer-encoding': 'chunked' },
  ),
  bodyOf('data URIs of 20 MB that are no picture', '/v1/images', () => {
    const data = 'A'.repeat(26_600_000);
    return `{"model_id":"sketch","prompt":"x","image_urls":["data:image/png;base64,${data}"]}`;
  }),
  bodyOf('31 MB of metadata', '/v1/images', () => `{"model_id":"sketch","prompt":"x","metadata":{${namesIn(LARGE)}}}`),
  {
    name: '40 bodies that stop short of their end',
    who: 'test key',
    async run({ url, testKey }, signal) {
      const sockets = Array.from({ length: STALLED_BODIES }, () => open(url));
      const head = `POST /v1/images HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/json\r\nContent-Length: ${32 * MEGABYTE}\r\n\r\n`;
      const piece = Buffer.alloc(MEGABYTE, '[');
      for (const socket of sockets) socket.write(head);
      for (let sent = 0; sent < LARGE && !signal.aborted; sent += MEGABYTE) {
        for (const socket of sockets) if (socket.writable && socket.writableLength < 4 * MEGABYTE) socket.write(piece);
        await sleep(50);
      }
      const cut = sockets.filter((socket) => socket.destroyed).length;
      await sleep(2_000, undefined, { signal }).catch(() => {});
      for (const socket of sockets) socket.destroy();
      return `${cut} of ${STALLED_BODIES} were cut off`;
    },
  },
];

function bodyOf(name: string, path: string, make: () => string, headers: Shot['headers'] = {}): Attack {
  return {
    name,
    who: 'test key',
    prepare: async () => Buffer.from(make()),
    run({ url, testKey }, signal, body) {
      const shot = () => ({
        path,
        body,
        headers: { ...bearer(testKey), ...headers, 'idempotency-key': `siege-${path}` },
      });
      return flood({ url, connections: 2, most: 12, signal, shot });
    },
  };
}

function names(bytes: number): string {
  return `,${namesIn(bytes)}`;
}

function namesIn(bytes: number): string {
  const pairs: string[] = [];
  for (let length = 0, turn = 0; length < bytes; turn++) {
    const pair = `"k${turn}":"0"`;
    pairs.push(pair);
    length += pair.length + 1;
  }
  return pairs.join(',');
}

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.resume();
  return socket;
}
