import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Number of a connection's requests that wait for the answer to an earlier one. */
const waiting = new WeakMap<Socket, number>();

/**
 * Works on one request of a connection at a time: a request that arrives before the last answer is sent completely
 * waits, and nothing more is read from its connection meanwhile. Otherwise thousands of answers would be made for a
 * caller that reads none of them.
 */
export function answerOneByOne(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // A response gets its socket when its turn comes, which is almost always at once.
    if (reply.raw.socket !== null) {
      done();
      return;
    }
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
    socket.pause();
    reply.raw.once('socket', () => {
      const left = (waiting.get(socket) ?? 1) - 1;
      waiting.set(socket, left);
      if (left === 0 && !isReadingPaused(socket)) socket.resume();
      done();
    });
  });
}

/** Tells whether reading is paused. Node stops reading while much is unsent, and resumes by itself. */
function isReadingPaused(socket: Socket & { readonly _paused?: boolean }): boolean {
  return socket._paused === true;
}
