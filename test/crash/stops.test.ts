import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { startAwakeTime } from '../helpers/awake-time.ts';
import { openBreakableConnection } from '../helpers/breakable-connection.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';
import { startTestService } from '../helpers/service.ts';
import { paidModel } from './paid-model.ts';

/** What clients and load balancers see of a service that stops. */

const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };

test('a stop announces itself while everything is answered, then refuses orders, then closes', async (t) => {
  const { call, keys, service } = await startTestService(t, { env: { DARKROOM_LAME_DUCK_SECONDS: '600' } });
  const stopped = service.stop();
  const ready = await call(null, 'GET', '/readyz');
  assert.deepEqual([ready.status, ready.error.code], [503, 'shutting_down']);
  assert.equal((await call(null, 'GET', '/healthz')).status, 200);
  assert.equal((await call(keys.live, 'POST', '/v1/images', ORDER)).status, 201);
  assert.equal((await call(keys.live, 'GET', '/v1/images')).status, 200);
  // A second signal cuts the announcement short.
  await service.stop({ now: true });
  await stopped;
  await assert.rejects(call(null, 'GET', '/healthz'));
});

test('while a call that cannot be resumed is awaited, reads are answered and orders are refused, on the metrics port too', async (t) => {
  const answer = Promise.withResolvers<void>();
  const overlay = await openCatalogOverlay(t, [paidModel('slow')]);
  const { call, config, keys, service } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_METRICS_PORT: String(await freePort()) },
    service: {
      engines: [
        {
          name: 'slow',
          concurrency: 1,
          async start() {
            await answer.promise;
            throw new EngineError('content_policy', 'not this', { took: 'no' });
          },
          check: () => Promise.reject(new Error('not to be asked')),
        },
      ],
    },
  });
  const body = { model_id: 'slow', prompt: 'a fox' };
  const task = (await call(keys.live, 'POST', '/v1/images', body)).data;
  await until(
    async () => (await call(keys.live, 'GET', task.urls.self)).data.status,
    (status) => status === 'processing',
  );
  const stopped = service.stop();
  await until(
    async () => (await call(keys.live, 'POST', '/v1/images', body)).status,
    (status) => status === 503,
  );
  const refused = await call(keys.live, 'POST', '/v1/images', body);
  assert.deepEqual([refused.error.code, Number(refused.headers.get('retry-after')) > 0], ['shutting_down', true]);
  assert.equal((await call(keys.live, 'GET', task.urls.self)).data.status, 'processing');
  assert.equal((await call(null, 'GET', '/healthz')).status, 200);
  assert.equal((await call(null, 'GET', '/readyz')).error.code, 'shutting_down');
  const own = `http://127.0.0.1:${config.metricsPort}`;
  assert.equal((await call(null, 'GET', `${own}/healthz`)).status, 200);
  const ready = await call(null, 'GET', `${own}/readyz`);
  assert.deepEqual([ready.status, (ready.body as { readonly status: string }).status], [503, 'shutting_down']);
  answer.resolve();
  await stopped;
  await assert.rejects(call(null, 'GET', '/healthz'));
});

test('a stop ends although the database hangs', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const { call, keys, service } = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: line.url, DARKROOM_DRAIN_SECONDS: '1' },
  });
  assert.equal((await call(keys.live, 'POST', '/v1/images', ORDER)).status, 201);
  line.stall();
  const awakeMs = startAwakeTime();
  await service.stop({ announce: false });
  assert.ok(awakeMs() < 16_000, `${awakeMs()} ms`);
});
