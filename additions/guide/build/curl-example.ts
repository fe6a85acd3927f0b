import { idField, PLACEHOLDER, type ShownRequest } from './read-request.ts';

/** Turns a request of the documentation into a curl command. Ids of earlier examples are variables of the shell. */
export function curlExample(request: ShownRequest, publicUrl: string): string {
  const { method, path, headers, body, isOpen, upload, save, made } = request;
  const options = [
    ...(isOpen ? [] : ['-H "Authorization: Bearer $DARKROOM_API_KEY"']),
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

function variable(_place: string, name: string): string {
  return `$${name.toUpperCase()}`;
}

/** Quotes a body for the shell: variables stay outside of the single quotes. */
function withVariables(body: string): string {
  return `'${body.replaceAll("'", "'\\''").replaceAll(PLACEHOLDER, (_, name: string) => `'"$${name.toUpperCase()}"'`)}'`;
}
