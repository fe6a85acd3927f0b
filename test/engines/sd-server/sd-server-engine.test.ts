import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFakeSdServer } from '@darkroom-service/engines/fakes';
import { openCatalogOverlay } from '../../helpers/catalog-overlay.ts';
import { plainEntry } from '../../helpers/plain-entry.ts';
import { startTestService } from '../../helpers/service.ts';

test('an order that the loaded model cannot make closes its own route, and pictures of the same server go on', async (t) => {
  // It was loaded with another model since it was asked.
  const fake = await openFakeSdServer(['img_gen'], ['img_gen', 'vid_gen']);
  t.after(() => fake.stop());
  const route = (model: string) => ({ engine: 'sd-server', model, parameters: { prompt: 'prompt' } });
  const overlay = await openCatalogOverlay(t, [
    plainEntry({ model_id: 'of-pictures', routes: [route('img_gen')] }),
    plainEntry({ model_id: 'of-videos', routes: [route('vid_gen')] }),
  ]);
  const { call, keys, make } = await startTestService(t, {
    env: {
      DARKROOM_CATALOG_DIR: overlay.directory,
      DARKROOM_SD_SERVER_URL: fake.url,
      DARKROOM_SD_SERVER_AUTHORIZATION: `Bearer ${fake.key}`,
    },
  });
  const order = (model_id: string) => ({ model_id, prompt: 'a fox' });
  const failed = await make(keys.live, '/v1/images', order('of-videos'));
  assert.deepEqual([failed.status, failed.error.code, failed.cost.state], ['failed', 'upstream_error', 'released']);
  assert.match(failed.error.message, /loaded model does not support vid_gen/);
  const again = await call(keys.live, 'POST', '/v1/images', order('of-videos'));
  assert.deepEqual([again.status, again.error.code], [503, 'model_unavailable']);
  assert.equal((await make(keys.live, '/v1/images', order('of-pictures'))).status, 'succeeded');
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/engines')).data;
  const engine = items.find((one) => one.name === 'sd-server')!;
  assert.ok(engine !== undefined);
  assert.equal(engine.circuit.state, 'closed');
  assert.deepEqual(
    engine.route_circuits.map(({ model, fault }) => [model, fault]),
    [['vid_gen', 'upstream']],
  );
});
