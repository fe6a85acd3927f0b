import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { statusAt } from '../../src/catalog/ends.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Models and routes end by their dates, with nobody at hand. */

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const successor = { replaced_by: 'new' };
const at = (engine: string, sunset_at?: string) => ({ engine, ...(sunset_at === undefined ? {} : { sunset_at }) });

const [first, second] = [createSwiftEngine({ name: 'first' }), createSwiftEngine({ name: 'second' })];
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'new', routes: [at('second')] }),
  plainEntry({ model_id: 'over', sunset_at: inDays(-1), ...successor, routes: [at('first')] }),
  plainEntry({ model_id: 'ending', sunset_at: inDays(7), ...successor, routes: [at('first')] }),
  plainEntry({ model_id: 'distant', sunset_at: inDays(31), ...successor, routes: [at('first')] }),
  plainEntry({ model_id: 'moved', routes: [at('first', inDays(-1)), at('second')] }),
  plainEntry({ model_id: 'closed', ...successor, routes: [at('first', inDays(-1)), at('elsewhere')] }),
  plainEntry({ model_id: 'leaving', routes: [at('first', inDays(7)), at('second')] }),
]);
const { call, keys, make } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [createSwiftEngine(), first, second], tempo: { addedEveryMs: 10 } },
});
const order = (model_id: string, key = keys.live) => call(key, 'POST', '/v1/images', { model_id, prompt: 'a fox' });
const engineOf = async (model_id: string) => {
  const { task_id } = await make(keys.live, '/v1/images', { model_id, prompt: 'a fox' });
  return (await call(keys.admin, 'GET', `/admin/v1/tasks/${task_id}`)).data.route.engine;
};

test('a model is deprecated 30 days before its end and retired from then on, whatever its entry says', async () => {
  const { items } = (await call(null, 'GET', '/v1/catalog')).data;
  const statusOf = (id: string) => items.find(({ model_id }) => model_id === id)?.status;
  assert.deepEqual(['over', 'ending', 'distant', 'new'].map(statusOf), ['retired', 'deprecated', 'active', 'active']);
  const refused = await order('over', keys.test);
  assert.deepEqual([refused.status, refused.error.code], [410, 'model_retired']);
  assert.match(refused.error.message, /Use new instead/);
  const taken = await order('ending');
  assert.equal(taken.status, 201);
  assert.ok(taken.headers.get('sunset'));
  assert.match(taken.headers.get('link') ?? '', /\/v1\/models\/new>; rel="successor-version"/);
});

test('the hour of an end is to the millisecond, and a paused model stays paused until then', () => {
  const end = Date.parse('2026-12-03T00:00:00Z');
  const model = { status: 'active', deprecated_at: '2026-11-03T00:00:00Z', sunset_at: '2026-12-03T00:00:00Z' } as const;
  assert.equal(statusAt(model, end - 1), 'deprecated');
  assert.equal(statusAt(model, end), 'retired');
  assert.equal(statusAt(model, Date.parse(model.deprecated_at) - 1), 'active');
  assert.equal(statusAt({ ...model, status: 'paused' }, end - 1), 'paused');
});

test('a route gets no orders after its end: the next one makes them', async () => {
  assert.equal(await engineOf('moved'), 'second');
  assert.equal(await engineOf('leaving'), 'first');
});

test('a model whose configured routes have all ended is refused with its successor, and no longer listed', async () => {
  const refused = await order('closed');
  assert.deepEqual([refused.status, refused.error.code], [422, 'model_not_offered']);
  assert.match(refused.error.message, /its upstream has ended it\. Use new instead\.$/);
  const ids = (await call(keys.live, 'GET', '/v1/models')).data.items.map(({ model_id }) => model_id);
  assert.deepEqual([ids.includes('closed'), ids.includes('moved')], [false, true]);
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/models')).data;
  const closed = items.find(({ model_id }) => model_id === 'closed');
  assert.ok(Date.parse(closed?.routes[0]?.sunset_at ?? '') < Date.now());
  assert.match(closed?.not_live_because ?? '', /Its upstream has ended it\. .* Its successor is new\./);
});

test('an operator is told 30 days ahead which routes end, and what becomes of their orders', async () => {
  const open = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open&kind=model_ends')).data.items;
  const alerts = await until(open, (items) => items.length >= 2);
  const day = inDays(7).slice(0, 10);
  assert.deepEqual(alerts.map(({ subject, summary }) => [subject, summary]).sort(), [
    [
      'ending at first',
      `ending ends at first on ${day}, says the catalog. No other route is configured, so its orders are refused from then on. Callers are told to use new.`,
    ],
    ['leaving at first', `leaving ends at first on ${day}, says the catalog. Its orders go to second from then on.`],
  ]);
});
