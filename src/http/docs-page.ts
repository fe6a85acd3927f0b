import { ERROR_TABLE } from '../base/errors.ts';

interface Document {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | undefined;
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/** The first page of the documentation: every address, every error under the anchor that `docs_url` names, and the way to the full reference. */
export function docsPage(document: Document): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(document.info.title)}</h1>
<p>Hand in a prompt, and collect the developed picture or film later. Every address, field and answer stands in the
<a href="docs/reference/">reference</a>; machines read <a href="openapi.json">openapi.json</a>.</p>
<h2>First steps</h2>
<pre>curl -X POST "$DARKROOM_URL/v1/images" -H "Authorization: Bearer $DARKROOM_API_KEY" \\
  -H "Content-Type: application/json" -H "Idempotency-Key: fox-1" -H "Prefer: wait=30" \\
  -d '{"model_id": "sketch", "prompt": "a red fox in the snow"}'</pre>
<p>The answer carries <code>data.task_id</code> at once. Retrieve the task until its <code>status</code> is
<code>succeeded</code>, <code>failed</code> or <code>canceled</code>. With a test key every model can be tried without cost.</p>
<h2 id="addresses">Addresses</h2>
<table><thead><tr><th>method</th><th>address</th><th>purpose</th></tr></thead><tbody>
${addressRows(document)}
</tbody></table>
<h2 id="errors">Errors</h2>
<p>A failure is <code>{ "error": { status, code, message, param, details, retryable, request_id, docs_url } }</code>.
<em>Repeatable</em> means that this very request may succeed later and cannot charge twice.</p>
<table><thead><tr><th>status</th><th>code</th><th>meaning</th><th>repeatable</th></tr></thead><tbody>
${errorRows()}
</tbody></table>
</main>
</html>
`;
}

function addressRows(document: Document): string {
  const rows: string[] = [];
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = operations?.[method] as { summary?: string } | undefined;
      if (operation === undefined) continue;
      rows.push(
        `<tr><td>${method.toUpperCase()}</td><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(operation.summary ?? '')}</td></tr>`,
      );
    }
  }
  return rows.join('\n');
}

function errorRows(): string {
  return Object.entries(ERROR_TABLE)
    .map(
      ([code, { status, summary, retryable }]) =>
        `<tr id="error-${code}"><td>${status}</td><td><code>${code}</code></td><td>${escapeHtml(summary)}</td><td>${retryable ? 'yes' : 'no'}</td></tr>`,
    )
    .join('\n');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }
tr:target { background: #fc83; }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8884; border-radius: .4rem; }
code { font: .9em ui-monospace, monospace; }
`;
