import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import { createLog } from '../src/base/log.ts';
import { loadConfig } from '../src/service/config/config.ts';
import { startService } from './additions.ts';
import { openNoticeLine } from './count-notices.ts';
import { createPostgresDatabase } from './postgres-server.ts';
import { startTestService } from './service.ts';

const ORDERS = 20;
/** An end whose notice is lost is found by a poll, after a second. */
const PROMPT_MS = 900;

test('an order is told to at most three processes, however many there are, and its end at once to the one that waits', async (t) => {
  const line = await openNoticeLine(t, await createPostgresDatabase(t));
  const env = { DARKROOM_DATABASE_URL: line.url };
  const api = await startTestService(t, { env: { ...env, DARKROOM_ROLE: 'api' } });
  const others = { ...env, DARKROOM_PUBLIC_URL: api.url, DARKROOM_DATA_DIR: api.config.dataDirectory };
  for (const role of ['worker', 'worker', 'worker', 'api']) {
    const config = loadConfig({ ...others, DARKROOM_ROLE: role, DARKROOM_PORT: '0', DARKROOM_MEDIA_PROCESSES: '1' });
    const service = await startService(config, { log: createLog('fatal') });
    t.after(() => service.stop({ now: true }));
  }
  const body = { model_id: 'sketch', prompt: 'a lighthouse', simulate: { outcome: 'content_policy' } };
  // Until the API process knows the workers, it tells all of them.
  await until(
    async () => {
      const before = line.delivered;
      await api.make(api.keys.test, '/v1/images', body);
      return line.delivered - before;
    },
    (delivered) => delivered <= 3,
  );
  const before = line.delivered;
  const waits: number[] = [];
  for (let order = 0; order < ORDERS; order++) {
    const begun = performance.now();
    const task = await api.make(api.keys.test, '/v1/images', body);
    assert.equal(task.error?.code, 'content_policy');
    waits.push(performance.now() - begun);
  }
  const delivered = line.delivered - before;
  assert.ok(delivered <= 3 * ORDERS, `${delivered} notices for ${ORDERS} orders`);
  assert.ok(delivered >= ORDERS, `${delivered} notices for ${ORDERS} orders`);
  const median = waits.toSorted((one, other) => one - other)[ORDERS / 2] ?? 0;
  assert.ok(median < PROMPT_MS, `an order takes ${median.toFixed(0)} ms`);
  t.diagnostic(`${delivered / ORDERS} notices an order, ${median.toFixed(0)} ms`);
});
