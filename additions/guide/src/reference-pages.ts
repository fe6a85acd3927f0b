import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { onRequestHookHandler } from 'fastify';

/** Script of the reference, written by `console/build-reference.ts`. */
const SCRIPT_FILE = join(import.meta.dirname, '..', '..', '..', 'console', 'dist', 'reference', 'scalar.js.br');
const unpack = promisify(brotliDecompress);

type Answers = ServingKernel['http']['answers'];

/** Settings of the script, which it reads from the page, so that the page needs no script of its own. */
const SETTINGS = {
  url: '../../openapi.json',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Darkroom reference</title>
<body>
<script id="api-reference" data-configuration='${JSON.stringify(SETTINGS)}'></script>
<script src="js/scalar.js"></script>
</body>
</html>
`;

/** Serves the reference: a page, and the script that draws it from the OpenAPI document. */
export function referenceRoutes(app: App, answers: Answers, takeTurn: onRequestHookHandler): void {
  const page = answers.pack(Buffer.from(PAGE));
  app.get('/docs/reference/', { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
    reply.type('text/html; charset=utf-8').header('cache-control', 'public, no-cache');
    return await answers.sendPacked(request, reply, page);
  });

  // Several megabytes that few processes ever serve: read on demand.
  let script: Promise<ReturnType<Answers['pack']>> | null = null;
  app.get('/docs/reference/js/scalar.js', { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
    script ??= readFile(SCRIPT_FILE)
      .then(unpack)
      .then((bytes) => answers.pack(bytes))
      .catch((error) => {
        script = null;
        throw error;
      });
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, no-cache');
    return await answers.sendPacked(request, reply, await script);
  });

  app.get('/docs/reference', { schema: { hide: true } }, async (_request, reply) => reply.redirect('reference/', 301));
}
