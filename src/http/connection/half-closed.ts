import type { Server, ServerResponse } from 'node:http';

/**
 * Answers callers that close their side of the connection after the request. Node drops such an answer unless it was
 * complete before the close was read, which depends on the load and on how long the answer takes.
 */
export function answerHalfClosed(server: Server & { httpAllowHalfOpen?: boolean }): void {
  // Node's own option, which its documentation and types omit.
  server.httpAllowHalfOpen = true;
}

/** Tells whether the caller has closed its side. It may still read or be gone: only a write that fails can tell. */
export function isHalfClosed({ req: { socket } }: ServerResponse): boolean {
  return socket.readableEnded;
}

/** Tells whether the caller has left, or may have. */
export function mayBeGone(response: ServerResponse): boolean {
  return response.closed || isHalfClosed(response);
}

/**
 * Calls back once if the caller may leave before the answer is complete, so that a connection is not held for long for
 * nobody.
 * @returns a function that ends the listening
 */
export function onClientGone(response: ServerResponse, callback: () => void): () => void {
  const { socket } = response.req;
  const stop = () => {
    response.off('close', left);
    socket.off('end', left);
  };
  const left = () => {
    stop();
    callback();
  };
  response.once('close', left);
  socket.once('end', left);
  return stop;
}
