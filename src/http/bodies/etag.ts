import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, chooseCoding, codedEtag, setCoding, withoutCoding } from './coding.ts';
import type { Packed } from './packed.ts';

/**
 * Sets the `ETag` and tells whether the caller already has this state, in any encoding; the answer is then 304 without
 * a body.
 * @param coding in which the answer would be sent; left out, long JSON is compressed after this
 */
export function isUnchanged(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  etag: string,
  coding?: Coding,
): boolean {
  reply.header('etag', codedEtag(etag, coding ?? 'identity'));
  const named = namedEtag(request.headers['if-none-match'] ?? '', etag);
  if (named === null) return false;
  // The caller knows in which coding it got this state.
  if (coding === undefined && named !== '*') reply.header('etag', named);
  reply.code(304);
  return true;
}

/** Answers with packed bytes in the coding that the caller accepts, or with 304. */
export async function answerPacked(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  packed: Packed,
  tail?: string,
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding'], packed.codings);
  const unchanged = isUnchanged(request, reply, packed.etag, coding);
  setCoding(reply, unchanged ? 'identity' : coding);
  return unchanged ? reply.send() : reply.send(await packed.in(coding, tail));
}

/** Returns which tag of a list such as `"a", W/"b"` or `*` is this one, compared weakly and for any encoding. */
export function namedEtag(list: string, etag: string): string | null {
  if (list.trim() === '*') return '*';
  const tags = list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.find((tag) => withoutCoding(tag) === withoutCoding(etag)) ?? null;
}
