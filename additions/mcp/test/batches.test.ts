import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { callTool, connectOverHttp, dataOf, textOf } from '../../../test/helpers/mcp-clients.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createStoppableEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Many orders in one call, and orders that wait for others, as an agent places them. */

const service = await startTestService(wholeFile, { service: { engines: [createStoppableEngine()] } });
const { url, call } = service;
const keyOf = async (options = {}) => (await service.issueKey({ mode: 'test', ...options })).key;
const heron = (body = {}) => ({ operation: 'images', body: { model_id: 'sketch', prompt: 'a heron', ...body } });
const kindsOf = async (key: string): Promise<string[]> =>
  (await call(key, 'GET', '/v1/account/ledger')).data.items.map(({ kind }) => kind).sort();
const codeOf = (result: CallToolResult) => dataOf(result).error.code;
const batchesOf = async (key: string) => (await call(key, 'GET', '/v1/batches')).data.items.length;

/** Waits as an agent does, since a call waits 45 seconds at most. */
async function ended(client: Client, id: string): Promise<CallToolResult> {
  for (;;) {
    const result = await callTool(client, 'wait_for_task', { task_id: id });
    if (dataOf(result).status !== 'processing') return result;
  }
}

for (const generation of ['new', 'old'] as const) {
  test(`a client of the ${generation} generation quotes, orders, follows, lists and repeats a batch`, async (t) => {
    const key = await keyOf();
    const client = await connectOverHttp(t, { url, key, generation });
    const orders = [
      { name: 'hero', ...heron() },
      { name: 'seed', ...heron(), vary: { seed: [1, 2] } },
      {
        name: 'film',
        operation: 'videos',
        body: { model_id: 'sketch-motion', duration: 1, resolution: '360p', image_urls: ['order:hero'] },
      },
    ];
    const quote = dataOf(await callTool(client, 'quote', { orders }));
    assert.deepEqual([quote.orders, quote.models.length, quote.approve_over], [4, 2, null]);

    const made = dataOf(await callTool(client, 'create_batch', { orders, wait_seconds: 0 }));
    assert.deepEqual([made.status, made.replayed, made.orders], ['processing', false, 4]);
    const done = await ended(client, made.batch_id);
    const { status, cost, tasks } = dataOf(done);
    assert.deepEqual([status, cost.charged, cost.held], ['succeeded', quote.amount, '0.00']);
    assert.deepEqual(
      tasks.map((task) => [task.name, task.status, task.url.startsWith('http')]),
      ['hero', 'seed-1', 'seed-2', 'film'].map((name) => [name, 'succeeded', true]),
    );
    assert.match(textOf(done), /^bat_\w+ has ended: 4 of 4 orders succeeded, 0 failed, 0 were canceled\./);

    const again = await callTool(client, 'create_batch', { orders });
    assert.deepEqual([dataOf(again).batch_id, dataOf(again).replayed], [made.batch_id, true]);
    const listed = dataOf(await callTool(client, 'list_tasks', { type: 'batch' }));
    assert.deepEqual([listed.items.length, listed.items[0].batch_id], [1, made.batch_id]);
    const page = dataOf(await callTool(client, 'list_tasks', { batch_id: made.batch_id, limit: 3 }));
    assert.deepEqual([page.items.length, page.has_more], [3, true]);
    const rest = { batch_id: made.batch_id, after: page.items[2].task_id };
    assert.equal(dataOf(await callTool(client, 'list_tasks', rest)).items[0].name, 'film');
    const one = dataOf(await callTool(client, 'wait_for_task', { task_id: page.items[0].task_id }));
    assert.deepEqual([one.batch_id, one.batch_name], [made.batch_id, 'hero']);
    assert.equal((await kindsOf(key)).filter((kind) => kind === 'hold').length, 1);
  });
}

test('ten thousand short orders come in one message, as many as a batch may have, and are placed at their price', async (t) => {
  const key = await keyOf({ queue: 0 });
  const client = await connectOverHttp(t, { url, key });
  const orders = Array.from({ length: 10_000 }, (_, index) => heron({ seed: index, size: '64x64' }));
  const quote = dataOf(await callTool(client, 'quote', { orders }));
  assert.equal(quote.orders, 10_000);
  const refused = await callTool(client, 'create_batch', { orders, max_price: '0.01' });
  assert.equal(codeOf(refused), 'price_exceeded');
  const made = dataOf(await callTool(client, 'create_batch', { orders: orders.slice(0, 2_000), wait_seconds: 0 }));
  assert.equal(made.orders, 2_000);
  await callTool(client, 'cancel_task', { task_id: made.batch_id });
});

