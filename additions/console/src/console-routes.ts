import { join } from 'node:path';
import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { ServiceError, world } from '@darkroom-service/contract';
import { closedObject, SECRET_FIELD } from '@darkroom-service/contract/parts';
import { success } from '@darkroom-service/contract/schemas';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { publicPath } from '@darkroom-service/media';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ASSETS, type ConsoleFile, chooseEncoding, findConsole, PAGE } from './console-files.ts';
import type { ConsoleSessions } from './console-session.ts';

/** Directory of the console built by `npm ci`. */
const CONSOLE_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'console', 'dist');
/** Placeholder in the built page that each response replaces with a new nonce. */
const NONCE_MARK = '__NONCE__';
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

type Parts = Pick<Kernel, 'clock' | 'files' | 'settings'>;

/** Serves the web console under `/`, and trades a sign-in link for the keys. */
export function consoleRoutes(app: App, kernel: Parts, sessions: Pick<ConsoleSessions, 'redeem'>): void {
  const { publicUrl } = kernel.settings;
  const { page, files } = findConsole(CONSOLE_DIRECTORY);
  const fileOrigins = rememberFileOrigins(kernel);
  const path = publicPath(publicUrl);
  // Behind a proxy that removes the path, the page cannot know whether it was opened with the slash at its end.
  const base = path === '' ? '<head>' : `<head><base href="${escapeHtml(path)}/">`;

  app.get('/', { schema: { hide: true } }, async (_request, reply) => {
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
    if (page === null) return reply.send(notBuilt());
    const nonce = Buffer.from(world.randomBytes(16)).toString('base64');
    const text = page.replaceAll(NONCE_MARK, nonce).replace('<head>', base);
    return reply
      .header('content-security-policy', pagePolicy(nonce, await fileOrigins(), path === '' ? "'none'" : "'self'"))
      .send(text);
  });

  if (path !== '') app.get(path, { schema: { hide: true } }, (_request, reply) => reply.redirect(`${publicUrl}/`, 308));
  for (const [from, to] of [
    ['/console', './'],
    ['/console/', '../'],
  ] as const)
    app.get(from, { schema: { hide: true } }, (_request, reply) => reply.redirect(to, 301));

  for (const file of files.values()) {
    if (file.path !== PAGE && !file.path.startsWith(`${ASSETS}/`))
      app.get(`/${file.path}`, { schema: { hide: true } }, (request, reply) => send(request, reply, file));
  }
  // One route for all: a route of its own for each of hundreds of files would take a tenth of the start.
  app.get<{ Params: { '*': string } }>(`/${ASSETS}/*`, { schema: { hide: true } }, async (request, reply) => {
    const file = files.get(`${ASSETS}/${request.params['*']}`);
    return file === undefined ? reply.callNotFound() : await send(request, reply, file);
  });

  app.post(
    '/console/session',
    {
      onRequest: async (request) => requireLoopback(request),
      schema: {
        hide: true,
        body: closedObject({ token: Type.String({ minLength: 1, maxLength: 100, ...SECRET_FIELD }) }),
      },
    },
    async (request, reply) => {
      const { token } = request.body;
      const keys = sessions.redeem(token);
      if (keys === null) {
        throw new ServiceError(
          'forbidden',
          'The sign-in link was used already or has expired. It works once, within 15 minutes of the first start. Sign in with a key; `darkroom keys create --mode test` creates one.',
        );
      }
      reply.header('cache-control', 'no-store');
      return success({ keys });
    },
  );
}

async function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): Promise<FastifyReply> {
  const encoding = chooseEncoding(file, request.headers['accept-encoding']);
  const body = await file.read(encoding);
  if (encoding !== null) reply.header('content-encoding', encoding);
  return (
    reply
      .type(file.contentType)
      .header('vary', 'accept-encoding')
      // File names under assets contain a hash of the content.
      .header('cache-control', file.path.startsWith(`${ASSETS}/`) ? 'public, max-age=31536000, immutable' : 'no-cache')
      .send(body)
  );
}

/**
 * Refuses requests from other machines. A link is for the person at this machine: not for a neighbour, nor for a page
 * whose host name resolves to this machine.
 */
function requireLoopback(request: FastifyRequest): void {
  const { headers, raw } = request;
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const near = LOOPBACK.test(raw.socket.remoteAddress ?? '') && LOOPBACK_HOST.test(headers.host ?? '');
  const ownPage = headers.origin === undefined || headers.origin === `http://${headers.host}`;
  if (near && !forwarded && ownPage) return;
  throw new ServiceError(
    'forbidden',
    'A sign-in link works only on the machine where the service runs, at a loopback address such as http://127.0.0.1. Sign in with a key.',
  );
}

/**
 * Returns the origins of pictures and films: the public address, which the browser may have bypassed, the CDN, or the
 * storage itself.
 */
function rememberFileOrigins({ clock, files, settings }: Parts): () => Promise<string> {
  let origins: string | null = null;
  return async () => {
    if (origins !== null) return origins;
    const probe = { expiresAt: clock.now() + 60_000, contentType: 'image/png', fileName: null };
    const address = await files.storage.address('console', probe);
    const urls = [settings.publicUrl, files.signer.sign('console').url, address].filter((url) => url !== null);
    origins = [...new Set(urls.map((url) => new URL(url).origin))].join(' ');
    return origins;
  };
}

function pagePolicy(nonce: string, fileOrigins: string, baseUri: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data: ${fileOrigins}`,
    `media-src 'self' blob: ${fileOrigins}`,
    `connect-src 'self' ${fileOrigins}`,
    "font-src 'self'",
    "manifest-src 'self'",
    `base-uri ${baseUri}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function notBuilt(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Darkroom</title>
<h1>The console is not built</h1>
<p>The service runs. To build its console, run <code>npm ci</code> (or <code>npm run prepare</code>) in the folder of the service and start it again.</p>
<p>The interface is described at <a href="docs">docs</a>.</p>
</html>
`;
}
