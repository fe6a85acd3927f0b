import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's side of WebSockets, as far as a fake needs it: it sends, and reads nothing but the close. */
interface FakeSockets {
  upgrade(request: IncomingMessage, socket: Duplex): void;
  /** Sends a text to the client that connected with this `clientId`. */
  send(clientId: string, message: object): void;
  readonly clients: ReadonlySet<string>;
  closeAll(): void;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Creates the WebSocket side of a fake upstream. @param judge tells whether a connection is accepted */
export function createFakeSockets(judge: (request: IncomingMessage) => boolean): FakeSockets {
  const sockets = new Map<string, Duplex>();
  const clients = new Set<string>();
  const open = new Set<Duplex>();
  return {
    clients,
    upgrade(request, socket) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
      const key = request.headers['sec-websocket-key'];
      if (!judge(request) || pathname !== '/ws' || key === undefined) {
        socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      );
      const id = searchParams.get('clientId') ?? '';
      // A second connection of the same id replaces the first, which gets no more messages.
      sockets.set(id, socket);
      open.add(socket);
      clients.add(id);
      const gone = () => {
        socket.destroy();
        open.delete(socket);
        if (sockets.get(id) === socket) sockets.delete(id);
      };
      // Of a client's frames, only the close matters here.
      socket.on('data', (bytes: Buffer) => ((bytes[0] ?? 0) & 0x0f) === 8 && gone());
      socket.on('error', gone);
      socket.on('close', gone);
      const status = { status: { exec_info: { queue_remaining: 0 } }, sid: id };
      socket.write(frameOf(JSON.stringify({ type: 'status', data: status })));
      // A preview picture, which is a binary frame.
      socket.write(Buffer.from([0x82, 10, 0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8]));
    },
    send: (clientId, message) => void sockets.get(clientId)?.write(frameOf(JSON.stringify(message))),
    closeAll() {
      for (const socket of open) socket.destroy();
      sockets.clear();
    },
  };
}

function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = payload.length < 126 ? [0x81, payload.length] : [0x81, 126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from(head), payload]);
}
