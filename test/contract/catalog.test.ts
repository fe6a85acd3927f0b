import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEATURES, MEDIA_ROLES, PRICE_UNITS } from '@darkroom-service/contract/catalog';
import { startService } from '../helpers/additions.ts';
import { openCatalogOverlay, shippedEntry } from '../helpers/catalog-overlay.ts';
import { type CatalogEntry, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/**
 * Entries and their filters, ETags and availability (contract §4), over one service whose operator has added models of
 * every status.
 */

const MINIMUM = { minimum: '0.02', components: [{ per: 'image', amount: '0.01' }] };
const overlay = await openCatalogOverlay(wholeFile, [
  await shippedEntry('darkroom', 'sketch', { model_id: 'own-paused', status: 'paused' }),
  await shippedEntry('darkroom', 'sketch', {
    model_id: 'own-deprecated',
    status: 'deprecated',
    sunset_at: '2027-01-31T00:00:00Z',
    replaced_by: 'sketch',
  }),
  await shippedEntry('darkroom', 'sketch', { model_id: 'own-retired', status: 'retired', replaced_by: 'sketch' }),
  await shippedEntry('darkroom', 'sketch', { model_id: 'own-minimum', pricing: MINIMUM }),
]);
const service = await startTestService(wholeFile, { env: { DARKROOM_CATALOG_DIR: overlay.directory } });
const catalog: readonly CatalogEntry[] = (await service.call(null, 'GET', '/v1/catalog')).data.items;

const named = (items: readonly CatalogEntry[], modelId: string) => items.find((entry) => entry.model_id === modelId)!;
const idsOf = (items: readonly CatalogEntry[]) => items.map((entry) => entry.model_id);

const ENTRY_FIELDS = [
  'model_id',
  'aliases',
  'name',
  'vendor',
  'type',
  'description',
  'status',
  'sunset_at',
  'replaced_by',
  'default_config',
  'parameters',
  'required',
  'constraints',
  'supported_features',
  'actions',
  'image_roles',
  'limits',
  'pricing',
  'route_cost',
  'availability',
  'typical_seconds',
  'notes',
];

test('the catalog and the list of models answer items and nothing else, whole or of one type', async () => {
  for (const [key, path] of [
    [null, '/v1/catalog'],
    [service.keys.test, '/v1/models'],
  ] as const) {
    const all = await service.call(key, 'GET', path);
    assert.deepEqual(Object.keys(all.data), ['items']);
    const images = (await service.call(key, 'GET', `${path}?type=image`)).data.items as readonly CatalogEntry[];
    const videos = (await service.call(key, 'GET', `${path}?type=video`)).data.items as readonly CatalogEntry[];
    assert.ok(images.length > 20 && videos.length > 20);
    assert.ok(images.every((entry) => entry.type === 'image'));
    assert.ok(videos.every((entry) => entry.type === 'video'));
    assert.deepEqual(idsOf([...images, ...videos]).sort(), idsOf(all.data.items).sort());
    assert.equal((await service.call(key, 'GET', `${path}?type=sound`)).error.code, 'invalid_request');
  }
});

test('every entry has the fields of the contract and no others', () => {
  for (const entry of catalog) {
    assert.deepEqual(Object.keys(entry).sort(), [...ENTRY_FIELDS].sort(), entry.model_id);
    const { model_id, aliases, name, vendor, type, description, availability, typical_seconds } = entry;
    assert.match(model_id, /^[a-z0-9][a-z0-9.-]{0,63}$/);
    for (const text of [name, vendor, description]) assert.ok(typeof text === 'string' && text !== '', model_id);
    assert.ok(aliases.every((alias: unknown) => typeof alias === 'string'));
    assert.ok(['image', 'video'].includes(type));
    assert.deepEqual(Object.keys(availability), ['live', 'test', 'batch']);
    assert.equal(availability.test, true, 'a test key can order every model');
    assert.equal(typical_seconds, null, 'nothing was measured yet');
    assert.ok(Array.isArray(entry.notes) && entry.notes.every((note: unknown) => typeof note === 'string'));
  }
  assert.equal(new Set(idsOf(catalog)).size, catalog.length);
});

test('default_config has exactly the keys of the parameters, and their defaults, null where there is none', () => {
  for (const { model_id, default_config, parameters } of catalog) {
    assert.deepEqual(Object.keys(default_config), Object.keys(parameters), model_id);
    assert.equal(default_config.num_images, 1, model_id);
    for (const [name, schema] of Object.entries(parameters)) {
      assert.deepEqual(default_config[name], schema.default, `${model_id} ${name}`);
      assert.ok(typeof schema.type === 'string' && schema.description !== '', `${model_id} ${name}`);
      const standard = schema.default;
      if (schema.enum !== undefined && standard !== null) assert.ok(schema.enum.includes(standard), name);
    }
    assert.deepEqual([default_config.prompt ?? null, default_config.image_urls ?? null], [null, null], model_id);
  }
});

test('a form can be drawn from the parameters alone: type, values or bounds, default and description', () => {
  for (const { model_id, parameters } of catalog) {
    for (const [name, schema] of Object.entries(parameters)) {
      assert.ok(['string', 'integer', 'number', 'boolean', 'array', 'object'].includes(String(schema.type)), name);
      if (schema.type === 'array') assert.ok(schema.items ?? schema.prefixItems, `${model_id} ${name}`);
    }
  }
});

test('required lists, constraints, limits and actions speak of parameters that the entry has', () => {
  for (const { model_id, parameters, required, constraints, limits, actions } of catalog) {
    assert.ok(required.length > 0, model_id);
    for (const name of required.flat()) assert.ok(name in parameters, `${model_id} ${name}`);
    for (const { then, message, ...rest } of constraints) {
      assert.ok(Object.keys(then).length > 0 && message.length > 0, model_id);
      assert.deepEqual(
        Object.keys(rest).filter((name) => name !== 'when'),
        [],
        model_id,
      );
    }
    // The mask of a follow-up action is limited too, although no create takes it.
    for (const [name, limit] of Object.entries(limits)) {
      assert.ok(name in parameters || (name === 'mask_url' && actions.includes('vary_region')), `${model_id} ${name}`);
      if (limit.role !== undefined) assert.ok(MEDIA_ROLES.includes(limit.role), `${model_id} ${limit.role}`);
      if (limit.unit !== undefined) assert.match(limit.unit, /^(characters|words|tokens|bytes)$/);
    }
  }
});

test('features and price units come from the closed lists', () => {
  const features: readonly string[] = FEATURES;
  for (const { model_id, supported_features, pricing } of catalog) {
    for (const feature of supported_features) assert.ok(features.includes(feature), `${model_id} ${feature}`);
    for (const { per } of pricing.components) assert.ok(PRICE_UNITS.includes(per), `${model_id} ${per}`);
  }
});

test('prices are in dollars, as decimal strings, each with what it is per', () => {
  for (const { model_id, pricing } of catalog) {
    assert.deepEqual(Object.keys(pricing).sort(), ['components', 'currency', 'from', 'minimum'], model_id);
    assert.equal(pricing.currency, 'USD');
    assert.match(pricing.from, /^\d+\.\d{2,6}$/, model_id);
    assert.ok(pricing.minimum === null || /^\d+\.\d{2,9}$/.test(pricing.minimum), model_id);
    assert.ok(pricing.components.length > 0, model_id);
    for (const { per, amount, sources = [], ...rest } of pricing.components) {
      for (const { source, as_of, ...more } of sources) {
        assert.ok(source !== '' && /^\d{4}-\d\d(-\d\d)?$/.test(as_of), `${model_id} ${source}`);
        assert.deepEqual(more, {}, model_id);
      }
      assert.match(amount, /^\d+\.\d{2,9}$/, `${model_id} ${per}`);
      const known = ['when', 'units', 'at_least', 'description', ...(per === 'formula' ? ['formula'] : [])];
      assert.deepEqual(
        Object.keys(rest).filter((name) => !known.includes(name)),
        [],
        model_id,
      );
    }
  }
  assert.equal(named(catalog, 'own-minimum').pricing.minimum, '0.02');
  assert.equal(named(catalog, 'sketch').pricing.minimum, null);
  assert.equal(named(catalog, 'sketch').pricing.from, '0.005');
});

test('an order below the minimum of its model costs the minimum', async () => {
  const { data } = await service.call(service.keys.test, 'POST', '/v1/prices', { model_id: 'own-minimum' });
  assert.equal(data.amount, '0.02');
});

const TOOLS = ['enlarge', 'cut_out', 'lip_sync'] as const;

test('canonical fields have their names on every model, so that models can be swapped', () => {
  for (const { model_id, type, parameters, limits, required, supported_features: features } of catalog) {
    // A tool works on its media alone, whose size or length its result has or follows.
    const isTool = !('prompt' in parameters) || TOOLS.some((feature) => features.includes(feature));
    assert.ok('num_images' in parameters, model_id);
    if (type === 'image' && !isTool) assert.ok('aspect_ratio' in parameters, `${model_id} takes no aspect_ratio`);
    // A model that only edits a video makes one as long as that.
    const edits = required.flat().includes('video_url');
    if (type === 'video' && !edits && !isTool) assert.ok('duration' in parameters, `${model_id} takes no duration`);
    const takesPictures = Object.keys(limits).some((name) => /image|frame/.test(name) && name in parameters);
    if (!takesPictures) continue;
    assert.equal(parameters.image_urls?.type, 'array', `${model_id} takes no image_urls`);
    assert.ok(
      MEDIA_ROLES.some((role) => role === limits.image_urls?.role),
      `${model_id} says no role of image_urls`,
    );
  }
});

for (const [title, key, path] of [
  ['the catalog', null, '/v1/catalog'],
  ["the key's models", 'test', '/v1/models'],
  ['one model', 'test', '/v1/models/sketch'],
] as const) {
  test(`${title} carries an ETag, answers 304 to it and 200 to any other`, async () => {
    const secret = key === null ? null : service.keys[key];
    const ask = (etag: string) => service.call(secret, 'GET', path, undefined, { 'if-none-match': etag });
    const first = await ask('"other"');
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    assert.equal(first.status, 200);
    for (const known of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const unchanged = await ask(known);
      // Nobody can tell in which coding a caller of `*` has it.
      const tag = known === '*' && path.startsWith('/v1/models/') ? etag.replace('-gzip', '') : etag;
      assert.deepEqual([unchanged.status, unchanged.body, unchanged.headers.get('etag')], [304, null, tag], known);
    }
  });
}

test('one type of the catalog has an ETag of its own', async () => {
  const etagOf = async (path: string) => (await service.call(null, 'GET', path)).headers.get('etag');
  assert.notEqual(await etagOf('/v1/catalog?type=image'), await etagOf('/v1/catalog?type=video'));
});

test('the catalog shows all public models, whatever their status, at default prices', () => {
  for (const [modelId, status] of [
    ['sketch', 'active'],
    ['own-paused', 'paused'],
    ['own-deprecated', 'deprecated'],
    ['own-retired', 'retired'],
  ])
    assert.equal(named(catalog, modelId ?? '').status, status);
  const { sunset_at, replaced_by } = named(catalog, 'own-deprecated');
  assert.deepEqual([sunset_at, replaced_by], ['2027-01-31T00:00:00Z', 'sketch']);
  assert.deepEqual(named(catalog, 'sketch').sunset_at, null);
});

test('availability shows what a live key can order, and a live key lists exactly that', async () => {
  assert.deepEqual(named(catalog, 'sketch').availability, { live: true, test: true, batch: false });
  assert.deepEqual(named(catalog, 'veo-3.1-fast').availability, { live: false, test: true, batch: false });
  const live = (await service.call(service.keys.live, 'GET', '/v1/models')).data.items;
  assert.deepEqual(
    idsOf(live).sort(),
    idsOf(catalog.filter((entry) => entry.availability.live && /^(active|deprecated)$/.test(entry.status))).sort(),
  );
  assert.ok(named(live, 'own-deprecated'));
  assert.equal(named(live, 'veo-3.1-fast'), undefined);
});

test('a test key lists every active or deprecated model and no other', async () => {
  const ids = idsOf((await service.call(service.keys.test, 'GET', '/v1/models')).data.items);
  assert.deepEqual(ids, idsOf(catalog.filter((entry) => /^(active|deprecated)$/.test(entry.status))));
});

test('a key that may order some models lists those', async () => {
  const { key } = await service.issueKey({ mode: 'test', models: ['veo-*', 'sketch'] });
  const ids = idsOf((await service.call(key, 'GET', '/v1/models')).data.items);
  assert.deepEqual(ids.sort(), ['sketch', 'veo-3.1', 'veo-3.1-fast', 'veo-3.1-fast-extend', 'veo-3.1-lite']);
  assert.equal((await service.call(key, 'GET', '/v1/models/flux-2-pro')).error.code, 'model_not_allowed');
});

test('an account sees its own prices and not what is hidden from it; the catalog does not change', async () => {
  const accountId = await service.createAccount(null);
  const change = { price_rules: [{ models: 'sketch*', multiplier: '1.5' }], hidden_models: ['flux-*'] };
  const changed = await service.call(service.keys.admin, 'PATCH', `/admin/v1/accounts/${accountId}`, change);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const { key } = await service.issueKey({ mode: 'test', accountId });
  const { items } = (await service.call(key, 'GET', '/v1/models')).data;
  const sketch = named(items, 'sketch');
  assert.deepEqual([sketch.pricing.from, sketch.pricing.components[1].amount], ['0.0075', '0.015']);
  assert.equal(named(items, 'veo-3.1').pricing.from, named(catalog, 'veo-3.1').pricing.from);
  assert.ok(!idsOf(items).some((id) => id.startsWith('flux-')));
  assert.equal((await service.call(key, 'GET', '/v1/models/flux-2-pro')).error.code, 'model_not_found');
  assert.equal((await service.call(key, 'GET', '/v1/models/sketch')).data.pricing.from, '0.0075');
  const again = (await service.call(null, 'GET', '/v1/catalog')).data.items;
  assert.equal(named(again, 'sketch').pricing.from, '0.005');
  assert.ok(named(again, 'flux-2-pro'));
});

test('one model is found by its id and by each of its aliases, and by nothing else', async () => {
  const one = async (id: string) => await service.call(service.keys.test, 'GET', `/v1/models/${id}`);
  for (const { model_id, aliases } of catalog.filter((entry) => entry.aliases.length > 0)) {
    for (const alias of aliases) assert.equal((await one(alias)).data.model_id, model_id, alias);
  }
  assert.deepEqual((await one('nothing')).error.code, 'model_not_found');
  const { input_schema, ...entry } = (await one('sketch')).data;
  assert.deepEqual(entry, named(catalog, 'sketch'));
  assert.equal(typeof input_schema, 'object');
});

test('an order may name its model by an alias, and the task names the model', async () => {
  const body = { model_id: 'gemini-3-pro-image', prompt: 'a fox', simulate: { outcome: 'stuck' } };
  const { data } = await service.call(service.keys.test, 'POST', '/v1/images', body);
  assert.deepEqual([data.model_id, data.input.model_id], ['nano-banana-pro', 'nano-banana-pro']);
  await service.call(service.keys.test, 'POST', new URL(data.urls.cancel).pathname);
});

test('paused and retired models take no orders, a retired one names its successor', async () => {
  const create = (model_id: string) =>
    service.call(service.keys.test, 'POST', '/v1/images', { model_id, prompt: 'a fox' });
  const paused = await create('own-paused');
  assert.deepEqual([paused.status, paused.error.code], [503, 'model_unavailable']);
  assert.ok(Number(paused.headers.get('retry-after')) > 0);
  const retired = await create('own-retired');
  assert.deepEqual([retired.status, retired.error.code], [410, 'model_retired']);
  assert.match(retired.error.message, /\bsketch\b/);
});

test("typical_seconds are measured from the service's own finished live tasks", async (t) => {
  const first = await startTestService(t, { service: { engines: [createSwiftEngine()] } });
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => first.make(first.keys.live, '/v1/images', order)));
  assert.ok(made.every((task) => task.status === 'succeeded'));
  const film = { model_id: 'sketch-motion', prompt: 'a fox', simulate: { outcome: 'upstream_error' } };
  for (let count = 0; count < 5; count++) await first.make(first.keys.test, '/v1/videos', film);
  await first.service.stop();
  const second = await startService(first.config);
  t.after(() => second.stop({ now: true }));
  const { items } = (await first.call(null, 'GET', `${second.url}/v1/catalog`)).data;
  const waiting = await first.call(first.keys.live, 'POST', `${second.url}/v1/images`, order);
  const { estimated_seconds: estimated } = waiting.data;
  assert.ok(Number.isInteger(estimated) && estimated >= 1 && estimated < 60, `${estimated}`);
  const { p50, p80 } = named(items, 'sketch').typical_seconds;
  assert.ok(p50 >= 0 && p50 <= p80 && p80 < 60, `${p50} ${p80}`);
  assert.equal(named(items, 'sketch-motion').typical_seconds, null, 'test tasks and failures do not count');
});
