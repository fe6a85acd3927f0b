import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readTasks } from '../crash/books.ts';
import { openPremises } from '../crash/child-service.ts';
import type { WireValue } from '../service.ts';
import { type Attack, assertHealthy, assertNoTrace, sendAll } from './target.ts';

const MODELS = ['sketch', 'sketch-grid', 'sketch-motion', 'flux-2-pro', 'gpt-image-2', 'veo-3.1', 'kling-v3'];
const tiny = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };

/** What is wrong for a parameter of each type, as JSON text. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  string: ['5', 'true', '{}', '["a"]', '{"toString":1}', '"\\u0000"', '"\\ud800"'],
  integer: ['"abc"', '1.5', '{}', '[1]', '1e400', '-1e308', 'true', '99999999999999999999'],
  number: ['"abc"', '{}', '[1]', '1e400', '-1e308', 'false', '"0x10"'],
  boolean: ['"true"', '1', '{}', '[true]'],
  array: ['"a"', '5', '{"0":"a","length":1}', '[5]', '[[[]]]', '[null]', 'true'],
  object: ['"a"', '5', '[]', 'true'],
};

function post(what: string, body: string | Uint8Array, headers?: Attack['headers'], path = '/v1/images'): Attack {
  return { what, path, body, ...(headers === undefined ? {} : { headers }) };
}

function wrongTypes(models: readonly WireValue[]): Attack[] {
  return models.flatMap((model) =>
    Object.entries(model.parameters as Record<string, { type: string }>).flatMap(([name, { type }]) =>
      (WRONG[type] ?? []).map((value) => {
        const prompt = name === 'prompt' ? '' : ',"prompt":"a fox"';
        const body = `{"model_id":"${model.model_id}"${prompt},"${name}":${value},"simulate":{"seconds":3600}}`;
        return post(`${model.model_id}.${name} = ${value}`, body, undefined, `/v1/${model.type}s`);
      }),
    ),
  );
}

function serviceFields(): Attack[] {
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

function shapes(): Attack[] {
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
    post('a BOM', `\ufeff${JSON.stringify(tiny)}`),
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

function headers(): Attack[] {
  const body = JSON.stringify(tiny);
  const at = (what: string, name: string, value: string | string[] | null, mayPass = false): Attack => ({
    what,
    path: '/v1/images',
    headers: { [name]: value },
    mayPass,
  });
  return [
    at('no key', 'authorization', null),
    ...[
      '',
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      'bearer',
      `Bearer ${'a'.repeat(8_000)}`,
      'Bearer dk_live_',
      "Bearer ' or 1=1 --",
      'Bearer dk_live_\xff',
    ].map((value) => at(`the key ${JSON.stringify(value).slice(0, 40)}`, 'authorization', value)),
    at('headers of 20 KB', 'x-a', 'a'.repeat(20_000)),
    at(
      'a thousand values',
      'accept',
      Array.from({ length: 1000 }, () => 'a/b'),
      true,
    ),
    at('an If-None-Match of 10 KB', 'if-none-match', '"a",'.repeat(2_500), true),
    at('Prefer without end', 'prefer', `wait=${'9'.repeat(400)}`, true),
    at('Prefer of nonsense', 'prefer', 'wait=-1; wait=NaN, ,;=', true),
    at('a request id of nonsense', 'x-request-id', '<script>\t"', true),
    at('a method in a header', 'x-http-method-override', 'DELETE', true),
    at('a forwarded host', 'x-forwarded-host', 'evil.example', true),
    ...['', 'a'.repeat(256), 'é', 'a\tb'].map((value) =>
      post(`the Idempotency-Key ${JSON.stringify(value).slice(0, 20)}`, body, { 'idempotency-key': value }),
    ),
    ...['outcome=never', 'seconds=-1', 'seconds=1e9', ';;;=', 'outcome=__proto__', '{}'].map((value) =>
      post(`Darkroom-Simulate: ${value}`, body, { 'darkroom-simulate': value }),
    ),
  ];
}

const SQL = "' or 1=1; drop table tasks; --";

function queries(): Attack[] {
  const refused = [
    'limit=0',
    'limit=-1',
    'limit=101',
    'limit=1e2',
    'limit=0x10',
    'limit=NaN',
    'limit=1.5',
    'limit=',
    'limit=%D9%A1',
    'limit=99999999999999999999',
    'limit=1&limit=2',
    'limit[]=1',
    'limit[a]=1',
    'offset=-1',
    'offset=10001',
    'offset=abc',
    'offset=1e308',
    'page=1',
    'status=done',
    'status=,,,',
    'status[$ne]=failed',
    'status=__proto__',
    `status=${encodeURIComponent(SQL)}`,
    'created_after=yesterday',
    'created_after=99999-01-01',
    'created_before=0',
    'created_after=2026-02-30T00:00:00Z',
    `after=${encodeURIComponent(SQL)}`,
    'after=img_1',
    'after=vid_00000000000000000000000000',
    'after=%00',
    '__proto__=1',
    'constructor=1',
    'x=1',
    'limit=5&offset=1&after=img_00000000000000000000000000',
    'model_id=%00',
    'end_user=%ED%A0%80',
    '%',
    '%zz=1',
    'limit=%',
  ];
  const passing = [
    `model_id=${encodeURIComponent(SQL)}`,
    `end_user=${encodeURIComponent(SQL)}`,
    'parent_task_id=img_1%27--',
    'end_user=%25',
    'end_user=_',
  ];
  return [
    ...refused.map((query): Attack => ({ what: `?${query}`, path: `/v1/images?${query}` })),
    ...passing.map((query): Attack => ({ what: `?${query}`, path: `/v1/images?${query}`, mayPass: true })),
    { what: 'two thousand parameters', path: `/v1/images?${'a=1&'.repeat(1_900)}` },
    { what: 'an address of 9,000 characters', path: `/v1/images?x=${'a'.repeat(9_000)}` },
    { what: 'offset on films', path: '/v1/videos?offset=1' },
    { what: 'usage since ever', path: '/v1/account/usage?from=-1&to=x' },
    { what: 'usage by nonsense', path: `/v1/account/usage?group_by=${encodeURIComponent(SQL)}` },
    { what: 'the ledger of all', path: '/v1/account/ledger?scope=account' },
    { what: 'a catalog of nonsense', path: '/v1/catalog?type=__proto__' },
  ];
}

function paths(taskId: string): Attack[] {
  const tricks = [
    '..',
    '../',
    '%2e%2e',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%2f..%2fdarkroom.db',
    '..%5c..%5cdarkroom.db',
    '....//',
    '%00',
    'a%00b',
    '%ff',
    '%c0%ae%c0%ae',
    '%',
    '%zz',
    '~',
    '__proto__',
    'constructor',
    "'%20or%201=1--",
    '%F0%9F%A6%8A',
    'a'.repeat(7_000),
    `${taskId}%2f..`,
    `${taskId}%00`,
    `${taskId};a=b`,
    taskId.toUpperCase(),
  ];
  const places = ['/v1/images/', '/v1/files/', '/v1/models/', '/files/', '/files/tasks/', '/files/uploads/00/'];
  const one = places.flatMap((place) =>
    tricks.map((trick): Attack => ({ what: `GET ${place}${trick.slice(0, 40)}`, path: place + trick })),
  );
  const others = [
    '/../../etc/passwd',
    '/v1/../darkroom.db',
    '//v1/images',
    '/v1//images',
    '/V1/images',
    '/v1/images/',
    '/.env',
    '/data/darkroom.db',
    '/files',
    '/files/.tmp/x',
    `/files/tasks/${taskId.slice(-2)}/${taskId}/1-0.png`,
    `/files/tasks/${taskId.slice(-2)}/${taskId}/1-0.png?expires=99999999999&signature=AAAA`,
    `/v1/images/${taskId}/content?variant=../../x`,
    `/v1/images/${taskId}/content?download=2`,
    `/v1/videos/${taskId}`,
    '/admin/v1/accounts',
    '/metrics',
    '\\',
  ];
  return [
    ...one,
    ...others.map((path): Attack => ({ what: `GET ${path}`, path })),
    ...['PUT', 'PATCH', 'TRACE', 'PROPFIND', 'OPTIONS'].map(
      (method): Attack => ({ what: `${method} /v1/images`, method, path: '/v1/images', mayPass: method === 'OPTIONS' }),
    ),
    { what: 'GET *', path: '*' },
    { what: 'an absolute address', path: 'http://evil.example/v1/images', mayPass: true },
    { what: 'a cancel with a body', method: 'POST', path: `/v1/images/${taskId}/cancel`, body: '{"a":1}' },
    { what: 'a deletion of another type', method: 'DELETE', path: `/v1/videos/${taskId}` },
  ];
}

function manyKeys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 'a']));
}

test('hundreds of hostile requests are each refused in the shape of every failure, and leave nothing behind', async (t) => {
  const premises = await openPremises(t);
  const { keys } = premises;
  const child = await premises.start();
  const models: WireValue[] = [];
  for (const name of MODELS) {
    const answer = await child.call(null, 'GET', '/v1/catalog');
    models.push(...answer.body.data.items.filter((item: WireValue) => item.model_id === name));
  }
  assert.ok(models.length >= 5, `${models.length} models`);
  const described: WireValue[] = [];
  for (const { model_id } of models)
    described.push((await child.call(keys.test, 'GET', `/v1/models/${model_id}`)).body.data);
  const made = await child.call(keys.test, 'POST', '/v1/images', tiny, { prefer: 'wait=60' });
  const { task_id: taskId, outputs } = made.body.data;
  const before = await readTasks(premises.database);

  const attacks = [
    ...wrongTypes(described),
    ...serviceFields(),
    ...shapes(),
    ...headers(),
    ...queries(),
    ...paths(taskId),
  ];
  assert.ok(attacks.length >= 200, `${attacks.length} attacks`);
  t.diagnostic(`${attacks.length} requests, four times`);
  await assertNoTrace(
    t,
    child,
    async () => {
      await sendAll(child, keys.test, attacks);
    },
    2,
  );

  assert.deepEqual(await readTasks(premises.database), before, 'none of them made or changed a task');
  assert.equal((await fetch(outputs[0].url)).status, 200);
  await assertHealthy(child, premises);
});
