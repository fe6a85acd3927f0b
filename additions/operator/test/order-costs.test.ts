import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COST_NOTES, type CostOrderView, formatMicros, parseMicros } from '@darkroom-service/contract';
import { type Delivery, type Engine, EngineError } from '@darkroom-service/engines';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import fc from 'fast-check';
import { InstanceSpends } from '../../../src/worker/rerouting/instance-spend.ts';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../test/helpers/plain-entry.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** What orders cost at their upstreams, as operators see it. */

const picture = await smallPicture;
const MODELS = ['dear', 'cheap'] as const;
const PRICES = { dear: '0.05', cheap: '0.01' };

/** A prompt such as `told=0.03 end=broken` says how the upstream behaves. */
const wordsOf = (prompt: unknown) => new URLSearchParams(String(prompt).replaceAll(' ', '&'));
const refused = new Set<string>();

function paidEngine(): Engine {
  const deliver = (words: URLSearchParams): Delivery => {
    const told = words.get('told');
    const data = words.get('end') === 'broken' ? Buffer.from('no picture') : picture;
    return {
      outputs: [{ source: { data }, seed: null, revisedPrompt: null, tiles: null }],
      ...(told === null ? {} : { upstreamCost: { usd: told } }),
    };
  };
  return {
    name: 'paid',
    concurrency: 50,
    async start({ taskId, request }) {
      const words = wordsOf(request.values.prompt);
      if (words.get('shy') === 'yes' && !refused.has(taskId)) {
        refused.add(taskId);
        throw new EngineError('busy', 'come again', { took: 'no', retryAfterMs: 5 });
      }
      if (words.get('end') === 'lost') throw new EngineError('upstream', 'gone', { took: 'unknown' });
      if (words.get('end') === 'refused') throw new EngineError('content_policy', 'not this', { took: 'no' });
      return { operation: { taskId }, checkAfterMs: 0 };
    },
    async check(_operation, { taskId, request }) {
      const words = wordsOf(request.values.prompt);
      const told = words.get('told');
      const upstreamCost = told === null ? {} : { upstreamCost: { usd: told } };
      if (words.get('end') === 'failed')
        return { status: 'failed', error: { code: 'upstream_error', message: 'it broke' }, ...upstreamCost };
      if (words.get('end') === 'late' && !refused.has(`late ${taskId}`)) {
        refused.add(`late ${taskId}`);
        return { status: 'failed', error: { code: 'timeout', message: 'too slow' }, lateResult: true };
      }
      return { status: 'succeeded', delivery: deliver(words) };
    },
  };
}

const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({
    model_id: 'unstated',
    pricing: { components: [{ per: 'image', amount: '0.07' }] },
    routes: [{ engine: 'paid', cost: { as_of: '2026-11-21', unknown: 'a page without a price' } }],
  }),
  ...MODELS.map((model_id) =>
    plainEntry({
      model_id,
      pricing: { components: [{ per: 'image', amount: PRICES[model_id] }] },
      routes: [
        {
          engine: 'paid',
          cost: { as_of: '2026-11-21', source: 'a test', components: [{ per: 'image', amount: '0.02' }] },
        },
      ],
    }),
  ),
]);
const { call, make, keys, database, createAccount, issueKey } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_BELOW_COST_MODELS: 'cheap' },
  service: { engines: [createSwiftEngine(), paidEngine()] },
});
const report = async (query: string) => (await call(keys.admin, 'GET', `/admin/v1/costs?${query}`)).data;

const order = fc.record({
  model: fc.constantFrom(...MODELS),
  told: fc.option(fc.integer({ min: 1, max: 60_000 }), { freq: 3 }),
  end: fc.constantFrom('ok', 'ok', 'ok', 'broken', 'lost', 'refused', 'failed', 'late'),
  shy: fc.boolean(),
});

