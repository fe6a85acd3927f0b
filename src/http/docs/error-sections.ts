import { STATUS_CODES } from 'node:http';
import { ERROR_TABLE } from '../../base/error-table.ts';
import { type ErrorCode, ServiceError } from '../../base/errors.ts';
import { errorBody } from '../error-body.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { escapeHtml } from './escape-html.ts';
import { renderCodeMarks } from './render-markdown.ts';

/** One section for each error code, under the anchor that `docs_url` names: meaning, cause, remedy, example. */
export function errorSections(publicUrl: string): string {
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

/** A failed response as the service sends it. */
function exampleAnswer(code: ErrorCode, publicUrl: string): string {
  const { message, param = null, details = [], headers = [] } = ERROR_EXAMPLES[code];
  const error = new ServiceError(code, message, { param, details });
  const body = { ...errorBody(error, 'req_5b1e20000042', publicUrl), timestamp: '2026-11-20T03:06:00.000Z' };
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...headers];
  return [...head, '', JSON.stringify(body, null, 2)].join('\n');
}
