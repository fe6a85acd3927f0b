import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool, connectOverHttp, dataOf, textOf } from '../../../test/helpers/mcp-clients.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createStoppableEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createStoppableEngine()] } });
const { url, call } = service;

/** A client of each generation, with a key of its own. */
async function open(t: Parameters<typeof connectOverHttp>[0], generation: 'new' | 'old') {
  const { key } = await service.issueKey({ mode: 'test' });
  return { key, client: await connectOverHttp(t, { url, key, generation }) };
}

for (const generation of ['new', 'old'] as const) {
  test(`a conversation of the ${generation} generation finds a model, orders, acts, lists and cancels`, async (t) => {
    const { key, client } = await open(t, generation);
    assert.equal(client.getProtocolEra(), generation === 'new' ? 'modern' : 'legacy');
    const found = dataOf(await callTool(client, 'search_models', { query: 'sketch grid', type: 'image' }));
    assert.deepEqual([found.found, found.items[0].model_id], [1, 'sketch-grid']);
    const model = dataOf(await callTool(client, 'read_model', { model_id: 'sketch-grid' }));
    assert.ok('aspect_ratio' in model.parameters && !('input_schema' in model));
    const order = { model_id: 'sketch-grid', prompt: 'a heron', aspect_ratio: '16:9' };
    const quote = dataOf(await callTool(client, 'quote', order));

    const made = await callTool(client, 'create_picture', order);
    const task = dataOf(made);
    assert.deepEqual([task.status, task.replayed, task.cost.amount], ['succeeded', false, quote.amount]);
    assert.match(textOf(made), new RegExp(`^${task.task_id} succeeded and cost ${quote.amount} USD\\.`));

    const action = { parent_task_id: task.task_id, action: 'upscale', index: 2 };
    const price = dataOf(await callTool(client, 'quote', action)).amount;
    const tile = dataOf(await callTool(client, 'act_on_picture', action));
    assert.deepEqual([tile.status, tile.parent_task_id, tile.cost.amount], ['succeeded', task.task_id, price]);

    const film = { model_id: 'sketch-motion', prompt: 'a heron', simulate: { seconds: 3600 }, wait_seconds: 0 };
    const waiting = dataOf(await callTool(client, 'create_film', film));
    assert.match(waiting.status, /^(queued|processing)$/);
    const asked = await callTool(client, 'wait_for_task', { task_id: waiting.task_id, wait_seconds: 0.1 });
    assert.match(textOf(asked), /Call wait_for_task with this task_id to wait on; do not order again\./);
    const canceled = dataOf(await callTool(client, 'cancel_task', { task_id: waiting.task_id }));
    assert.equal(canceled.task_id, waiting.task_id);
    const ended = await callTool(client, 'wait_for_task', { task_id: waiting.task_id });
    assert.deepEqual([dataOf(ended).status, ended.isError], ['canceled', undefined]);

    const { items } = dataOf(await callTool(client, 'list_tasks', { limit: 1 }));
    assert.deepEqual([items.length, items[0].task_id], [1, tile.task_id]);
    const films = dataOf(await callTool(client, 'list_tasks', { type: 'video', status: 'canceled' }));
    assert.equal(films.items[0].task_id, waiting.task_id);
    const account = await call(key, 'GET', '/v1/account');
    assert.equal(account.data.held, '0.00');
  });
}

test('an order that names further models and allows dearer upstreams holds the highest amount of its quote', async (t) => {
  const { client } = await open(t, 'new');
  const { tools } = await client.listTools();
  for (const name of ['create_picture', 'create_film', 'quote']) {
    const fields = Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
    for (const field of ['fallback_models', 'fallback_on_content_policy', 'allow_dearer', 'max_price'])
      assert.ok(fields.includes(field), `${name} describes ${field}`);
  }
  const models = { model_id: 'sketch', fallback_models: ['sketch-grid'], fallback_on_content_policy: true };
  const order = { ...models, prompt: 'a heron', allow_dearer: true, max_price: '0.50' };
  const quote = dataOf(await callTool(client, 'quote', order));
  assert.deepEqual(
    quote.models.map((one: { model_id: string }) => one.model_id),
    ['sketch', 'sketch-grid'],
  );
  const task = dataOf(await callTool(client, 'create_picture', order));
  assert.deepEqual([task.requested_model_id, task.cost.quoted], ['sketch', quote.highest_amount]);
  const tooMany = await callTool(client, 'create_picture', { ...order, fallback_models: ['a', 'b', 'c', 'd', 'e'] });
  assert.equal(tooMany.isError, true);
});

