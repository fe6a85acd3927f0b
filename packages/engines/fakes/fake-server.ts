import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { freePort } from './free-port.ts';

/** A call that a fake upstream received, and the function that answers it. */
export interface Exchange {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** Sends a string as it is (HTML, unless a header says otherwise), bytes as they are, all else as JSON. */
  reply(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): undefined;
  readonly response: ServerResponse;
}

interface FakeServer {
  /** The address; its port stays the same over stop and start. */
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Opens a real HTTP server on a free port of this machine. */
export async function openFakeServer(
  answer: (exchange: Exchange) => Promise<void> | void,
  upgrade?: (request: IncomingMessage, socket: Duplex) => void,
): Promise<FakeServer> {
  const port = await freePort();
  let server: Server | null = null;

  async function start(): Promise<void> {
    server = createServer((request, response) => void serve(request, response, answer)).listen(port, '127.0.0.1');
    // Long, so that a connection is not closed just as a busy machine uses it again.
    server.keepAliveTimeout = 120_000;
    if (upgrade !== undefined) server.on('upgrade', upgrade);
    await once(server, 'listening');
  }

  async function stop(): Promise<void> {
    if (server === null) return;
    const closed = once(server, 'close');
    server.closeAllConnections();
    server.close();
    server = null;
    await closed;
  }

  await start();
  return { url: `http://127.0.0.1:${port}`, start, stop };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (exchange: Exchange) => Promise<void> | void,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://fake');
  const bytes = await buffer(request).catch(() => null);
  // The caller has disconnected.
  if (bytes === null) return;
  const exchange: Exchange = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    bytes,
    json: parse(bytes),
    response,
    reply(status, body, headers = {}) {
      const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
      const type = typeof body === 'string' ? 'text/html' : isRaw ? null : 'application/json';
      response.writeHead(status, { ...(type === null ? {} : { 'content-type': type }), ...headers });
      response.end(isRaw ? body : JSON.stringify(body));
    },
  };
  try {
    await answer(exchange);
  } catch (error) {
    exchange.reply(500, `the fake broke: ${String(error)}`);
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
