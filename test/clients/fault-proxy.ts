import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The behaviour of the proxy for one request:
 * - `pass`: forwards it and its answer;
 * - `cut before`: closes the client's connection, and the service hears nothing;
 * - `cut within`: the service gets half of the body, then both connections are closed;
 * - `lose answer`: the service answers, and the client's connection is closed instead;
 * - `cut answer`: the client gets the headers and half of the answer's body, then its connection is closed;
 * - `502 before`: answers 502, and the service hears nothing;
 * - `502 after`: the service answers, and the client gets 502 instead;
 * - `drop answer`: the service answers, and the client gets nothing until it gives up;
 * - a number: forwards the answer this many milliseconds after it came;
 * - `cutAfter`: the client gets so many bytes of the answer's body, as they come, then its connection is closed;
 * - `status`: the service answers, and the client gets this answer instead.
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
  | number
  | { readonly cutAfter: number }
  | Replacement;

interface Replacement {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

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
  /** Decides about each request before it is forwarded. By default as the calls of `fail` say. */
  decide: (request: Omit<SeenRequest, 'fault'>) => Fault;
  /** The next requests whose `METHOD /path` matches get these faults, one each; later ones pass. */
  fail(match: RegExp, ...faults: readonly Fault[]): void;
  /** Every request so far, in order. */
  readonly seen: readonly SeenRequest[];
  /** The requests so far whose `METHOD /path` matches. */
  sent(match: RegExp): readonly SeenRequest[];
  /** Resolves when so many requests that match have arrived. */
  count(match: RegExp, wanted: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a proxy on a free port. A service that refuses the connection is answered 502, as common proxies do. */
export async function openFaultProxy(t: Pick<TestContext, 'after'>, target: string): Promise<FaultProxy> {
  const seen: SeenRequest[] = [];
  const rules: { readonly match: RegExp; readonly faults: Fault[] }[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const one: SeenRequest = { method, path, headers, fault: proxy.decide({ method, path, headers }) };
    seen.push(one);
    for (const wake of waiting.splice(0)) wake();
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
    decide: (one) =>
      rules.find(({ match, faults }) => faults.length > 0 && matches(match, one))?.faults.shift() ?? 'pass',
    fail: (match, ...faults) => void rules.push({ match, faults: [...faults] }),
    seen,
    sent: (match) => seen.filter((one) => matches(match, one)),
    async count(match, wanted) {
      while (proxy.sent(match).length < wanted) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  t.after(() => proxy.close());
  return proxy;
}

function matches(match: RegExp, { method, path }: Pick<SeenRequest, 'method' | 'path'>): boolean {
  return match.test(`${method} ${path}`);
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
  if (fault === '502 before') return replace(response, BAD_GATEWAY);
  const { 'transfer-encoding': _, ...headers } = one.headers;
  const upstream = request(new URL(one.path, target), {
    method: one.method,
    headers: { ...headers, ...(body.length > 0 ? { 'content-length': body.length } : {}), connection: 'close' },
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
    if (answered.code === 'ECONNREFUSED') return replace(response, BAD_GATEWAY);
    return void incoming.socket.destroy();
  }
  one.status = answered.statusCode ?? 0;
  if (typeof fault === 'number') await pause(fault);
  if (fault === 'pass' || typeof fault === 'number') return pass(answered, response);
  if (typeof fault === 'object' && 'cutAfter' in fault) return passPart(answered, response, fault.cutAfter);
  const whole = await readAll(answered);
  if (fault === 'lose answer') return void incoming.socket.destroy();
  if (fault === '502 after') return replace(response, BAD_GATEWAY);
  if (typeof fault === 'object') return replace(response, fault);
  if (fault !== 'cut answer') return;
  const wholeHeaders = { ...answered.headers, 'content-length': String(whole.length) };
  response.writeHead(one.status, wholeHeaders);
  // There is nothing to cut: a redirect, for example.
  if (whole.length === 0) response.end();
  else response.write(whole.subarray(0, whole.length >> 1), () => incoming.socket.destroy());
}

function pass(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  response.flushHeaders();
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}

/** Forwards an answer as it comes, and closes the connection after so many bytes of its body. */
function passPart(answer: IncomingMessage, response: ServerResponse, bytes: number): void {
  let left = bytes;
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.on('error', () => response.destroy());
  answer.on('data', (chunk: Buffer) => {
    if (left <= 0) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    // The bytes must have left before the connection is cut.
    response.write(part, () => {
      if (left <= 0) response.destroy();
    });
  });
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

const BAD_GATEWAY: Replacement = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
};

function replace(response: ServerResponse, { status, headers, body }: Replacement): void {
  response.writeHead(status, headers).end(body);
}
