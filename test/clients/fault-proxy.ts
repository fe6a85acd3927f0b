import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What the proxy does with one request:
 * - `pass`: forwards it and its answer;
 * - `cut before`: closes the client's connection, and the service hears nothing;
 * - `cut within`: the service gets half of the body, then both connections are closed;
 * - `lose answer`: the service answers, and the client's connection is closed instead;
 * - `cut answer`: the client gets the headers and half of the answer's body, then its connection is closed;
 * - `502 before`: answers 502, and the service hears nothing;
 * - `502 after`: the service answers, and the client gets 502 instead;
 * - `drop answer`: the service answers, and the client gets nothing until it gives up;
 * - a number: forwards the answer this many milliseconds after it came.
 */
export type Fault =
  | 'pass'
  | 'cut before'
  | 'cut within'
  | 'lose answer'
  | 'cut answer'
  | '502 before'
  | '502 after'
  | 'drop answer'
  | number;

/** A request as the client sent it. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly fault: Fault;
  /** The status that the service answered, whatever reached the client. */
  status?: number;
}

export interface FaultProxy {
  readonly url: string;
  /** The service behind the proxy; changes when a service starts again on another port. */
  target: string;
  /** Decides about each request before it is forwarded. */
  decide: (request: Omit<SeenRequest, 'fault'>) => Fault;
  /** Every request so far, in order. */
  readonly seen: readonly SeenRequest[];
  /** Closes every connection that is open now, on both sides. */
  cutAll(): void;
  close(): Promise<void>;
}

/** Opens a proxy on a free port. A service that refuses the connection is answered 502, as common proxies do. */
export async function openFaultProxy(t: Pick<TestContext, 'after'> | null, target: string): Promise<FaultProxy> {
  const seen: SeenRequest[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const one: SeenRequest = { method, path, headers, fault: proxy.decide({ method, path, headers }) };
    seen.push(one);
    // Nothing here outlives the client's connection.
    forward(proxy.target, one, incoming, response).catch(() => incoming.socket.destroy());
  });
  // Waiting is the business of those on both sides.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    decide: () => 'pass',
    seen,
    cutAll: () => server.closeAllConnections(),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  t?.after(() => proxy.close());
  return proxy;
}

/** Decides by a list: the first request that matches gets the first fault, and so on; all others pass. */
export function faultsInTurn(
  matches: (request: Omit<SeenRequest, 'fault'>) => boolean,
  faults: readonly Fault[],
): FaultProxy['decide'] {
  const left = [...faults];
  return (one) => (matches(one) ? (left.shift() ?? 'pass') : 'pass');
}

async function forward(
  target: string,
  one: SeenRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { fault } = one;
  const body = await readAll(incoming);
  if (fault === 'cut before') return void incoming.socket.destroy();
  if (fault === '502 before') return refuse(response);
  const upstream = request(new URL(one.path, target), {
    method: one.method,
    headers: { ...one.headers, connection: 'close' },
    agent: false,
  });
  response.on('close', () => upstream.destroy());
  if (fault === 'cut within') {
    upstream.on('error', () => {});
    upstream.write(body.subarray(0, body.length >> 1), () => {
      upstream.destroy();
      incoming.socket.destroy();
    });
    return;
  }
  upstream.end(body);
  const answered = await Promise.race([
    once(upstream, 'response').then(([answer]) => answer as IncomingMessage),
    once(upstream, 'error').then(([error]) => error as NodeJS.ErrnoException),
  ]).catch((error: NodeJS.ErrnoException) => error);
  if (answered instanceof Error) {
    if (answered.code === 'ECONNREFUSED') return refuse(response);
    return void incoming.socket.destroy();
  }
  one.status = answered.statusCode ?? 0;
  if (typeof fault === 'number') await pause(fault);
  if (fault === 'pass' || typeof fault === 'number') {
    response.writeHead(one.status, answered.headers);
    response.flushHeaders();
    answered.on('error', () => incoming.socket.destroy());
    answered.pipe(response);
    return;
  }
  const whole = await readAll(answered);
  // There is nothing to cut: a redirect, for example.
  if (fault === 'cut answer' && whole.length === 0) {
    response.writeHead(one.status, answered.headers).end();
    return;
  }
  if (fault === 'lose answer') return void incoming.socket.destroy();
  if (fault === '502 after') return refuse(response);
  if (fault === 'cut answer') {
    response.writeHead(one.status, { ...answered.headers, 'content-length': String(whole.length) });
    response.write(whole.subarray(0, whole.length >> 1), () => incoming.socket.destroy());
  }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

function refuse(response: ServerResponse): void {
  response.writeHead(502, { 'content-type': 'text/html' });
  response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
}
