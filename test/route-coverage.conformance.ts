import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadShippedCatalog } from '../src/catalog/fixtures/sample-catalog.ts';
import { ENGINE_SWITCHES } from '../src/service/config/engine-variables.ts';

/**
 * How many vendor models can be made live, and over how many upstreams: each route counted here is ordered by in the
 * conformance test of its engine (`shippedRoutes`).
 */

const OWN = ['Darkroom', 'Local'];
const PAGE = readFileSync(join(import.meta.dirname, '..', 'packages', 'engines', 'fakes', 'README.md'), 'utf8');

test('most vendor models have a live route, and most of them over two upstreams', async (t) => {
  const { models } = await loadShippedCatalog();
  const byVendor = models.filter(({ vendor }) => !OWN.includes(vendor));
  const counts = byVendor.map(({ model_id, routes }) => {
    const live = routes.filter(({ engine, parameters }) => engine in ENGINE_SWITCHES && parameters !== undefined);
    return { model_id, upstreams: new Set(live.map(({ engine }) => engine)).size };
  });
  const live = counts.filter(({ upstreams }) => upstreams > 0);
  const twice = counts.filter(({ upstreams }) => upstreams > 1);
  const without = counts.filter(({ upstreams }) => upstreams === 0).map(({ model_id }) => model_id);
  const single = counts.filter(({ upstreams }) => upstreams === 1).map(({ model_id }) => model_id);
  t.diagnostic(`vendor models: ${counts.length}, live: ${live.length}, over two upstreams or more: ${twice.length}`);
  t.diagnostic(`without a live route: ${without.join(', ')}`);
  t.diagnostic(`over one upstream: ${single.join(', ')}`);
  assert.ok(live.length >= 66, `${live.length} of ${counts.length} models have a live route`);
  assert.ok(twice.length >= 50, `${twice.length} of ${counts.length} models have routes over two upstreams`);
});

test('the page of the engines says how many routes each upstream has', async () => {
  const { models } = await loadShippedCatalog();
  const shipped = new Map<string, number>();
  for (const { engine, parameters } of models.flatMap(({ routes }) => routes)) {
    if (parameters !== undefined && engine in ENGINE_SWITCHES) shipped.set(engine, (shipped.get(engine) ?? 0) + 1);
  }
  const told = [...PAGE.matchAll(/^\| `([a-z-]+)` \| (\d+) \| (\d+) \|/gm)].map(([, engine, routes]) => [
    engine,
    Number(routes),
  ]);
  const own = ['comfyui', 'sd-server'];
  const counted = [...shipped].filter(([engine]) => !own.includes(engine));
  assert.deepEqual(told.sort(), counted.sort());
});
