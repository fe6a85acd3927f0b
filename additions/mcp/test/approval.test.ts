import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { callTool, connectOverHttp, dataOf, textOf } from '../../../test/helpers/mcp-clients.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const service = await startTestService(wholeFile, {
  env: { DARKROOM_APPROVE_OVER: '1.00' },
  service: { engines: [createSwiftEngine()] },
});
const { url, call } = service;
/** Costs 0.10 a second. */
const film = { model_id: 'veo-3.1-fast', prompt: 'a heron', duration: 8 };
const PRICE = (await call(service.keys.test, 'POST', '/v1/prices', film)).data.amount;

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> };

/** A client that can ask, and the questions that it was asked. */
async function connectPerson(t: Parameters<typeof connectOverHttp>[0], key: string, answer: () => Answer) {
  const asked: string[] = [];
  const client = await connectOverHttp(t, { url, key, options: { capabilities: { elicitation: {} } } });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return answer();
  });
  return { client, asked };
}

const keyOver = async (micros: number) => (await service.issueKey({ mode: 'test', approveOver: micros })).key;
const ordered = async (key: string) => (await call(key, 'GET', '/v1/videos')).data.items.length;
const accept = (): Answer => ({ action: 'accept', content: { approve: true } });

test('above the price of its key an order asks a person, and is placed at the price that was shown', async (t) => {
  const key = await keyOver(500_000);
  const { client, asked } = await connectPerson(t, key, accept);
  const made = dataOf(await callTool(client, 'create_film', film));
  assert.deepEqual(asked, [
    `A film by veo-3.1-fast ("a heron") costs ${PRICE} USD. Nothing is ordered unless you agree.`,
  ]);
  assert.deepEqual([made.status, made.cost.amount], ['succeeded', PRICE]);

  const again = dataOf(await callTool(client, 'create_film', film));
  assert.deepEqual([again.task_id, again.replayed, asked.length], [made.task_id, true, 1]);
  const cheap = await callTool(client, 'create_picture', { model_id: 'sketch', prompt: 'a heron' });
  assert.deepEqual([dataOf(cheap).status, asked.length], ['succeeded', 1]);
});

test('nothing is ordered when the person declines, closes the question or leaves the box empty', async (t) => {
  const key = await keyOver(0);
  const answers: Answer[] = [
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { approve: false } },
  ];
  for (const answer of answers) {
    const { client } = await connectPerson(t, key, () => answer);
    const refused = await callTool(client, 'create_film', film);
    assert.deepEqual([refused.isError, dataOf(refused).error.code], [true, 'approval_declined']);
  }
  assert.equal(await ordered(key), 0);
});

test('the setting counts for keys without a price of their own, and a key of its own counts before it', async (t) => {
  const long = { ...film, resolution: '1080p', duration: 8, prompt: 'a dear heron' };
  const price = (await call(service.keys.test, 'POST', '/v1/prices', { ...long, model_id: 'veo-3.1' })).data.amount;
  assert.ok(Number(price) > 1);
  const { key } = await service.issueKey({ mode: 'test' });
  const client = await connectOverHttp(t, { url, key });
  assert.equal((await call(key, 'GET', '/v1/account')).data.key.approve_over, '1.00');
  assert.equal(dataOf(await callTool(client, 'create_film', film)).status, 'succeeded');
  const dear = { ...long, model_id: 'veo-3.1' };
  assert.equal(dataOf(await callTool(client, 'quote', dear)).approve_over, '1.00');
  assert.equal(dataOf(await callTool(client, 'create_film', dear)).status, 'approval_required');
  const generous = await connectOverHttp(t, { url, key: await keyOver(100_000_000) });
  assert.equal(dataOf(await callTool(generous, 'create_film', dear)).status, 'succeeded');
});

