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
import { withUpstreamKeys } from '../helpers/additions.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** A route that costs more than an order pays gets no such order, until the operator allows it by model. */

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

const told = ({ status, error }: Answer) => [status, error?.code ?? null];

test('a model whose every order costs more than its price is not sold, and operators are told what it would lose', async () => {
  const refused = await order(keys.live, 'at-a-loss');
  assert.deepEqual(told(refused), [503, 'model_unavailable']);
  assert.match(refused.error.message, /at the moment/);
  assert.doesNotMatch(JSON.stringify(refused.body), /0\.08|\bfal\b/);
  assert.ok(!(await modelsOf(keys.live)).includes('at-a-loss'));
  const listed = (await call(null, 'GET', '/v1/catalog')).data.items.find((one) => one.model_id === 'at-a-loss');
  assert.equal(listed?.availability.live, false);
  const report = (await call(keys.admin, 'GET', '/admin/v1/models')).data.items.find(
    ({ model_id }) => model_id === 'at-a-loss',
  );
  const loss = 'with your keys, at-a-loss loses 0.03 an image at fal; it is not sold there unless you allow it';
  assert.deepEqual(report?.routes[0]?.cost?.below, { example: {}, price: '0.05', cost: '0.08', sold: false, loss });
  assert.equal(report?.not_live_because, `Its orders cost more than their price: ${loss}.`);
  // Prices are answered, and test keys make it.
  const price = await call(keys.live, 'POST', '/v1/prices', { model_id: 'at-a-loss', prompt: 'a fox' });
  assert.deepEqual([price.status, price.data.amount], [200, '0.05']);
  assert.equal((await order(keys.test, 'at-a-loss')).status, 201);
});

test('an order goes to a route that it pays, also when it leaves another, and one of unknown cost counts as paid', async () => {
  const { make, routeOf } = shared;
  for (const model_id of ['two-routes', 'unknown', 'moves']) {
    const task = await make(keys.live, '/v1/images', { model_id, prompt: 'a fox' });
    assert.equal(task.status, 'succeeded', JSON.stringify(task));
    assert.equal((await routeOf(task.task_id)).engine, 'xai', model_id);
  }
  // Its circuit is open now.
  assert.deepEqual(told(await order(keys.live, 'ends')), [503, 'model_unavailable']);
});

test('each order is judged by its own price and its own cost', async () => {
  assert.ok((await modelsOf(keys.live)).includes('some-orders'));
  assert.equal((await order(keys.live, 'some-orders', { resolution: '1K' })).status, 201);
  assert.deepEqual(told(await order(keys.live, 'some-orders', { resolution: '2K' })), [503, 'model_unavailable']);
});

test("multipliers of the installation and of the operator's cost decide, or a permission by model", async (t) => {
  const loss = priced('draws', '0.05', at('fal', perImage('0.06')));
  for (const [env, status] of [
    [{}, 503],
    [{ DARKROOM_PRICE_MULTIPLIERS: 'vendor:own=1.2' }, 201],
    [{ DARKROOM_PRICE_MULTIPLIERS: 'draws=1.199' }, 503],
    [{ DARKROOM_COST_MULTIPLIERS: 'fal=0.833' }, 201],
    [{ DARKROOM_COST_MULTIPLIERS: 'fal=0.834' }, 503],
    [{ DARKROOM_BELOW_COST_MODELS: 'dr*' }, 201],
  ] as const) {
    const own = await open(t, [loss], env);
    assert.equal((await own.order(own.keys.live, 'draws')).status, status, JSON.stringify(env));
    const amount = env.DARKROOM_PRICE_MULTIPLIERS === 'vendor:own=1.2' ? '0.06' : '0.05';
    const listed = (await own.call(null, 'GET', '/v1/catalog')).data.items.find((one) => one.model_id === 'draws');
    if (!('DARKROOM_PRICE_MULTIPLIERS' in env) || amount === '0.06') assert.equal(listed?.pricing.from, amount);
  }
});

test('at any multiplier of an account, exactly the orders are refused that cost more than they pay', async () => {
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
    const paid = Math.round((price * multiplier) / 1_000_000);
    const { status, body } = await order(key, `at-${price}-for-${cost}`);
    assert.equal(status, paid < cost ? 503 : 201, `${price} x ${multiplier} for ${cost}: ${JSON.stringify(body)}`);
  }
});

test("an order with the account's own upstream key is no loss", async () => {
  const { createAccount, issueKey } = shared;
  const { key } = await issueKey({ mode: 'live', accountId: await createAccount(null), accountView: true });
  assert.deepEqual(told(await order(key, 'dear')), [503, 'model_unavailable']);
  assert.equal((await call(key, 'PUT', '/v1/account/upstream_keys/fal', { secret: 'a-secret-of-mine' })).status, 200);
  assert.equal((await order(key, 'dear')).status, 201);
});

test('a start with a fal key only sells no order of the catalog below its cost', async (t) => {
  const engine = Object.assign(createScriptedEngine({ name: 'fal' }), { needsParameters: true });
  const plain = await startTestService(t, { service: { engines: [createSwiftEngine(), engine] } });
  const catalog = await loadShippedCatalog();
  const report = (await plain.call(plain.keys.admin, 'GET', '/admin/v1/models')).data.items;
  const refused = new Set<string>();
  let sold = 0;
  for (const { model_id, type, routes } of report) {
    const losses = routes.flatMap(({ cost }) => cost?.below?.example ?? []);
    for (const example of [{}, ...losses.filter((one) => !JSON.stringify(one).includes('upload:'))]) {
      const body = { prompt: 'a fox', ...(example as JsonObject) };
      const { status, data, error } = await plain.call(plain.keys.live, 'POST', `/v1/${type}s`, { model_id, ...body });
      if (status !== 201) {
        if (error?.code === 'model_unavailable') refused.add(model_id);
        continue;
      }
      sold++;
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
  assert.ok(sold > 20, `${sold}`);
  for (const name of ['seedance-2.0', 'seedance-2.5', 'luma-ray-3.2']) assert.ok(refused.has(name), name);
});
