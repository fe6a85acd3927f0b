import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { frames } from './transaction-pooler.ts';

/** A message of PostgreSQL's protocol before which a connection is cut. */
export interface Cut {
  /** Whether it is a request to the server, or an answer of it. The server gets all requests before the answer. */
  readonly side: 'requests' | 'answers';
  /** How many such messages still pass. */
  readonly after: number;
}

/** A line to a PostgreSQL server whose connection for writes can be cut at any message. */
export interface CutConnection {
  /** The server's address, over this line. */
  readonly url: string;
  /** Sets the next cut; null = none. Later connections pass as a whole. */
  cutAt(cut: Cut | null): void;
}

export async function openCutConnection(t: Pick<TestContext, 'after'>, url: string): Promise<CutConnection> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let next: Cut | null = null;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      // What the server has got it still reads, unless the connection is reset.
      socket.once('close', () => {
        sockets.delete(socket);
        other.end();
      });
    }
    /** Passes a message on unless the connection is cut there, which it is then. */
    const pass = (side: Cut['side'], to: Socket, message: Buffer) => {
      if (near.destroyed) return;
      if (next?.side === side) {
        if (next.after === 0) {
          next = null;
          return void near.destroy();
        }
        next = { side, after: next.after - 1 };
      }
      to.write(message);
    };
    near.once('data', (start: Buffer) => {
      far.write(start);
      if (!start.includes('darkroom write\0')) return void near.pipe(far).pipe(near);
      near.on(
        'data',
        frames((_, message) => pass('requests', far, message)),
      );
      far.on(
        'data',
        frames((_, message) => pass('answers', near, message)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const line = new URL(url);
  line.port = String((server.address() as { port: number }).port);
  return {
    url: line.href,
    cutAt(cut) {
      next = cut;
    },
  };
}
