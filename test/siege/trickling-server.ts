import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerInPieces } from './one-byte-pieces.ts';

const PIECE_EVERY_MS = 20_000;
const CLAIMED_BYTES = 1_000_000;
const PIECES_BYTES = 4_000_000;
/** On the wire. */
export const MEGABYTES_OF_REFERENCE = 24;

/**
 * A server that claims to send a picture and sends a byte of it every twenty seconds; below `/pieces/` it sends
 * megabytes, in pieces of one byte.
 */
export async function openTricklingServer(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/pieces/') === true)
      return answerInPieces(response, 'image/png', Buffer.alloc(PIECES_BYTES, '\x89PNG\r\n\x1a\n', 'latin1'));
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': CLAIMED_BYTES });
    response.write('\x89');
    const timer = setInterval(() => response.write('P'), PIECE_EVERY_MS);
    response.on('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