test('a batch waits in its own call, is canceled, and fails as an error', async (t) => {
  const client = await connectOverHttp(t, { url, key: await keyOf() });
  const swift = dataOf(await callTool(client, 'create_batch', { orders: [heron()] }));
  assert.equal(swift.status, 'succeeded');

  const stuck = heron({ simulate: { outcome: 'stuck' } });
  const held = await callTool(client, 'create_batch', { orders: [stuck, stuck], max_parallel: 1, wait_seconds: 0.5 });
  const { batch_id: id, status } = dataOf(held);
  assert.equal(status, 'processing');
  assert.match(textOf(held), /0 of 2 orders are final\. Call wait_for_task with this batch_id to wait on/);
  await callTool(client, 'cancel_task', { task_id: id });
  const { items } = dataOf(await callTool(client, 'list_tasks', { batch_id: id }));
  for (const { task_id } of items) await callTool(client, 'cancel_task', { task_id });
  const canceled = await ended(client, id);
  assert.deepEqual([dataOf(canceled).status, dataOf(canceled).cost.charged], ['canceled', '0.00']);
  assert.match(textOf(canceled), /0 of 2 orders succeeded, 0 failed, 2 were canceled\. 0\.00 USD were charged/);

  const failing = { orders: [heron({ simulate: { outcome: 'upstream_error' } })] };
  const failed = await callTool(client, 'create_batch', failing);
  assert.deepEqual([failed.isError, dataOf(failed).tasks[0].error.code], [true, 'upstream_error']);
  assert.equal(codeOf(await callTool(client, 'wait_for_task', { task_id: `bat_${'0'.repeat(26)}` })), 'not_found');
  assert.equal(codeOf(await callTool(client, 'list_tasks', { batch_id: 'bat/../x' })), 'not_found');
});

test('all faults of a batch are told with their places, and nothing is ordered', async (t) => {
  const key = await keyOf();
  const client = await connectOverHttp(t, { url, key });
  const orders = [heron(), heron({ strenght: 1 }), heron({ aspect_ratio: '7:3' })];
  const refused = await callTool(client, 'create_batch', { orders });
  assert.match(textOf(refused), /orders\[1\].*strenght.*\n.*orders\[2\].*aspect_ratio/s);
  assert.equal(await batchesOf(key), 0);
});

for (const generation of ['new', 'old'] as const) {
  test(`a person agrees once to the price of a whole batch, by a client of the ${generation} generation that can or cannot ask`, async (t) => {
    const key = await keyOf({ approveOver: 15_000 });
    const orders = [heron(), { ...heron({ prompt: 'two' }), vary: { seed: [1, 2] } }];
    const client = await connectOverHttp(t, { url, key, generation });
    assert.equal(
      dataOf(await callTool(client, 'create_batch', { orders: [heron({ prompt: 'cheap' })] })).status,
      'succeeded',
    );
    const first = await callTool(client, 'create_batch', { orders });
    const { status, price, approval, idempotency_key } = dataOf(first);
    assert.deepEqual([status, price], ['approval_required', '0.03']);
    assert.match(textOf(first), /A batch of 3 orders by sketch \("a heron"\) costs 0\.03 USD/);
    assert.equal(await batchesOf(key), 1);
    const other = await callTool(client, 'create_batch', { orders: orders.slice(1), idempotency_key, approval });
    assert.equal(codeOf(other), 'approval_invalid');
    const agreed = { orders, idempotency_key, approval };
    const placed = await Promise.all([1, 2].map(() => callTool(client, 'create_batch', agreed)));
    assert.equal(new Set(placed.map((result) => dataOf(result).batch_id)).size, 1);
    assert.equal(dataOf(await callTool(client, 'create_batch', { orders })).replayed, true);

    if (generation === 'old') return;
    const asked: string[] = [];
    const options = { capabilities: { elicitation: {} } };
    const asking = await connectOverHttp(t, { url, key, options });
    asking.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { approve: true } };
    });
    const more = { orders: [...orders, heron({ prompt: 'three' })] };
    assert.equal(dataOf(await callTool(asking, 'create_batch', more)).cost.quoted, '0.04');
    assert.deepEqual(asked.length, 1);
  });
}

