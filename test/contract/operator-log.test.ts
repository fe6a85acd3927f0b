import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { paidModel } from '../crash/paid-model.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { loggedLines } from '../helpers/logged-lines.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';

/** What an operator finds in the log. */

test('the log has a line for the start, each placed and each failed live order, each refusal by its request id, and the stop', async (t) => {
  const { log, lines } = loggedLines();
  const overlay = await openCatalogOverlay(t, [paidModel('paid')]);
  const { call, keys, make, service } = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory },
    service: {
      log,
      engines: [
        createSwiftEngine(),
        {
          name: 'paid',
          concurrency: 1,
          start: (order) => {
            const took = order.request.values.prompt === 'lost' ? 'unknown' : 'no';
            return Promise.reject(new EngineError(took === 'no' ? 'content_policy' : 'upstream', 'it broke', { took }));
          },
          check: () => Promise.reject(new Error('not to be asked')),
        },
      ],
    },
  });
  const sent = { model_id: 'paid', prompt: 'a fox' };
  const placed = await call(keys.live, 'POST', '/v1/images', sent, { 'x-request-id': 'mine-1' });
  const refused = await call(keys.live, 'POST', '/v1/images', { ...sent, colour: 'red' });
  const lost = await make(keys.live, '/v1/images', { model_id: 'paid', prompt: 'lost' });
  await make(keys.test, '/v1/images', { ...sent, simulate: { outcome: 'outcome_unknown' } });
  await call('dk_live_nobody', 'GET', '/v1/images');
  const failed = await until(
    () => lines.filter(({ msg }) => msg.startsWith('order failed')),
    (found) => found.length >= 2,
  );
  assert.deepEqual(
    failed.map(({ task_id, code, level, engine, price }) => [task_id, code, level, engine, price]).sort(),
    [
      [placed.data.task_id, 'content_policy', 'warn', 'paid', '0.04'],
      [lost.task_id, 'outcome_unknown', 'error', 'paid', '0.04'],
    ].sort(),
  );
  const of = (requestId: string | null) => lines.filter(({ request_id }) => request_id === requestId);
  const [order] = of('mine-1');
  assert.deepEqual([order?.msg, order?.task_id, order?.status], ['task placed', placed.data.task_id, 201]);
  const [refusal] = of(refused.headers.get('x-request-id'));
  assert.deepEqual(
    [refusal?.msg, refusal?.status, refusal?.code, refusal?.route],
    ['request answered', 400, 'unsupported_field', '/v1/images'],
  );
  assert.ok(!lines.some(({ status }) => status === 401), 'nobody without a key fills the log');
  await service.stop({ announce: false });
  const told = lines.map(({ msg }) => msg);
  for (const line of ['starting', 'ready', 'stopping', 'stopped'])
    assert.equal(told.filter((one) => one === line).length, 1, line);
});

test('DARKROOM_LOG_REQUESTS says which requests are logged', async (t) => {
  const loggedWith = async (which: string) => {
    const { log, lines } = loggedLines();
    const { call, keys, service } = await startTestService(t, {
      env: { DARKROOM_LOG_REQUESTS: which },
      service: { log, engines: [createSwiftEngine()] },
    });
    const requests = [
      await call(keys.test, 'GET', '/v1/images'),
      await call(keys.test, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'a fox' }),
      await call(keys.test, 'POST', '/v1/images', { colour: 'red' }),
      await call(null, 'GET', '/v1/images'),
    ];
    await service.stop({ announce: false });
    return requests.map(({ headers, status }) => {
      const id = headers.get('x-request-id');
      return lines.filter((line) => line.request_id === id && line.status === status).length;
    });
  };
  assert.deepEqual(await loggedWith('off'), [0, 0, 0, 0]);
  assert.deepEqual(await loggedWith('errors'), [0, 1, 1, 0]);
  assert.deepEqual(await loggedWith('all'), [1, 1, 1, 1]);
});
