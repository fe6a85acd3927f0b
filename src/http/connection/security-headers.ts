import type { preHandlerHookHandler } from 'fastify';

/**
 * The headers of every answer. Data is never a page, so nothing in it may load, run or be framed. No cache answers in
 * place of the service unless a route allows it.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Policy of a file that is opened by itself: it becomes a page of the browser's own, which may show that one file. */
export const FILE_SECURITY_POLICY =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'";

/** Marks an answer with secrets: no cache keeps it, and nothing compresses it. */
export const neverStore: preHandlerHookHandler = (_request, reply, done) => {
  reply.header('cache-control', 'no-store');
  done();
};
