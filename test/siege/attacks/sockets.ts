import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const PIPELINED = 1_700;
const UNREAD_SOCKETS = 4;
const IDLE_CONNECTIONS = 1_000;
const STREAMS = 2_000;
const OPENED_AT_ONCE = 100;

/** Connections that ask without reading, or neither ask nor go. */
export const SOCKET_ATTACKS: readonly Attack[] = [
  {
    name: 'catalogs asked for in one go and never read',
    who: 'anonymous',
    async run({ url }, signal) {
      const asked = 'GET /v1/catalog HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(PIPELINED);
      const sockets = Array.from({ length: UNREAD_SOCKETS }, () => {
        const socket = open(url).pause();
        socket.write(asked);
        return socket;
      });
      return await holdUntil(signal, sockets);
    },
  },
  {
    name: 'connections with half a header',
    who: 'anonymous',
    async run({ url }, signal) {
      const sockets = await openMany(url, IDLE_CONNECTIONS, 'GET /v1/catalog HTTP/1.1\r\nHost: a\r\nX-Slow: ', signal);
      return await holdUntil(signal, sockets);
    },
  },
  {
    name: 'event streams on one signed address',
    who: 'test key',
    // Two thousand connections in half a second: how long that takes is a matter of the machine.
    timesAtRest: 25,
    async run({ url, eventsUrl }, signal) {
      const { pathname, search } = new URL(eventsUrl);
      const asked = `GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n`;
      const sockets = await openMany(url, STREAMS, asked, signal);
      let refused = 0;
      for (const socket of sockets)
        socket.once('data', (chunk) => {
          if (String(chunk).startsWith('HTTP/1.1 4')) refused++;
        });
      const held = await holdUntil(signal, sockets);
      return `${held}, ${refused} were refused`;
    },
  },
  {
    name: 'event streams that are never read',
    who: 'test key',
    async run({ url, eventsUrl }, signal) {
      const { pathname, search } = new URL(eventsUrl);
      const asked = `GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(50);
      const sockets = (await openMany(url, 50, asked, signal)).map((socket) => socket.pause());
      return await holdUntil(signal, sockets);
    },
  },
];

async function openMany(url: string, count: number, first: string, signal: AbortSignal): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count && !signal.aborted) {
    for (let each = 0; each < OPENED_AT_ONCE && sockets.length < count; each++) {
      const socket = open(url);
      socket.write(first);
      sockets.push(socket);
    }
    await sleep(20);
  }
  return sockets;
}

async function holdUntil(signal: AbortSignal, sockets: readonly Socket[]): Promise<string> {
  if (!signal.aborted) await sleep(120_000, undefined, { signal }).catch(() => {});
  const cut = sockets.filter((socket) => socket.destroyed).length;
  for (const socket of sockets) socket.destroy();
  return `${sockets.length} opened, ${cut} cut off by the service`;
}

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  return socket;
}
