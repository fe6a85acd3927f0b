/** A body that is nothing but separators of its format, or the smallest parts of it. */
export interface SeparatorBody {
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @returns about so many bytes */
  make(bytes: number): Buffer;
}

const FORM = 'multipart/form-data; boundary=b';

/** Bodies that consist almost entirely of one format's separator or smallest part, for every format. */
export const SEPARATOR_BODIES: readonly SeparatorBody[] = [
  ...[
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['empty lines', '\r\n'],
    ['lines of a space', ' \n'],
    ['lines of a digit', '1\n'],
    ['lines of an empty order', '{}\n'],
  ].map(([name = '', part = '']) => lines(name, part)),
  { ...lines('line feeds under a key', '\n'), headers: { 'idempotency-key': 'separators' } },
  { ...lines('lines of a digit under a key', '1\n'), headers: { 'idempotency-key': 'separators' } },
  ...[
    ['commas', ','],
    ['spaces', ' '],
    ['digits', '1,'],
    ['empty orders', '{},'],
    ['empty arrays', '[],'],
    ['empty strings', '"",'],
    ['brackets', '['],
    ['quotes', '"'],
  ].map(([name = '', part = '']) => elements(name, part)),
  { ...elements('commas under a key', ','), headers: { 'idempotency-key': 'separators' } },
  ...[
    ['commas', ','],
    ['colons', ':'],
    ['spaces', ' '],
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['brackets', '['],
    ['empty objects', '{},'],
    ['names', '"":0,'],
  ].map(([name = '', part = '']) => json(name, part)),
  ...[
    ['boundaries', '--b\r\n'],
    ['empty parts', '--b\r\n\r\n\r\n'],
    ['parts of a field', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'],
    ['line ends', '\r\n'],
    ['hyphens', '-'],
    ['headers', 'a:b\r\n'],
    ['semicolons', ';'],
  ].flatMap(([name = '', part = '']) => [form(name, part, '/openai/v1/images/edits'), form(name, part, '/v1/files')]),
];

function lines(name: string, part: string): SeparatorBody {
  const make = (bytes: number) => Buffer.alloc(bytes, part);
  return { name: `JSON lines: ${name}`, path: '/v1/batches', contentType: 'application/jsonl', make };
}

function elements(name: string, part: string): SeparatorBody {
  const make = (bytes: number) => Buffer.concat([Buffer.from('{"orders":['), Buffer.alloc(bytes, part)]);
  return { name: `orders of a batch: ${name}`, path: '/v1/batches/prices', contentType: 'application/json', make };
}

function json(name: string, part: string): SeparatorBody {
  const make = (bytes: number) => Buffer.concat([Buffer.from('{"a":['), Buffer.alloc(bytes, part)]);
  return { name: `JSON: ${name}`, path: '/v1/images', contentType: 'application/json', make };
}

function form(name: string, part: string, path: string): SeparatorBody {
  const begin = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  // Headers and semicolons stand in the head of a part.
  const head = part.includes(':') || part === ';' ? '--b\r\nContent-Disposition: form-data; name="a"\r\n' : begin;
  const make = (bytes: number) => Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, part)]);
  return { name: `form to ${path}: ${name}`, path, contentType: FORM, make };
}
