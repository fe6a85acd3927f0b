import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Delivery, type Engine, EngineError } from '@darkroom-service/engines';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { fromPictureEntry, plainEntry } from '../helpers/plain-entry.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Rules about the upstreams that may get an order: of the order, its key, its account and its client token. */

const picture = await smallPicture;
const delivery: Delivery = {
  outputs: [{ source: { data: picture }, seed: null, revisedPrompt: null, tiles: null }],
};
/** The upstreams that were sent each order. */
const sent = new Map<string, string[]>();
/** Upstreams that refuse every order. */
const refusing = new Set<string>();

const KINDS = ['acme', 'zenith', 'nadir'];
const engineOf = (name: string): Engine => ({
  name,
  concurrency: 10,
  async start({ taskId }) {
    sent.set(taskId, [...(sent.get(taskId) ?? []), name]);
    if (refusing.has(name)) throw new EngineError('invalid_input', 'not here', { took: 'no', elsewhere: true });
    return { operation: { taskId }, checkAfterMs: 0 };
  },
  check: async () => ({ status: 'succeeded', delivery }),
});
const cost = { as_of: '2026-11-21', source: 'a test', components: [{ per: 'image', amount: '0.01' }] };
const entry = (model_id: string, ...kinds: string[]) => ({
  model_id,
  pricing: { components: [{ per: 'image', amount: '0.04' }] },
  routes: kinds.map((engine) => ({ engine, cost })),
});
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry(entry('three', ...KINDS)),
  plainEntry(entry('one', 'nadir')),
  fromPictureEntry(entry('edit', ...KINDS)),
]);
await mkdir(join(overlay.directory, 'providers'));
await writeFile(
  join(overlay.directory, 'providers', 'data-treatment.json'),
  JSON.stringify({
    providers: [
      { engines: ['acme'], provider: 'Acme', country: ['US'], retention_days: 30, training: true },
      { engines: ['zenith'], provider: 'Zenith', country: ['DE', 'FR'], retention_days: 0, training: false },
    ],
  }),
);
const { call, make, issueKey, createAccount, keys } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: KINDS.map(engineOf) },
});
const path = '/v1/account/data_rules';
const body = { model_id: 'three', prompt: 'a fox' };

async function customer() {
  const accountId = await createAccount(null);
  return { accountId, ...(await issueKey({ mode: 'live', accountId, accountView: true })) };
}
const wentTo = async (key: string, rule: object | undefined, more: object = {}) => {
  const task = await make(key, '/v1/images', { ...body, ...more, ...(rule && { data: rule }) });
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  return sent.get(task.task_id);
};

test('an order goes only to upstreams that fit its rule, and unknown facts never fit', async () => {
  const { key } = await customer();
  assert.deepEqual(await wentTo(key, undefined), ['acme']);
  assert.deepEqual(await wentTo(key, {}), ['acme']);
  assert.deepEqual(await wentTo(key, { only: ['nadir'] }), ['nadir']);
  assert.deepEqual(await wentTo(key, { except: ['acme'] }), ['zenith']);
  assert.deepEqual(await wentTo(key, { except: ['acme', 'zenith'] }), ['nadir']);
  assert.deepEqual(await wentTo(key, { country: ['DE', 'FR', 'IT'] }), ['zenith']);
  assert.deepEqual(await wentTo(key, { retention: 29 }), ['zenith']);
  assert.deepEqual(await wentTo(key, { retention: 30 }), ['acme']);
  assert.deepEqual(await wentTo(key, { training: false }), ['zenith']);
});

test('a refusal names what excludes each upstream, for orders and prices alike', async () => {
  const { key } = await customer();
  const refused = { ...body, data: { except: ['acme'], country: ['DE'], retention: 0 } };
  const message =
    "data: no upstream of three fits the rule of this order (acme: it is in 'except', it processes data in US, it keeps data for up to 30 days; zenith: it processes data in DE, FR; nadir: where it processes data is unknown, how long it keeps data is unknown).";
  for (const address of ['/v1/images', '/v1/prices'] as const) {
    const { status, error } = await call(key, 'POST', address, refused);
    assert.deepEqual([status, error.code, error.param, error.message], [400, 'unsupported_value', 'data', message]);
  }
  const compared = await call(key, 'POST', '/v1/prices/compare', { orders: [refused, body] });
  assert.deepEqual(
    compared.data.items.map(({ refusal }) => refusal?.message ?? null),
    [message, null],
  );
});

