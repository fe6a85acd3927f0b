import { hash } from 'node:crypto';
import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import type { Heading } from './render-markdown.ts';

interface FramedPage {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The pages of the guide, with addresses relative to this page. */
  readonly links: readonly { readonly href: string; readonly title: string; readonly isHere: boolean }[];
}

/** Returns the whole HTML page: links to the other pages, contents, text. It needs no script and loads nothing. */
export function framePage({ title, html, headings, links }: FramedPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Darkroom</title>
<style>${STYLE}</style>
<a class="skip" href="#content">Skip to content</a>
<header><nav aria-label="Pages"><strong>Darkroom</strong>
${links.map(({ href, title: name, isHere }) => `<a href="${href}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a>`).join('\n')}
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

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; --line: #8884; --back: #8881; --mark: #e8a33d33; }
html { background: Canvas; color: CanvasText; }
body { margin: 0; }
.skip { position: absolute; left: -99em; }
.skip:focus { left: 1rem; }
header { border-bottom: 1px solid var(--line); padding: .6rem 1rem; }
header nav { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; max-width: 76rem; margin: 0 auto; }
a { color: light-dark(#0b57a4, #8ec5ff); }
a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
.columns { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
.contents { font-size: .92rem; margin-top: 1rem; }
.contents ul { list-style: none; margin: .4rem 0; padding: 0; columns: 16rem; }
main { min-width: 0; padding-bottom: 4rem; overflow-wrap: break-word; }
h1 { line-height: 1.25; }
h2 { margin-top: 2.6rem; padding-top: .8rem; border-top: 1px solid var(--line); line-height: 1.3; }
h2, h3, h4, section { scroll-margin-top: 1rem; }
pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--back); line-height: 1.45; }
code { font: .9em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .7rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; min-width: 5rem; }
td code { overflow-wrap: anywhere; }
section.error { padding: .1rem .8rem; margin: 1rem -.8rem; border-radius: .4rem; }
section.error h4 { margin: .8rem 0 .3rem; font-size: 1.05rem; }
section.error h4 code { font-weight: 700; }
section.error h4 small { font-weight: 400; margin-left: .6rem; }
section.error p { margin: .3rem 0; }
section.error:target { background: var(--mark); }
section.error:target details::details-content { content-visibility: visible; block-size: auto; }
.codes li { margin: .2rem 0; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; }
  .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; }
  .contents ul { columns: auto; }
  .contents details::details-content { content-visibility: visible; block-size: auto; }
  .contents summary { display: none; }
}
`;

/** Policy that allows the only style of the pages, and nothing else. */
export const GUIDE_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
