import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolData } from '../../../test/helpers/mcp-clients.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Conversations of a client of each protocol generation, message by message over HTTP, without a library. */

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const ORDER = { name: 'create_picture', arguments: { model_id: 'sketch', prompt: 'a heron' } };
const ACCEPT = 'application/json, text/event-stream';

/** The fields of all results: a test reads those of the method that it called. */
interface McpResult {
  readonly resultType: string;
  readonly protocolVersion: string;
  readonly supportedVersions: readonly string[];
  readonly capabilities: { readonly extensions: object };
  readonly tools: readonly { readonly name: string }[];
  readonly content: readonly [Content, Content, Content];
  readonly structuredContent: ToolData;
}

interface Content {
  readonly type: string;
  readonly mimeType: string;
  readonly data: string;
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** Null if the body is empty. */
  readonly message: { readonly id: number; readonly result: McpResult };
}

async function post(key: string, message: object, headers: Readonly<Record<string, string>>): Promise<Received> {
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: ACCEPT, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const data = isStream ? (/^data: (\{.*\})$/m.exec(text)?.[1] ?? '') : text;
  return { status: response.status, headers: response.headers, message: data === '' ? null : JSON.parse(data) };
}

function assertPicture(result: McpResult): void {
  const [text, thumbnail, link] = result.content;
  assert.deepEqual([result.content.length, text.type], [3, 'text']);
  assert.deepEqual([thumbnail.type, thumbnail.mimeType], ['image', 'image/webp']);
  assert.equal(Buffer.from(thumbnail.data, 'base64').subarray(8, 12).toString(), 'WEBP');
  assert.deepEqual([link.type, link.mimeType], ['resource_link', 'image/png']);
  assert.equal(result.structuredContent.cost.state, 'charged');
}

const kindsOf = async (key: string): Promise<string[]> =>
  (await service.call(key, 'GET', '/v1/account/ledger')).data.items.map(({ kind }) => kind).sort();

test('a scripted conversation with a handshake, revision 2025-06-18: it orders once, and repeats the call', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const clientInfo = { name: 'script', version: '1.0.0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const hello = await post(key, { id: 1, method: 'initialize', params }, {});
  assert.equal(hello.message.result.protocolVersion, '2025-06-18');
  assert.ok('tools' in hello.message.result.capabilities);
  assert.equal(hello.headers.get('mcp-session-id'), null, 'the server keeps no session');

  const version = { 'mcp-protocol-version': '2025-06-18' };
  const ready = await post(key, { method: 'notifications/initialized' }, version);
  assert.deepEqual([ready.status, ready.message], [202, null]);
  const { message: list } = await post(key, { id: 2, method: 'tools/list' }, version);
  assert.ok(list.result.tools.some(({ name }) => name === 'create_picture'));
  const { message: made } = await post(key, { id: 3, method: 'tools/call', params: ORDER }, version);
  assert.equal(made.id, 3);
  assertPicture(made.result);
  const { message: again } = await post(key, { id: 4, method: 'tools/call', params: ORDER }, version);
  assert.deepEqual(
    [again.result.structuredContent.task_id, again.result.structuredContent.replayed],
    [made.result.structuredContent.task_id, true],
  );
  assert.deepEqual(await kindsOf(key), ['charge', 'hold', 'release']);
});

test('a scripted conversation without a handshake, revision 2026-07-28: it orders once, and repeats the call', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'script', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  let id = 0;
  const send = async (method: string, params: object = {}) => {
    const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name };
    const { message } = await post(key, { id: ++id, method, params: { ...params, _meta: meta } }, headers);
    assert.equal(message.id, id, JSON.stringify(message));
    return message.result;
  };
  const found = await send('server/discover');
  assert.ok(found.supportedVersions.includes('2026-07-28'), JSON.stringify(found));
  assert.ok('io.modelcontextprotocol/tasks' in found.capabilities.extensions);
  const { tools } = await send('tools/list');
  assert.ok(tools.some(({ name }) => name === 'create_picture'));
  const made = await send('tools/call', ORDER);
  assert.equal(made.resultType, 'complete');
  assertPicture(made);
  const again = await send('tools/call', ORDER);
  assert.deepEqual(
    [again.structuredContent.task_id, again.structuredContent.replayed],
    [made.structuredContent.task_id, true],
  );
  assert.deepEqual(await kindsOf(key), ['charge', 'hold', 'release']);
});
