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

/** The pages of the documentation: everything they load comes from here. The reference builds its styles as it runs. */
export const PAGE_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A file opened by itself becomes a page of the browser's own, which may show that one file. */
export const FILE_SECURITY_POLICY =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'";

/** Marks an answer with secrets: no cache keeps it, and nothing compresses it. */
export const neverStore: preHandlerHookHandler = (_request, reply, done) => {
  reply.header('cache-control', 'no-store');
  done();
};
