import type { IncomingMessage } from 'node:http';
import { cutText, ServiceError } from '@darkroom-service/contract';
import { MAX_URL_LENGTH } from '../client-errors.ts';

/**
 * Refuses requests without a host or with two, as HTTP/1.1 requires, because a proxy might use the other one.
 * @throws ServiceError
 */
export function checkHost(request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new ServiceError('invalid_request', 'The header Host is missing; HTTP/1.1 requires it.', { param: 'Host' });
  }
  let hosts = 0;
  for (let name = 0; name < request.rawHeaders.length; name += 2) {
    const header = request.rawHeaders[name];
    if (header?.length === 4 && header.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) {
    throw new ServiceError('invalid_request', `The header Host must occur once; found it ${hosts} times.`, {
      param: 'Host',
    });
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
 * A path, or the whole address as a proxy sends it. What begins otherwise, such as `*`, the router would take for a
 * path without its slash.
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
