import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, GuidePage, RouteTools } from '@darkroom-service/darkroom/kernel-http';
import { loadPart } from '@darkroom-service/media/process';
import { pagesWith } from './guide-list.ts';

/** Pages that only programs read as pages of their own: the guide has the errors on its first page. */
const MORE_PAGES: readonly GuidePage[] = [
  { name: 'errors', title: 'Errors' },
  { name: 'SKILL', title: 'Skill for agents' },
];

/** Serves the guide as Markdown, for agents: `/llms.txt` lists the pages, `/docs/<page>.md` is each. */
export function markdownRoutes(
  app: App,
  { http: { answers }, settings: { publicUrl } }: Pick<ServingKernel, 'http' | 'settings'>,
  { takeTurn, packLinked, pages: added }: Pick<RouteTools, 'takeTurn' | 'packLinked' | 'pages'>,
): void {
  const pages = [...pagesWith(added), ...MORE_PAGES];
  const texts: readonly (readonly [path: string, type: string, read: () => Promise<string>])[] = [
    ['/llms.txt', 'text/plain', async () => (await loadTexts()).listOfPages(pages, publicUrl)],
    ...pages.map(
      ({ name }) =>
        [`/docs/${name}.md`, 'text/markdown', async () => (await loadTexts()).markdownOf(name, publicUrl)] as const,
    ),
  ];
  for (const [path, type, read] of texts) {
    let packed: Promise<ReturnType<RouteTools['packLinked']>> | null = null;
    app.get(path, { onRequest: takeTurn, schema: { hide: true } }, async (request, reply) => {
      packed ??= read().then(packLinked);
      packed.catch(() => (packed = null));
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'public, no-cache');
      return await answers.sendPacked(request, reply, (await packed)(request));
    });
  }
}

async function loadTexts() {
  return await loadPart(() => import('./guide-texts.ts'));
}
