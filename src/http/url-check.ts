import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../base/errors.ts';
import { MAX_URL_LENGTH } from './client-errors.ts';

/** Refuses requests that name no host, or two, as HTTP/1.1 has it: whoever stands in front might go by the other. @throws ServiceError */
export function checkHost(request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new ServiceError('invalid_request', 'An HTTP/1.1 request needs the header Host.', { param: 'Host' });
  }
  let hosts = 0;
  for (let name = 0; name < request.rawHeaders.length; name += 2) {
    const header = request.rawHeaders[name];
    if (header?.length === 4 && header.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) {
    throw new ServiceError('invalid_request', `A request has the header Host once, found it ${hosts} times.`, {
      param: 'Host',
    });
  }
}

/** A path, or the whole address as a proxy sends it. What begins otherwise, such as `*`, the router would take for a path without its slash. */
const ADDRESS = /^(?:\/|https?:\/\/)/i;

/** Refuses addresses that are too long or no path, or whose percent-encoding is no well-formed text. @throws ServiceError */
export function checkUrl(url: string): void {
  if (url.length > MAX_URL_LENGTH) {
    throw new ServiceError('uri_too_long', `The address is longer than ${MAX_URL_LENGTH} characters.`);
  }
  if (/[^\x21-\x7e]/.test(url)) {
    throw new ServiceError(
      'invalid_request',
      'The address holds raw bytes outside ASCII. Percent-encode them as UTF-8.',
    );
  }
  if (!ADDRESS.test(url)) {
    throw new ServiceError('not_found', `There is nothing at ${url.slice(0, 200)}. /docs lists the addresses.`);
  }
  if (!url.includes('%')) return;
  if (!isWellEncoded(url)) {
    throw new ServiceError('invalid_request', 'The address is not properly percent-encoded UTF-8, or holds NUL.');
  }
}

function isWellEncoded(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}
