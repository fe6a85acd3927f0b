import type { Server, ServerResponse } from 'node:http';

/**
 * Answers callers that close their side of the connection after the request. Node drops such an answer unless it was
 * complete before the close was read, which depends on the load and on how long the answer takes.
 */
export function answerHalfClosed(server: Server & { httpAllowHalfOpen?: boolean }): void {
  // Node's own switch, which its documentation and types leave out.
  server.httpAllowHalfOpen = true;
}

/** Tells whether the caller has closed its side. It may still read or be gone: only a write that fails can tell. */
export function isHalfClosed({ req: { socket } }: ServerResponse): boolean {
  return socket.readableEnded;
}

/** Tells whether the caller has left, or may have. */
export function mayHaveLeft(response: ServerResponse): boolean {
  return response.closed || isHalfClosed(response);
}

/**
 * Calls back once if the caller may leave before the answer is complete: for what holds a connection for long, and must
 * not do so for nobody.
 * @returns a function that ends the listening
 */
export function onceLeft(response: ServerResponse, callback: () => void): () => void {
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
