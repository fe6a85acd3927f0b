import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { startService } from '../helpers/additions.ts';
import { openBreakableConnection } from '../helpers/breakable-connection.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { loadConfig } from '../helpers/load-config.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';
import { startTestService } from '../helpers/service.ts';

const ORDERS = 11;
const CALL_MS = 3_000;
/** Longer than any lease. */
const AWAY_MS = 24_000;
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);

test('PostgreSQL is away for 24 s while two workers get paid answers: every order succeeds, and was made once', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const called: string[] = [];
  const engine: Engine = {
    name: 'blocking',
    concurrency: ORDERS,
    async start({ taskId }) {
      called.push(taskId);
      await pause(CALL_MS);
      return { done: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] } };
    },
    check: () => Promise.reject(new Error('it was answered at once')),
  };
  const models = [plainEntry({ model_id: 'blocking', routes: [{ engine: 'blocking' }] })];
  const env = {
    DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, models)).directory,
    DARKROOM_DATABASE_URL: line.url,
    DARKROOM_LOG_LEVEL: 'silent',
  };
  const { call, config, keys, url } = await startTestService(t, { env, service: { engines: [engine] } });
  const dataDirectory = join(config.dataDirectory, '..', 'second');
  const second = await startService(
    loadConfig({ ...env, DARKROOM_ROLE: 'worker', DARKROOM_PUBLIC_URL: url, DARKROOM_DATA_DIR: dataDirectory }),
    {
      engines: [engine],
    },
  );
  t.after(() => second.stop({ now: true }));
  const ids: string[] = [];
  for (let count = 0; count < ORDERS; count++)
    ids.push((await call(keys.live, 'POST', '/v1/images', { model_id: 'blocking', prompt: 'a fox' })).data.task_id);
  await until(
    () => called.length,
    (count) => count === ORDERS,
  );
  line.cut();
  await pause(AWAY_MS);
  line.mend();
  for (const id of ids) {
    const { data } = await until(
      () => call(keys.live, 'GET', `/v1/images/${id}`),
      (answer) => answer.status === 200 && !['queued', 'processing'].includes(answer.data.status),
    );
    assert.deepEqual([data.status, data.error], ['succeeded', null]);
  }
  assert.deepEqual([...called].sort(), ids.sort());
  for (const directory of [config.dataDirectory, dataDirectory])
    await until(
      () => readdir(join(directory, 'spool')).catch(() => []),
      (found) => found.length === 0,
    );
});
