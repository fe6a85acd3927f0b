import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { createPostgresDatabase } from './helpers/postgres-server.ts';
import { startTestService } from './helpers/service.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', 'docs', 'production.md'), 'utf8');
/** The test reads and listens beside the service. */
const OF_THE_TEST: Readonly<Record<string, number>> = { read: 1, listen: 1 };
const LOCKED = 'tasks, ledger, usage_days, cost_days, queues, end_users, task_tags';

test('a process opens the connections to PostgreSQL that docs/production.md names, when every use of them waits', async (t) => {
  const [, reads, reports, searches, writes, listens, beats] = (
    /(\d+) to read, (\d+) for reports, (\d+) for searches, (\d+) to write, (\d+) to listen, (\d+) for\s+heartbeats/.exec(
      PAGE,
    ) ?? []
  ).map(Number);
  const told = {
    heartbeat: beats,
    listen: listens,
    read: reads,
    report: (reports ?? 0) + (searches ?? 0),
    write: writes,
  };
  const url = await createPostgresDatabase(t);
  const { call, issueKey, keys } = await startTestService(t, { env: { DARKROOM_DATABASE_URL: url } });
  const callers = await Promise.all(Array.from({ length: 12 }, async () => (await issueKey({ mode: 'test' })).key));
  // Their keys are known before the tables are locked.
  for (const key of [...callers, keys.admin]) await call(key, 'GET', '/v1/account');
  const client = new Client({ connectionString: url, application_name: 'test' });
  await client.connect();
  t.after(() => client.end());
  const count = async () => {
    const { rows } = await client.query<{ use: string; count: number }>(
      `select replace(application_name, 'darkroom ', '') as use, count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'darkroom %' group by 1 order by 1`,
    );
    return Object.fromEntries(rows.map(({ use, count: found }) => [use, found - (OF_THE_TEST[use] ?? 0)]));
  };
  await client.query('begin');
  await client.query(`lock table ${LOCKED} in access exclusive mode`);
  const until = async (isReached: (found: Record<string, number>) => boolean) => {
    let found = await count();
    for (let round = 0; round < 50 && !isReached(found); round++) {
      await delay(100);
      found = await count();
    }
    return found;
  };
  const waiting: Promise<unknown>[] = [call(keys.live, 'POST', '/v1/images', { model_id: 'sketch', prompt: 'a fox' })];
  for (const path of ['/v1/tags', '/v1/images?search=fox', '/v1/images'])
    waiting.push(...callers.map((key) => call(key, 'GET', path)));
  // How many reports run at once is a rule of their turns: here it is only not passed.
  const withoutReports = ({ report: _, ...uses }: Record<string, number | undefined>) => JSON.stringify(uses);
  const found = await until((one) => withoutReports(one) === withoutReports(told));
  await client.query('rollback');
  await Promise.allSettled(waiting);
  assert.deepEqual(withoutReports(found), withoutReports(told));
  assert.ok((found.report ?? 0) <= told.report, `${found.report} reports`);
});
