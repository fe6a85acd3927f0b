import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { errorMessage, frames } from './transaction-pooler.ts';

/** A server of PostgreSQL's protocol that lacks LISTEN and NOTIFY. */
export interface ServerWithoutListen {
  readonly url: string;
  /** How often it refused LISTEN. */
  readonly refusals: number;
  /** How many statements wanted to notify others. */
  readonly notices: number;
}

const READY = Buffer.from('Z\0\0\0\u0005I');

/**
 * Opens one in front of a PostgreSQL server.
 * @param code the SQLSTATE that answers LISTEN: servers call it unsupported (0A000) or a fault of syntax (42601).
 */
export async function openServerWithoutListen(
  t: Pick<TestContext, 'after'>,
  url: string,
  code: '0A000' | '42601',
): Promise<ServerWithoutListen> {
  const { hostname: host, port } = new URL(url);
  let refusals = 0;
  let notices = 0;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host, port: Number(port), noDelay: true });
    for (const socket of [near, far]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    far.on('data', (chunk: Buffer) => near.write(chunk));
    near.once('data', (start: Buffer) => {
      far.write(start);
      near.on(
        'data',
        frames((type, message) => {
          if (message.includes('pg_notify')) notices++;
          if (type !== 'Q' || !/^listen /i.test(message.toString('utf8', 5))) return void far.write(message);
          refusals++;
          near.write(Buffer.concat([errorMessage({ severity: 'ERROR', code, text: 'no LISTEN here' }), READY]));
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = new URL(url);
  address.port = String((server.address() as { port: number }).port);
  return {
    url: address.href,
    get refusals() {
      return refusals;
    },
    get notices() {
      return notices;
    },
  };
}
