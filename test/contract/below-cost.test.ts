import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type JsonObject, parseMicros } from '@darkroom-service/contract';
import { type CatalogRoute, statedCost } from '@darkroom-service/contract/catalog';
import { type Engine, EngineError } from '@darkroom-service/engines';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import fc from 'fast-check';
import { loadShippedCatalog, modelOf } from '../../src/catalog/fixtures/sample-catalog.ts';
import { expectedCost, routeOfOrder } from '../../src/catalog/pricing/order-cost.ts';
import { resolveRequest } from '../../src/catalog/resolve-request.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { type Answer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { withUpstreamKeys } from '../helpers/with-upstream-keys.ts';

/**
 * An order pays at least what its cheapest configured route costs, until the operator allows losses by model, and goes
 * to no route that costs more than it pays.
 */

const picture = await smallPicture;

function paidEngine(name: string, busy = false): Engine {
  return {
    name,
    concurrency: 50,
    async start({ taskId }) {
      if (busy) throw new EngineError('billing', 'no credit', { took: 'no' });
      return { operation: { taskId }, checkAfterMs: 0 };
    },
    check: async () => ({
      status: 'succeeded',
      delivery: { outputs: [{ source: { data: picture }, seed: null, revisedPrompt: null, tiles: null }] },
    }),
  };
}

const at = (engine: string, ...components: readonly object[]) => ({
  engine,
  cost: { as_of: '2026-11-25', source: 'a price list', components },
});
const perImage = (amount: string, when?: object) => ({ per: 'image', amount, ...(when && { when }) });
const priced = (model_id: string, amount: string, ...routes: readonly object[]) =>
  plainEntry({ model_id, pricing: { components: [perImage(amount)] }, routes });

async function open(t: Pick<TestContext, 'after'>, models: readonly object[], env: Record<string, string> = {}) {
  const overlay = await openCatalogOverlay(t, models);
  const service = await startTestService(t, {
    env: {
      DARKROOM_CATALOG_DIR: overlay.directory,
      DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64'),
      ...env,
    },
    service: {
      engines: [createSwiftEngine(), paidEngine('fal'), paidEngine('xai'), paidEngine('bfl', true)],
      additions: withUpstreamKeys({
        templates: new Map([['fal', paidEngine('fal')]]),
        open: (kind) => paidEngine(kind),
      }),
    },
  });
  const { call, keys } = service;
  const order = (key: string, model_id: string, fields: object = {}) =>
    call(key, 'POST', '/v1/images', { model_id, prompt: 'a fox', ...fields });
  const routeOf = async (taskId: string) => (await call(keys.admin, 'GET', `/admin/v1/tasks/${taskId}`)).data.route;
  const modelsOf = async (key: string) =>
    (await call(key, 'GET', '/v1/models')).data.items.map(({ model_id }) => model_id);
  return { ...service, order, routeOf, modelsOf };
}

const AMOUNTS = [1, 19_999, 20_000, 20_001, 33_333, 50_000];
const dollars = (micros: number) => (micros / 1_000_000).toFixed(6);
const shared = await open(wholeFile, [
  priced('at-a-loss', '0.05', at('fal', perImage('0.08'))),
  priced('two-routes', '0.05', at('fal', perImage('0.08')), at('xai', perImage('0.05'))),
  priced('unknown', '0.05', at('fal', perImage('0.08')), {
    engine: 'xai',
    cost: { as_of: '2026-11-25', unknown: 'a page without a price' },
  }),
  priced('moves', '0.05', at('bfl', perImage('0.01')), at('fal', perImage('0.08')), at('xai', perImage('0.02'))),
  priced('ends', '0.05', at('bfl', perImage('0.01')), at('fal', perImage('0.08'))),
  plainEntry({
    model_id: 'some-orders',
    parameters: {
      prompt: { type: 'string', default: null, description: 'What to see.' },
      aspect_ratio: { type: 'string', enum: ['1:1'], default: '1:1', description: 'Width to height.' },
      resolution: { type: 'string', enum: ['1K', '2K'], default: '1K', description: 'The size.' },
    },
    pricing: { components: [perImage('0.05')] },
    routes: [at('fal', perImage('0.04', { resolution: '1K' }), perImage('0.06', { resolution: '2K' }))],
  }),
  ...AMOUNTS.flatMap((price) =>
    AMOUNTS.map((cost) => priced(`at-${price}-for-${cost}`, dollars(price), at('fal', perImage(dollars(cost))))),
  ),
  priced('dear', '0.05', at('fal', perImage('9'))),
]);
const { call, keys, order, modelsOf } = shared;

const costOf = ({ status, data: { cost } }: Answer<TaskAnswer>) => [status, cost.quoted, cost.basis];
const told = ({ status, error }: Answer) => [status, error?.code ?? null];

