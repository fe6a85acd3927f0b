import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type Delivery, type Engine, EngineError } from '@darkroom-service/engines';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { keyedEngine } from '../../src/record/owned-instance.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { loggedLines } from '../helpers/logged-lines.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { withUpstreamKeys } from '../helpers/with-upstream-keys.ts';

/** Customers' own keys at upstreams: two kinds of engines, whose upstreams know their callers by their secrets. */

const picture = await smallPicture;
const delivery: Delivery = {
  outputs: [{ source: { data: picture }, seed: null, revisedPrompt: null, tiles: null }],
  upstreamCost: { usd: '0.03' },
};
/** Every call, by the secret that it was made with. */
const calls: { readonly secret: string; readonly call: 'start' | 'check'; readonly taskId: string }[] = [];
const WRONG = 'wrong-secret-of-a-customer';
/** Orders with this word are not finished before it is taken away. */
const unfinished = new Set<string>();

function vendorEngine(kind: string, secret: string): Engine {
  return {
    name: kind,
    concurrency: 10,
    async start({ taskId }) {
      calls.push({ secret, call: 'start', taskId });
      if (secret === WRONG) throw new EngineError('auth', 'this account is closed', { took: 'no' });
      return { operation: { taskId }, checkAfterMs: 0 };
    },
    async check(_operation, { taskId, request }) {
      calls.push({ secret, call: 'check', taskId });
      const isUnfinished = [...unfinished].some((word) => String(request.values.prompt).includes(word));
      return isUnfinished ? { status: 'pending', checkAfterMs: 20 } : { status: 'succeeded', delivery };
    },
  };
}

const entry = (model_id: string, ...kinds: string[]) =>
  plainEntry({
    model_id,
    pricing: { components: [{ per: 'image', amount: '0.04' }] },
    routes: kinds.map((engine) => ({
      engine,
      cost: { as_of: '2026-11-21', source: 'a test', components: [{ per: 'image', amount: '0.03' }] },
    })),
  });
const overlay = await openCatalogOverlay(wholeFile, [entry('one', 'acme'), entry('two', 'acme', 'zenith')]);
const { log, lines } = loggedLines();
const secretsKey = () => randomBytes(32).toString('base64');
const { call, make, keys, issueKey, createAccount, database, service } = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_DIR: overlay.directory,
    DARKROOM_SECRETS_KEY: secretsKey(),
    DARKROOM_UPSTREAM_KEY_FEE: '0.002',
    DARKROOM_UPSTREAM_KEY_FEE_PERCENT: '5',
  },
  service: {
    log,
    engines: ['acme', 'zenith'].map((kind) => vendorEngine(kind, "the operator's")),
    additions: withUpstreamKeys({
      templates: new Map(['acme', 'zenith'].map((kind) => [kind, vendorEngine(kind, 'nobody')])),
      open: vendorEngine,
    }),
  },
});
const path = '/v1/account/upstream_keys';
const FEE = '0.004';

/** A customer with a live key of the whole account. */
async function customer(concurrency = 0) {
  const accountId = await createAccount(null);
  const { key } = await issueKey({ mode: 'live', accountId, accountView: true, concurrency });
  const set = async (engine: string, secret: string) => {
    const answer = await call(key, 'PUT', `${path}/${engine}`, { secret });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const found = answer.data.items.find((one) => one.engine === engine);
    assert.ok(found);
    return found;
  };
  const order = async (prompt = 'a fox', model = 'one') =>
    await call(key, 'POST', '/v1/images', { model_id: model, prompt });
  const final = async (taskId: string) =>
    await until(
      async () => (await call(key, 'GET', `/v1/images/${taskId}`)).data,
      ({ status }) => status !== 'queued' && status !== 'processing',
    );
  return { accountId, key, set, order, final };
}

const callsOf = (taskId: string) => [
  ...new Set(calls.filter((one) => one.taskId === taskId).map(({ secret }) => secret)),
];

