import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Clock } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { createTask } from '../../src/orders/create-task.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { claimTasks } from '../helpers/claim-tasks.ts';
import { openTestDatabase } from '../helpers/databases.ts';
import { startTestService } from '../helpers/service.ts';
import { insertKey, openTestServices } from '../helpers/task-services.ts';
import { assertBooks, assertReconciliation, readTasks } from './books.ts';
import type { Premises } from './child-service.ts';
import { createPaidEngine, readSubmissions } from './paid-engine.ts';
import { paidModel } from './paid-model.ts';

const HOUR_MS = 3_600_000;
const MODELS = ['paid-polled', 'paid-blocking'];

test('a clock that jumps ahead and back while orders run loses none of them, and pays for none twice', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-clock-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const books = join(directory, 'submissions.jsonl');
  await writeFile(books, '');
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const { keys, call, make, database } = await startTestService(t, {
    env: {
      DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, MODELS.map(paidModel))).directory,
      DARKROOM_LOG_LEVEL: 'silent',
    },
    service: {
      clock,
      engines: [
        createPaidEngine({ name: 'paid-polled', books, workMs: 150 }),
        createPaidEngine({ name: 'paid-blocking', books, blocking: true, startMs: 150 }),
      ],
    },
  });
  const ids: string[] = [];
  // An hour ahead, an hour behind, right again: each time while orders are handed over, run, and come home.
  for (const aheadMs of [0, HOUR_MS, -HOUR_MS, HOUR_MS / 2, 0]) {
    clock.aheadMs = aheadMs;
    for (const model_id of [...MODELS, ...MODELS]) {
      const { status, data } = await call(keys.live, 'POST', '/v1/images', { model_id, prompt: 'a fox' });
      assert.equal(status, 201);
      ids.push(data.task_id);
    }
    // The clock jumps again once an order of each model is at its upstream and others may still be on their way.
    const round = ids.slice(-2 * MODELS.length);
    await until(
      () => new Set(readSubmissions(books).flatMap(({ engine, taskId }) => (round.includes(taskId) ? [engine] : []))),
      (reached) => reached.size === MODELS.length,
    );
    await assertBooks({ database, books } as Premises);
  }
  // What was due by a clock that was ahead is due when the right one has come so far.
  clock.aheadMs = HOUR_MS + 1_000;
  const readOpen = async () => (await readTasks(database)).filter(({ step }) => step !== 'final');
  await until(
    async () => {
      const open = await readOpen();
      // What seems silent for an hour is asked once a minute.
      if (open.every(({ worker, step }) => worker === null || step === 'running')) clock.aheadMs += 61_000;
      return open.map(({ id, step, next_at }) => ({ id, step, next_at }));
    },
    (open) => open.length === 0,
    200,
  );
  const tasks = await readTasks(database);
  assert.deepEqual(tasks.map(({ id }) => id).sort(), [...ids].sort());
  for (const { id, model_id, status, error_json } of tasks) {
    // Its claim seemed to have ended while it was handed over, and then nobody knows.
    const isUnknown = error_json?.includes('"outcome_unknown"') === true;
    assert.ok(status === 'succeeded' || isUnknown, `${id} of ${model_id} is ${status}: ${error_json}`);
  }
  for (const model_id of MODELS) {
    const task = await make(keys.live, '/v1/images', { model_id, prompt: 'a fox' });
    assert.equal(task.status, 'succeeded', 'by a clock that goes evenly all is as before');
  }
  await assertBooks({ database, books } as Premises);
  await assertReconciliation({ database } as Premises);
});

test("a process with a wrong clock takes no claims of others, because leases use the database's clock", async (t) => {
  const { services } = await openTestServices(t);
  const { database, openAnother } = await openTestDatabase(t, 'postgres');
  const wrong = (aheadMs: number): Clock => ({ now: () => Date.now() + aheadMs });
  const right = { ...services, database, clock: wrong(0) };
  const key = await insertKey(right);
  const body = { model_id: 'sketch', prompt: 'a fox' };
  await createTask(right, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  const claim = (by: typeof right, worker: string) =>
    claimTasks(by.database, { worker, queues: [{ name: 'sketch:live', capacity: 10 }], limit: 10 });
  const [task] = await claim(right, 'right');
  assert.ok(task !== undefined);
  const ahead = { ...services, database: await openAnother(), clock: wrong(HOUR_MS) };
  assert.deepEqual(await claim(ahead, 'an hour ahead'), []);
  const behind = { ...services, database: await openAnother(), clock: wrong(-HOUR_MS) };
  await createTask(behind, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  const [other] = await claim(behind, 'an hour behind');
  assert.ok(other !== undefined);
  assert.deepEqual(await claim(right, 'right'), [], 'what it claims is its own for as long as for anybody');
});
