import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { compileCacheVariable } from '@darkroom-service/media/process';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { callTool, connectOverStdio, dataOf } from '../helpers/mcp-clients.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { url, keys, call } = service;
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const order = (prompt: string) => ({ model_id: 'sketch', prompt });
const accepted = { action: 'accept' as const, content: { approve: true } };

/** The client package of the older generation, with its transport to `/mcp` or to `darkroom mcp`. */
async function connectOldClient(t: TestContext, key: string, over: 'http' | 'stdio'): Promise<OldClient> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-mcp-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const headers = { authorization: `Bearer ${key}` };
  const env = { PATH: process.env.PATH ?? '', DARKROOM_URL: url, DARKROOM_API_KEY: key, ...compileCacheVariable() };
  const transport =
    over === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
      : new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], cwd: directory, env });
  const client = new OldClient({ name: 'old', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  await client.connect(transport as Parameters<OldClient['connect']>[0]);
  t.after(() => client.close());
  return client;
}

for (const generation of ['new', 'old'] as const) {
  test(`darkroom mcp serves the ${generation} generation: it orders, asks a person and finds the order again`, async (t) => {
    const { key } = await service.issueKey({ mode: 'test', approveOver: 0 });
    const options = { capabilities: { elicitation: {} } };
    const client = await connectOverStdio(t, { url, key, generation, options });
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return accepted;
    });
    assert.equal((await client.listTools()).tools.length, 10);
    const made = await callTool(client, 'create_picture', order('a heron'));
    assert.deepEqual([dataOf(made).status, asked.length], ['succeeded', 1]);
    assert.deepEqual(
      made.content.map((block) => block.type),
      ['text', 'image', 'resource_link'],
    );
    await client.close();
    const next = await connectOverStdio(t, { url, key, generation });
    const found = dataOf(await callTool(next, 'create_picture', order('a heron')));
    assert.deepEqual([found.task_id, found.replayed], [dataOf(made).task_id, true]);
  });
}

for (const over of ['http', 'stdio'] as const) {
  test(`the client package of the older generation talks over ${over}`, async (t) => {
    const { key } = await service.issueKey({ mode: 'test', approveOver: 0 });
    const client = await connectOldClient(t, key, over);
    client.setRequestHandler(ElicitRequestSchema, async () => accepted);
    const use = async (name: string, args: Record<string, unknown>) =>
      dataOf((await client.callTool({ name, arguments: args })) as CallToolResult);
    assert.equal((await use('search_models', { query: 'veo 3.1 fast' })).items[0].model_id, 'veo-3.1-fast');
    const film = { model_id: 'veo-3.1-fast', prompt: 'a heron' };
    const first = await use('create_film', film);
    // Over HTTP there is no connection that a question could come back on.
    const { approval, status } = first;
    assert.equal(status, over === 'http' ? 'approval_required' : 'succeeded');
    const done = over === 'http' ? await use('create_film', { ...film, approval }) : first;
    assert.equal(done.status, 'succeeded');
    const listed = await call(key, 'GET', '/v1/videos');
    assert.equal(listed.data.items.length, 1);
  });
}

test('the budget of darkroom mcp holds for its process', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const client = await connectOverStdio(t, { url, key, words: ['--budget', '0.01'] });
  assert.equal(dataOf(await callTool(client, 'create_picture', order('one'))).status, 'succeeded');
  const second = dataOf(await callTool(client, 'create_picture', order('two')));
  assert.equal(second.error.code, 'budget_exceeded');
});

test('a service that is away is an error that says so, with the key of the order', async (t) => {
  const client = await connectOverStdio(t, { url: 'http://127.0.0.1:9', key: keys.test });
  const refused = await callTool(client, 'create_picture', order('a heron'));
  assert.equal(refused.isError, true);
  assert.equal(dataOf(refused).error.code, 'unreachable');
  assert.match(dataOf(refused).idempotency_key, /^mcp-/);
});

test('without a key, or with a budget that is none, the command says so and ends', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-mcp-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const keyless = await runDarkroom(['mcp'], { DARKROOM_URL: url }, directory);
  assert.deepEqual([keyless.code, keyless.stdout], [1, '']);
  assert.match(keyless.stderr, /DARKROOM_API_KEY is not set/);
  const variables = { DARKROOM_URL: url, DARKROOM_API_KEY: keys.test };
  const wrong = await runDarkroom(['mcp', '--budget', 'much'], variables, directory);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /DARKROOM_MCP_BUDGET: expected an amount of US dollars such as 5\.00, found "much"/);
});
