import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a caller may read nothing of an answer, unless options say otherwise. */
export const UNREAD_MS = 120_000;

/**
 * Cuts connections whose answer nobody reads. A caller who reads slowly makes progress and keeps the connection, however long the answer takes; one
 * who waits for an answer that is still being made is left alone.
 */
export function cutUnreadAnswers(server: Server, unreadMs: number): void {
  server.setTimeout(unreadMs, (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });
}
