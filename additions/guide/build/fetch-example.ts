import { idField, PLACEHOLDER, type ShownRequest } from './read-request.ts';

const STRING = /"(?:[^"\\]|\\.)*"/g;

/**
 * Turns a request of the documentation into a JavaScript module with `fetch`, as Node runs it. Ids of earlier examples
 * are variables.
 */
export function fetchExample(request: ShownRequest, publicUrl: string): string {
  const { method, path, headers, body, isOpen, upload, save } = request;
  const file = upload === null ? null : `photo.${upload.split('/')[1]}`;
  const fields = [
    ...(isOpen ? [] : [`Authorization: \`Bearer \${process.env.DARKROOM_API_KEY}\``]),
    ...(body === '' ? [] : ['"Content-Type": "application/json"']),
    ...(upload === null ? [] : [`"Content-Type": "${upload}"`]),
    ...headers.map((header) => header.replace(/^([^:]+): (.*)$/, (_, name, value) => `${keyOf(name)}: "${value}"`)),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: "${method}",`]),
    ...(fields.length === 0 ? [] : fieldLines(fields)),
    ...(file === null ? [] : [`body: await readFile("${file}"),`]),
    ...(body === '' ? [] : [`body: JSON.stringify(${withVariables(body).replaceAll('\n', '\n  ')}),`]),
  ];
  const calls = [...(file === null ? [] : ['readFile']), ...(save === null ? [] : ['writeFile'])];
  const address = withVariables(`"${publicUrl}${path}"`);
  return [
    ...(calls.length === 0 ? [] : [`import { ${calls.join(', ')} } from "node:fs/promises";\n`]),
    options.length === 0
      ? `const response = await fetch(${address});`
      : `const response = await fetch(${address}, {\n  ${options.join('\n  ')}\n});`,
    ...useOf(request),
  ].join('\n');
}

function fieldLines(fields: readonly string[]): string[] {
  const [only = ''] = fields;
  if (fields.length === 1) return [`headers: { ${only} },`];
  return ['headers: {', ...fields.map((field) => `  ${field},`), '},'];
}

function keyOf(header: string): string {
  return /^\w+$/.test(header) ? header : `"${header}"`;
}

/** Returns what the example does with its response. */
function useOf({ path, save, made }: ShownRequest): string[] {
  if (save !== null) return [`await writeFile("${save}", response.body);`];
  if (/\/events(?:\?|$)/.test(path))
    return ['for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);'];
  if (/\/content(?:\?|$)/.test(path)) return ['const picture = await response.blob();'];
  return [
    'const { data } = await response.json();',
    ...(made === null ? [] : [`const ${made} = data.${idField(path)};`]),
  ];
}

/** Makes templates of the strings that name earlier ids. */
function withVariables(code: string): string {
  return code.replaceAll(STRING, (text) => {
    const template = text.slice(1, -1).replaceAll(PLACEHOLDER, (_, name: string) => `\${${name}}`);
    if (template === text.slice(1, -1)) return text;
    const [, only] = /^\$\{([a-z]+)\}$/.exec(template) ?? [];
    return only ?? `\`${template}\``;
  });
}
