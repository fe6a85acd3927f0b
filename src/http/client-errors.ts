import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { type ErrorCode, ServiceError } from '../base/errors.ts';
import { errorBody } from './error-body.ts';

/** The longest address that is taken, query included. */
export const MAX_URL_LENGTH = 8_000;

const OF_NODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers exceed 16 KB together.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', "The extensions of the body's chunks are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};

const LONG_FIRST_LINE = new RegExp(`^[A-Z]+ [^\\s]{${MAX_URL_LENGTH},}`);

/** Answers what Node's own parser refuses, before there is any request, in the shape of every other failure. */
export function createClientErrorHandler(options: {
  readonly publicUrl: string;
  readonly createRequestId: () => string;
}): (error: ConnectionError, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (!socket.writable || hasAnswerUnderWay(socket)) {
      socket.destroy();
      return;
    }
    const refusal = explain(error);
    const requestId = options.createRequestId();
    const body = JSON.stringify(errorBody(refusal, requestId, options.publicUrl));
    const head = [
      `HTTP/1.1 ${refusal.status} ${refusal.code}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

function explain(error: ConnectionError): ServiceError {
  if (error.code === 'HPE_HEADER_OVERFLOW' && LONG_FIRST_LINE.test(packetOf(error))) {
    return new ServiceError('uri_too_long', `The address is longer than ${MAX_URL_LENGTH} characters.`);
  }
  const [code, message] = OF_NODE[error.code] ?? ['invalid_request', 'This is not a well-formed HTTP/1.1 request.'];
  return new ServiceError(code, message);
}

/** What was received, as text; Fastify's types say something else of it than what Node hands over. */
function packetOf(error: { readonly rawPacket?: unknown }): string {
  return Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '';
}

/** An answer that has begun on this connection must not be followed by bytes of another. */
function hasAnswerUnderWay(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  return answer?.headersSent === true;
}
