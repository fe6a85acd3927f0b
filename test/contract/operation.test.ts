import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Health, figures and the operator's interface (contract §8), and how models come and go (§10). */

const overlay = await openCatalogOverlay(wholeFile, [plainEntry({ model_id: 'own-one' })]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_METRICS_PORT: '0' },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys, make } = service;
const ORDER = { model_id: 'sketch', prompt: 'a secret fox', resolution: '0.5K' };
const admin = <Method extends string, Path extends string>(method: Method, path: Path, body?: unknown) =>
  call(keys.admin, method, `/admin/v1${path}`, body);
const create = (model_id = 'sketch', key = keys.test) =>
  call(key, 'POST', '/v1/images', { model_id, prompt: 'a fox', simulate: { outcome: 'timeout' } });
const latestAct = async () => (await admin('GET', '/audit?limit=1')).data.items[0];
const reload = async (models: object[]) => {
  await overlay.write(models);
  return await admin('POST', '/catalog/reload');
};

test('healthz is alive for anyone, readyz is ready, and its details are for an admin key', async () => {
  const alive = await call(null, 'GET', '/healthz');
  assert.deepEqual([alive.status, alive.body], [200, { status: 'ok' }]);
  // On a busy machine a check can take longer than it may.
  const detailed = await until(
    () => call(keys.admin, 'GET', '/readyz'),
    ({ body }) => body.checks.every((check) => check.ok),
  );
  const ready = await call(null, 'GET', '/readyz');
  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready' }]);
  assert.equal(detailed.body.status, 'ready');
  const names = detailed.body.checks.map((check) => check.name);
  for (const name of ['database', 'storage', 'engine sketch']) assert.ok(names.includes(name), name);
  assert.equal((await call(keys.test, 'GET', '/readyz')).error.code, 'forbidden');
  assert.equal((await admin('GET', '/health')).data.ready, true);
});

test('metrics are Prometheus text for an admin key, and name neither keys nor prompts', async () => {
  await make(keys.test, '/v1/images', ORDER);
  const figures = await call(keys.admin, 'GET', '/metrics');
  assert.equal(figures.status, 200);
  assert.match(figures.headers.get('content-type') ?? '', /^text\/plain/);
  for (const line of figures.body.split('\n').filter((text: string) => text !== ''))
    assert.match(line, /^(# (HELP|TYPE) \w+ .+|[a-z_\d]+(\{[^}]*\})? (-?[\d.e+-]+|NaN|[+-]Inf))$/, line);
  assert.match(figures.body, /darkroom_\w+\{[^}]*status="succeeded"[^}]*\} \d/);
  assert.doesNotMatch(figures.body, /fox|dk_test|img_/);
  for (const [key, code] of [
    [null, 'missing_api_key'],
    [keys.test, 'forbidden'],
    [keys.live, 'forbidden'],
  ] as const)
    assert.equal((await call(key, 'GET', '/metrics')).error.code, code);
});

test('nothing under /admin/v1 answers to any key but an admin key', async () => {
  const routes = [
    ['GET', '/accounts'],
    ['POST', '/accounts'],
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['GET', '/engines'],
    ['POST', '/engines/sketch/pause'],
    ['GET', '/models'],
    ['POST', '/models/sketch/pause'],
    ['GET', '/tasks?key_id=x&type=image'],
    ['POST', '/catalog/reload'],
    ['GET', '/audit'],
    ['GET', '/reconciliation'],
    ['GET', '/health'],
  ] as const;
  for (const [method, path] of routes) {
    for (const [key, status, code] of [
      [null, 401, 'missing_api_key'],
      [keys.test, 403, 'forbidden'],
      [keys.live, 403, 'forbidden'],
    ] as const) {
      const answer = await call(key, method, `/admin/v1${path}`);
      assert.deepEqual([answer.status, answer.error.code], [status, code], `${method} ${path}`);
    }
  }
});

