import { Readable } from 'node:stream';
import type { SentBody } from './request-body.ts';

/** One request of a redirect chain. Header names are in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SentBody | null;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** Headers that are also sent to another origin. An allowlist, because credentials travel under many header names. */
const HARMLESS_HEADERS = ['accept', 'accept-language', 'range', 'user-agent'];

export function isRedirect(status: number): boolean {
  return REDIRECTS.includes(status);
}

/**
 * Determines the next request after a redirect, or returns a string that says why the redirect is not followed. The URL
 * is not checked yet.
 * A body is sent again only to the same origin, and only if it can be read a second time.
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | string {
  const url = location === undefined ? null : URL.parse(location, hop.url);
  if (url === null) return 'sent a redirect without a valid location';
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const sameOrigin = url.origin === hop.url.origin;
  const body = becomesGet ? null : hop.body;
  if (body !== null && (!sameOrigin || body instanceof Readable))
    return 'sent a redirect, but the request body cannot be sent again';
  const kept = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || HARMLESS_HEADERS.includes(name)) && !(hop.body !== body && name.startsWith('content-')),
  );
  return { url, method: becomesGet ? 'GET' : hop.method, headers: Object.fromEntries(kept), body };
}
