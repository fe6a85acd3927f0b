import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver of webhooks that keeps what it got and answers as it is told. */
export async function startReceiver(
  t: Pick<TestContext, 'after'>,
  answer: (attempt: number, received: Received) => number = () => 204,
) {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server: Server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const last = {
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    };
    received.push(last);
    response.writeHead(answer(received.length, last), { location: 'http://127.0.0.1:1/' }).end();
    for (const wake of waiting.splice(0)) wake();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async count(wanted: number) {
      while (received.length < wanted) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
