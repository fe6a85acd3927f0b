import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Time for which a caller may read nothing of an answer, unless options say otherwise. */
export const UNREAD_MS = 120_000;

/**
 * Closes connections whose response is not read. A slow reader makes progress and keeps its connection, however long
 * the response takes. A client that waits for a response in preparation keeps it too.
 */
export function cutUnreadAnswers(server: Server, unreadMs: number): void {
  server.setTimeout(unreadMs, (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });
}
