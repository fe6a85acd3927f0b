import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sets the `ETag` and tells whether the caller has this very state already; the answer is then 304 without a body. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const known = request.headers['if-none-match'];
  if (known === undefined || !namesEtag(known, etag)) return false;
  reply.code(304);
  return true;
}

/** Whether a list such as `"a", W/"b"` or `*` names the tag, compared weakly. */
export function namesEtag(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  return list.split(',').some((tag) => withoutWeakness(tag.trim()) === withoutWeakness(etag));
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
