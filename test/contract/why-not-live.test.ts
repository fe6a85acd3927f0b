import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { conformanceEntry } from '../helpers/conformance-entry.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { startTestService } from '../helpers/service.ts';

test('an operator sees which variable makes a model live, and which model needs an engine that does not exist', async (t) => {
  const { directory } = await openCatalogOverlay(t, [
    conformanceEntry('switchable', [
      { engine: 'nowhere' },
      { engine: 'kling', model: 'x' },
      { engine: 'fal', model: 'y' },
    ]),
    conformanceEntry('waiting', [{ engine: 'nowhere' }]),
  ]);
  const { keys, call } = await startTestService(t, { env: { DARKROOM_CATALOG_DIR: directory } });
  const { data } = await call(keys.admin, 'GET', '/admin/v1/models');
  const why = (id: string) => data.items.find((one) => one.model_id === id)?.not_live_because ?? '';
  assert.equal(
    why('switchable'),
    'None of its engines is set up. Set one of these and start again: KLING_API_KEY, FAL_KEY.',
  );
  assert.match(why('waiting'), /^It waits for an engine that does not exist yet \(nowhere\)/);
});

test('other requests are answered while the costs of a model with thousands of different orders are searched', async (t) => {
  const names = ['style', 'mood', 'finish', 'light'];
  const values = Array.from({ length: 10 }, (_, index) => `kind-${index}`);
  const when = Object.fromEntries(names.map((name) => [name, values[1]]));
  const components = [{ per: 'image', amount: '0.02', when }];
  const { directory } = await openCatalogOverlay(t, [
    plainEntry({
      model_id: 'manifold',
      parameters: Object.fromEntries([
        ...Object.entries(plainEntry({ model_id: 'plain' }).parameters),
        ...names.map((name) => [name, { type: 'string', enum: values, default: values[0], description: 'A look.' }]),
      ]),
      routes: [{ engine: 'nowhere', cost: { as_of: '2026-11-25', source: 'a price list', components } }],
    }),
  ]);
  const { keys, call } = await startTestService(t, { env: { DARKROOM_CATALOG_DIR: directory } });
  // Afterwards the prices of all models are known.
  assert.equal((await call(keys.live, 'GET', '/v1/models')).status, 200);
  let isOpen = true;
  const began = performance.now();
  const models = call(keys.admin, 'GET', '/admin/v1/models').finally(() => {
    isOpen = false;
  });
  let longestMs = 0;
  while (isOpen) {
    const asked = performance.now();
    assert.equal((await call(null, 'GET', '/healthz')).status, 200);
    longestMs = Math.max(longestMs, performance.now() - asked);
  }
  const wholeMs = performance.now() - began;
  const { data } = await models;
  assert.match(data.items.find((one) => one.model_id === 'manifold')?.routes[0]?.cost?.unknown ?? '', /has no line/);
  assert.ok(longestMs < wholeMs / 3, `one was answered after ${longestMs} of ${wholeMs} ms`);
});
