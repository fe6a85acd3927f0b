import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFakeXai } from '@darkroom-service/engines/fakes';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What an upstream says that an order cost is counted beside what its customer was charged. The fake says 0.02. */

const fake = await openFakeXai();
wholeFile.after(() => fake.stop());
const route = {
  engine: 'xai',
  model: 'grok-imagine-image-2.0',
  parameters: { prompt: 'prompt' },
  covers: ['aspect_ratio'],
};
const priced = (amount: string) => ({ components: [{ per: 'image', amount }] });
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'dear', routes: [route], pricing: priced('0.05') }),
  plainEntry({ model_id: 'cheap', routes: [route], pricing: priced('0.01') }),
]);
const { call, make, keys } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory, XAI_API_KEY: fake.key, DARKROOM_XAI_URL: fake.url },
});

test('a price below what the upstream says that the order cost is counted', async () => {
  for (const model_id of ['dear', 'cheap']) {
    const task = await make(keys.live, '/v1/images', { model_id, prompt: 'a fox [[run=0]]' });
    assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  }
  const figures = await until(
    async () => String((await call(keys.admin, 'GET', '/metrics')).body),
    (text) => /upstream_cost_dollars_total\{engine="xai"\} 0\.04/.test(text),
  );
  assert.match(figures, /^darkroom_upstream_charged_dollars_total\{engine="xai"\} 0\.06/m);
  assert.match(figures, /^darkroom_orders_below_cost_total\{engine="xai"\} 1$/m);
});
