import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, RouteTools } from '@darkroom-service/darkroom/kernel-http';
import { loadPart } from '@darkroom-service/media/process';
import {
  ASSETS,
  type BuiltGuide,
  GUIDE_SECURITY_POLICY,
  NOT_BUILT,
  pageFile,
  SEARCH_FILE,
  withoutPages,
} from './built-guide.ts';
import { MOVED_PAGES, pagesWith } from './guide-list.ts';
import { readProgram } from './guide-texts.ts';
import type { Section } from './section.ts';

/** A file of the guide, in the form of this service. */
interface Served {
  readonly type: string;
  readonly text: (guide: BuiltGuide) => Promise<string>;
}

/** Serves the built guide: `/docs`, its further pages below, and what they load. Files are read at first requests. */
export function guideRoutes(
  app: App,
  { http: { answers }, settings: { publicUrl } }: Pick<ServingKernel, 'http' | 'settings'>,
  { takeTurn, packLinked, pages: added }: Pick<RouteTools, 'takeTurn' | 'packLinked' | 'pages'>,
  guide: BuiltGuide | null,
): void {
  const pages = pagesWith(added);
  const closed = guide === null ? [] : guide.pages.filter((name) => !pages.some((page) => page.name === name));
  const moved: typeof MOVED_PAGES = Object.assign({}, MOVED_PAGES, ...added.map((page) => page.moved));

  const serve = (url: string, { type, text }: Served) => {
    let packed: Promise<ReturnType<RouteTools['packLinked']>> | null = null;
    app.get(url, { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
      reply.type(type).header('content-security-policy', GUIDE_SECURITY_POLICY);
      if (guide === null)
        return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(NOT_BUILT);
      packed ??= text(guide).then(packLinked);
      packed.catch(() => (packed = null));
      reply.header('cache-control', 'public, no-cache');
      return await answers.sendPacked(request, reply, (await packed)(request));
    });
  };
  for (const { name } of pages)
    serve(name === 'api' ? '/docs' : `/docs/${name}`, {
      type: 'text/html; charset=utf-8',
      text: async (built) => withoutPages(await built.text(pageFile(name), publicUrl), closed),
    });
  if (guide !== null) {
    for (const [name, type] of Object.entries(ASSETS))
      serve(`/docs/${name}`, { type, text: (built) => built.text(name, publicUrl) });
    serve(`/docs/${SEARCH_FILE}`, {
      type: 'application/json; charset=utf-8',
      text: async (built) => {
        const sections = JSON.parse(await built.text(SEARCH_FILE, publicUrl)) as Section[];
        return JSON.stringify(sections.filter(({ page }) => !closed.includes(page)));
      },
    });
  }
  // Their links are relative to an address without a slash at the end.
  app.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('../docs', 301));
  for (const name of [...pages.map((page) => page.name), ...Object.keys(moved)])
    app.get(`/docs/${name}/`, { schema: { hide: true } }, async (_request, reply) => reply.redirect(`../${name}`, 301));
  for (const path of ['webhooks/receiver.ts', 'webhooks/receiver.py'])
    app.get(`/docs/${path}`, { onRequest: takeTurn, schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(await loadPart(() => readProgram(path))),
    );
  for (const [name, target] of Object.entries(moved))
    app.get(`/docs/${name}`, { schema: { hide: true } }, async (_request, reply) => reply.redirect(target, 301));
}
