import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, GuidePage, RouteTools } from '@darkroom-service/darkroom/kernel-http';
import { loadPart } from '@darkroom-service/media/process';
import { type BuiltGuide, LLMS_FILE } from './built-guide.ts';
import { MORE_PAGES, pagesWith } from './guide-list.ts';
import { EXAMPLE_URL, readPage } from './guide-texts.ts';

/** Serves the guide as Markdown, for agents: `/llms.txt` lists the pages, `/docs/<page>.md` is each. */
export function markdownRoutes(
  app: App,
  { http: { answers }, settings: { publicUrl } }: Pick<ServingKernel, 'http' | 'settings'>,
  { takeTurn, packLinked, pages: added }: Pick<RouteTools, 'takeTurn' | 'packLinked' | 'pages'>,
  guide: BuiltGuide | null,
): void {
  const pages = [...pagesWith(added), ...MORE_PAGES];
  const texts: (readonly [path: string, type: string, read: () => Promise<string>])[] = pages.map(({ name }) => [
    `/docs/${name}.md`,
    'text/markdown',
    async () => (await loadPart(() => readPage(name))).replaceAll(EXAMPLE_URL, publicUrl),
  ]);
  if (guide !== null)
    texts.push(['/llms.txt', 'text/plain', async () => listedOnly(await guide.text(LLMS_FILE, publicUrl), pages)]);
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

/** Leaves out the lines of pages that this service does not have. */
function listedOnly(list: string, pages: readonly GuidePage[]): string {
  const isListed = (line: string) => {
    const [, name] = /^- \[[^\]]*\]\(\S+\/docs\/([\w-]+)\.md\)/.exec(line) ?? [];
    return name === undefined || pages.some((page) => page.name === name);
  };
  return list.split('\n').filter(isListed).join('\n');
}