test('a paused model takes no orders, shows as paused, and what is under way goes on', async () => {
  const running = await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { seconds: 1 } });
  const paused = await admin('POST', '/models/sketch/pause', { reason: 'repair' });
  assert.deepEqual([paused.status, paused.data], [200, { name: 'sketch', paused: true }]);
  const act = await latestAct();
  assert.deepEqual([act.act, act.target, act.detail.reason], ['model.pause', 'sketch', 'repair']);
  const refused = await create();
  assert.deepEqual([refused.status, refused.error.code, refused.error.retryable], [503, 'model_unavailable', true]);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const entryIn = <Entry extends { readonly model_id: string }>(items: readonly Entry[]) =>
    items.find((one) => one.model_id === 'sketch')!;
  const seen = await until(
    async () => entryIn((await call(null, 'GET', '/v1/catalog')).data.items),
    (entry) => entry.status === 'paused',
  );
  assert.deepEqual(seen.availability, { live: false, test: false, batch: false });
  assert.equal(entryIn((await call(keys.live, 'GET', '/v1/models')).data.items), undefined);
  const listed = entryIn((await admin('GET', '/models')).data.items);
  assert.deepEqual([listed.paused, listed.reason], [true, 'repair']);
  assert.equal((await create('sketch-grid')).status, 201, 'others go on');
  const done = await until(
    async () => (await call(keys.test, 'GET', running.data.urls.self)).data,
    (task) => task.status === 'succeeded',
  );
  assert.equal(done.cost.state, 'charged');
  assert.deepEqual((await admin('POST', '/models/sketch/resume')).data, { name: 'sketch', paused: false });
  assert.equal((await create()).status, 201);
  assert.equal((await latestAct()).act, 'model.resume');
});

test('a paused engine takes no orders of any of its models', async () => {
  assert.equal((await admin('POST', '/engines/sketch/pause', {})).status, 200);
  for (const modelId of ['sketch', 'sketch-grid', 'veo-3.1-fast']) {
    const path = modelId === 'veo-3.1-fast' ? '/v1/videos' : '/v1/images';
    const { status, error } = await call(keys.test, 'POST', path, { model_id: modelId, prompt: 'a fox' });
    assert.deepEqual([status, error.code], [503, 'model_unavailable'], modelId);
  }
  const refused = await create();
  assert.match(refused.error.message, /the operator paused the built-in engine, which runs the orders of test keys/);
  // The lists may be a second old.
  const told = await until(
    async () =>
      (await call(null, 'GET', '/v1/catalog')).data.items.filter((one) =>
        /^sketch$|^veo-3\.1-fast$/.test(one.model_id),
      ),
    (models) => models.every(({ status }) => status === 'paused'),
  );
  assert.equal(told.length, 2);
  for (const { model_id, status, availability } of told)
    assert.deepEqual([status, availability.live, availability.test], ['paused', false, false], model_id);
  const listed = (await admin('GET', '/models')).data.items.find((one) => one.model_id === 'sketch')!;
  assert.deepEqual([listed.status, listed.availability.test], ['paused', false]);
  await until(
    async () => (await call(keys.test, 'GET', '/v1/models')).data.items,
    (models) => models.length === 0,
  );
  const { items } = (await admin('GET', '/engines')).data;
  assert.equal(items.find((engine) => engine.name === 'sketch')!.paused, true);
  await admin('POST', '/engines/sketch/resume');
  assert.equal((await create()).status, 201);
  for (const path of ['/engines/nobody/pause', '/models/nobody/pause', '/engines/nobody/resume'])
    assert.deepEqual((await admin('POST', path)).error.code, 'not_found');
});

test('a model without a configured engine refuses orders and says so', async () => {
  const { status, error, headers } = await call(keys.live, 'POST', '/v1/images', {
    model_id: 'flux-2-pro',
    prompt: 'a fox',
  });
  assert.deepEqual([status, error.code, error.retryable], [422, 'model_not_offered', false]);
  assert.equal(headers.get('retry-after'), null);
});

