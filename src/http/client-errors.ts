import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, ServiceError } from '@darkroom-service/contract';
import type { ConnectionError } from 'fastify';
import { SECURITY_HEADERS } from './connection/security-headers.ts';
import { errorBody, errorHeaders } from './error-body.ts';

/** An `import` of this module would also load Node's `fetch`, which takes a tenth of the start. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Maximum length of an accepted address, query included. */
export const MAX_URL_LENGTH = 8_000;

const OF_NODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The request headers exceed 16 KB in total. Send fewer or shorter headers.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', "The extensions of the body's chunks are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time. Send it again.'],
};

const LONG_FIRST_LINE = new RegExp(`^[A-Z]+ [^\\s]{${MAX_URL_LENGTH},}`);

interface ClientErrorOptions {
  readonly docsUrl: string | null;
  readonly createRequestId: () => string;
}

/**
 * Answers requests that Node's own parser refuses, before there is any request object, in the format of every other
 * failure.
 */
export function createClientErrorHandler(
  options: ClientErrorOptions,
): (error: ConnectionError, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (!socket.writable || hasAnswerUnderWay(socket)) socket.destroy();
    else refuse(socket, explain(error), options);
  };
}

/** Answers errors for which Node would send only a bare status line, or nothing. */
export function answerOddRequests(server: Server, options: ClientErrorOptions): void {
  server.on('connect', (_request, socket) => {
    refuse(
      socket as Socket,
      new ServiceError('method_not_allowed', 'This service is not a proxy: CONNECT is not accepted.', {
        headers: { allow: 'GET, HEAD, POST, PATCH, DELETE' },
      }),
      options,
    );
  });
  // `100-continue` is answered once the caller is admitted; other expectations are refused with the other headers.
  for (const event of ['checkExpectation', 'checkContinue'] as const) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
}

function refuse(socket: Socket, refusal: ServiceError, options: ClientErrorOptions): void {
  const requestId = options.createRequestId();
  const body = JSON.stringify(errorBody(refusal, requestId, options.docsUrl));
  const headers = {
    ...errorHeaders(refusal),
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
}

function explain(error: ConnectionError): ServiceError {
  if (error.code === 'HPE_HEADER_OVERFLOW' && LONG_FIRST_LINE.test(packetOf(error))) {
    return new ServiceError('uri_too_long', `The URL is longer than ${MAX_URL_LENGTH} characters. Shorten it.`);
  }
  const [code, message] = OF_NODE[error.code] ?? ['invalid_request', 'The request is not valid HTTP/1.1.'];
  return new ServiceError(code, message);
}

/** Returns the received bytes as text. Fastify's types differ from Node's actual argument. */
function packetOf(error: { readonly rawPacket?: unknown }): string {
  return Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '';
}

interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
}

/**
 * Tells whether an answer is under way. The bytes of a refusal must neither follow an answer that has begun, or was
 * given before its request was read completely, nor be taken for the answer to a request that was read completely
 * before.
 */
function hasAnswerUnderWay({ _httpMessage: answer, parser }: HttpSocket): boolean {
  if (answer == null) return parser?.incoming?.complete === false;
  return answer.headersSent || answer.req.complete;
}
