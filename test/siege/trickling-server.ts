import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PIECE_EVERY_MS = 20_000;
const CLAIMED_BYTES = 1_000_000;

/** A server that claims to send a picture and sends a byte of it every twenty seconds. */
export async function openTricklingServer(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((_request, response) => {
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
