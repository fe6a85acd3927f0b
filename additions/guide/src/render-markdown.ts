import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { Marked, type Tokens } from 'marked';
import { curlExample } from './curl-example.ts';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly html: string;
}

interface MarkdownOptions {
  /** URL that replaces the address in blocks of code. */
  readonly publicUrl: string;
  /** Number added to the depth of each heading. */
  readonly shift?: number;
  /** Returns the address of a link as the page needs it; null leaves only the text. */
  readonly linkTo: (href: string) => string | null;
  /** Returns HTML in place of a table with these column titles; null renders the table. */
  readonly tableFor?: (columns: readonly string[], rows: readonly (readonly string[])[]) => string | null;
}

/** Address that the pages name in their examples. */
export const EXAMPLE_URL = 'http://127.0.0.1:8080';

/** Renders one of our own pages. The text is trusted: HTML in it would be passed on. */
export function renderMarkdown(text: string, options: MarkdownOptions): { html: string; headings: readonly Heading[] } {
  const { shift = 0, linkTo, tableFor } = options;
  const headings: Heading[] = [];
  const withUrl = (code: string) => code.replaceAll(EXAMPLE_URL, options.publicUrl);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: source }) {
        const heading = { depth: depth + shift, id: slugOf(source), html: this.parser.parseInline(tokens) };
        headings.push(heading);
        return `<h${heading.depth} id="${heading.id}">${heading.html}</h${heading.depth}>\n`;
      },
      code({ text: code, lang = '' }) {
        const shown = lang.startsWith('http ') ? curlExample(code, lang, options.publicUrl) : withUrl(code);
        const language = lang.startsWith('http ') ? 'sh' : lang.split(' ')[0] || 'text';
        return `<pre tabindex="0"><code class="language-${language}">${escapeHtml(shown)}\n</code></pre>\n`;
      },
      codespan({ text: code }) {
        return `<code>${escapeHtml(code)}</code>`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = linkTo(href);
        return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      table(token) {
        const columns = token.header.map((cell) => cell.text);
        const special = tableFor?.(
          columns,
          token.rows.map((row) => row.map((cell) => this.parser.parseInline(cell.tokens))),
        );
        if (special !== undefined && special !== null) return special;
        const cells = (row: Tokens.TableCell[], tag: string) =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const head = columns.every((column) => column === '') ? '' : `<thead>${cells(token.header, 'th')}</thead>`;
        const body = token.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parse(text, { async: false }), headings };
}

/** Renders a sentence with Markdown's `code` marks. */
export function renderCodeMarks(sentence: string): string {
  return escapeHtml(sentence).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns the anchor of a heading, as GitHub makes it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
