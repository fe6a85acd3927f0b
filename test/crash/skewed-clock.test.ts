import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { createAccount } from '../../src/accounts/accounts.ts';
import { issueKey } from '../../src/accounts/api-keys.ts';
import { createLog } from '../../src/base/log.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Service } from '../../src/service/service.ts';
import { startService } from '../helpers/additions.ts';
import { loadConfig } from '../helpers/load-config.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';

const HALF_HOUR_MS = 30 * 60_000;

/** Processes of one installation on PostgreSQL, each with a clock of its own. */
async function openInstallation(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-skew-'));
  const url = await createPostgresDatabase(t);
  const logged: string[] = [];
  const services: Service[] = [];
  const start = async (role: 'api' | 'worker', aheadMs: number, env: Record<string, string> = {}) => {
    const config = loadConfig({
      DARKROOM_DATABASE_URL: url,
      DARKROOM_PORT: '0',
      DARKROOM_PUBLIC_URL: 'http://darkroom.test',
      DARKROOM_DATA_DIR: join(directory, 'data'),
      DARKROOM_ROLE: role,
      ...env,
    });
    const processClock = { now: () => Date.now() + aheadMs };
    const log = createLog('info', { write: (line) => void logged.push(line) });
    const service = await startService(config, { processClock, log });
    services.push(service);
    return service;
  };
  const database = await openDatabase({ url, path: '' });
  t.after(async () => {
    // Before the folder that they write to is removed.
    for (const service of services) await service.stop({ now: true });
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });
  const createId = createIdFactory(() => Date.now());
  const by = () => ({ actor: 'test', now: Date.now(), createId });
  await createAccount(database, by(), { id: 'default', name: 'default', creditLimit: null });
  const { key } = await issueKey(database, by(), { accountId: 'default', mode: 'test' });
  return { start, database, key, logged };
}

test('a worker whose clock is half an hour ahead delays no order and ends none early', async (t) => {
  const { start, database, key, logged } = await openInstallation(t);
  const api = await start('api', 0, { DARKROOM_HARD_DEADLINE_MINUTES: '10' });
  const ahead = await start('worker', HALF_HOUR_MS);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${api.url}/v1/images`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'timeout', seconds: 0.5 } }),
  });
  const { data } = (await response.json()) as { data: { task_id: string; urls: { self: string } } };
  const row = () =>
    database.read.first(database.read.builder.selectFrom('tasks').selectAll().where('id', '=', data.task_id));
  await until(row, (task) => task?.step === 'running');
  // Another one finishes what the first began.
  await ahead.stop({ now: true });
  await start('worker', 0);
  const task = await until(row, (found) => found?.step === 'final');
  assert.match(task?.error_json ?? '', /simulated: the engine did not finish in time/);
  const tookMs = (task?.completed_at ?? 0) - (task?.created_at ?? 0);
  assert.ok(tookMs >= 0 && tookMs < HALF_HOUR_MS / 2, `${tookMs} ms`);
  assert.ok(logged.some((line) => line.includes('clock differs from the database') && line.includes('"level":"warn"')));
});
