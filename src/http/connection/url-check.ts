import type { IncomingMessage } from 'node:http';
import { cutText, ServiceError } from '@darkroom-service/contract';
import { MAX_URL_LENGTH } from '../client-errors.ts';

/** Form of a host: a name or an address, with a port or without. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;
/** Headers that may occur once. Node takes the first of some and joins others; a proxy might use another one. */
const ONCE: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-type',
  'darkroom-budget',
  'darkroom-conversation',
  'darkroom-simulate',
  'expect',
  'host',
  'idempotency-key',
  'origin',
  'range',
  'x-stainless-retry-count',
]);

/**
 * Refuses requests without a valid host, as HTTP/1.1 requires, headers of one value that occur twice, and expectations
 * other than `100-continue`.
 * @throws ServiceError
 */
export function checkHeaders(request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new ServiceError('invalid_request', 'The header Host is missing; HTTP/1.1 requires it.', { param: 'Host' });
  }
  const seen = new Set<string>();
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const header = request.rawHeaders[at] ?? '';
    const name = header.toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) {
      const message = `The header ${header} must occur once; found it several times. Send one of them.`;
      throw new ServiceError('invalid_request', message, { param: header });
    }
    seen.add(name);
  }
  const { host = '', expect = '100-continue' } = request.headers;
  if (!HOST.test(host)) {
    const message = 'The header Host must be a name or an address, with a port or without, such as example.com:8080.';
    throw new ServiceError('invalid_request', message, { param: 'Host' });
  }
  if (expect.trim().toLowerCase() !== '100-continue') {
    const message = `The header Expect has the expectation '${expect.slice(0, 40)}', which is not met. Omit it, or send 100-continue.`;
    throw new ServiceError('expectation_failed', message, { param: 'Expect' });
  }
}

/**
 * Refuses a body in another transfer coding than `chunked`. The parser removes only the chunks, so a compressed body
 * would be taken for a plain one.
 * @throws ServiceError
 */
export function checkTransferCoding({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return;
  throw new ServiceError(
    'unsupported_media_type',
    `The body has the Transfer-Encoding '${cutText(coding, 40)}', which is not accepted. Send it as 'chunked', or with a Content-Length.`,
    { param: 'Transfer-Encoding' },
  );
}

/**
 * Form of an address: a path, or the whole address as a proxy sends it. The router would take anything else, such as
 * `*`, for a path without its slash.
 */
const ADDRESS = /^(?:\/|https?:\/\/)/i;

/**
 * Refuses addresses that are too long or no path, or whose percent-encoding is no well-formed text.
 * @throws ServiceError
 */
export function checkUrl(url: string): void {
  if (url.length > MAX_URL_LENGTH) {
    throw new ServiceError('uri_too_long', `The URL is longer than ${MAX_URL_LENGTH} characters. Shorten it.`);
  }
  if (/[^\x21-\x7e]/.test(url)) {
    throw new ServiceError('invalid_request', 'The URL contains bytes outside ASCII. Percent-encode them as UTF-8.');
  }
  if (!ADDRESS.test(url) || (!url.startsWith('/') && !URL.canParse(url))) {
    throw new ServiceError('not_found', `Nothing exists at ${cutText(url, 200)}.`);
  }
  if (!url.includes('%')) return;
  if (!isWellEncoded(url)) {
    throw new ServiceError('invalid_request', 'The URL is not valid percent-encoded UTF-8, or contains NUL.');
  }
}

function isWellEncoded(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}
