import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { Marked, type Token, type Tokens } from 'marked';
import { type CodeBlock, isProgramBlock, renderBlock, renderPrograms } from './code-blocks.ts';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly html: string;
}

interface MarkdownOptions {
  /** Number added to the depth of each heading. */
  readonly shift?: number;
  /** Returns the address of a link as the page needs it; null leaves only the text. */
  readonly linkTo: (href: string) => string | null;
  /** Returns HTML in place of a table with these column titles; null renders the table. */
  readonly tableFor?: (columns: readonly string[], rows: readonly (readonly string[])[]) => string | null;
}

/** Renders one of our own pages. The text is trusted: HTML in it would be passed on. */
export function renderMarkdown(text: string, options: MarkdownOptions): { html: string; headings: readonly Heading[] } {
  const { shift = 0, linkTo, tableFor } = options;
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: source }) {
        const heading = { depth: depth + shift, id: slugOf(source), html: this.parser.parseInline(tokens) };
        headings.push(heading);
        return `<h${heading.depth} id="${heading.id}">${heading.html}</h${heading.depth}>\n`;
      },
      code({ text: code, lang = '' }) {
        return renderBlock({ info: lang, code });
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
  return { html: marked.parser(joinPrograms(marked.lexer(text))), headings };
}

/** Puts neighbouring programs in different languages into one token each time. */
function joinPrograms(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  let group: Tokens.Code[] = [];
  const endGroup = () => {
    const [first] = group;
    if (first !== undefined && group.length > 1) {
      const text = renderPrograms(group.map(blockOf));
      joined.push({ type: 'html', raw: text, text, block: true, pre: false } satisfies Tokens.HTML);
    } else joined.push(...group);
    group = [];
  };
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const isProgram = isCode(token) && isProgramBlock(blockOf(token));
    if (!isProgram || group.some(({ lang }) => lang === token.lang)) endGroup();
    if (isProgram) group.push(token);
    else joined.push(token);
  }
  endGroup();
  return joined;
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

function blockOf({ lang = '', text }: Tokens.Code): CodeBlock {
  return { info: lang, code: text };
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
