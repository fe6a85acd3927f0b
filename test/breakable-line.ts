import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A line to a PostgreSQL server that a test can break. */
export interface BreakableLine {
  /** The server's address, over this line. */
  readonly url: string;
  /** Ends every connection and takes no more, until it is mended. */
  cut(): void;
  mend(): void;
  /** How many connections were refused while it was cut. */
  readonly refusals: number;
  /**
   * The next commit reaches the server, and its answer nobody: the connection is cut instead, or the whole line until
   * it is mended.
   */
  loseNextCommit(options?: { readonly andCut: boolean }): void;
}

export async function openBreakableLine(t: Pick<TestContext, 'after'>, url: string): Promise<BreakableLine> {
  const target = new URL(url);
  const connections = new Set<Socket>();
  let isCut = false;
  let refusals = 0;
  let losesCommit = false;
  let cutsThen = false;
  const server = createServer((near) => {
    if (isCut) {
      refusals++;
      return void near.destroy();
    }
    const far = connect({ host: target.hostname, port: Number(target.port) });
    let swallow = false;
    for (const socket of [near, far]) {
      connections.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        connections.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk: Buffer) => {
      if (losesCommit && chunk.includes('commit\0')) {
        losesCommit = false;
        swallow = true;
      }
      far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => {
      if (!swallow) return void near.write(chunk);
      near.destroy();
      if (cutsThen) cut();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = () => {
    for (const socket of connections) socket.destroy();
  };
  const cut = () => {
    isCut = true;
    end();
  };
  t.after(() => {
    end();
    server.close();
  });
  const line = new URL(url);
  line.port = String((server.address() as { port: number }).port);
  return {
    url: line.href,
    cut,
    mend() {
      isCut = false;
    },
    get refusals() {
      return refusals;
    },
    loseNextCommit({ andCut } = { andCut: false }) {
      losesCommit = true;
      cutsThen = andCut;
    },
  };
}
