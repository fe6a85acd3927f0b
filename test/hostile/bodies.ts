import { gzipSync } from 'node:zlib';
import type { CatalogEntry } from '../helpers/service.ts';
import { type Attack, tiny } from './target.ts';

/** Orders whose bodies are wrong. */
/** What is wrong for a parameter of each type, as JSON text. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  string: ['5', 'true', '{}', '["a"]', '{"toString":1}', '"\\u0000"', '"\\ud800"'],
  integer: ['"abc"', '1.5', '{}', '[1]', '1e400', '-1e308', 'true', '99999999999999999999'],
  number: ['"abc"', '{}', '[1]', '1e400', '-1e308', 'false', '"0x10"'],
  boolean: ['"true"', '1', '{}', '[true]'],
  array: ['"a"', '5', '{"0":"a","length":1}', '[5]', '[[[]]]', '[null]', 'true'],
  object: ['"a"', '5', '[]', 'true'],
};

export function post(
  what: string,
  body: string | Uint8Array,
  headers?: Attack['headers'],
  path = '/v1/images',
): Attack {
  return { what, path, body, ...(headers === undefined ? {} : { headers }) };
}

export function wrongTypes(models: readonly CatalogEntry[]): Attack[] {
  return models.flatMap((model) =>
    Object.entries(model.parameters).flatMap(([name, { type }]) =>
      (WRONG[String(type)] ?? []).map((value) => {
        const prompt = name === 'prompt' ? '' : ',"prompt":"a fox"';
        const body = `{"model_id":"${model.model_id}"${prompt},"${name}":${value},"simulate":{"seconds":3600}}`;
        return post(`${model.model_id}.${name} = ${value}`, body, undefined, `/v1/${model.type}s`);
      }),
    ),
  );
}

export function serviceFields(): Attack[] {
  const wrong: Record<string, unknown[]> = {
    metadata: [
      5,
      'a',
      ['a'],
      { a: 1 },
      { a: { b: 'c' } },
      { ['k'.repeat(41)]: 'v' },
      { k: 'v'.repeat(501) },
      manyKeys(17),
    ],
    end_user: [5, {}, 'u'.repeat(129), ['a'], 'a\u0000b'],
    webhook_url: [
      5,
      'file:///etc/passwd',
      'http://127.0.0.1/',
      'http://169.254.169.254/latest',
      'javascript:alert(1)',
      'x',
    ],
    max_price: ['abc', -1, {}, '1e3', [], '0x1', 'NaN', '1,5', `1${'0'.repeat(400)}`],
    simulate: [
      5,
      'failed',
      { seconds: -1 },
      { seconds: 1e9 },
      { outcome: 'toString' },
      { outcome: '__proto__' },
      { x: 1 },
    ],
    num_images: [0, 2, 1.5, '1', -1, 1e9],
  };
  return Object.entries(wrong).flatMap(([name, values]) =>
    values.map((value) =>
      post(`${name} = ${JSON.stringify(value).slice(0, 60)}`, JSON.stringify({ ...tiny, [name]: value })),
    ),
  );
}

export function shapes(): Attack[] {
  const keyed = { 'idempotency-key': 'deep' };
  const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
  const named = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    '',
  ];
  return [
    ...[100, 10_000, 100_000].flatMap((levels) => [
      post(`${levels} arrays`, `{"model_id":"sketch","prompt":"a","x":${nested('[', ']', levels)}}`, keyed),
      post(
        `${levels} objects`,
        `{"model_id":"sketch","prompt":"a","metadata":${`{"a":`.repeat(levels)}1${'}'.repeat(levels)}}`,
        keyed,
      ),
      post(`${levels} arrays alone`, nested('[', ']', levels), keyed),
      post(`${levels} unclosed`, '['.repeat(levels)),
    ]),
    post('a price of depth', `{"model_id":"sketch","prompt":${nested('[', ']', 10_000)}}`, keyed, '/v1/prices'),
    post(
      'an action of depth',
      `{"parent_task_id":"img_1","action":${nested('[', ']', 10_000)}}`,
      keyed,
      '/v1/images/actions',
    ),
    ...named.flatMap((name) => [
      post(`field '${name}'`, `{"model_id":"sketch","prompt":"a","${name}":{"admin":true}}`),
      post(`model '${name}'`, `{"model_id":"${name}","prompt":"a"}`),
      post(`action '${name}'`, `{"parent_task_id":"img_1","action":"${name}"}`, undefined, '/v1/images/actions'),
    ]),
    post('a thousand unknown fields', JSON.stringify({ ...tiny, ...manyKeys(1000) })),
    post('the same field twice', '{"model_id":"sketch","model_id":5,"prompt":"a"}'),
    post('a prompt of a million letters', JSON.stringify({ ...tiny, prompt: 'a'.repeat(1_000_000) })),
    post('a model of a million letters', JSON.stringify({ ...tiny, model_id: 'a'.repeat(1_000_000) })),
    post('a size of nine hundred digits', JSON.stringify({ ...tiny, size: `${'9'.repeat(900)}x64` })),
    post('a lone surrogate', '{"model_id":"sketch","prompt":"\\ud83d"}'),
    post('surrogates the wrong way round', '{"model_id":"sketch","prompt":"\\udc00\\ud800"}'),
    post('a surrogate in a name', '{"model_id":"sketch","prompt":"a","\\udfff":1}'),
    post('NUL', '{"model_id":"sketch","prompt":"a\\u0000b"}'),
    post('NUL in a metadata name', '{"model_id":"sketch","prompt":"a","metadata":{"\\u0000":"b"}}'),
    post('UTF-16', Buffer.from(JSON.stringify(tiny), 'utf16le')),
    post('Latin 1', Buffer.from('{"model_id":"sketch","prompt":"\xe9"}', 'latin1')),
    post('overlong UTF-8', Buffer.from([...Buffer.from('{"model_id":"sketch","prompt":"'), 0xc0, 0x80, 0x22, 0x7d])),
    post(
      'surrogates in UTF-8',
      Buffer.from([...Buffer.from('{"model_id":"sketch","prompt":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]),
    ),
    post('gzip without saying so', gzipSync(JSON.stringify(tiny))),
    post('gzip', gzipSync(JSON.stringify(tiny)), { 'content-encoding': 'gzip' }),
    post('a bomb in gzip', gzipSync(Buffer.alloc(30_000_000)), { 'content-encoding': 'gzip' }),
    post('zeroes', Buffer.alloc(1_000_000)),
    ...[
      '',
      ' ',
      'null',
      '[]',
      '"a"',
      '1',
      '{',
      '{"a":}',
      "{'a':1}",
      '{"a":1,}',
      'NaN',
      '{"a":Infinity}',
      '{"a":01}',
      '{}{}',
    ].map((text) => post(`the body ${JSON.stringify(text)}`, text)),
    ...[
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      '',
      ';',
      'application/json/x',
      'a'.repeat(3000),
    ].map((type) => post(`the type '${type.slice(0, 40)}'`, JSON.stringify(tiny), { 'content-type': type })),
    post(
      'multipart without end',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="../../a"\r\n\r\nabc',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '/v1/files',
    ),
    post('multipart without boundary', 'abc', { 'content-type': 'multipart/form-data' }, '/v1/files'),
    post(
      'multipart with fields only',
      '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '/v1/files',
    ),
    post('an upload of nothing', '', { 'content-type': 'image/png' }, '/v1/files'),
    post('an upload of a page', '<html><script>1</script></html>', { 'content-type': 'image/png' }, '/v1/files'),
    post(
      'an upload of SVG',
      '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
      { 'content-type': 'image/svg+xml' },
      '/v1/files',
    ),
  ];
}

function manyKeys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 'a']));
}
