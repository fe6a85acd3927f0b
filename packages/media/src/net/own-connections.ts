import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { buildConnector } from 'undici';
import { FetchFault } from './fetch-fault.ts';
import type { SentBody } from './request-body.ts';
import { MAX_HEADER_BYTES } from './response-limits.ts';

/** An `import` of this module would also load Node's `fetch`. */
const { request: sendRequest } = process.getBuiltinModule('node:http');

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

export interface HttpRequest {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SentBody | null;
  readonly signal: AbortSignal;
  /** Maximum milliseconds without data within the body of the response; 0 = no limit. */
  readonly idleTimeoutMs: number;
}

/** Connections that carry one request each. */
export interface OwnConnections {
  /**
   * Sends a request over a connection that was never used before, and closes it after the response.
   * @throws the connector's FetchFault, the reason of the signal, or the error that broke the connection
   */
  request(url: URL, request: HttpRequest): Promise<IncomingMessage>;
  close(): void;
}

/** Opens connections for Node's own client: without a pool it costs half as much as undici. */
export function openOwnConnections(connect: buildConnector.connector): OwnConnections {
  const sockets = new Set<Socket>();
  let isClosed = false;

  function connectTo({ host, hostname, protocol, port }: URL, signal: AbortSignal): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const give = () => reject(signal.reason);
    signal.addEventListener('abort', give, { once: true });
    connect({ host, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), protocol, port }, (error, socket) => {
      signal.removeEventListener('abort', give);
      if (error !== null) return reject(error);
      if (signal.aborted || isClosed) {
        socket.destroy();
        return reject(new FetchFault('connect', 'the HTTP client was closed', { sent: 'no' }));
      }
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      resolve(socket);
    });
    return promise;
  }

  return {
    async request(url, request) {
      request.signal.throwIfAborted();
      const socket = await connectTo(url, request.signal);
      try {
        // The request may have been aborted since the connection opened, while nobody listened.
        request.signal.throwIfAborted();
        return await sendOver(socket, url, request);
      } catch (error) {
        socket.destroy();
        throw error;
      }
    },
    close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function sendOver(socket: Socket, url: URL, options: HttpRequest): Promise<IncomingMessage> {
  const { method, body, signal, idleTimeoutMs } = options;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = sendRequest({
    method,
    path: url.pathname + url.search,
    headers: headersOf(url, options),
    createConnection: () => socket,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  // The limit of header bytes also bounds the number of headers.
  request.maxHeadersCount = 0;
  let isAnswered = false;
  let fail = (error: Error) => {
    reject(error);
    request.destroy(error);
  };
  signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  request.once('response', (response) => {
    isAnswered = true;
    fail = (error) => {
      // Errors after the last byte, such as additional bytes, do not matter.
      if (!response.complete || error === signal.reason) response.destroy(error);
    };
    pauseWithSocket(response, socket);
    // Runs before Node's own listener, which would shut the socket down first.
    response.prependOnceListener('end', () => socket.destroy());
    if (idleTimeoutMs > 0)
      socket.setTimeout(idleTimeoutMs, () => {
        if (response.isPaused()) socket.setTimeout(idleTimeoutMs);
        else fail(new FetchFault('timeout', `${url.host} stopped sending data`, { sent: 'unknown' }));
      });
    resolve(response);
  });
  request.on('error', (error) => fail(error));
  request.once('close', () => {
    // Node reports no error if the answer switches to another protocol.
    if (!isAnswered) reject(new Error('the connection was closed without a response'));
  });
  if (body instanceof Readable) body.once('error', (error) => fail(error)).pipe(request);
  else request.end(body ?? undefined);
  return promise;
}

/**
 * Makes a response that is paused read nothing more: by itself it reads until it has 64 KB, and in pieces of one byte
 * these take 16 MB. Its reader must listen to `data`.
 */
function pauseWithSocket(response: IncomingMessage, socket: Socket): void {
  let isPaused = false;
  response._read = () => {
    if (!isPaused) socket.resume();
  };
  response.on('pause', () => {
    isPaused = true;
    socket.pause();
  });
  response.on('resume', () => {
    isPaused = false;
    socket.resume();
  });
}

function headersOf(url: URL, { method, headers, body }: HttpRequest): string[] {
  const sent: Record<string, string> = { host: url.host, connection: 'close', ...headers };
  if (body === null) {
    if (method !== 'GET' && method !== 'HEAD') sent['content-length'] = '0';
  } else if (!(body instanceof Readable)) {
    sent['content-length'] = String(Buffer.byteLength(body));
  }
  return Object.entries(sent).flat();
}
