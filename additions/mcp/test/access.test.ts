import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseArgs, promisify } from 'node:util';
import { callTool, connectOverHttp, connectOverStdio, dataOf, textOf } from '../../../test/helpers/mcp-clients.ts';
import { sendRaw } from '../../../test/helpers/raw-http.ts';
import { type Answer, startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const service = await startTestService(wholeFile, {
  env: { DARKROOM_CORS_ORIGINS: 'https://agents.example.com' },
  service: { engines: [createSwiftEngine()] },
});
const { url, keys, call } = service;
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const accept = { accept: 'application/json, text/event-stream' };
const told = ({ status, error }: Answer) => [status, error?.code];

test('the answer to a request without a valid key says where the resource is described', async () => {
  for (const [key, code] of [
    [null, 'missing_api_key'],
    ['dk_test_nonsense', 'invalid_api_key'],
  ] as const) {
    const answer = await call(key, 'POST', '/mcp', list, accept);
    assert.deepEqual(told(answer), [401, code]);
    const address = /^Bearer resource_metadata="(.+)"$/.exec(answer.headers.get('www-authenticate') ?? '')?.[1];
    assert.equal(address, `${url}/.well-known/oauth-protected-resource/mcp`);
    const described = await call(null, 'GET', address ?? '');
    const resource = described.body as { readonly resource: string; readonly bearer_methods_supported: string[] };
    assert.deepEqual([described.status, resource.resource], [200, `${url}/mcp`]);
    assert.deepEqual(resource.bearer_methods_supported, ['header']);
  }
  assert.deepEqual(told(await call(keys.admin, 'POST', '/mcp', list, accept)), [403, 'forbidden']);
});

test('the lines by which Claude Code connects lead to the tools, over HTTP and by a local process', async (t) => {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'mcp.md'), 'utf8');
  const [, sample = ''] = /^```sh\n(.*?)^```/ms.exec(page) ?? [];
  const lines = sample.replaceAll('https://pictures.example.com', url).replaceAll('dk_live_…', keys.live);
  // Stands in for Claude Code: prints the arguments that the shell hands over.
  const claude = `claude() { printf '%s\\0' "$@"; echo; }`;
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${claude}\n${lines}`]);
  const [overHttp, overStdio] = stdout.split('\n').map((line) => {
    const options = { transport: { type: 'string' }, header: { type: 'string' } } as const;
    const env = { type: 'string', multiple: true } as const;
    return parseArgs({ args: line.split('\0').slice(0, -1), options: { ...options, env }, allowPositionals: true });
  });
  assert.deepEqual(overHttp?.positionals, ['mcp', 'add', 'darkroom', `${url}/mcp`]);
  assert.equal(overHttp.values.transport, 'http');
  const [, key = ''] = /^Authorization: Bearer (\S+)$/.exec(overHttp.values.header ?? '') ?? [];
  assert.deepEqual(overStdio?.positionals, ['mcp', 'add', 'darkroom', 'darkroom', 'mcp']);
  assert.equal(overStdio.values.transport, 'stdio');
  const variables = Object.fromEntries((overStdio.values.env ?? []).map((pair) => pair.split(/=(.*)/s)));
  const clients = [
    await connectOverHttp(t, { url, key }),
    await connectOverStdio(t, { url: variables.DARKROOM_URL ?? '', key: variables.DARKROOM_API_KEY ?? '' }),
  ];
  for (const client of clients)
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'create_picture'));
});

test('a page of another origin is refused, before its key is looked at', async () => {
  const from = async (origin: string) => call(keys.test, 'POST', '/mcp', list, { ...accept, origin });
  assert.deepEqual(told(await from('https://evil.example.com')), [403, 'forbidden']);
  assert.deepEqual(told(await from('null')), [403, 'forbidden']);
  assert.equal((await from('https://agents.example.com')).status, 200);
  assert.equal((await from(url)).status, 200);
});

test('a client that asks for the end of the connection gets it, in each form of the answer', async () => {
  for (const message of [list, { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
    const body = JSON.stringify(message);
    const { status, headers } = await sendRaw(
      url,
      [
        'POST /mcp HTTP/1.1',
        'Host: darkroom',
        `Authorization: Bearer ${keys.test}`,
        `Accept: ${accept.accept}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Connection: close',
        `\r\n${body}`,
      ].join('\r\n'),
    );
    assert.ok(status === 200 || status === 202, `${status}`);
    assert.equal(headers.get('connection'), 'close');
  }
});

test('only POST is there, and a long body is refused', async () => {
  assert.deepEqual(told(await call(keys.test, 'GET', '/mcp', undefined, accept)), [405, 'method_not_allowed']);
  const long = { ...list, params: { text: 'x'.repeat(4_200_000) } };
  assert.deepEqual(told(await call(keys.test, 'POST', '/mcp', long, accept)), [413, 'body_too_large']);
});

test('the limits of a key hold for its tools: models, creates per minute, spend', async (t) => {
  const order = { model_id: 'sketch', prompt: 'a heron' };
  const { key: narrow } = await service.issueKey({ mode: 'test', models: ['flux-*'] });
  const first = await connectOverHttp(t, { url, key: narrow });
  const refused = await callTool(first, 'create_picture', order);
  assert.equal(refused.isError, true);
  assert.equal(dataOf(refused).error.code, 'model_not_allowed');
  assert.match(textOf(refused), /^model_not_allowed: .*\nidempotency_key: mcp-[0-9a-f]{64}$/s);

  const { key: slow } = await service.issueKey({ mode: 'test', createsPerMinute: 1 });
  const second = await connectOverHttp(t, { url, key: slow });
  assert.equal((await callTool(second, 'create_picture', order)).isError, undefined);
  const limited = await callTool(second, 'create_picture', { ...order, prompt: 'two herons' });
  assert.equal(dataOf(limited).error.code, 'rate_limited');

  const { key: poor } = await service.issueKey({ mode: 'test', spendLimits: { day: 1 } });
  const third = await connectOverHttp(t, { url, key: poor });
  assert.equal(dataOf(await callTool(third, 'create_picture', order)).error.code, 'spend_limit_reached');
});

test('a key sees its own tasks only', async (t) => {
  const owner = await connectOverHttp(t, { url, key: keys.test });
  const made = dataOf(await callTool(owner, 'create_picture', { model_id: 'sketch', prompt: 'a bittern' }));
  const { key } = await service.issueKey({ mode: 'test' });
  const other = await connectOverHttp(t, { url, key });
  const found = await callTool(other, 'wait_for_task', { task_id: made.task_id, wait_seconds: 0 });
  assert.equal(dataOf(found).error.code, 'task_not_found');
  assert.deepEqual(dataOf(await callTool(other, 'list_tasks', {})), { items: [], has_more: false });
  assert.equal(dataOf(await callTool(other, 'cancel_task', { task_id: '../account' })).error.code, 'task_not_found');
});

test('headers of a conversation that cannot be used are refused', async () => {
  const refused = async (headers: Record<string, string>) =>
    told(await call(keys.test, 'POST', '/mcp', list, { ...accept, ...headers }));
  const invalid = [400, 'invalid_request'];
  assert.deepEqual(await refused({ 'darkroom-budget': '1.00' }), invalid);
  assert.deepEqual(await refused({ 'darkroom-budget': 'much', 'darkroom-conversation': 'a' }), invalid);
  assert.deepEqual(await refused({ 'darkroom-conversation': 'two words' }), invalid);
});
