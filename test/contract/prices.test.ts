import assert from 'node:assert/strict';
import { test } from 'node:test';
import priceVectors from '../../src/catalog/pricing/price-vectors.json' with { type: 'json' };
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'old-one', status: 'retired', replaced_by: 'sketch' }),
]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys } = service;
const vectors: readonly {
  readonly model_id: string;
  readonly body: object;
  readonly pictures?: number;
  readonly film_seconds?: number;
  readonly usd: string;
}[] = priceVectors;
const told = ({ status, error }: Answer) => [status, error?.code];
const price = (body: unknown, headers: Record<string, string> = {}) =>
  call(keys.test, 'POST', '/v1/prices', body, headers);
const quote = async (body: object) => {
  const answer = await price(body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.data;
};
const grid = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });

test('a quote has the shape of the contract, lines and defaults included', async () => {
  const body = { model_id: 'veo-3.1-fast', resolution: '1080p', duration: 8 };
  const data = await quote(body);
  const { input, ...rest } = data;
  assert.deepEqual(rest, {
    model_id: 'veo-3.1-fast',
    type: 'video',
    action: null,
    currency: 'USD',
    amount: '0.96',
    exact: true,
    basis: 'list',
    upstream_key: false,
    refusal: null,
    lines: [
      {
        description: data.lines[0].description,
        unit: 'output_second',
        quantity: '8',
        unit_price: '0.12',
        amount: '0.96',
      },
    ],
  });
  assert.match(data.lines[0].description, /^8 s at 1080p/);
  const { default_config: defaults } = (await call(keys.test, 'GET', '/v1/models/veo-3.1-fast')).data;
  const filled = Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== null));
  for (const [name, value] of Object.entries({ ...filled, ...body })) assert.deepEqual(input[name], value, name);
});

for (const vector of vectors.filter((one) => one.pictures === undefined && one.film_seconds === undefined)) {
  test(`${vector.model_id} is quoted at ${vector.usd} and held at that very price`, async () => {
    const body = { model_id: vector.model_id, prompt: 'a fox', ...vector.body };
    const data = await quote(body);
    assert.deepEqual([data.amount, data.exact], [vector.usd, true]);
    const created = await call(keys.test, 'POST', `/v1/${data.type}s`, { ...body, simulate: { seconds: 600 } });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    assert.deepEqual([created.data.cost.quoted, created.data.cost.lines], [data.amount, data.lines]);
    assert.deepEqual(created.data.input, data.input);
  });
}

test('beside exact pixels the input names no resolution or ratio, which would be another size', async () => {
  const body = { model_id: 'sketch', prompt: 'a fox', size: '640x320' };
  const { data: quoted } = await call(keys.test, 'POST', '/v1/prices', body);
  const { data: task } = await call(keys.test, 'POST', '/v1/images', { ...body, simulate: { outcome: 'timeout' } });
  for (const { input } of [quoted, task]) {
    assert.equal(input.size, '640x320');
    assert.deepEqual(
      Object.keys(input).filter((name) => ['resolution', 'aspect_ratio'].includes(name)),
      [],
    );
  }
  const { input } = (await call(keys.test, 'POST', '/v1/prices', { model_id: 'sketch', prompt: 'a fox' })).data;
  assert.deepEqual([input.size, input.resolution, input.aspect_ratio], [null, '1K', 'auto']);
});

/** Models that this machine makes at no cost worth a price. */
const FREE = ['last-frame', 'join'];

test('the lines of a quote add up to its amount', async () => {
  const { items } = (await call(keys.test, 'GET', '/v1/models')).data;
  for (const { model_id: modelId } of items) {
    const { amount, lines } = await quote({ model_id: modelId });
    const sum = lines.reduce((total: number, line) => total + Math.round(Number(line.amount) * 1e6), 0);
    assert.equal(sum, Math.round(Number(amount) * 1e6), modelId);
    assert.ok(Number(amount) > 0 || FREE.includes(modelId), modelId);
    for (const line of lines)
      assert.deepEqual(Object.keys(line).sort(), ['amount', 'description', 'quantity', 'unit', 'unit_price'], modelId);
  }
});

