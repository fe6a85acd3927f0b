import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from '@darkroom-service/contract';
import { createKlingEngine } from '@darkroom-service/engines/adapters';
import { openFakeKling } from '@darkroom-service/engines/fakes';
import { inProcessPictures, silentLog } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import { loadShippedCatalog, modelOf } from '../../../src/catalog/fixtures/sample-catalog.ts';
import { resolveRequest } from '../../../src/catalog/resolve-request.ts';
import { orderOf } from '../../helpers/catalog-routes.ts';

test('both generations continue an order that already exists instead of making it twice', async (t) => {
  const fake = await openFakeKling();
  t.after(() => fake.stop());
  const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
  t.after(close);
  const log = silentLog;
  const engine = createKlingEngine({
    clock: systemClock,
    log,
    fetch,
    pictures: inProcessPictures,
    key: fake.key,
    url: fake.url,
  });
  const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };
  const catalog = await loadShippedCatalog();
  for (const name of ['kling-image-3', 'kling-3.0-turbo']) {
    const model = modelOf(catalog, name);
    const found = resolveRequest(model, { prompt: `a fox [[job=${name}]]` }, { purpose: 'create' });
    const [route] = model.routes;
    assert.ok(found.ok && route !== undefined);
    const order = orderOf(found.request, route, `task-${name}`);
    assert.equal(await engine.find?.(order.taskId, order, context), null);
    const handleOf = (started: object) => (started as { operation: { handle: object } }).operation.handle;
    const first = handleOf(await engine.start(order, context));
    assert.deepEqual(handleOf(await engine.start(order, context)), first);
    const looked = await engine.find?.(order.taskId, order, context);
    assert.deepEqual((looked as { handle: object }).handle, first);
    assert.equal(fake.counts(name).accepted, 1);
  }
});

test('a temporary error of Kling is not mistaken for a missing order', async (t) => {
  const fake = await openFakeKling();
  t.after(() => fake.stop());
  const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
  t.after(close);
  const clock: Clock & { aheadMs: number } = { aheadMs: 0, now: () => systemClock.now() + clock.aheadMs };
  const engine = createKlingEngine({
    clock,
    log: silentLog,
    fetch,
    pictures: inProcessPictures,
    key: fake.key,
    url: fake.url,
  });
  const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };
  const catalog = await loadShippedCatalog();
  for (const name of ['kling-image-3', 'kling-3.0-turbo']) {
    const model = modelOf(catalog, name);
    const found = resolveRequest(model, { prompt: `a fox [[job=${name} check=soft]]` }, { purpose: 'create' });
    const [route] = model.routes;
    assert.ok(found.ok && route !== undefined);
    const order = orderOf(found.request, route, `task-${name}`);
    const { operation } = (await engine.start(order, context)) as { operation: string };
    clock.aheadMs += 10 * 60_000;
    await assert.rejects(engine.check(operation, order, context), { class: 'busy' });
    assert.equal((await engine.check(operation, order, context)).status, 'succeeded');
  }
});
