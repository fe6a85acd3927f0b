import { STATUS_CODES } from 'node:http';
import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { ERROR_TABLE, type ErrorCode, ServiceError } from '@darkroom-service/contract';
import { errorBody, type GuidePage } from '@darkroom-service/darkroom/kernel-http';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { readPage } from './guide-texts.ts';
import { framePage } from './page-frame.ts';
import { renderCodeMarks, renderMarkdown } from './render-markdown.ts';

/** The part of the OpenAPI document that the guide shows. */
export interface DocumentedPaths {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | undefined;
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/** Renders a page of the guide. The first one also has every error code and every endpoint. */
export async function renderGuidePage(
  { name, title }: GuidePage,
  guide: { readonly pages: readonly GuidePage[]; readonly document: DocumentedPaths; readonly publicUrl: string },
): Promise<string> {
  const { pages, publicUrl } = guide;
  const isFirst = name === 'api';
  const linkTo = (href: string) => addressFrom(name, href, pages);
  const text = await readPage(name);
  const { html, headings } = renderMarkdown(text, { publicUrl, linkTo });
  const appended = isFirst ? await renderAppendix(guide) : { html: '', headings: [] };
  return framePage({
    title,
    html: html + appended.html,
    headings: [...headings, ...appended.headings],
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
}

async function renderAppendix({ pages, document, publicUrl }: Parameters<typeof renderGuidePage>[1]) {
  const { html, headings } = renderMarkdown(await readPage('errors'), {
    publicUrl,
    shift: 1,
    linkTo: (href) => addressFrom('api', href, pages),
    tableFor: (columns, rows) => {
      if (columns[0] === 'status') return errorSections(publicUrl);
      return columns[0] === 'code' ? taskErrorRows(columns, rows) : null;
    },
  });
  const endpoints = { depth: 2, id: 'endpoints', html: 'Endpoints' };
  return {
    html: `${html}<h2 id="${endpoints.id}">${endpoints.html}</h2>\n${endpointTable(document)}`,
    headings: [...headings, endpoints],
  };
}

/** Returns the table of task errors, each row under an anchor. */
function taskErrorRows(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((column) => `<th>${escapeHtml(column)}</th>`).join('');
  const body = rows.map((row) => {
    const code = /[a-z_]+(?=<\/code>)/.exec(row[0] ?? '')?.[0] ?? '';
    return `<tr id="task-error-${code}">${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>\n`;
}

function endpointTable({ paths = {} }: DocumentedPaths): string {
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations?.[method] as { summary?: string } | undefined;
      if (operation === undefined) return [];
      const cells = [method.toUpperCase(), `<code>${escapeHtml(path)}</code>`, escapeHtml(operation.summary ?? '')];
      return [`<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`];
    }),
  );
  return `<div class="table" tabindex="0"><table><thead><tr><th>method</th><th>path</th><th>purpose</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
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

/** Returns a section for each error code, under the anchor that `docs_url` names: meaning, cause, remedy, example. */
function errorSections(publicUrl: string): string {
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[];
  const byStatus = Map.groupBy(codes, (code) => ERROR_TABLE[code].status);
  const lists = [...byStatus].map(
    ([status, list]) =>
      `<li>${status}: ${list.map((code) => `<a href="#error-${code}"><code>${code}</code></a>`).join(', ')}</li>`,
  );
  return `<ul class="codes">\n${lists.join('\n')}\n</ul>\n${codes.map((code) => errorSection(code, publicUrl)).join('\n')}\n`;
}

function errorSection(code: ErrorCode, publicUrl: string): string {
  const { status, retryable, summary, remedy } = ERROR_TABLE[code];
  return `<section class="error" id="error-${code}">
<h4><code>${code}</code><small>${status} · ${retryable ? 'retryable' : 'not retryable'}</small></h4>
<p>${renderCodeMarks(summary)} ${renderCodeMarks(ERROR_EXAMPLES[code].cause)}</p>
<p><strong>What to do:</strong> ${renderCodeMarks(remedy)}</p>
<details><summary>Example</summary><pre tabindex="0"><code class="language-http">${escapeHtml(exampleAnswer(code, publicUrl))}
</code></pre></details>
</section>`;
}

/** Returns a failed response as the service sends it. */
function exampleAnswer(code: ErrorCode, publicUrl: string): string {
  const { message, param = null, details = [], headers = [] } = ERROR_EXAMPLES[code];
  const error = new ServiceError(code, message, { param, details });
  const body = { ...errorBody(error, 'req_5b1e20000042', `${publicUrl}/docs`), timestamp: '2026-11-20T03:06:00.000Z' };
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...headers];
  return [...head, '', JSON.stringify(body, null, 2)].join('\n');
}
