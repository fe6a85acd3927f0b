import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { Registry } from 'prom-client';
import type { Database } from '../../../src/database/database.ts';
import { readBacklog } from '../../../src/service/operations/backlog.ts';
import { openTestDatabase } from '../../../test/helpers/databases.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { registerBacklogMetrics } from './backlog-metrics.ts';

test('while the database hangs or fails, the last known values are answered with their age', async (t) => {
  const { database } = await openTestDatabase(t, 'sqlite');
  let fault: (() => Promise<never>) | null = null;
  const { read } = database;
  const faulty = {
    ...database,
    read: {
      builder: read.builder,
      now: read.now,
      all: (...query: Parameters<typeof read.all>) => fault?.() ?? read.all(...query),
      first: (...query: Parameters<typeof read.first>) => fault?.() ?? read.first(...query),
    },
  } as unknown as Database;
  const registry = new Registry();
  const clock = new ManualClock();
  registerBacklogMetrics(registry, faulty, {
    clock,
    checks: {
      backlog: () => readBacklog(faulty.read, { softDeadlineMs: 1_000, hardDeadlineMs: 60_000, now: clock.now() }),
    },
    patienceMs: 20,
  });
  const value = async (name: string) => {
    const text = await registry.metrics();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]?.replace('+Inf', 'Infinity'));
  };
  fault = () => Promise.reject(new Error('away'));
  assert.deepEqual([await value('darkroom_database_up'), await value('darkroom_backlog_age_seconds')], [0, Infinity]);
  fault = null;
  const age = await until(
    () => value('darkroom_backlog_age_seconds'),
    (seconds) => seconds < Infinity,
  );
  assert.ok(age >= 0);
  assert.equal(await value('darkroom_database_up'), 1);
  fault = () => new Promise(() => {});
  assert.equal(await value('darkroom_database_up'), 0);
  assert.equal(await value('darkroom_reconciliation_open'), 0);
  assert.ok((await value('darkroom_backlog_age_seconds')) >= age);
});