test('accounts and keys are made, listed, changed, rotated and revoked, and every act is on record without a secret', async () => {
  const account = (await admin('POST', '/accounts', { account_id: 'acme', name: 'Acme', credit_limit: '10.00' })).data;
  assert.deepEqual([account.account_id, account.credit_limit, account.balance], ['acme', '10.00', '0.00']);
  const changed = (await admin('PATCH', '/accounts/acme', { credit_limit: null, name: 'Acme Ltd' })).data;
  assert.deepEqual([changed.credit_limit, changed.name], [null, 'Acme Ltd']);
  assert.equal((await admin('POST', '/accounts/acme/credit', { amount: '2.5', note: 'paid' })).data.balance, '2.50');
  const issued = await admin('POST', '/keys', { mode: 'test', account_id: 'acme', name: 'shop', rpm: 60 });
  assert.equal(issued.status, 201);
  const { key, key_id: keyId } = issued.data;
  assert.match(key, /^dk_test_/);
  assert.equal((await call(key, 'GET', '/v1/account')).data.account_id, 'acme');
  const listed = (await admin('GET', '/keys?account_id=acme')).data.items;
  assert.deepEqual([listed.length, listed[0].key_id, 'key' in listed[0]], [1, keyId, false]);
  const rotated = (await admin('POST', `/keys/${keyId}/rotate`, { grace_seconds: 0 })).data;
  assert.equal((await call(key, 'GET', '/v1/account')).status, 401);
  assert.equal((await call(rotated.key, 'GET', '/v1/account')).data.key.key_id, keyId);
  await admin('POST', `/keys/${keyId}/revoke`);
  assert.equal((await call(rotated.key, 'GET', '/v1/account')).error.code, 'revoked_api_key');
  const audit = await admin('GET', '/audit?limit=6');
  assert.deepEqual(
    audit.data.items.map((entry) => entry.act),
    ['key.revoke', 'key.rotate', 'key.create', 'account.credit', 'account.change', 'account.create'],
  );
  const text = JSON.stringify(audit.body);
  assert.doesNotMatch(text, /dk_(test|live|admin)_/);
  const adminKeyId = audit.data.items[0].actor;
  assert.ok(audit.data.items.every((entry) => entry.actor === adminKeyId && /^key_/.test(entry.actor)));
});

test('the audit log pages backwards without a gap', async () => {
  const all = (await admin('GET', '/audit?limit=100')).data.items.map((entry) => entry.audit_id);
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const page = (await admin('GET', `/audit?limit=3${after}`)).data;
    seen.push(...page.items.map((entry) => entry.audit_id));
    if (!page.has_more) break;
    after = `&after=${seen.at(-1)}`;
  }
  assert.deepEqual(seen, all);
});

test('an operator looks up a task of any key, with what happens inside and without its prompt', async () => {
  const { key, key_id: keyId } = await service.issueKey({ mode: 'test' });
  const task = await make(key, '/v1/images', ORDER);
  const found = await admin('GET', `/tasks/${task.task_id}`);
  const { key_id, step, status, price, charged, route } = found.data;
  assert.deepEqual(
    [key_id, step, status, price, charged, route.engine],
    [keyId, 'final', 'succeeded', '0.005', '0.005', 'sketch'],
  );
  assert.doesNotMatch(JSON.stringify(found.body), /fox/);
  const list = (await admin('GET', `/tasks?mode=all&search=${keyId}`)).data;
  assert.deepEqual([list.items.length, list.has_more], [1, false]);
  assert.equal((await admin('GET', '/tasks/img_none')).error.code, 'task_not_found');
});

