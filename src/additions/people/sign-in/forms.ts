import type { FastifyRequest } from 'fastify';
import type { App } from '../../../kernel-http.ts';

/** Most of it are the tokens of a provider. */
const MOST_BYTES = 131_072;

/** Lets routes take forms, as browsers and sign-in providers send them. */
export function takeForms(app: App): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MOST_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** Returns a field of a form; null if it is not there, or the body is no form. */
export function fieldOf({ body }: FastifyRequest, name: string): string | null {
  return body instanceof URLSearchParams ? body.get(name) : null;
}