test("a batch counts once and at once against its conversation's budget, and carries the conversation", async (t) => {
  const key = await keyOf();
  const headers = { 'darkroom-conversation': 'talk', 'darkroom-budget': '0.05' };
  const client = await connectOverHttp(t, { url, key, headers });
  const slow = { ...heron({ simulate: { seconds: 600 } }), vary: { seed: [1, 2, 3] } };
  const made = dataOf(await callTool(client, 'create_batch', { orders: [slow], wait_seconds: 0 }));
  assert.equal(made.status, 'processing');
  const dear = await callTool(client, 'create_batch', { orders: [{ ...heron(), vary: { seed: [4, 5, 6] } }] });
  assert.equal(codeOf(dear), 'budget_exceeded');
  assert.match(textOf(dear), /costs 0\.03 USD, and 0\.02 USD of this conversation's budget of 0\.05 USD are left/);
  const fits = dataOf(await callTool(client, 'create_batch', { orders: [{ ...heron(), vary: { seed: [4, 5] } }] }));
  assert.equal(fits.status, 'succeeded');
  const full = await callTool(client, 'create_picture', { model_id: 'sketch', prompt: 'one more' });
  assert.equal(codeOf(full), 'budget_exceeded');
  const again = dataOf(await callTool(client, 'create_batch', { orders: [slow], wait_seconds: 0 }));
  assert.deepEqual([again.batch_id, again.replayed], [made.batch_id, true]);
  const tasks = (await call(key, 'GET', '/v1/images?end_user=talk')).data.items;
  assert.deepEqual(new Set(tasks.map((task) => task.batch_id)), new Set([made.batch_id, fits.batch_id]));
  for (const foreign of [heron({ end_user: 'me' }), { ...heron(), vary: { end_user: ['me'] } }])
    assert.equal(codeOf(await callTool(client, 'create_batch', { orders: [foreign] })), 'unsupported_field');
  // What was deleted was spent all the same.
  for (const { task_id } of tasks.filter((task) => task.batch_id === fits.batch_id))
    assert.equal((await call(key, 'DELETE', `/v1/images/${task_id}`)).status, 200);
  const picture = await callTool(client, 'create_picture', { model_id: 'sketch', prompt: 'one more' });
  assert.equal(codeOf(picture), 'budget_exceeded');
});

test('a grid, its tile and a film of the tile are ordered in one go, and the film waits for them', async (t) => {
  const client = await connectOverHttp(t, { url, key: await keyOf() });
  const grid = { model_id: 'sketch-grid', prompt: 'a castle', simulate: { seconds: 600 }, wait_seconds: 0 };
  const { task_id } = dataOf(await callTool(client, 'create_picture', grid));
  const upscale = { parent_task_id: task_id, action: 'upscale', index: 2, wait_seconds: 0 };
  assert.equal(codeOf(await callTool(client, 'act_on_picture', upscale)), 'parent_not_ready');
  const action = { ...upscale, wait_for_parent: true };
  const tilePrice = dataOf(await callTool(client, 'quote', { ...action, wait_seconds: undefined })).amount;
  const tile = dataOf(await callTool(client, 'act_on_picture', action));
  assert.deepEqual([tile.cost.amount, tile.waiting_for], [tilePrice, [task_id]]);
  const film = {
    model_id: 'sketch-motion',
    duration: 1,
    resolution: '360p',
    image_urls: [`task:${tile.task_id}`],
    wait_for_parent: true,
    wait_seconds: 0,
  };
  const waiting = await callTool(client, 'create_film', film);
  assert.deepEqual(dataOf(waiting).waiting_for, [tile.task_id]);
  assert.match(textOf(waiting), new RegExp(`is queued \\(waits for ${tile.task_id}\\)`));
  await callTool(client, 'cancel_task', { task_id });
  const ended = await callTool(client, 'wait_for_task', { task_id: dataOf(waiting).task_id });
  assert.deepEqual([ended.isError, codeOf(ended), dataOf(ended).cost.amount], [true, 'parent_failed', '0.00']);

  const swift = dataOf(
    await callTool(client, 'create_picture', {
      model_id: 'sketch',
      prompt: 'a boat',
      simulate: { seconds: 1 },
      wait_seconds: 0,
    }),
  );
  const flight = { ...film, image_urls: [`task:${swift.task_id}`], wait_seconds: 45 };
  assert.equal(dataOf(await callTool(client, 'create_film', flight)).status, 'succeeded');
});
