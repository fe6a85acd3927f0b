import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Refusal, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** The fields that any create takes besides its model's own, and those that none takes (contract §6). */

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys, make } = service;
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const create = (fields: object, key = keys.test) => call(key, 'POST', '/v1/images', { ...ORDER, ...fields });
const paramsOf = (error: Refusal) => error.details.map((fault) => fault.param);

test('metadata and end_user are echoed with the create, the task and the list, until the end', async () => {
  const metadata = { order: '4711', 'ключ ✓': 'ünï\n"quoted"', empty: '' };
  const fields = { metadata, end_user: 'customer 7' };
  const created = (await create(fields)).data;
  const done = await make(keys.test, '/v1/images', { ...ORDER, ...fields });
  const [listed] = (await call(keys.test, 'GET', '/v1/images?limit=1')).data.items;
  for (const task of [created, done, listed])
    assert.deepEqual([task.metadata, task.end_user], [metadata, 'customer 7']);
});

test('metadata takes 16 pairs of at most 40 and 500 characters', async () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  for (const metadata of [pairs(16), { ['k'.repeat(40)]: 'v' }, { k: 'v'.repeat(500) }, {}])
    assert.equal((await create({ metadata })).status, 201);
  for (const metadata of [
    pairs(17),
    { ['k'.repeat(41)]: 'v' },
    { '': 'v' },
    { k: 'v'.repeat(501) },
    { k: 7 },
    { k: null },
    { k: { nested: 'v' } },
    ['a'],
    'text',
    7,
  ]) {
    const { status, error } = await create({ metadata });
    assert.deepEqual([status, error?.code], [400, 'invalid_request'], JSON.stringify(metadata));
    assert.match(error.param, /^metadata/);
  }
});

test('end_user takes 1 to 128 characters', async () => {
  assert.equal((await create({ end_user: 'x'.repeat(128) })).status, 201);
  for (const end_user of ['x'.repeat(129), '', 7, ['x']]) {
    const { status, error } = await create({ end_user });
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_request', 'end_user']);
  }
});

test('max_price takes dollars as text or number, and an order that is dearer is refused without a charge', async () => {
  for (const max_price of ['0.005', 0.005, '1', 1, '0.01']) assert.equal((await create({ max_price })).status, 201);
  const before = (await call(keys.test, 'GET', '/v1/account')).data.balance;
  for (const max_price of ['0.004999', 0.0049, 0, '0']) {
    const { status, error } = await create({ max_price });
    assert.deepEqual([status, error.code, error.param], [409, 'price_exceeded', 'max_price'], String(max_price));
    assert.match(error.message, /0\.005/);
  }
  for (const max_price of ['-1', -1, 'cheap', '1e3', '0.0000001', true, {}]) {
    const { status, error } = await create({ max_price });
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_request', 'max_price'], String(max_price));
  }
  assert.equal((await call(keys.test, 'GET', '/v1/account')).data.balance, before);
});

test('simulate is judged, and belongs to test keys', async () => {
  for (const [simulate, param] of [
    [{ outcome: 'explode' }, 'simulate.outcome'],
    [{ seconds: -1 }, 'simulate.seconds'],
    [{ seconds: 3601 }, 'simulate.seconds'],
    [{ seconds: '3' }, 'simulate.seconds'],
    [{ minutes: 3 }, 'simulate.minutes'],
    ['stuck', 'simulate'],
  ] as const) {
    const { status, error } = await create({ simulate });
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_request', param]);
  }
  const both = await call(
    keys.test,
    'POST',
    '/v1/images',
    { ...ORDER, simulate: { seconds: 0 } },
    { 'darkroom-simulate': 'outcome=timeout' },
  );
  assert.deepEqual([both.status, both.error.code, both.error.param], [400, 'invalid_request', 'simulate']);
  assert.match(both.error.message, /Send only one of them/);
  for (const simulate of [{}, { seconds: 0 }, { outcome: 'succeeded' }])
    assert.equal((await create({ simulate })).status, 201);
  const live = await create({ simulate: { seconds: 1 } }, keys.live);
  assert.deepEqual([live.status, live.error.code, live.error.param], [400, 'unsupported_field', 'simulate']);
  const header = await call(keys.live, 'POST', '/v1/images', ORDER, { 'darkroom-simulate': 'outcome=timeout' });
  assert.deepEqual([header.status, header.error.code], [400, 'unsupported_field']);
});

test('a field that the model does not take is named, with what is taken, and nothing is dropped silently', async () => {
  for (const [path, body, field] of [
    ['/v1/images', { ...ORDER, duration: 5 }, 'duration'],
    ['/v1/images', { ...ORDER, page: 1 }, 'page'],
    ['/v1/videos', { model_id: 'sketch-motion', prompt: 'a fox', size: '512x512' }, 'size'],
    ['/v1/images', { model_id: 'flux-2-pro', prompt: 'a fox', negative_prompt: 'dogs' }, 'negative_prompt'],
  ] as const) {
    const { status, error } = await call(keys.test, 'POST', path, body);
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_field', field]);
    assert.match(error.message, /prompt.*aspect_ratio/, 'the message lists what is taken');
  }
});

test('all faults of a body are reported together, those of the service and those of the model', async () => {
  const { error } = await create({
    metadata: { k: 1 },
    end_user: '',
    max_price: 'cheap',
    style: 'cubism',
    brush: 'fine',
    seed: -1,
  });
  assert.deepEqual(paramsOf(error).sort(), ['brush', 'end_user', 'max_price', 'metadata.k', 'seed', 'style']);
  assert.deepEqual([error.code, error.param, error.message], Object.values(fault(error)));
});

function fault(error: Refusal) {
  const { code, param, message } = error.details[0];
  return { code, param, message };
}

test('allow_dearer needs max_price, and then quote and task tell what the order may cost', async () => {
  const alone = await create({ allow_dearer: true });
  assert.deepEqual([alone.status, alone.error.code, alone.error.param], [400, 'invalid_request', 'allow_dearer']);
  const wrong = await create({ allow_dearer: 'yes', max_price: '1' });
  assert.deepEqual([wrong.status, wrong.error.param], [400, 'allow_dearer']);
  const { status, data } = await create({ allow_dearer: true, max_price: '1' });
  assert.deepEqual([status, data.cost.dearer], [201, { usual_amount: data.cost.quoted, route: null, reason: null }]);
  assert.equal((await create({ allow_dearer: false })).data.cost.dearer, undefined);
});