for (const generation of ['new', 'old'] as const) {
  test(`a client of the ${generation} generation that cannot ask gets the price and an approval to repeat`, async (t) => {
    const key = await keyOver(500_000);
    const client = await connectOverHttp(t, { url, key, generation });
    const first = await callTool(client, 'create_film', film);
    const { approval, idempotency_key, price } = dataOf(first);
    assert.deepEqual([dataOf(first).status, first.isError, price], ['approval_required', undefined, PRICE]);
    assert.match(textOf(first), /^Nothing was ordered\. .* Tell them the price and ask\./);
    assert.equal(await ordered(key), 0);

    const agreed = { ...film, idempotency_key, approval };
    const results = await Promise.all([1, 2, 3].map(() => callTool(client, 'create_film', agreed)));
    assert.equal(new Set(results.map((result) => dataOf(result).task_id)).size, 1);
    // Neither the key nor the approval is needed to find the order again.
    assert.equal(dataOf(await callTool(client, 'create_film', film)).replayed, true);
    assert.equal(await ordered(key), 1);
  });
}

test('an approval serves for the order, the key and the price that it was given for', async (t) => {
  const key = await keyOver(500_000);
  const client = await connectOverHttp(t, { url, key });
  const { approval } = dataOf(await callTool(client, 'create_film', film));
  const codeOf = (result: CallToolResult) => dataOf(result).error.code;
  const refused = async (one: Client, order: object) =>
    codeOf(await callTool(one, 'create_film', { ...film, approval, ...order }));
  assert.equal(await refused(client, { prompt: 'another heron' }), 'approval_invalid');
  assert.equal(await refused(client, { idempotency_key: 'another' }), 'approval_invalid');
  assert.equal(await refused(client, { approval: `${approval.slice(0, -4)}AAAA` }), 'approval_invalid');
  const other = await connectOverHttp(t, { url, key: await keyOver(500_000) });
  assert.equal(await refused(other, {}), 'approval_invalid');
  assert.equal(await ordered(key), 0);

  const change = { price_rules: [{ models: '*', multiplier: '2' }] };
  assert.equal((await call(service.keys.admin, 'PATCH', '/admin/v1/accounts/default', change)).status, 200);
  t.after(() => call(service.keys.admin, 'PATCH', '/admin/v1/accounts/default', { price_rules: [] }));
  assert.equal(await refused(client, {}), 'price_exceeded');
  assert.equal(await ordered(key), 0);
});

test('a state that this service did not sign is refused', async () => {
  const key = await keyOver(0);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const params = {
    name: 'create_film',
    arguments: film,
    _meta: meta,
    requestState: 'v1.e30.AAAA',
    inputResponses: { approve: { action: 'accept', content: { approve: true } } },
  };
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'create_film',
  };
  const answer = await call(key, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  assert.equal(answer.error.code, -32602);
  assert.equal(await ordered(key), 0);
});

test('a conversation spends up to its budget, over all clients of its key, and repeats are free', async (t) => {
  const { key } = await service.issueKey({ mode: 'test' });
  const headers = { 'darkroom-conversation': 'talk-1', 'darkroom-budget': '0.02' };
  const client = await connectOverHttp(t, { url, key, headers });
  const order = (prompt: string) => ({ model_id: 'sketch', prompt });
  const first = dataOf(await callTool(client, 'create_picture', order('one')));
  const old = await connectOverHttp(t, { url, key, headers, generation: 'old' });
  assert.equal(dataOf(await callTool(old, 'create_picture', order('two'))).status, 'succeeded');
  const third = await callTool(client, 'create_picture', order('three'));
  assert.equal(dataOf(third).error.code, 'budget_exceeded');
  assert.match(textOf(third), /costs 0\.01 USD, and 0\.00 USD of this conversation's budget of 0\.02 USD are left/);
  const repeated = dataOf(await callTool(old, 'create_picture', order('one')));
  assert.deepEqual([repeated.task_id, repeated.replayed], [first.task_id, true]);
  const foreign = await callTool(client, 'create_picture', { ...order('four'), end_user: 'somebody' });
  assert.equal(dataOf(foreign).error.code, 'unsupported_field');

  const other = await connectOverHttp(t, { url, key, headers: { ...headers, 'darkroom-conversation': 'talk-2' } });
  const elsewhere = dataOf(await callTool(other, 'create_picture', order('one')));
  assert.deepEqual([elsewhere.replayed, elsewhere.task_id === first.task_id], [false, false]);
  const usage = await call(key, 'GET', '/v1/account/usage?group_by=end_user');
  const rows = usage.data.items.map((row: { end_user: string; charged: string }) => [row.end_user, row.charged]);
  assert.deepEqual(rows.sort(), [
    ['talk-1', '0.02'],
    ['talk-2', '0.01'],
  ]);
});