test('the rules of account, key, client token and order hold together', async () => {
  const { key, key_id: keyId, accountId } = await customer();
  const { key: other } = await issueKey({ mode: 'live', accountId });
  const put = async (subject: string, rule: object) =>
    assert.equal((await call(key, 'PUT', `${path}/${subject}`, rule)).status, 200);
  await put('account', { except: ['acme'] });
  assert.deepEqual(await wentTo(other, undefined), ['zenith']);
  await put(keyId, { only: ['acme', 'nadir'] });
  assert.deepEqual(await wentTo(key, undefined), ['nadir']);
  assert.deepEqual(await wentTo(other, undefined), ['zenith'], 'the rule of one key limits no other');
  assert.equal((await call(key, 'POST', '/v1/images', { ...body, data: { only: ['acme'] } })).status, 400);
  const wish = { end_user: 'ada', data: { except: ['zenith'] } };
  const { token } = (await call(other, 'POST', '/v1/client_tokens', wish)).data;
  assert.deepEqual(await wentTo(token, undefined), ['nadir']);
  assert.equal((await call(token, 'POST', '/v1/images', { ...body, data: { only: ['zenith'] } })).status, 400);
  const { items } = (await call(key, 'GET', path)).data;
  assert.deepEqual(
    items.map(({ subject, data, set_by }) => [subject, data, set_by]),
    [
      ['account', { except: ['acme'] }, keyId],
      [keyId, { only: ['acme', 'nadir'] }, keyId],
    ],
  );
  assert.equal((await call(key, 'DELETE', `${path}/${keyId}`)).status, 200);
  assert.deepEqual(await wentTo(key, undefined), ['zenith']);
});

test('models that no upstream may make are not listed, and each says who may get its orders', async () => {
  const { key } = await customer();
  const listed = async () => (await call(key, 'GET', '/v1/models')).data.items.map(({ model_id }) => model_id);
  assert.ok((await listed()).includes('one'));
  await call(key, 'PUT', `${path}/account`, { training: false });
  const names = await listed();
  assert.ok(names.includes('three') && !names.includes('one'));
  const { items } = (await call(key, 'GET', '/v1/models/three/data')).data;
  assert.deepEqual(
    items.map(({ engine, provider, country, retention_days: days, training, excluded }) => [
      engine,
      provider,
      country,
      days,
      training,
      excluded,
    ]),
    [
      ['acme', 'Acme', ['US'], 30, true, 'acme: it trains on data'],
      ['zenith', 'Zenith', ['DE', 'FR'], 0, false, null],
      ['nadir', null, null, null, null, 'nadir: whether it trains on data is unknown'],
    ],
  );
});

