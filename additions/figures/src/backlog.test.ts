import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { Registry } from 'prom-client';
import type { Database, Session } from '../../../src/database/database.ts';
import { createTask } from '../../../src/orders/create-task.ts';
import { readBacklog } from '../../../src/service/operations/backlog.ts';
import { multiplyTask } from '../../../test/helpers/multiply-task.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { registerBacklogMetrics } from './backlog-metrics.ts';

const OPEN = 4_500;
const CHUNK = 2_000;

async function openBacklog(t: Parameters<typeof openTestServices>[0]) {
  const { services, database } = await openTestServices(t);
  const key = await insertKey(services);
  const body = { model_id: 'sketch', prompt: 'a fox' };
  const created = await createTask(services, key, {
    type: 'image',
    path: '/v1/images',
    body,
    idempotencyKey: null,
    simulate: null,
  });
  assert.ok('task' in created);
  // Many share a due time, as orders that wait until their deadline do.
  await multiplyTask(database, created.task.task_id, {
    count: OPEN - 1,
    everyMs: 1,
    change: (index) => ({ completed_at: null, next_at: Math.floor(index / 700) }),
  });
  /** The rows that each read of open tasks brought, and how often the event loop turned before it. */
  const reads: { readonly rows: number; readonly turns: number }[] = [];
  let turns = 0;
  let turning = setImmediate(function turn() {
    turns++;
    turning = setImmediate(turn);
  });
  t.after(() => clearImmediate(turning));
  const { read } = database;
  const session = {
    builder: read.builder,
    now: read.now,
    first: (...query: Parameters<typeof read.first>) => read.first(...query),
    async all(query: { compile(): { sql: string } }) {
      const rows = await read.all(query as never);
      const { sql } = query.compile();
      if (sql.includes('"progressed_at"')) reads.push({ rows: rows.length, turns });
      turns = 0;
      return rows;
    },
  } as unknown as Session;
  return { services, database, session, reads };
}

test('a large backlog is read in chunks, other work runs in between, and every order counts once', async (t) => {
  const { session, reads, services } = await openBacklog(t);
  const { groups } = await readBacklog(session, {
    now: services.clock.now(),
    softDeadlineMs: 60_000,
    hardDeadlineMs: 3_600_000,
  });
  assert.deepEqual(
    groups.map(({ queue, step, tasks }) => [queue, step, tasks]),
    [['sketch:live', 'waiting', OPEN]],
  );
  assert.ok(reads.length >= OPEN / CHUNK, `${reads.length} reads`);
  for (const { rows } of reads) assert.ok(rows < 2 * CHUNK, `${rows} rows in one read`);
  for (const { turns } of reads.slice(1)) assert.ok(turns > 0, 'nothing else ran before this read');
});

test('scrapes that follow at once are answered from the last read', async (t) => {
  const { session, database, reads, services } = await openBacklog(t);
  const registry = new Registry();
  const { clock } = services;
  const times = { softDeadlineMs: 60_000, hardDeadlineMs: 3_600_000 };
  registerBacklogMetrics(registry, { ...database, read: session } as Database, {
    clock,
    checks: { backlog: () => readBacklog(session, { ...times, now: clock.now() }) },
  });
  const waiting = async () =>
    Number(/darkroom_queue_tasks\{queue="sketch:live",step="waiting"\} (\d+)/.exec(await registry.metrics())?.[1]);
  await until(waiting, (count) => count === OPEN);
  const before = reads.length;
  for (let scrape = 0; scrape < 5; scrape++) assert.equal(await waiting(), OPEN);
  assert.equal(reads.length, before);
});
