import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { Client } from 'pg';
import { createPostgresDatabase } from './postgres-server.ts';
import { startTestService } from './service.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', 'docs', 'operating.md'), 'utf8');

test('a process opens as many connections to PostgreSQL as docs/operating.md says, when every use of them waits', async (t) => {
  const url = await createPostgresDatabase(t);
  const { call, issueKey, keys } = await startTestService(t, { env: { DARKROOM_DATABASE_URL: url } });
  const callers = await Promise.all(
    Array.from({ length: 12 }, async () => (await issueKey({ mode: 'test', accountView: true })).key),
  );
  // Their keys are known before the table is locked.
  for (const key of callers) await call(key, 'GET', '/v1/account');
  const client = new Client({ connectionString: url, application_name: 'test' });
  await client.connect();
  await client.query('begin');
  await client.query('lock table tasks, ledger, task_days in access exclusive mode');
  const order = { model_id: 'sketch', prompt: 'a fox' };
  const waiting = callers.flatMap((key) => [
    call(key, 'GET', '/v1/images'),
    call(key, 'GET', '/v1/images?search=fox'),
    call(key, 'GET', '/v1/account/usage?from=2026-01-01&to=2026-11-01'),
    call(key, 'POST', '/v1/images', order),
  ]);
  waiting.push(call(keys.admin, 'GET', '/admin/v1/costs?from=2026-01-01&to=2026-11-01'));
  const count = async () => {
    const { rows } = await client.query<{ use: string; count: number }>(
      `select replace(application_name, 'darkroom ', '') as use, count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'darkroom %' group by 1 order by 1`,
    );
    return Object.fromEntries(rows.map(({ use, count: found }) => [use, found]));
  };
  let most: Record<string, number> = {};
  await until(
    async () => {
      const found = await count();
      for (const [use, number] of Object.entries(found)) most = { ...most, [use]: Math.max(most[use] ?? 0, number) };
      return most;
    },
    ({ read, report }) => read === 8 && (report ?? 0) >= 3,
  );
  console.log(most);
  await client.query('rollback');
  await client.end();
  await Promise.all(waiting);
  assert.match(PAGE, /up to 17: 8 to read/);
});
