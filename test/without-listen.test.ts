import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../src/base/log.ts';
import { diagnose } from '../src/service/doctor/diagnosis.ts';
import { startService } from './helpers/additions.ts';
import { loadConfig } from './helpers/load-config.ts';
import { createPostgresDatabase } from './helpers/postgres-server.ts';
import { openServerWithoutListen } from './helpers/server-without-listen.ts';
import { startTestService } from './helpers/service.ts';

for (const code of ['0A000', '42601'] as const)
  test(`without LISTEN (${code}), an order of one process is made by another that polls, none sends notices, and doctor says so`, async (t) => {
    const server = await openServerWithoutListen(t, await createPostgresDatabase(t), code);
    const env = { DARKROOM_DATABASE_URL: server.url };
    const api = await startTestService(t, { env: { ...env, DARKROOM_ROLE: 'api' } });
    const { dataDirectory } = api.config;
    const ofWorker = { DARKROOM_ROLE: 'worker', DARKROOM_PUBLIC_URL: api.url, DARKROOM_DATA_DIR: dataDirectory };
    const worker = await startService(loadConfig({ ...env, ...ofWorker }), { log: createLog('fatal') });
    t.after(() => worker.stop({ now: true }));
    assert.ok(server.refusals >= 2);
    const body = { model_id: 'sketch', prompt: 'a lighthouse', simulate: { outcome: 'content_policy' } };
    const task = await api.make(api.keys.test, '/v1/images', body);
    assert.equal(task.error?.code, 'content_policy');
    assert.equal(server.notices, 0);
    const [database] = await Array.fromAsync(
      diagnose(loadConfig({ ...env, DARKROOM_DATA_DIR: dataDirectory }), Date.now()),
    );
    assert.equal(database?.status, 'ok');
    assert.match(
      database?.found ?? '',
      /^PostgreSQL answers without LISTEN \(changes by other processes are found within a second\), schema version/,
    );
  });
