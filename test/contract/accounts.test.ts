import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys, issueKey } = service;
/** Costs 0.005. */
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const told = ({ status, error }: Answer) => [status, error?.code];
const create = (key: string, body: object = order, headers: Record<string, string> = {}) =>
  call(key, 'POST', '/v1/images', body, headers);
const admin = async <Method extends string, Path extends string>(
  method: Method,
  path: Path,
  body?: unknown,
  headers?: Record<string, string>,
) => await call(keys.admin, method, `/admin/v1${path}`, body, headers);
const balance = async (key: string): Promise<string> => (await call(key, 'GET', '/v1/account')).data.balance;
const price = async (key: string, body: object): Promise<string> =>
  (await call(key, 'POST', '/v1/prices', body)).data.amount;

/** A new account with one live and one test key. */
async function open(terms: object = {}): Promise<{ id: string; live: string; test: string }> {
  const created = await admin('POST', '/accounts', { name: 'shop', ...terms });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { account_id: id } = created.data;
  const { key: live } = await issueKey({ mode: 'live', accountId: id });
  const { key: testKey } = await issueKey({ mode: 'test', accountId: id });
  return { id, live, test: testKey };
}

test('a new account has no balance and no credit limit', async () => {
  const { live, id } = await open();
  assert.deepEqual(told(await create(live)), [402, 'insufficient_balance']);
  assert.equal((await admin('GET', `/accounts/${id}`)).data.credit_limit, '0.00');
});

test('an order is accepted if the balance after it is not below minus the credit limit', async () => {
  const { id, live } = await open({ credit_limit: '0.01' });
  assert.equal((await admin('POST', `/accounts/${id}/credit`, { amount: '0.007' })).data.balance, '0.007');
  for (const expected of ['0.002', '-0.003', '-0.008']) {
    assert.equal((await create(live)).status, 201);
    assert.equal(await balance(live), expected);
  }
  const refused = await create(live);
  assert.deepEqual(told(refused), [402, 'insufficient_balance']);
  assert.deepEqual(refused.error.details, [{ needed: '0.005', available: '0.002', currency: 'USD' }]);
  await admin('PATCH', `/accounts/${id}`, { credit_limit: '0.013' });
  assert.equal((await create(live)).status, 201);
  assert.equal(await balance(live), '-0.013');
  assert.equal((await create(live)).status, 402);
});

test('an account without a limit pays later', async () => {
  const { live } = await open({ credit_limit: null });
  for (let count = 0; count < 3; count++) assert.equal((await create(live)).status, 201);
  const { data } = await call(live, 'GET', '/v1/account');
  assert.deepEqual([data.balance, data.credit_limit], ['-0.015', null]);
});

