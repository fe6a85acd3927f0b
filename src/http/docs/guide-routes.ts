import type { onRequestHookHandler } from 'fastify';
import { answerPacked } from '../bodies/etag.ts';
import { type Packed, pack } from '../bodies/packed.ts';
import type { App } from '../http-options.ts';
import { type GuidePage, PAGES } from './guide-list.ts';
import type { DocumentedPaths } from './guide-pages.ts';
import { GUIDE_SECURITY_POLICY } from './page-frame.ts';

/** Serves the guide: `/docs`, and its further pages below. Each page is rendered when it is first requested. */
export function guideRoutes(
  app: App,
  takeTurn: onRequestHookHandler,
  options: { readonly publicUrl: string; readonly describe: () => DocumentedPaths },
): void {
  const packed = new Map<GuidePage, Promise<Packed>>();
  const render = async (page: GuidePage) => {
    // The Markdown renderer is loaded only when somebody reads the guide.
    const { renderGuidePage } = await import('./guide-pages.ts');
    return pack(Buffer.from(await renderGuidePage(page, options.describe(), options.publicUrl)));
  };
  for (const { name: page } of PAGES) {
    const url = page === 'api' ? '/docs' : `/docs/${page}`;
    app.get(url, { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
      const rendering = packed.get(page) ?? render(page);
      packed.set(page, rendering);
      rendering.catch(() => packed.delete(page));
      reply.type('text/html; charset=utf-8').header('cache-control', 'public, no-cache');
      return await answerPacked(
        request,
        reply.header('content-security-policy', GUIDE_SECURITY_POLICY),
        await rendering,
      );
    });
  }
  app.get('/docs/errors', { schema: { hide: true } }, async (_request, reply) => reply.redirect('../docs#errors', 301));
}