test('costs are counted once per order, of orders that succeeded, failed after they were billed, or are unknown', async () => {
  const from = new Date().toISOString();
  const sum = { orders: 0, told: 0, expected: 0, revenue: 0, cost: 0, unknown: 0, unknownCost: 0, unsuccessful: 0 };
  for (const { model, told, end, shy } of fc.sample(order, { numRuns: 60, seed: 7 })) {
    const words = [`end=${end}`, ...(told === null ? [] : [`told=${formatMicros(told)}`]), ...(shy ? ['shy=yes'] : [])];
    const task = await make(keys.live, '/v1/images', { model_id: model, prompt: words.join(' ') });
    assert.equal(task.status, end === 'ok' ? 'succeeded' : 'failed', JSON.stringify(task));
    if (end === 'refused' || (end === 'failed' && told === null)) continue;
    sum.orders++;
    sum.told += end === 'lost' ? 0 : (told ?? 0);
    if (end !== 'failed') sum.expected += 20_000;
    if (end === 'ok') sum.revenue += parseMicros(PRICES[model]) ?? 0;
    if (end === 'lost') {
      sum.unknown++;
      sum.unknownCost += 20_000;
    } else sum.cost += told ?? 20_000;
    if (end !== 'lost' && end !== 'ok') sum.unsuccessful++;
  }
  const seen = await until(
    () => report(`from=${from}`),
    ({ items: [row] }) => row?.unsuccessful === sum.unsuccessful,
  );
  const [row] = seen.items;
  const { orders, unknown, unsuccessful } = row;
  assert.deepEqual(
    { orders, unknown, unsuccessful },
    { orders: sum.orders, unknown: sum.unknown, unsuccessful: sum.unsuccessful },
  );
  assert.deepEqual(
    [row.told, row.expected, row.revenue, row.cost, row.unknown_cost, row.margin],
    [sum.told, sum.expected, sum.revenue, sum.cost, sum.unknownCost, sum.revenue - sum.cost].map((amount) =>
      formatMicros(amount),
    ),
  );
  const pages = [];
  for (let after = ''; ; ) {
    const page = await report(`from=${from}&group_by=model_id,engine&limit=1${after}`);
    pages.push(...page.items);
    if (!page.has_more) break;
    after = `&after=${page.next_after}`;
  }
  assert.deepEqual(
    pages.map(({ model_id, engine }) => [model_id, engine]),
    [
      ['cheap', 'paid'],
      ['dear', 'paid'],
    ],
  );
  const total = pages.reduce((orders, page) => orders + page.orders, 0);
  assert.equal(total, row.orders);
  const byAccount = await report(`from=${from}&group_by=account_id`);
  assert.equal(byAccount.items[0].orders, row.orders);
});

test('test orders, and orders of the built-in engine, cost nothing', async () => {
  const from = new Date().toISOString();
  await make(keys.test, '/v1/images', { model_id: 'dear', prompt: 'a fox' });
  await make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  assert.deepEqual((await report(`from=${from}`)).items, []);
});

test('orders of unknown cost and of unknown outcome are counted apart, and left out of cost and margin', async () => {
  const from = new Date().toISOString();
  for (const [model_id, prompt] of [
    ['dear', 'end=lost'],
    ['unstated', 'end=lost'],
    ['unstated', 'end=broken'],
  ])
    await make(keys.live, '/v1/images', { model_id, prompt });
  await make(keys.live, '/v1/images', { model_id: 'unstated', prompt: 'a fox' });
  await make(keys.live, '/v1/images', { model_id: 'unstated', prompt: 'told=0.03' });
  const [row] = (await report(`from=${from}`)).items;
  const { orders, revenue, cost, margin, without_amount, revenue_without_amount: unstated } = row;
  assert.deepEqual([orders, revenue, cost, margin], [5, '0.14', '0.03', '0.04']);
  assert.deepEqual([without_amount, unstated], [2, '0.07']);
  assert.deepEqual([row.unknown, row.unknown_cost], [2, '0.02']);
  const metrics = String((await call(keys.admin, 'GET', '/metrics')).body);
  const counted = (name: string, model: string) =>
    Number(new RegExp(`^${name}\\{engine="paid",model="${model}"\\} (.*)$`, 'm').exec(metrics)?.[1]);
  assert.equal(counted('darkroom_order_cost_dollars_total', 'unstated'), 0.03);
  assert.equal(counted('darkroom_order_revenue_dollars_total', 'unstated'), 0.07);
  assert.equal(counted('darkroom_order_revenue_without_cost_dollars_total', 'unstated'), 0.07);
  assert.ok(counted('darkroom_unknown_outcome_cost_dollars_total', 'dear') >= 0.02);
});

test("an order of unknown cost counts in the spend limit with the catalog's price, whatever its customer pays", async () => {
  const spent = async () =>
    (await new InstanceSpends(['paid']).read(database.read, Date.now())).get('paid')?.month ?? 0;
  const accountId = await createAccount(null);
  await call(keys.admin, 'PATCH', `/admin/v1/accounts/${accountId}`, {
    price_rules: [{ models: '*', multiplier: '0.1' }],
  });
  const { key } = await issueKey({ mode: 'live', accountId });
  const before = await spent();
  await make(key, '/v1/images', { model_id: 'unstated', prompt: 'a fox' });
  await make(key, '/v1/images', { model_id: 'unstated', prompt: 'end=lost' });
  await make(key, '/v1/images', { model_id: 'unstated', prompt: 'told=0.03' });
  assert.equal((await spent()) - before, 2 * 70_000 + 30_000);
});

test('a told cost more than 5 % off the expected one is counted, and so is a price below cost', async () => {
  const from = new Date().toISOString();
  for (const told of ['0.019', '0.021', '0.018999', '0.021001'])
    await make(keys.live, '/v1/images', { model_id: 'dear', prompt: `told=${told}` });
  await make(keys.live, '/v1/images', { model_id: 'cheap', prompt: 'told=0.02' });
  const { items } = await report(`from=${from}&group_by=model_id`);
  assert.deepEqual(
    items.map(({ model_id, differing, below_cost }: Record<string, unknown>) => [model_id, differing, below_cost]),
    [
      ['cheap', 0, 1],
      ['dear', 2, 0],
    ],
  );
  const metrics = String((await call(keys.admin, 'GET', '/metrics')).body);
  assert.match(metrics, /^darkroom_orders_cost_differs_total\{engine="paid"\} [1-9]/m);
  assert.match(metrics, /^darkroom_order_cost_dollars_total\{engine="paid",model="dear"\} /m);
});

