import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import type { Heading } from './render-markdown.ts';

interface FramedPage {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Address of the folder of the style and the script, relative to this page. */
  readonly assets: string;
  /** The pages of the guide, with addresses relative to this page. */
  readonly links: readonly { readonly href: string; readonly title: string; readonly isHere: boolean }[];
}

/** Returns the whole HTML page: links to the other pages, contents, text. A script adds search, tabs and buttons. */
export function framePage({ title, html, headings, assets, links }: FramedPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Darkroom</title>
<link rel="stylesheet" href="${assets}guide.css">
<script type="module" src="${assets}guide.js"></script>
<a class="skip" href="#content">Skip to content</a>
<header>
<div class="top"><strong>Darkroom</strong><search hidden></search></div>
<nav aria-label="Pages">
${links.map(({ href, title: name, isHere }) => `<a class="page" href="${href}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a>`).join('\n')}
</nav></header>
<div class="columns">
<nav class="contents" aria-label="Contents"><details><summary>Contents</summary><ul>
${headings
  .filter(({ depth }) => depth === 2)
  .map(({ id, html: name }) => `<li><a href="#${id}">${name}</a></li>`)
  .join('\n')}
</ul></details></nav>
<main id="content">
${html}
</main>
</div>
</html>
`;
}
