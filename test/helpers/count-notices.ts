import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { frames } from './transaction-pooler.ts';

/** A line to a PostgreSQL server that counts what its clients hear by LISTEN. */
export interface NoticeLine {
  readonly url: string;
  /** Notices that the server has sent to clients. */
  readonly delivered: number;
}

export async function openNoticeLine(t: Pick<TestContext, 'after'>, url: string): Promise<NoticeLine> {
  const { hostname: host, port } = new URL(url);
  let delivered = 0;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host, port: Number(port), noDelay: true });
    for (const socket of [near, far]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.on(
      'data',
      frames((type, message) => {
        if (type === 'A') delivered++;
        near.write(message);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = new URL(url);
  address.port = String((server.address() as { port: number }).port);
  return {
    url: address.href,
    get delivered() {
      return delivered;
    },
  };
}
