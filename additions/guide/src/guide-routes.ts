import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, GuidePage, RouteTools } from '@darkroom-service/darkroom/kernel-http';
import { loadPart } from '@darkroom-service/media/process';
import { MOVED_PAGES, pagesWith } from './guide-list.ts';
import { GUIDE_SECURITY_POLICY } from './page-frame.ts';

/** Serves the guide: `/docs`, and its further pages below. Each page is rendered when it is first requested. */
export function guideRoutes(
  app: App,
  { http: { answers }, settings: { publicUrl } }: Pick<ServingKernel, 'http' | 'settings'>,
  { takeTurn, packLinked, document, pages: added }: Omit<RouteTools, 'waits'>,
): void {
  const pages = pagesWith(added);
  const moved: typeof MOVED_PAGES = Object.assign({}, MOVED_PAGES, ...added.map((page) => page.moved));
  const packed = new Map<GuidePage, Promise<ReturnType<RouteTools['packLinked']>>>();
  const render = async (page: GuidePage) => {
    // The Markdown renderer is loaded only when somebody reads the guide.
    const { renderGuidePage } = await loadPart(() => import('./guide-pages.ts'));
    return packLinked(await renderGuidePage(page, { pages, publicUrl, document: await document() }));
  };
  for (const page of pages) {
    const url = page.name === 'api' ? '/docs' : `/docs/${page.name}`;
    app.get(url, { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
      const rendering = packed.get(page) ?? render(page);
      packed.set(page, rendering);
      rendering.catch(() => packed.delete(page));
      reply.type('text/html; charset=utf-8').header('cache-control', 'public, no-cache');
      reply.header('content-security-policy', GUIDE_SECURITY_POLICY);
      return await answers.sendPacked(request, reply, (await rendering)(request));
    });
  }
  // Their links are relative to an address without a slash at the end.
  app.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('../docs', 301));
  for (const name of [...pages.map((page) => page.name), ...Object.keys(moved)])
    app.get(`/docs/${name}/`, { schema: { hide: true } }, async (_request, reply) => reply.redirect(`../${name}`, 301));
  for (const path of ['webhooks/receiver.ts', 'webhooks/receiver.py'])
    app.get(`/docs/${path}`, { onRequest: takeTurn, schema: { hide: true } }, async (_request, reply) => {
      const { readProgram } = await loadPart(() => import('./guide-texts.ts'));
      return reply.type('text/plain; charset=utf-8').send(await readProgram(path));
    });
  for (const [name, target] of Object.entries(moved))
    app.get(`/docs/${name}`, { schema: { hide: true } }, async (_request, reply) => reply.redirect(target, 301));
}
