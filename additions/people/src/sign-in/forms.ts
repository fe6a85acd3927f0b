import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyRequest } from 'fastify';

/** Maximum size of a form; most of it are the tokens of a provider. */
const MOST_BYTES = 131_072;

/** Makes routes accept forms, as browsers and sign-in providers send them. */
export function takeForms(app: App): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MOST_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** Returns a field of a form; null if it is missing, or the body is no form. */
export function fieldOf({ body }: FastifyRequest, name: string): string | null {
  return body instanceof URLSearchParams ? body.get(name) : null;
}
