import { post } from './bodies.ts';
import { type Attack, tiny } from './target.ts';

/** Requests whose headers, query strings and paths are wrong. */
export function headers(): Attack[] {
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

export function queries(): Attack[] {
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

export function paths(taskId: string): Attack[] {
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
    `/files/tasks/${taskId.slice(4, 10)}/${taskId}-1-0.png`,
    `/files/tasks/${taskId.slice(4, 10)}/${taskId}-1-0.png?expires=99999999999&signature=AAAA`,
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
