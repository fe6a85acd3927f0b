import { STATUS_CODES } from 'node:http';
import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { ERROR_TABLE, type ErrorCode, ServiceError } from '@darkroom-service/contract';
import { errorBody } from '../../../src/http/error-body.ts';
import { PUBLIC_URL_MARK, readPage } from '../src/guide-texts.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { type Heading, renderCodeMarks, renderMarkdown } from './render-markdown.ts';

/** The part of the OpenAPI document that the guide shows. */
export interface DocumentedPaths {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | undefined;
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/** Renders what follows the text of the first page: every error code, and every endpoint. */
export async function renderAppendix(
  document: DocumentedPaths,
  linkTo: (href: string) => string | null,
): Promise<{ readonly html: string; readonly headings: readonly Heading[] }> {
  const { html, headings } = renderMarkdown(await readPage('errors'), {
    shift: 1,
    linkTo,
    tableFor: (columns, rows) => {
      if (columns[0] === 'status') return errorSections();
      return columns[0] === 'code' ? taskErrorRows(columns, rows) : null;
    },
  });
  const endpoints = { depth: 2, id: 'endpoints', html: 'Endpoints' };
  const listed = `<h2 id="${endpoints.id}">${endpoints.html}</h2>
<p>With all additions open. The <a href="docs/reference/">reference</a> has the endpoints of this service.</p>
${endpointTable(document)}`;
  return { html: `${html}${listed}`, headings: [...headings, endpoints] };
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

/** Returns a section for each error code, under the anchor that `docs_url` names: meaning, cause, remedy, example. */
function errorSections(): string {
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[];
  const byStatus = Map.groupBy(codes, (code) => ERROR_TABLE[code].status);
  const lists = [...byStatus].map(
    ([status, list]) =>
      `<li>${status}: ${list.map((code) => `<a href="#error-${code}"><code>${code}</code></a>`).join(', ')}</li>`,
  );
  return `<ul class="codes">\n${lists.join('\n')}\n</ul>\n${codes.map((code) => errorSection(code)).join('\n')}\n`;
}

function errorSection(code: ErrorCode): string {
  const { status, retryable, summary, remedy } = ERROR_TABLE[code];
  return `<section class="error" id="error-${code}">
<h4><code>${code}</code><small>${status} · ${retryable ? 'retryable' : 'not retryable'}</small></h4>
<p>${renderCodeMarks(summary)} ${renderCodeMarks(ERROR_EXAMPLES[code].cause)}</p>
<p><strong>What to do:</strong> ${renderCodeMarks(remedy)}</p>
<details><summary>Example</summary><pre tabindex="0"><code class="language-http">${escapeHtml(exampleAnswer(code))}
</code></pre></details>
</section>`;
}

/** Returns a failed response as the service sends it. */
function exampleAnswer(code: ErrorCode): string {
  const { message, param = null, details = [], headers = [] } = ERROR_EXAMPLES[code];
  const error = new ServiceError(code, message, { param, details });
  const body = {
    ...errorBody(error, 'req_5b1e20000042', `${PUBLIC_URL_MARK}/docs`),
    timestamp: '2026-11-20T03:06:00.000Z',
  };
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...headers];
  return [...head, '', JSON.stringify(body, null, 2)].join('\n');
}