test('a hundred orders at once spend no more than there is', async () => {
  const { id, live } = await open();
  await admin('POST', `/accounts/${id}/credit`, { amount: '0.052' });
  const answers = await Promise.all(Array.from({ length: 100 }, () => create(live)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 10);
  assert.ok(answers.every((answer) => answer.status === 201 || answer.error.code === 'insufficient_balance'));
  assert.equal(await balance(live), '0.002');
});

test('test orders are charged to a test balance of their own, which has no limit and touches no live one', async () => {
  const account = await open({ credit_limit: '0.00' });
  await admin('POST', `/accounts/${account.id}/credit`, { amount: '1.00' });
  const made = await service.make(account.test, '/v1/images', order);
  assert.deepEqual(
    [made.status, made.mode, made.cost.state, made.cost.amount],
    ['succeeded', 'test', 'charged', '0.005'],
  );
  const tested = (await call(account.test, 'GET', '/v1/account')).data;
  assert.deepEqual([tested.mode, tested.balance, tested.credit_limit], ['test', '-0.005', null]);
  assert.deepEqual(told(await create(account.live, { ...order, resolution: '9K' })), [400, 'unsupported_value']);
  const lived = (await call(account.live, 'GET', '/v1/account')).data;
  assert.deepEqual([lived.mode, lived.balance, lived.credit_limit], ['live', '1.00', '0.00']);
  assert.equal((await admin('GET', `/accounts/${account.id}`)).data.balance, '1.00');
});

test('crediting respects an Idempotency-Key, may be negative, and is recorded', async () => {
  const { id, live } = await open();
  const once = { 'idempotency-key': 'invoice-17' };
  const credit = () => admin('POST', `/accounts/${id}/credit`, { amount: '25.00', note: 'invoice 17' }, once);
  assert.equal((await credit()).status, 201);
  const replay = await credit();
  assert.deepEqual(
    [replay.status, replay.data.balance, replay.headers.get('idempotent-replayed')],
    [201, '25.00', 'true'],
  );
  const other = await admin('POST', `/accounts/${id}/credit`, { amount: '26.00' }, once);
  assert.deepEqual(told(other), [422, 'idempotency_key_reused']);
  assert.equal((await admin('POST', `/accounts/${id}/credit`, { amount: '-0.5' })).data.balance, '24.50');
  assert.equal(await balance(live), '24.50');
  const acts = (await admin('GET', '/audit')).data.items;
  assert.ok(acts.some((entry) => entry.act === 'account.credit' && entry.target === id));
});

test('the first rule whose pattern matches a model multiplies its price: quoted, listed, held and charged', async () => {
  const { id, test: key } = await open();
  const rules = [
    { models: 'sketch-*', multiplier: '2' },
    { models: 'sketch*', multiplier: '0.9' },
    { models: 'flux-2-pr?', multiplier: '1.15' },
  ];
  const usual = (await call(key, 'GET', '/v1/catalog')).data;
  assert.equal((await admin('PATCH', `/accounts/${id}`, { price_rules: rules })).status, 200);
  assert.equal(await price(key, order), '0.0045');
  assert.equal(await price(key, { model_id: 'sketch-grid' }), '0.04');
  assert.equal(await price(key, { model_id: 'flux-2-pro', size: '1536x1024' }), '0.05175');
  assert.equal(await price(key, { model_id: 'flux-2-max', size: '1024x1024' }), '0.07');
  const made = await service.make(key, '/v1/images', order);
  assert.deepEqual([made.cost.quoted, made.cost.amount, made.cost.lines[0].unit_price], ['0.0045', '0.0045', '0.0045']);
  const listed = (await call(key, 'GET', '/v1/models')).data.items;
  const component = (model: string) => listed.find((entry) => entry.model_id === model)?.pricing.components[0].amount;
  assert.deepEqual([component('sketch'), component('sketch-grid')], ['0.0045', '0.04']);
  assert.equal((await call(key, 'GET', '/v1/models/sketch')).data.pricing.components[0].amount, '0.0045');
  assert.deepEqual((await call(key, 'GET', '/v1/catalog')).data, usual);
});

test('each line is rounded half up to the millionth once, after the multiplier', async () => {
  const { id, test: key } = await open();
  for (const [multiplier, amount] of [
    ['1.0001', '0.005001'],
    ['1.00009', '0.005'],
    ['1.0003', '0.005002'],
    ['0.0001', '0.000001'],
    ['0.00009', '0.00'],
  ] as const) {
    await admin('PATCH', `/accounts/${id}`, { price_rules: [{ models: '*', multiplier }] });
    assert.equal(await price(key, order), amount, multiplier);
  }
});

test('models that an account does not see are not listed, not found and not priced, under none of their names', async () => {
  const { id, test: key } = await open();
  await admin('PATCH', `/accounts/${id}`, { hidden_models: ['flux-*', 'sketch-grid'] });
  const ids = (await call(key, 'GET', '/v1/models')).data.items.map((entry) => entry.model_id);
  assert.ok(ids.includes('sketch'));
  assert.deepEqual(
    ids.filter((name: string) => name.startsWith('flux-') || name === 'sketch-grid'),
    [],
  );
  for (const name of ['flux-2-pro', 'sketch-grid']) {
    for (const [method, path] of [
      ['POST', '/v1/images'],
      ['POST', '/v1/prices'],
      ['GET', `/v1/models/${name}`],
    ] as const) {
      const body = method === 'GET' ? undefined : { model_id: name, prompt: 'a fox' };
      assert.deepEqual(told(await call(key, method, path, body)), [404, 'model_not_found'], `${path} ${name}`);
    }
  }
  const all = (await call(key, 'GET', '/v1/catalog')).data.items.map((entry) => entry.model_id);
  assert.ok(all.includes('flux-2-pro'));
});

test('invalid terms are refused as a whole', async () => {
  const { id } = await open({ credit_limit: '5.00' });
  for (const change of [
    { price_rules: [{ models: '*', multiplier: '-1' }] },
    { price_rules: [{ models: '*', multiplier: 'much' }] },
    { price_rules: [{ models: '', multiplier: '1' }] },
    { hidden_models: ['UPPER CASE'] },
    { credit_limit: '-1' },
    { credit_limit: 5 },
    { colour: 'red' },
    {},
  ])
    assert.equal((await admin('PATCH', `/accounts/${id}`, change)).status, 400, JSON.stringify(change));
  for (const amount of ['', 'x', '1.0000001', '1e3', 5])
    assert.equal((await admin('POST', `/accounts/${id}/credit`, { amount })).status, 400, `${amount}`);
  const { credit_limit: limit, balance: left, price_rules: rules } = (await admin('GET', `/accounts/${id}`)).data;
  assert.deepEqual([limit, left, rules], ['5.00', '0.00', []]);
});