test('a missing prompt or medium is no fault of a quote; what is present is checked as a create checks it', async () => {
  assert.equal((await quote({ model_id: 'sketch' })).amount, '0.01');
  assert.equal((await quote({ model_id: 'runway-gen4-turbo' })).type, 'video');
  for (const [fault, code] of [
    [{ camera: 'pan' }, 'unsupported_field'],
    [{ resolution: '9K' }, 'unsupported_value'],
    [{ prompt: 7 }, 'invalid_request'],
    [{ prompt: 'x'.repeat(10_001) }, 'prompt_too_long'],
    [{ image_urls: ['ftp://example.com/a.png'] }, 'invalid_reference'],
    [{ image_urls: ['http://127.0.0.1/a.png'] }, 'invalid_reference'],
    [{ image_urls: ['upload:file_00000000000000000000000000'] }, 'invalid_reference'],
    [{ num_images: 2 }, 'unsupported_value'],
    [{ max_price: 'much' }, 'invalid_request'],
  ] as const) {
    const asked = await price({ model_id: 'sketch', ...fault });
    const ordered = await call(keys.test, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'a fox', ...fault });
    assert.deepEqual(told(asked), told(ordered), JSON.stringify(fault).slice(0, 80));
    assert.equal(asked.error.code, code);
  }
});

test('model_id is required, and must be one that this key can order', async () => {
  for (const body of [{}, { model_id: null }, { model_id: 7 }, { model_id: '' }, { prompt: 'a fox' }]) {
    const { status, error } = await price(body);
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_request', 'model_id']);
  }
  assert.deepEqual(told(await price({ model_id: 'none' })), [404, 'model_not_found']);
  assert.deepEqual(told(await price({ model_id: 'old-one' })), [410, 'model_retired']);
});

test('a quote makes no task, holds nothing, and ignores an Idempotency-Key', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const once = { 'idempotency-key': 'one-quote' };
  for (const resolution of ['1K', '4K']) {
    const answer = await call(key, 'POST', '/v1/prices', { model_id: 'sketch', resolution }, once);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('idempotent-replayed'), null);
  }
  const created = await call(key, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'a fox' }, once);
  assert.equal(created.status, 201);
  assert.equal((await call(key, 'GET', '/v1/images')).data.items.length, 1);
  assert.equal((await call(key, 'GET', '/v1/account/ledger')).data.items.length >= 1, true);
});

test('the service fields of a create may stand in a quote and change nothing', async () => {
  const plain = await quote({ model_id: 'sketch' });
  const fields = { metadata: { a: 'b' }, end_user: 'ann', max_price: '0.001', simulate: { outcome: 'timeout' } };
  const { amount, lines, input } = await quote({ model_id: 'sketch', ...fields });
  assert.deepEqual([amount, lines, input], [plain.amount, plain.lines, plain.input]);
});

const ACTIONS: readonly [action: string, price: string, fields: object][] = [
  ['upscale', '0.005', { index: 2 }],
  ['variation', '0.02', { index: 2 }],
  ['reroll', '0.02', {}],
  ['upscale_subtle', '0.02', {}],
  ['upscale_creative', '0.02', {}],
  ['vary_subtle', '0.02', {}],
  ['vary_strong', '0.02', {}],
  ['vary_region', '0.01', {}],
  ['zoom_out', '0.01', { ratio: 1.5 }],
  ['pan', '0.01', { direction: 'left' }],
  ['make_square', '0.01', {}],
  ['remix', '0.02', { prompt: 'an owl' }],
];

test('with an action it is the price of that action, for each action of the contract', async () => {
  for (const [action, amount, fields] of ACTIONS) {
    const data = await quote({ model_id: 'sketch-grid', action, ...fields });
    assert.deepEqual([data.action, data.type, data.amount, data.exact], [action, 'image', amount, true]);
    assert.equal(data.lines[0].amount, amount);
  }
});

