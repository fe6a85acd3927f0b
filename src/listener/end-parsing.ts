import type { Socket } from 'node:net';
import { ServiceError, world } from '@darkroom-service/contract';

const DISCARD_MS = 1_000;
const DISCARD_BYTES = 1_048_576;

/** The part of Node's parser that is used here: its callbacks, by number. */
interface HttpSocket extends Socket {
  readonly parser?: Record<string, unknown> | null;
}

/**
 * Stops parsing a connection. Arriving data is discarded for a while, so that a client that writes before it reads
 * still gets its answer: unread bytes would make the system reset the connection, and with it the answer.
 */
export function endParsing(socket: Socket): void {
  const parseBodies = ignoreBodies(socket);
  // Node would close the connection after the answer.
  socket.destroySoon = () => socket.end();
  world.setImmediate(() => {
    parseBodies();
    if (!socket.destroyed) discard(socket);
  });
}

/**
 * Returns the error for the sender of a body of too many small pieces.
 * @param found the bytes of its last 100 pieces
 */
export function scattered(found: number): ServiceError {
  const message = `The body arrives in too many small pieces: the last 100 have ${found} bytes. Expected at least 64 bytes each on average, of 2,000 pieces, or of 100 while the service receives many such bodies. Send the body with a Content-Length, or in chunks of 1 KB or more.`;
  return new ServiceError('invalid_request', message, { headers: { connection: 'close' } });
}

/**
 * Drops the rest of the bytes that were read at once: up to 10,000 pieces, in a twentieth of the time of their
 * callback.
 * @returns the function that restores the parser, which serves other connections later
 */
function ignoreBodies({ parser }: HttpSocket): () => void {
  for (const [number, callback] of Object.entries(parser ?? {})) {
    if (typeof callback !== 'function' || callback.name !== 'parserOnBody' || parser == null) continue;
    parser[number] = null;
    return () => {
      parser[number] = callback;
    };
  }
  return () => {};
}

function discard(socket: Socket): void {
  const timer = world.setTimeout(() => socket.destroy(), DISCARD_MS);
  let discarded = 0;
  socket
    .once('close', () => world.clearTimeout(timer))
    .removeAllListeners('data')
    .removeAllListeners('end')
    .once('end', () => socket.destroySoon())
    // The parser must be reading by itself when the listener replaces it.
    .pause()
    .once('resume', () =>
      socket.on('data', (bytes) => {
        discarded += bytes.length;
        if (discarded > DISCARD_BYTES) socket.destroy();
      }),
    )
    .resume();
}
