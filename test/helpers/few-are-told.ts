import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createLog, type Log } from '../../src/base/log.ts';
import { startService } from './additions.ts';
import { loadConfig } from './load-config.ts';
import { startTestService, type TestService } from './service.ts';

const ORDERS = 20;
const WARM_UP = 5;
/** An end whose notice is lost is found by a poll, after a second. */
const PROMPT_MS = 900;
const BODY = { model_id: 'sketch', prompt: 'a lighthouse', simulate: { outcome: 'content_policy' } };

/** Starts an API process and others of the given roles on one PostgreSQL database. @param log of the API process */
export async function startFleet(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  roles: readonly string[],
  log: Log = createLog('fatal'),
): Promise<TestService> {
  const api = await startTestService(t, { env: { ...env, DARKROOM_ROLE: 'api' }, service: { log } });
  const others = { ...env, DARKROOM_PUBLIC_URL: api.url, DARKROOM_DATA_DIR: api.config.dataDirectory };
  for (const role of roles) {
    const config = loadConfig({ ...others, DARKROOM_ROLE: role, DARKROOM_PORT: '0', DARKROOM_MEDIA_PROCESSES: '1' });
    const service = await startService(config, { log: createLog('fatal') });
    t.after(() => service.stop({ now: true }));
  }
  return api;
}

/** Makes an order that a worker ends at once. @returns how long it took (ms) */
export async function timeOrder(api: TestService): Promise<number> {
  const begun = performance.now();
  const task = await api.make(api.keys.test, '/v1/images', BODY);
  assert.equal(task.error?.code, 'content_policy');
  return performance.now() - begun;
}

/**
 * Asserts that notices of an API process reach only the workers that have room.
 * @param delivered how many notices processes have received so far
 */
export async function assertFewAreTold(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  delivered: () => number | Promise<number>,
): Promise<void> {
  const api = await startFleet(t, env, ['worker', 'worker', 'worker', 'api']);
  // Until the API process knows the workers, it tells all of them.
  await until(
    async () => {
      const before = await delivered();
      for (let order = 0; order < WARM_UP; order++) await timeOrder(api);
      return (await delivered()) - before;
    },
    (count) => count <= 3 * WARM_UP,
  );
  const before = await delivered();
  const waits: number[] = [];
  for (let order = 0; order < ORDERS; order++) waits.push(await timeOrder(api));
  const count = (await delivered()) - before;
  assert.ok(count <= 3 * ORDERS, `${count} notices for ${ORDERS} orders`);
  assert.ok(count >= ORDERS, `${count} notices for ${ORDERS} orders`);
  const median = waits.toSorted((one, other) => one - other)[ORDERS / 2] ?? 0;
  assert.ok(median < PROMPT_MS, `an order takes ${median.toFixed(0)} ms`);
  t.diagnostic(`${count / ORDERS} notices an order, ${median.toFixed(0)} ms`);
}
