import fastify, { type FastifyInstance } from 'fastify';
import type { App } from './http-options.ts';

const PAGES = ['/docs/reference/', '/docs/reference/js/scalar.js'];

/** The readable reference. What draws it is loaded when someone first asks for it: it takes 30 MB, which few processes ever need. */
export function referenceRoutes(app: App): void {
  let opening: Promise<FastifyInstance> | null = null;
  for (const url of PAGES) {
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      opening ??= openReference();
      const page = await (await opening).inject(url);
      return reply.type(String(page.headers['content-type'])).send(page.body);
    });
  }
  app.get('/docs/reference', { schema: { hide: true } }, async (_request, reply) => reply.redirect('reference/', 301));
}

/** A server of its own that listens nowhere, so that its pages can be made late: a running server takes no more plugins. */
async function openReference(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const pages = fastify();
  await pages.register(reference, {
    routePrefix: '/docs/reference',
    configuration: {
      url: '../../openapi.json',
      pageTitle: 'Darkroom reference',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  await pages.ready();
  return pages;
}