test('with an own upstream key, a live order goes there, costs the fee that the quote told, and costs the operator nothing', async () => {
  const { key, set, accountId } = await customer();
  const body = { model_id: 'one', prompt: 'a fox' };
  const before = await call(key, 'POST', '/v1/prices', body);
  assert.deepEqual([before.data.amount, before.data.upstream_key], ['0.04', false]);
  await set('acme', 'acme-secret-of-mine');
  const quote = (await call(key, 'POST', '/v1/prices', body)).data;
  assert.deepEqual([quote.amount, quote.upstream_key, quote.exact], [FEE, true, true]);
  const task = await make(key, '/v1/images', body);
  assert.deepEqual([task.status, task.cost.amount, task.cost.quoted], ['succeeded', FEE, FEE]);
  assert.deepEqual(task.cost.lines, quote.lines);
  assert.deepEqual(callsOf(task.task_id), ['acme-secret-of-mine']);
  const { read } = database;
  const [cost] = await read.all(read.builder.selectFrom('task_costs').selectAll().where('account_id', '=', accountId));
  assert.deepEqual([cost?.engine, cost?.expected, cost?.told, cost?.charged], ['acme@customers', 0, null, 4_000]);
  const { key: testKey } = await issueKey({ mode: 'test', accountId });
  const rehearsal = (await call(testKey, 'POST', '/v1/prices', body)).data;
  assert.deepEqual([rehearsal.amount, rehearsal.upstream_key], ['0.04', false]);
});

test('the secret is never answered, logged or stored in the open; its last characters, its setter and every act are told', async () => {
  const { key, set, accountId } = await customer();
  const secret = 'a-secret-that-nobody-may-ever-read-4711';
  const shown = await set('acme', secret);
  assert.deepEqual([shown.last_four, shown.problem], ['4711', null]);
  const list = await call(key, 'GET', path);
  assert.deepEqual(list.data.fee, { amount: '0.002', percent: '5' });
  assert.deepEqual(list.data.engines, ['acme', 'zenith']);
  await make(key, '/v1/images', { model_id: 'one', prompt: 'a fox' });
  assert.equal((await call(key, 'DELETE', `${path}/acme`)).status, 200);
  assert.equal((await call(key, 'DELETE', `${path}/acme`)).error.code, 'not_found');
  const acts = (await call(keys.admin, 'GET', '/admin/v1/audit?limit=100')).data.items.filter(
    ({ act, target }) => act.startsWith('upstream_key') && target === accountId,
  );
  assert.deepEqual(
    acts.map(({ act, detail }) => [act, detail.last_four]),
    [
      ['upstream_key.remove', '4711'],
      ['upstream_key.set', '4711'],
    ],
  );
  const { read } = database;
  const rows = await read.all(read.builder.selectFrom('upstream_keys').selectAll());
  for (const text of [shown, list.body, acts, rows, lines]) assert.ok(!JSON.stringify(text).includes(secret));
});

test('only a live key of the whole account changes upstream keys, and only of engines that need no address', async () => {
  const { key, accountId } = await customer();
  for (const wish of [{ mode: 'live' }, { mode: 'test', accountView: true }] as const) {
    const other = (await issueKey({ ...wish, accountId })).key;
    const answer = await call(other, 'PUT', `${path}/acme`, { secret: 'acme-secret-of-mine' });
    assert.deepEqual([answer.status, answer.error.code], [403, 'forbidden']);
  }
  assert.equal((await call(key, 'PUT', `${path}/comfyui`, { secret: 'acme-secret-of-mine' })).status, 404);
  for (const body of [
    { secret: 'short' },
    { secret: 'with spaces in between' },
    { secret: 'x'.repeat(20), url: 'https://a.example' },
  ])
    assert.equal((await call(key, 'PUT', `${path}/acme`, body)).status, 400, JSON.stringify(body));
});

