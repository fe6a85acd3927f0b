import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A line to an HTTP server on which some requests stay on their way. */
export interface StalledConnection {
  /** The server's address, over this line. */
  readonly url: string;
  /** From now on nothing with this text in it reaches the server, nor what follows it on its connection. */
  hold(text: string): void;
  /** From now on new connections reach the server; those that were held do not. */
  release(): void;
}

export async function openStalledConnection(
  t: Pick<TestContext, 'after'>,
  endpoint: string,
): Promise<StalledConnection> {
  const target = new URL(endpoint);
  const sockets = new Set<Socket>();
  let held: string | null = null;
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    let isHeld = false;
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on('data', (chunk: Buffer) => {
      isHeld ||= held !== null && chunk.includes(held);
      if (!isHeld) far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => near.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    hold(text) {
      held = text;
    },
    release() {
      held = null;
    },
  };
}