test('a model whose every order costs more than its list price is sold at the cost, which catalog, quote and task show', async () => {
  const created = await order(keys.live, 'at-a-loss');
  assert.deepEqual(costOf(created), [201, '0.08', 'route_cost']);
  assert.deepEqual(created.data.cost.basis_route, { engine: 'fal', model: null });
  assert.deepEqual(
    created.data.cost.lines.map(({ amount }: { amount: string }) => amount),
    ['0.08'],
  );
  assert.ok((await modelsOf(keys.live)).includes('at-a-loss'));
  const { items } = (await call(null, 'GET', '/v1/catalog')).data;
  const listed = items.find((one) => one.model_id === 'at-a-loss');
  assert.deepEqual([listed?.availability.live, listed?.pricing.from], [true, '0.08']);
  assert.equal(listed?.pricing.components[0]?.amount, '0.05');
  assert.deepEqual(listed?.route_cost, {
    engine: 'fal',
    multiplier: '1',
    minimum: null,
    components: [perImage('0.08')],
  });
  const sketch = items.find((one) => one.model_id === 'sketch');
  assert.equal(sketch?.route_cost, null);
  const report = (await call(keys.admin, 'GET', '/admin/v1/models')).data.items.find(
    ({ model_id }) => model_id === 'at-a-loss',
  );
  assert.deepEqual([report?.routes[0]?.cost?.below, report?.not_live_because], [null, null]);
});

test('the price is the same at every door, and what was quoted is charged', async () => {
  const { make } = shared;
  const body = { model_id: 'at-a-loss', prompt: 'a fox' };
  const priceOf = async (key: string, sent: object) => (await call(key, 'POST', '/v1/prices', sent)).data.amount;
  const compared = await call(keys.live, 'POST', '/v1/prices/compare', { orders: [body] });
  const openai = await call(keys.live, 'POST', '/openai/v1/images/generations', {
    model: 'at-a-loss',
    prompt: 'a fox',
  });
  assert.equal(openai.status, 200, JSON.stringify(openai.body));
  const [newest] = (await call(keys.live, 'GET', '/v1/images?limit=1')).data.items;
  const prices = [
    await priceOf(keys.live, body),
    await priceOf(keys.live, { model_id: 'at-a-loss' }),
    await priceOf(keys.test, body),
    compared.data.items[0]?.quote?.amount,
    newest?.cost.quoted,
    newest?.cost.amount,
    (await order(keys.test, 'at-a-loss')).data.cost.quoted,
    (await make(keys.live, '/v1/images', body)).cost.amount,
  ];
  assert.deepEqual(
    prices,
    prices.map(() => '0.08'),
  );
  const orders = [body, body].map((one) => ({ operation: 'images', body: one }));
  assert.equal((await call(keys.live, 'POST', '/v1/batches/prices', { orders })).data.amount, '0.16');
});

test('an order goes to a route that it pays, also when it leaves another', async () => {
  const { make, routeOf } = shared;
  for (const [model_id, engine, charged] of [
    ['two-routes', 'xai', '0.05'],
    ['unknown', 'fal', '0.08'],
    ['moves', 'xai', '0.05'],
  ] as const) {
    const task = await make(keys.live, '/v1/images', { model_id, prompt: 'a fox' });
    assert.equal(task.status, 'succeeded', JSON.stringify(task));
    assert.deepEqual([(await routeOf(task.task_id)).engine, task.cost.amount], [engine, charged], model_id);
  }
  // The circuit of its cheaper route is open now, and its price does not follow that.
  assert.deepEqual(told(await order(keys.live, 'ends')), [503, 'model_unavailable']);
});

test('each order is priced by its own cost, and receipts tell the basis', async () => {
  const { make } = shared;
  assert.deepEqual(costOf(await order(keys.live, 'some-orders', { resolution: '1K' })), [201, '0.05', 'list']);
  const body = { model_id: 'some-orders', prompt: 'a fox', resolution: '2K' };
  const task = await make(keys.live, '/v1/images', body);
  const { cost } = (await call(keys.live, 'GET', `/v1/images/${task.task_id}/receipt`)).data.content;
  assert.deepEqual(
    [cost.charged, cost.basis, cost.basis_route],
    ['0.06', 'route_cost', { engine: 'fal', model: null }],
  );
});

