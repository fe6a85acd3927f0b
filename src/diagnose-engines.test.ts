import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFakeFal } from '../test/fakes/fal.ts';
import { openFakeReplicate } from '../test/fakes/replicate.ts';
import { loadConfig } from './config.ts';
import { diagnoseEngines } from './diagnose-engines.ts';

test('every upstream that is configured is asked, nothing is ordered, and what is wrong is told with its variable', async (t) => {
  const fal = await openFakeFal({});
  const replicate = await openFakeReplicate({});
  t.after(() => Promise.all([fal.stop(), replicate.stop()]));
  const environment = {
    FAL_KEY: fal.key,
    DARKROOM_FAL_URL: fal.url,
    REPLICATE_API_TOKEN: 'not-the-token',
    DARKROOM_REPLICATE_URL: replicate.url,
  };
  const [well, ill] = await diagnoseEngines(loadConfig(environment));
  assert.deepEqual([well?.name, well?.status, well?.advice], ['engine fal', 'ok', null]);
  assert.deepEqual([ill?.name, ill?.status], ['engine replicate', 'failed']);
  assert.match(String(ill?.found), /valid authentication token/);
  assert.match(String(ill?.advice), /REPLICATE_API_TOKEN/);
  assert.doesNotMatch(JSON.stringify(ill), /not-the-token/);
  assert.equal(fal.jobs.size + replicate.jobs.size, 0);
});

test('an engine that is not wanted is not asked', async () => {
  const config = loadConfig({
    FAL_KEY: 'id:secret',
    DARKROOM_FAL_URL: 'http://127.0.0.1:9',
    DARKROOM_ENGINES: 'sketch',
  });
  assert.deepEqual(await diagnoseEngines(config), []);
});
