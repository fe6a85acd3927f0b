import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import { EngineError } from '@darkroom-service/engines';
import { createVertexEngine } from '@darkroom-service/engines/adapters';
import { openFakeVertex, vertexAccess } from '@darkroom-service/engines/fakes';
import { inProcessPictures } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import { createLog } from '../../../src/base/log.ts';
import { loadShippedCatalog, modelOf } from '../../../src/catalog/fixtures/sample-catalog.ts';
import { resolveRequest } from '../../../src/catalog/resolve-request.ts';
import { orderOf } from '../../helpers/catalog-routes.ts';

const catalog = await loadShippedCatalog();

test('orders of a service account share a sign-in, until shortly before its end or until it is refused', async (t) => {
  const fake = await openFakeVertex();
  t.after(() => fake.stop());
  const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
  t.after(close);
  const clock = { aheadMs: 0, now: () => systemClock.now() + clock.aheadMs };
  const tools = { clock, log: createLog('silent'), fetch, pictures: inProcessPictures };
  const engine = createVertexEngine({ ...tools, ...vertexAccess(fake, fake.key) });
  let orders = 0;
  const order = async (name: string) => {
    const model = modelOf(catalog, name);
    const found = resolveRequest(model, { prompt: 'a fox' }, { purpose: 'create' });
    const route = model.routes.find((one) => one.engine === 'vertex');
    assert.ok(found.ok && route !== undefined);
    const context = { signal: AbortSignal.timeout(5000), onProgress: () => {} };
    return await engine.start(orderOf(found.request, route, `task-${++orders}`), context);
  };

  await Promise.all([order('veo-3.1'), order('nano-banana-pro'), order('veo-3.1-lite'), order('nano-banana-2.1')]);
  assert.deepEqual([fake.signIns(), fake.jobs.size], [1, 4]);
  clock.aheadMs = 54 * 60_000;
  await order('veo-3.1');
  assert.equal(fake.signIns(), 1);
  clock.aheadMs = 56 * 60_000;
  await order('veo-3.1');
  assert.deepEqual([fake.signIns(), fake.jobs.size], [2, 6]);

  fake.revokeTokens();
  await order('veo-3.1');
  assert.deepEqual([fake.signIns(), fake.jobs.size], [3, 7]);

  await fake.stop();
  clock.aheadMs += 60 * 60_000;
  await assert.rejects(
    order('veo-3.1'),
    (error) => error instanceof EngineError && error.took === 'no' && /^Google sign-in/.test(error.message),
  );
});