test("multipliers of the installation and of the operator's cost decide, or a permission by model", async (t) => {
  const loss = priced('draws', '0.05', at('fal', perImage('0.06')));
  for (const [env, amount, basis] of [
    [{}, '0.06', 'route_cost'],
    [{ DARKROOM_PRICE_MULTIPLIERS: 'vendor:own=1.2' }, '0.06', 'list'],
    [{ DARKROOM_PRICE_MULTIPLIERS: 'draws=1.199' }, '0.06', 'route_cost'],
    [{ DARKROOM_COST_MULTIPLIERS: 'fal=0.833' }, '0.05', 'list'],
    [{ DARKROOM_COST_MULTIPLIERS: 'fal=0.834' }, '0.05004', 'route_cost'],
    [{ DARKROOM_BELOW_COST_MODELS: 'dr*' }, '0.05', 'list'],
  ] as const) {
    const own = await open(t, [loss], env);
    assert.deepEqual(costOf(await own.order(own.keys.live, 'draws')), [201, amount, basis], JSON.stringify(env));
    const listed = (await own.call(null, 'GET', '/v1/catalog')).data.items.find((one) => one.model_id === 'draws');
    assert.equal(listed?.pricing.from, amount, JSON.stringify(env));
  }
});

test('at any multiplier of an account, an order pays the larger of list price and cost, and never less than the cost', async () => {
  const { createAccount, issueKey } = shared;
  const accountId = await createAccount(null);
  const { key } = await issueKey({ mode: 'live', accountId });
  const one = fc.record({
    price: fc.constantFrom(...AMOUNTS),
    cost: fc.constantFrom(...AMOUNTS),
    multiplier: fc.integer({ min: 0, max: 3_000_000 }),
  });
  for (const { price, cost, multiplier } of fc.sample(one, { numRuns: 40, seed: 3 })) {
    const rules = [{ models: '*', multiplier: dollars(multiplier) }];
    await call(keys.admin, 'PATCH', `/admin/v1/accounts/${accountId}`, { price_rules: rules });
    const times = (micros: number, by: number) => Math.round((micros * by) / 1_000_000);
    const due = Math.max(times(price, multiplier), times(cost, Math.max(multiplier, 1_000_000)));
    const { status, data } = await order(key, `at-${price}-for-${cost}`);
    const said = `${price} x ${multiplier} for ${cost}`;
    assert.deepEqual([status, parseMicros(data?.cost?.quoted ?? '')], [201, due], said);
  }
});

test("an order with the account's own upstream key pays the fee, whatever the operator's routes cost", async () => {
  const { createAccount, issueKey } = shared;
  const { key } = await issueKey({ mode: 'live', accountId: await createAccount(null), accountView: true });
  assert.deepEqual(costOf(await order(key, 'dear')), [201, '9.00', 'route_cost']);
  assert.equal((await call(key, 'PUT', '/v1/account/upstream_keys/fal', { secret: 'a-secret-of-mine' })).status, 200);
  assert.deepEqual(costOf(await order(key, 'dear')), [201, '0.00', 'list']);
});

test('with a fal key only, every model of fal is sold at its quote, and none below its cost', async (t) => {
  const engine = Object.assign(createScriptedEngine({ name: 'fal' }), { needsParameters: true });
  const plain = await startTestService(t, { service: { engines: [createSwiftEngine(), engine] } });
  const catalog = await loadShippedCatalog();
  const report = (await plain.call(plain.keys.admin, 'GET', '/admin/v1/models')).data.items;
  const sold = new Set<string>();
  for (const { model_id, type, routes } of report) {
    if (!routes.some((route) => route.engine === 'fal')) continue;
    const losses = routes.flatMap(({ cost }) => cost?.below?.example ?? []);
    for (const example of [{}, ...losses.filter((one) => !JSON.stringify(one).includes('upload:'))]) {
      const body = { prompt: 'a fox', ...(example as JsonObject) };
      const quote = await plain.call(plain.keys.live, 'POST', '/v1/prices', { model_id, ...body });
      const { status, data, error } = await plain.call(plain.keys.live, 'POST', `/v1/${type}s`, { model_id, ...body });
      assert.notEqual(error?.code, 'model_unavailable', model_id);
      if (status !== 201) continue;
      sold.add(model_id);
      assert.equal(data.cost.quoted, quote.data.amount);
      const model = modelOf(catalog, model_id);
      const found = resolveRequest(model, body, { purpose: 'create' });
      assert.ok(found.ok);
      const { route } = (await plain.call(plain.keys.admin, 'GET', `/admin/v1/tasks/${data.task_id}`)).data;
      const taken = routeOfOrder(
        model,
        route as Pick<CatalogRoute, 'engine'> & { readonly model: string },
        found.request,
      );
      const cost = taken === undefined ? null : expectedCost(statedCost(taken), found.request, [], '1');
      assert.ok(cost === null || cost <= (parseMicros(data.cost.amount) ?? 0), `${JSON.stringify(body)}: ${cost}`);
    }
  }
  assert.ok(sold.size > 40, `${sold.size}`);
  for (const name of ['seedance-2.0', 'seedance-2.5', 'luma-ray-3.2']) assert.ok(sold.has(name), name);
});