test('fallbacks, orders that wait for others and orders of a batch keep to the rule', async () => {
  const { key } = await customer();
  const rule = { only: ['acme', 'nadir'] };
  refusing.add('acme');
  assert.deepEqual(await wentTo(key, rule), ['acme', 'nadir']);
  const parent = (await call(key, 'POST', '/v1/images', { ...body, data: rule })).data;
  const child = (
    await call(key, 'POST', '/v1/images', {
      model_id: 'edit',
      prompt: 'a fox',
      image_urls: [`task:${parent.task_id}`],
      wait_for_parent: true,
      data: rule,
    })
  ).data;
  const orders = [rule, { only: ['zenith'] }].map((data, index) => ({
    name: `o${index}`,
    operation: 'images',
    body: { ...body, data },
  }));
  const batch = await call(key, 'POST', '/v1/batches', { orders });
  assert.equal(batch.status, 201, JSON.stringify(batch.body));
  const isFinal = ({ status }: { readonly status: string }) => !['queued', 'processing'].includes(status);
  for (const { task_id: id } of [parent, child])
    await until(async () => (await call(key, 'GET', `/v1/images/${id}`)).data, isFinal);
  assert.deepEqual(
    [sent.get(parent.task_id), sent.get(child.task_id)],
    [
      ['acme', 'nadir'],
      ['acme', 'nadir'],
    ],
  );
  await until(async () => (await call(key, 'GET', `/v1/batches/${batch.data.batch_id}`)).data, isFinal);
  const { items } = (await call(key, 'GET', '/v1/images?limit=10')).data;
  const wentOf = items
    .filter(({ input }) => JSON.stringify(input.data) === '{"only":["zenith"]}')
    .map(({ task_id: id }) => sent.get(id));
  assert.deepEqual(wentOf, [['zenith']]);
  const receipt = (await call(key, 'GET', `/v1/images/${parent.task_id}/receipt`)).data.content;
  assert.deepEqual(receipt.route, {
    engine: 'nadir',
    model: null,
    earlier: [{ engine: 'acme', model: null }],
    rule: { all: [rule] },
  });
  refusing.clear();
});

test('orders of test keys leave this service for no upstream, so no rule excludes them', async () => {
  const task = await make(keys.test, '/v1/images', { ...body, data: { only: ['nobody'] } });
  assert.equal(task.status, 'succeeded');
  assert.deepEqual(task.input.data, { only: ['nobody'] });
});

test('only a live key of the whole account changes rules, and only those of its own account', async () => {
  const { key, accountId } = await customer();
  const stranger = await customer();
  for (const wish of [{ mode: 'live' }, { mode: 'test', accountView: true }] as const) {
    const { key: other } = await issueKey({ ...wish, accountId });
    const { status, error } = await call(other, 'PUT', `${path}/account`, { training: false });
    assert.deepEqual([status, error.code], [403, 'forbidden']);
  }
  const foreign = await call(key, 'PUT', `${path}/${stranger.key_id}`, { training: false });
  assert.deepEqual([foreign.status, foreign.error.param], [404, 'subject']);
  assert.equal((await call(key, 'DELETE', `${path}/account`)).status, 404);
  for (const rule of [{ training: true }, { country: ['de'] }, { retention: -1 }, { region: 'EU' }])
    for (const [method, address, wrong] of [
      ['PUT', `${path}/account`, rule],
      ['POST', '/v1/images', { ...body, data: rule }],
    ] as const)
      assert.equal((await call(key, method, address, wrong)).status, 400, JSON.stringify(rule));
});

test('an operator sees the rules of an account, sets that of the account, and removes it by an empty one', async () => {
  const { key, key_id: keyId, accountId } = await customer();
  const address = `/admin/v1/accounts/${accountId}/data_rules`;
  await call(key, 'PUT', `${path}/${keyId}`, { only: ['acme', 'nadir'] });
  const set = await call(keys.admin, 'PUT', address, { except: ['acme'] });
  assert.equal(set.status, 200, JSON.stringify(set.error));
  assert.deepEqual(await wentTo(key, undefined), ['nadir'], 'both rules hold');
  const rulesOf = async () => {
    const { items } = (await call(keys.admin, 'GET', address)).data as { items: { subject: string; data: object }[] };
    return items.map(({ subject, data }) => [subject, data]);
  };
  assert.deepEqual(await rulesOf(), [
    ['account', { except: ['acme'] }],
    [keyId, { only: ['acme', 'nadir'] }],
  ]);
  for (let time = 0; time < 2; time++) assert.equal((await call(keys.admin, 'PUT', address, {})).status, 200);
  assert.deepEqual(await rulesOf(), [[keyId, { only: ['acme', 'nadir'] }]]);
  assert.deepEqual(await wentTo(key, undefined), ['acme']);
  assert.equal((await call(keys.admin, 'PUT', '/admin/v1/accounts/nobody/data_rules', {})).status, 404);
});
