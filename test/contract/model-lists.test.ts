import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model } from '@darkroom-service/contract/catalog';
import type { CallContext } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { goneModels } from '../../src/catalog/compare-lists.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** A route whose model its upstream no longer lists is taken out before an order meets it. */

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
let asked: readonly string[] = [];
const vendor = Object.assign(createScriptedEngine({ name: 'vendor' }), {
  models: async (_context: CallContext, names: readonly string[]) => {
    asked = names;
    return new Map([
      ['kept', null],
      ['dated-2026-11-01', null],
      ['something-else', null],
      ['ended', '2026-01-01T00:00:00.000Z'],
      ['ending', '2096-01-01T00:00:00.000Z'],
    ]);
  },
});
const silent = Object.assign(createScriptedEngine({ name: 'silent' }), {
  models: async () => {
    throw new Error('no route to the list');
  },
});
const spare = createScriptedEngine({ name: 'spare' });
for (const engine of [vendor, silent, spare])
  engine.answer = () => ({
    status: 'succeeded',
    delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
  });
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'kept', routes: [{ engine: 'vendor', model: 'kept' }] }),
  plainEntry({ model_id: 'dated', routes: [{ engine: 'vendor', model: 'dated' }] }),
  plainEntry({ model_id: 'ended', routes: [{ engine: 'vendor', model: 'ended' }] }),
  plainEntry({
    model_id: 'ending',
    routes: [{ engine: 'vendor', model: 'ending', sunset_at: '2097-01-01T00:00:00Z' }],
  }),
  plainEntry({ model_id: 'gone', routes: [{ engine: 'vendor', model: 'gone' }] }),
  plainEntry({
    model_id: 'gone-here',
    routes: [
      { engine: 'vendor', model: 'gone' },
      { engine: 'spare', model: 'x' },
    ],
  }),
  plainEntry({ model_id: 'unasked', routes: [{ engine: 'silent', model: 'any' }] }),
]);
const { call, keys, make } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [vendor, silent, spare] },
});

const modelsOfAdmin = async () => (await call(keys.admin, 'GET', '/admin/v1/models')).data.items;
const find = <Entry extends { readonly model_id: string }>(items: readonly Entry[], id: string) =>
  items.find(({ model_id }) => model_id === id)!;

test('a model that its upstream no longer lists is not live, and the operator is told why', async () => {
  const items = await until(modelsOfAdmin, (all) => find(all, 'gone').routes[0].gone);
  assert.deepEqual(asked, ['kept', 'dated', 'ended', 'ending', 'gone']);
  assert.equal(find(items, 'gone').availability.live, false);
  assert.match(find(items, 'gone').not_live_because, /no longer lists the model/);
  const refused = await call(keys.live, 'POST', '/v1/images', { model_id: 'gone', prompt: 'a fox' });
  assert.deepEqual([refused.status, refused.error.code], [422, 'model_not_offered']);
  assert.equal(vendor.started.length, 0);
});

test('a model that its upstream has ended is not live, and of two ends operators see the earlier', async () => {
  const items = await modelsOfAdmin();
  assert.equal(find(items, 'ended').availability.live, false);
  assert.equal(find(items, 'ending').availability.live, true);
  assert.deepEqual(
    ['ended', 'ending'].map((id) => find(items, id).routes[0].sunset_at),
    ['2026-01-01T00:00:00.000Z', '2096-01-01T00:00:00.000Z'],
  );
  const refused = await call(keys.live, 'POST', '/v1/images', { model_id: 'ended', prompt: 'a fox' });
  assert.deepEqual([refused.status, refused.error.code], [422, 'model_not_offered']);
});

test('its other routes make the order', async () => {
  const task = await make(keys.live, '/v1/images', { model_id: 'gone-here', prompt: 'a fox' });
  assert.deepEqual([task.status, spare.started.length, vendor.started.length], ['succeeded', 1, 0]);
});

test('listed models, dated versions and upstreams whose list cannot be read go on', async () => {
  for (const model_id of ['kept', 'dated', 'unasked']) {
    const task = await make(keys.live, '/v1/images', { model_id, prompt: 'a fox' });
    assert.equal(task.status, 'succeeded', model_id);
  }
});

test('a list without any of our models of a kind says nothing about that kind', () => {
  const model = (type: string, name: string) =>
    ({ type, status: 'active', routes: [{ engine: 'vendor', model: name }] }) as unknown as Model;
  const models = [model('image', 'a'), model('image', 'b'), model('video', 'c'), model('video', 'd')];
  assert.deepEqual(goneModels(models, 'vendor', new Set(['a', 'text'])), ['b']);
  assert.deepEqual(goneModels(models, 'vendor', new Set(['text'])), []);
  assert.deepEqual(goneModels(models, 'vendor', new Set(['a', 'b', 'c'])), ['d']);
  assert.deepEqual(goneModels(models, 'other', new Set(['a'])), []);
});
