import type { FastifyReply } from 'fastify';

/** Content coding of an answer. */
export type Coding = 'br' | 'gzip' | 'identity';

/**
 * Returns the best of the codings that the caller accepts: Brotli before gzip, and plain bytes if it accepts neither.
 */
export function chooseCoding(acceptEncoding: string | undefined, available: readonly Coding[]): Coding {
  if (acceptEncoding === undefined) return 'identity';
  const refused = new Set<string>();
  const accepted = new Set<string>();
  for (const part of acceptEncoding.slice(0, 1_000).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
    (isRefused ? refused : accepted).add(name === 'x-gzip' ? 'gzip' : name);
  }
  for (const coding of ['br', 'gzip'] as const) {
    if (!available.includes(coding) || refused.has(coding)) continue;
    if (accepted.has(coding) || accepted.has('*')) return coding;
  }
  return 'identity';
}

/** Returns the ETag of an encoding, since each encoding of an answer has its own: `"abc"`, `"abc-gzip"`, `"abc-br"`. */
export function codedEtag(etag: string, coding: Coding): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

/** Returns the ETag without the suffix of the encoding. */
export function withoutCoding(etag: string): string {
  return etag.replace(/-(?:gzip|br)"$/, '"');
}

/** Sets the headers that name the answer's coding and say that it depends on `Accept-Encoding`. */
export function setCoding(reply: FastifyReply, coding: Coding): void {
  const vary = reply.getHeader('vary');
  const others = vary === undefined ? '' : String(vary);
  if (!/\baccept-encoding\b/i.test(others))
    reply.header('vary', others === '' ? 'Accept-Encoding' : `${others}, Accept-Encoding`);
  if (coding !== 'identity') reply.header('content-encoding', coding);
}