interface CostPage {
  readonly items: readonly CostOrderView[];
  readonly has_more: boolean;
  readonly next_after: string | null;
}

test('the orders behind every figure are listed, latest first, a page at a time, by model, account, engine and note', async () => {
  const from = new Date().toISOString();
  const list = async (query: string) =>
    (await call(keys.admin, 'GET', `/admin/v1/costs/orders?from=${from}${query}`)).data as CostPage;
  const made = [];
  for (const [model_id, prompt] of [
    ['dear', 'told=0.03'],
    ['cheap', 'told=0.02'],
    ['unstated', 'a fox'],
    ['dear', 'end=failed told=0.01'],
    ['dear', 'end=lost'],
  ])
    made.push((await make(keys.live, '/v1/images', { model_id, prompt })).task_id);
  const [row] = (await report(`from=${from}`)).items;
  const latest = made.toReversed();
  assert.deepEqual(idsOf(await list('')), latest);
  for (const note of COST_NOTES) assert.equal((await list(`&note=${note}`)).items.length, row[note], note);
  assert.deepEqual(idsOf(await list('&note=below_cost')), [made[1]]);
  assert.deepEqual(idsOf(await list('&model_id=dear')), [made[4], made[3], made[0]]);
  assert.deepEqual(idsOf(await list('&engine=paid&account_id=default')), latest);
  assert.deepEqual(idsOf(await list('&engine=other')), []);
  const paged = [];
  for (let after = ''; ; ) {
    const page = await list(`&limit=1${after}`);
    paged.push(...page.items);
    if (!page.has_more) break;
    after = `&after=${page.next_after}`;
  }
  assert.deepEqual(idsOf({ items: paged }), latest);
  const sum = (amounts: readonly (string | null)[]) =>
    formatMicros(amounts.reduce((total, amount) => total + (parseMicros(amount ?? '0') ?? 0), 0));
  assert.equal(sum(paged.map(({ revenue }) => revenue)), row.revenue);
  assert.equal(sum(paged.map(({ cost }) => cost)), row.cost);
  assert.equal(sum(paged.map(({ margin }) => margin)), row.margin);
  const unstated = paged.find(({ model_id: id }) => id === 'unstated');
  const { outcome, revenue, expected, told, cost, account_name: name } = unstated ?? {};
  assert.deepEqual([outcome, revenue, expected, told, cost, name], ['succeeded', '0.07', null, null, null, 'default']);
});

const idsOf = ({ items }: { readonly items: readonly { readonly task_id: string }[] }) =>
  items.map(({ task_id: id }) => id);

test('a group that costs have not is refused by name', async () => {
  const answer = await call(keys.admin, 'GET', '/admin/v1/costs?group_by=day');
  assert.deepEqual([answer.status, answer.error?.code, answer.error?.param], [400, 'invalid_request', 'group_by']);
});

test('operators see what a route costs, how it does, and if a price is below; customers do not see where that was read', async () => {
  const models = (await call(keys.admin, 'GET', '/admin/v1/models')).data.items;
  const of = (name: string) => models.find(({ model_id }) => model_id === name)!.routes[0];
  const cost = { as_of: '2026-11-21', source: 'a test', unknown: null };
  assert.deepEqual(of('dear').cost, { ...cost, below: null });
  const loss =
    'with your keys, cheap loses 0.01 an image at paid; it is sold there because DARKROOM_BELOW_COST_MODELS allows it';
  assert.deepEqual(of('cheap').cost, {
    ...cost,
    below: { example: {}, price: '0.01', cost: '0.02', sold: true, loss },
  });
  const { as_of } = cost;
  assert.deepEqual(of('unstated').cost, { as_of, source: null, unknown: 'a page without a price', below: null });
  assert.equal(of('sketch').cost, null);
  const { hour, day } = of('dear').measured;
  assert.deepEqual(hour, day);
  assert.ok(day.succeeded > 0 && day.failed > 0 && day.refused > 0, JSON.stringify(day));
  assert.equal(day.success, Math.round((day.succeeded / (day.succeeded + day.failed)) * 1000) / 1000);
  assert.ok(day.p50_seconds !== null && day.p50_seconds <= day.p95_seconds);
  assert.ok(day.costed > 0 && parseMicros(day.cost) !== null);
  for (const [key, path] of [
    [keys.live, '/v1/models'],
    [null, '/v1/catalog'],
  ] as const)
    assert.doesNotMatch(JSON.stringify((await call(key, 'GET', path)).body), /a test|a page without a price/);
});

test('an order succeeds and is charged whatever its upstream says that it cost', async () => {
  for (const told of ['0.04500000000000001', '999999999999.5', 'free']) {
    const task = await make(keys.live, '/v1/images', { model_id: 'dear', prompt: `told=${told}` });
    assert.deepEqual([task.status, task.cost.state, task.cost.amount], ['succeeded', 'charged', PRICES.dear], told);
  }
});