test('a bad upstream key opens only its own circuit, and its customer is told why until another key is set', async () => {
  const [bad, good] = [await customer(), await customer()];
  await bad.set('acme', WRONG);
  await good.set('acme', 'acme-secret-of-another');
  const failed = await bad.final((await bad.order()).data.task_id);
  assert.deepEqual([failed.status, failed.error?.code, failed.cost.amount], ['failed', 'upstream_auth', '0.00']);
  const listed = await until(
    async () => (await call(bad.key, 'GET', path)).data.items[0],
    (one: { problem: string | null }) => one.problem !== null,
  );
  assert.match(listed.problem, /this account is closed/);
  const refused = await bad.order();
  assert.deepEqual([refused.status, refused.error.code], [503, 'model_unavailable']);
  assert.match(refused.error.message, /upstream key/);
  const engines = (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items;
  assert.equal(engines.find(({ name }: { name: string }) => name === 'acme')?.circuit.state, 'closed');
  assert.equal((await good.final((await good.order()).data.task_id)).status, 'succeeded');
  await bad.set('acme', 'acme-secret-that-works');
  assert.equal((await bad.final((await bad.order()).data.task_id)).status, 'succeeded');
});

test('an order keeps the account that it was submitted to when its key is replaced or removed, until it ends', async () => {
  const { key, set, order, final } = await customer();
  const { upstream_key_id: id } = await set('acme', 'acme-secret-before');
  unfinished.add('slow');
  const { task_id: taskId } = (await order('a slow fox')).data;
  await until(async () => calls.some((one) => one.taskId === taskId && one.call === 'check'), Boolean);
  await set('acme', 'acme-secret-after');
  assert.equal((await call(key, 'DELETE', `${path}/acme`)).status, 200);
  const ordinary = await order('a fox');
  assert.equal(ordinary.data.cost.quoted, '0.04');
  unfinished.delete('slow');
  const task = await final(taskId);
  assert.deepEqual([task.status, task.cost.amount], ['succeeded', FEE]);
  assert.deepEqual(callsOf(taskId), ['acme-secret-before']);
  assert.equal((await final(ordinary.data.task_id)).cost.amount, '0.04');
  assert.deepEqual(callsOf(ordinary.data.task_id), ["the operator's"]);
  const row = async () =>
    await database.read.first(database.read.builder.selectFrom('upstream_keys').selectAll().where('id', '=', id));
  assert.ok((await row())?.sealed, 'young removals may still be read');
  await database.write('age', (trx) =>
    trx.run(trx.builder.updateTable('upstream_keys').set({ removed_at: 1 }).where('id', '=', id)),
  );
  await service.runHousekeeping();
  assert.equal(await row(), undefined);
});

test('an order whose key is removed before it is submitted fails and is released, or goes to the key that replaces it', async () => {
  // The second order of a key waits for the first one to end.
  const { key, set, order, final } = await customer(1);
  const behindSlow = async (change: () => Promise<unknown>) => {
    unfinished.add('slow');
    const slow = (await order('a slow fox')).data.task_id;
    const waiting = (await order('a fox')).data.task_id;
    await until(async () => calls.some((one) => one.taskId === slow && one.call === 'check'), Boolean);
    await change();
    unfinished.delete('slow');
    assert.equal((await final(slow)).status, 'succeeded');
    return await final(waiting);
  };
  await set('acme', 'acme-secret-before');
  const moved = await behindSlow(() => set('acme', 'acme-secret-after'));
  assert.deepEqual([moved.status, moved.cost.amount], ['succeeded', FEE]);
  assert.deepEqual(callsOf(moved.task_id), ['acme-secret-after']);
  const failed = await behindSlow(() => call(key, 'DELETE', `${path}/acme`));
  assert.deepEqual([failed.status, failed.error?.code, failed.cost.amount], ['failed', 'upstream_auth', '0.00']);
  assert.match(failed.error?.message ?? '', /upstream key was removed/);
  assert.deepEqual(callsOf(failed.task_id), []);
  assert.equal((await order()).data.cost.quoted, '0.04');
});

test('all routes of a model go to own keys or none does, and a key of another account is never used', async () => {
  const [ours, theirs] = [await customer(), await customer()];
  await ours.set('zenith', 'zenith-secret-of-mine');
  await theirs.set('acme', 'acme-secret-of-theirs');
  const task = await ours.final((await ours.order('a fox', 'two')).data.task_id);
  assert.deepEqual(callsOf(task.task_id), ['zenith-secret-of-mine']);
  const other = await ours.final((await ours.order('a fox', 'one')).data.task_id);
  assert.deepEqual([callsOf(other.task_id), other.cost.amount], [["the operator's"], '0.04']);
});

test("orders whose key cannot be opened with the operator's key fail with a clear message, and the others go on", async () => {
  const { set, order, final } = await customer();
  const { upstream_key_id: id } = await set('acme', 'acme-secret-of-mine');
  // As after the operator's key was exchanged without the one before.
  await database.write('spoil', (trx) =>
    trx.run(trx.builder.updateTable('upstream_keys').set({ sealed: '1.00000000.AAAA.AAAA' }).where('id', '=', id)),
  );
  for (const _ of [1, 2]) {
    const task = await final((await order()).data.task_id);
    assert.deepEqual([task.status, task.error?.code, task.cost.amount], ['failed', 'upstream_auth', '0.00']);
    assert.match(task.error?.message ?? '', /cannot open the upstream key/);
  }
  const engines = (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items;
  assert.notEqual(
    engines.find(({ name }: { name: string }) => name === keyedEngine('acme', id))?.circuit.state,
    'open',
  );
});
