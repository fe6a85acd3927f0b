import type { GuidePage } from '@darkroom-service/darkroom/kernel-http';
import { readPage } from '../src/guide-texts.ts';
import { framePage } from './page-frame.ts';
import { type DocumentedPaths, renderAppendix } from './render-appendix.ts';
import { renderMarkdown } from './render-markdown.ts';

/** A page of the guide: what it shows, which the search finds, and the whole file. */
interface RenderedPage {
  readonly content: string;
  readonly html: string;
}

/** Renders a page of the guide. The first one also has every error code and every endpoint. */
export async function renderPage(
  { name, title }: GuidePage,
  { pages, document }: { readonly pages: readonly GuidePage[]; readonly document: DocumentedPaths },
): Promise<RenderedPage> {
  const isFirst = name === 'api';
  const linkTo = (href: string) => addressFrom(name, href, pages);
  const { html, headings } = renderMarkdown(await readPage(name), { linkTo });
  const appended = isFirst ? await renderAppendix(document, linkTo) : { html: '', headings: [] };
  const content = html + appended.html;
  const framed = framePage({
    title,
    html: content,
    headings: [...headings, ...appended.headings],
    assets: isFirst ? 'docs/' : '',
    links: [
      ...pages.map((page) => ({
        href: linkTo(`${page.name}.md`) ?? '',
        title: page.title,
        isHere: page.name === name,
      })),
      { href: isFirst ? 'clients/' : '../clients/', title: 'Clients', isHere: false },
      { href: isFirst ? 'docs/reference/' : 'reference/', title: 'Reference', isHere: false },
      { href: isFirst ? 'openapi.json' : '../openapi.json', title: 'openapi.json', isHere: false },
    ],
  });
  return { content, html: framed };
}

/** Returns the address of `webhooks.md#events` as seen from a page; null for a file that the service does not show. */
function addressFrom(from: string, href: string, pages: readonly GuidePage[]): string | null {
  if (/^https?:|^#/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const name = file.replace(/\.md$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const isFirst = from === 'api';
  if (name === 'errors') return isFirst ? hash || '#errors' : `../docs${hash || '#errors'}`;
  if (name === 'api') return isFirst ? hash || 'docs' : `../docs${hash}`;
  if (file.startsWith('webhooks/')) return href;
  return pages.some((page) => page.name === name) ? `${isFirst ? 'docs/' : ''}${name}${hash}` : null;
}