test('the catalog is reloaded by the operator: models and prices change at once, ETags with them', async () => {
  const etagOf = async () => (await call(null, 'GET', '/v1/catalog')).headers.get('etag');
  const before = await etagOf();
  const changed = plainEntry({ model_id: 'own-one', pricing: { components: [{ per: 'image', amount: '0.07' }] } });
  const { status, data } = await reload([changed, plainEntry({ model_id: 'own-two' })]);
  assert.deepEqual([status, typeof data.models, typeof data.version], [200, 'number', 'string']);
  assert.equal((await latestAct()).act, 'catalog.reload');
  const { amount } = (await call(keys.test, 'POST', '/v1/prices', { model_id: 'own-one' })).data;
  assert.equal(amount, '0.07');
  assert.equal((await call(keys.test, 'GET', '/v1/models/own-two')).status, 200);
  assert.notEqual(await etagOf(), before);
});

test('a catalog with faults is refused as a whole, with the file, the entry and the fault of each', async () => {
  const faulty = plainEntry({
    model_id: 'own-one',
    pricing: { components: [{ per: 'banana' as 'image', amount: '1' }] },
  });
  const { status, error } = await reload([faulty, { ...plainEntry({ model_id: 'own-three' }), colour: 'red' }]);
  assert.deepEqual([status, error.code], [400, 'invalid_request']);
  const told = JSON.stringify(error.details);
  for (const word of ['own.json', 'own-one', 'own-three', 'colour']) assert.match(told, new RegExp(word));
  assert.equal((await call(keys.test, 'GET', '/v1/models/own-two')).status, 200, 'the catalog in force stays');
  await overlay.writeText('{ "vendor": ');
  assert.match((await admin('POST', '/catalog/reload')).error.message, /own\.json.*JSON/);
});

test('a deprecated model is still ordered, and the answer says since when and until when', async () => {
  const sunset = '2027-03-31T00:00:00Z';
  const deprecated = plainEntry({
    model_id: 'own-old',
    status: 'deprecated',
    sunset_at: sunset,
    replaced_by: 'sketch',
  });
  assert.equal((await reload([deprecated])).status, 200);
  const { status, headers } = await create('own-old');
  assert.equal(status, 201);
  const seconds = Date.parse('2027-03-01T00:00:00Z') / 1000;
  assert.equal(headers.get('deprecation'), `@${seconds}`, 'thirty days before its sunset');
  assert.equal(headers.get('link'), `<${service.url}/v1/models/sketch>; rel="successor-version"`);
  assert.equal(headers.get('sunset'), new Date(sunset).toUTCString());
  assert.equal((await reload([{ ...deprecated, deprecated_at: '2026-12-24T00:00:00Z' }])).status, 200);
  const dated = await create('own-old');
  assert.equal(dated.headers.get('deprecation'), `@${Date.parse('2026-12-24T00:00:00Z') / 1000}`);
  const other = await create('sketch');
  for (const name of ['deprecation', 'sunset', 'link']) assert.equal(other.headers.get(name), null, name);
});

test('a retired model names its successor, and its tasks and their money stay', async () => {
  await reload([plainEntry({ model_id: 'own-old' })]);
  const task = await make(keys.test, '/v1/images', { model_id: 'own-old', prompt: 'a fox' });
  await reload([plainEntry({ model_id: 'own-old', status: 'retired', replaced_by: 'sketch' })]);
  for (const answer of [
    await create('own-old'),
    await call(keys.test, 'POST', '/v1/prices', { model_id: 'own-old' }),
  ]) {
    assert.deepEqual([answer.status, answer.error.code], [410, 'model_retired']);
    assert.match(answer.error.message, /sketch/);
  }
  const later = (await call(keys.test, 'GET', task.urls.self)).data;
  assert.deepEqual([later.status, later.cost.amount], ['succeeded', '0.01']);
  assert.equal((await fetch(later.outputs[0].url)).status, 200);
});

test('an alias of a model works like its id, also for a follow-up', async () => {
  await reload([plainEntry({ model_id: 'own-new', aliases: ['own-old-name', 'o'] })]);
  for (const name of ['own-old-name', 'o', 'own-new']) {
    const { status, data } = await create(name);
    assert.deepEqual([status, data.model_id], [201, 'own-new']);
  }
});