test('the price of an action is the same in the offer, in the quote on its parent, and in the order', async () => {
  assert.deepEqual(grid.available_actions.map((offer) => offer.action).sort(), [
    'remix',
    'reroll',
    'upscale',
    'variation',
  ]);
  for (const { action, price: offered } of grid.available_actions) {
    const [, amount, fields] = ACTIONS.find(([name]) => name === action) ?? [];
    const follow = { parent_task_id: grid.task_id, action, ...fields };
    const quoted = await quote({ model_id: 'sketch-grid', ...follow });
    const created = await call(keys.test, 'POST', '/v1/images/actions', { ...follow, simulate: { seconds: 600 } });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    assert.deepEqual([offered, quoted.amount, created.data.cost.quoted], [amount, amount, amount], action);
    assert.deepEqual(created.data.cost.lines, quoted.lines);
  }
});

test('the quote of an action checks its parent, its model and its fields as the order does', async () => {
  const follow = { model_id: 'sketch-grid', parent_task_id: grid.task_id, action: 'upscale', index: 1 };
  assert.deepEqual(told(await price({ ...follow, model_id: 'sketch' })), [400, 'invalid_request']);
  assert.deepEqual(told(await price({ ...follow, parent_task_id: 'img_nothing' })), [404, 'task_not_found']);
  assert.deepEqual(told(await price({ ...follow, parent_task_id: 7 })), [400, 'invalid_request']);
  assert.deepEqual(told(await price({ ...follow, action: 'pan', direction: 'left' })), [400, 'unsupported_action']);
  assert.deepEqual(told(await price({ model_id: 'sketch-grid', action: 'fly' })), [400, 'unsupported_action']);
  assert.equal((await price({ ...follow, index: 5 })).status, 400);
  assert.equal((await price({ ...follow, colour: 'red' })).error.code, 'unsupported_field');
  assert.deepEqual(told(await price({ model_id: 'sketch', action: 'upscale', index: 1 })), [400, 'unsupported_action']);
  assert.equal((await price({ ...follow, max_price: '0.001' })).status, 200);
  const dear = await call(keys.test, 'POST', '/v1/images/actions', {
    ...follow,
    model_id: undefined,
    max_price: '0.001',
  });
  assert.deepEqual(told(dear), [409, 'price_exceeded']);
});

test('orders are compared each by itself: its price, and why it would not be accepted now', async () => {
  const orders = [
    { model_id: 'sketch', prompt: 'a fox' },
    { model_id: 'sketch', resolution: '9K' },
    { model_id: 'none-such' },
    { model_id: 'old-one' },
    { model_id: 'veo-3.1-fast', duration: 8 },
    { model_id: 'kling-3.0-motion-control', prompt: 'a fox' },
  ];
  const compare = async (key: string) =>
    (await call(key, 'POST', '/v1/prices/compare', { orders })).data.items.map(({ quote, refusal }) => [
      quote?.amount ?? null,
      refusal?.code ?? null,
    ]);
  const [drawn, , , , film, moved] = await Promise.all(orders.map((body) => price(body)));
  const known = [
    [drawn?.data.amount, null],
    [null, 'unsupported_value'],
    [null, 'model_not_found'],
    [null, 'model_retired'],
  ];
  assert.deepEqual(await compare(keys.test), [...known, [film?.data.amount, null], [moved?.data.amount, null]]);
  const live = await compare(keys.live);
  assert.deepEqual(live.slice(0, 5), [...known, [film?.data.amount, 'model_not_offered']]);
  const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`name-${index}`, 'value']));
  const many = Array.from({ length: 200 }, () => ({ model_id: 'sketch', prompt: 'x'.repeat(2_000), metadata }));
  const all = await call(keys.test, 'POST', '/v1/prices/compare', { orders: many });
  assert.deepEqual([all.status, all.data?.items.length], [200, 200]);
  const refused = await call(keys.test, 'POST', '/v1/prices/compare', { orders: [] });
  assert.deepEqual(told(refused), [400, 'invalid_request']);
});