test('a refusal names tools, and no addresses that an agent does not have', async (t) => {
  const { client } = await open(t, 'new');
  const refused = async (tool: string, order: object) => {
    const answer = await callTool(client, tool, { prompt: 'a heron', ...order });
    assert.equal(answer.isError, true);
    const [text, message] = [textOf(answer), `${dataOf(answer).error.message}`];
    assert.doesNotMatch(`${text} ${message} ${JSON.stringify(answer.structuredContent)}`, /\/v1\//);
    return text;
  };
  assert.match(await refused('create_picture', { model_id: 'sketchh' }), /Did you mean 'sketch'\? search_models lists/);
  assert.match(await refused('create_picture', { model_id: 'sketch-motion' }), /Send the order to create_film\./);
  assert.match(await refused('create_film', { model_id: 'sketch' }), /Send the order to create_picture\./);
  assert.match(await refused('quote', { model_id: 'sketchh' }), /search_models lists/);
  const orders = [{ model_id: 'sketchh', prompt: 'a heron' }];
  const batch = await callTool(client, 'create_batch', { orders });
  assert.doesNotMatch(JSON.stringify(batch), /(?:GET|POST) \/v1\//);
});

test('a result is a small picture and a link to the original that works without a key', async (t) => {
  const { client } = await open(t, 'new');
  const made = await callTool(client, 'create_picture', { model_id: 'sketch', prompt: 'a heron', size: '2048x1024' });
  const [, picture, link] = made.content;
  assert.ok(picture?.type === 'image' && link?.type === 'resource_link');
  assert.equal(picture.mimeType, 'image/webp');
  const bytes = Buffer.from(picture.data, 'base64');
  assert.equal(bytes.subarray(8, 12).toString(), 'WEBP');
  assert.ok(JSON.stringify(made).length < 1_048_576);
  const original = await fetch(link.uri);
  assert.deepEqual([original.status, original.headers.get('content-type')], [200, link.mimeType]);
  assert.equal((await original.arrayBuffer()).byteLength, link.size);
});

test('a repeated call orders once, also at the same time and after a restart of the client; another key orders again', async (t) => {
  const { key, client } = await open(t, 'new');
  const order = { model_id: 'sketch', prompt: 'one heron' };
  const other = await connectOverHttp(t, { url, key, generation: 'old' });
  const results = await Promise.all(
    [client, other, client, other].map(async (one) => dataOf(await callTool(one, 'create_picture', order))),
  );
  assert.equal(new Set(results.map((task) => task.task_id)).size, 1);
  const later = await callTool(await connectOverHttp(t, { url, key }), 'create_picture', order);
  assert.equal(dataOf(later).replayed, true);
  assert.match(
    textOf(later),
    /nothing new was ordered\. For another result of the same words, pass a new idempotency_key/,
  );
  const again = dataOf(await callTool(client, 'create_picture', { ...order, idempotency_key: 'second heron' }));
  assert.deepEqual([again.replayed, again.idempotency_key], [false, 'second heron']);
  const listed = await call(key, 'GET', '/v1/images');
  assert.equal(listed.data.items.length, 2);
});

test('a call whose answer is cut off is found by the repeated call, and charged once', async (t) => {
  const { key, client } = await open(t, 'new');
  const order = { model_id: 'sketch', prompt: 'a lost heron', simulate: { seconds: 1 } };
  const left = new AbortController();
  const lost = client.callTool({ name: 'create_picture', arguments: order }, { signal: left.signal });
  // The order is there before the client leaves.
  for (;;) {
    const { data } = await call(key, 'GET', '/v1/images');
    if (data.items.length > 0) break;
  }
  left.abort();
  await assert.rejects(lost);
  const found = dataOf(await callTool(client, 'create_picture', order));
  assert.deepEqual([found.status, found.replayed], ['succeeded', true]);
  const ledger = await call(key, 'GET', '/v1/account/ledger');
  const charges = ledger.data.items.filter((entry: { kind: string }) => entry.kind === 'charge');
  assert.equal(charges.length, 1);
});

test('a failed order is an error with its reason, the code and the key, and costs nothing', async (t) => {
  const { client } = await open(t, 'new');
  const order = { model_id: 'sketch', prompt: 'a heron', simulate: { outcome: 'content_policy' } };
  const failed = await callTool(client, 'create_picture', order);
  assert.equal(failed.isError, true);
  assert.deepEqual([dataOf(failed).error.code, dataOf(failed).cost.amount], ['content_policy', '0.00']);
  assert.match(textOf(failed), /failed: .*\(content_policy\)\. Nothing was charged\./);
  assert.match(dataOf(failed).idempotency_key, /^mcp-/);
});

test('wrong fields are refused together, each with what is accepted', async (t) => {
  const { client } = await open(t, 'new');
  const wrong = { model_id: 'sketch', prompt: 'a heron', aspect_ratio: '7:3', strenght: 1 };
  const refused = await callTool(client, 'create_picture', wrong);
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /strenght.*Accepted fields: /s);
  assert.match(textOf(refused), /aspect_ratio must be one of .*found "7:3"/);
  const film = await callTool(client, 'create_picture', { model_id: 'sketch-motion', prompt: 'a heron' });
  assert.equal(dataOf(film).error.code, 'model_not_found');
});
