import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GuidePage } from '@darkroom-service/darkroom/kernel-http';
import { rolldown } from 'rolldown';
import { CLIENTS_FILE, CLIENTS_MARK, LLMS_FILE, PAGE_LIST, pageFile, SEARCH_FILE } from '../src/built-guide.ts';
import { MORE_PAGES } from '../src/guide-list.ts';
import { listOfPages } from './list-of-pages.ts';
import { framePage } from './page-frame.ts';
import type { DocumentedPaths } from './render-appendix.ts';
import { renderPage } from './render-page.ts';
import { sectionsOf } from './sections-of.ts';

const BROWSER = join(import.meta.dirname, '..', 'browser');

/**
 * Builds the guide into a directory: a file for each page, the search's index, the script and the style. Each file
 * replaces the earlier one at once, so that a service may serve them meanwhile.
 * @param guide the pages in their order, and the OpenAPI document of a service with all additions
 */
export async function buildGuide(
  directory: string,
  guide: { readonly pages: readonly GuidePage[]; readonly document: DocumentedPaths },
): Promise<void> {
  const { pages } = guide;
  const rendered = await Promise.all(pages.map(async (page) => ({ page, ...(await renderPage(page, guide)) })));
  const files: readonly (readonly [name: string, text: string])[] = [
    ...rendered.map(({ page, html }) => [pageFile(page.name), html] as const),
    [CLIENTS_FILE, clientsPage()],
    [LLMS_FILE, await listOfPages([...pages, ...MORE_PAGES])],
    [SEARCH_FILE, JSON.stringify(rendered.flatMap(({ page, content }) => sectionsOf(page, content)))],
    ['guide.css', await readFile(join(BROWSER, 'guide.css'), 'utf8')],
    ['guide.js', await bundleScript()],
    [PAGE_LIST, JSON.stringify(pages.map(({ name }) => name))],
  ];
  await mkdir(directory, { recursive: true });
  for (const [name, text] of files) await replaceFile(join(directory, name), text);
  const known = new Set(files.map(([name]) => name));
  const earlier = (await readdir(directory)).filter((name) => !known.has(name) && !name.endsWith('.tmp'));
  for (const name of earlier) await rm(join(directory, name), { force: true });
}

async function replaceFile(path: string, text: string): Promise<void> {
  const making = `${path}.${randomUUID()}.tmp`;
  await writeFile(making, text);
  await rename(making, path);
}

function clientsPage(): string {
  return framePage({
    title: 'Clients',
    html: `<h1>Clients</h1>\n${CLIENTS_MARK}`,
    headings: [],
    assets: '../docs/',
    links: [
      { href: '../docs', title: 'Guide', isHere: false },
      { href: './', title: 'Clients', isHere: true },
      { href: '../docs/client-typescript', title: 'TypeScript client', isHere: false },
      { href: '../docs/client-python', title: 'Python client', isHere: false },
    ],
  });
}

async function bundleScript(): Promise<string> {
  await using bundle = await rolldown({ input: join(BROWSER, 'guide.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  return output[0].code;
}
