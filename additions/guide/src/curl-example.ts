/**
 * Turns a request of the documentation into a curl command. A request is written like this; `{image}` stands for the id
 * that an earlier example with `as=image` made:
 *
 *     POST /v1/images
 *     Prefer: wait=45
 *
 *     { "model_id": "sketch", "prompt": "a fox" }
 *
 * @param words after `http` on the first line of the block: the status, then `open` (sent without a key), `as=<name>`
 * (the id is used later), `upload=<type>` (a file instead of a body) and `save=<file>` (where the response goes).
 */
export function curlExample(request: string, words: string, publicUrl: string): string {
  const [head = '', ...rest] = request.split('\n');
  const [method = '', path = ''] = head.split(' ');
  const start = rest.findIndex((line) => line === '' || line.startsWith('{'));
  const headers = start < 0 ? rest : rest.slice(0, start);
  const body = start < 0 ? '' : rest.slice(start).join('\n').trim();
  const upload = wordOf(words, 'upload');
  const save = wordOf(words, 'save');
  const made = wordOf(words, 'as');
  const options = [
    ...(/ open\b/.test(words) ? [] : ['-H "Authorization: Bearer $DARKROOM_API_KEY"']),
    ...(body === '' ? [] : ['-H "Content-Type: application/json"']),
    ...headers.map((header) => `-H "${header}"`),
    ...(upload === null ? [] : [`-H "Content-Type: ${upload}"`, `--data-binary @photo.${upload.split('/')[1]}`]),
    ...(body === '' ? [] : [`-d ${withVariables(body)}`]),
    ...(save === null ? [] : [`-o ${save}`]),
  ];
  const isPlain = method === 'GET' || (method === 'POST' && (body !== '' || upload !== null));
  const command = `curl -sS${isPlain ? '' : ` -X ${method}`} "${publicUrl}${path.replaceAll(PLACEHOLDER, variable)}"`;
  const note = made === null ? [] : [`# Then set ${made.toUpperCase()} to data.${idField(path)} of the response.`];
  return [[command, ...options].join(' \\\n  '), ...note].join('\n');
}

const PLACEHOLDER = /\{([a-z]+)\}/g;

function variable(_place: string, name: string): string {
  return `$${name.toUpperCase()}`;
}

function idField(path: string): string {
  if (path === '/v1/batches') return 'batch_id';
  if (path === '/v1/shares') return 'share_id';
  return path === '/v1/files' ? 'file_id' : 'task_id';
}

/** Quotes a body for the shell: variables stay outside of the single quotes. */
function withVariables(body: string): string {
  return `'${body.replaceAll("'", "'\\''").replaceAll(PLACEHOLDER, (_, name: string) => `'"$${name.toUpperCase()}"'`)}'`;
}

function wordOf(words: string, name: string): string | null {
  return new RegExp(` ${name}=(\\S+)`).exec(words)?.[1] ?? null;
}
