import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, chooseCoding, codedEtag, setCoding, withoutCoding } from './coding.ts';
import type { Packed } from './packed.ts';

/**
 * Sets the `ETag` and tells whether the caller already has this state, in any encoding; the answer is then 304 without
 * a body.
 * @param coding in which the answer would be sent.
 */
export function isUnchanged(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  etag: string,
  coding: Coding = 'identity',
): boolean {
  reply.header('etag', codedEtag(etag, coding));
  const known = request.headers['if-none-match'];
  if (known === undefined || !namesEtag(known, etag)) return false;
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

/** Tells whether a list such as `"a", W/"b"` or `*` contains the tag, compared weakly and for any encoding. */
export function namesEtag(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  const wanted = plainTag(etag);
  return list.split(',').some((tag) => plainTag(tag.trim()) === wanted);
}

function plainTag(tag: string): string {
  return withoutCoding(tag.startsWith('W/') ? tag.slice(2) : tag);
}
