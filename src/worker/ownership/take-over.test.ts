import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Engine } from '@darkroom-service/engines';
import { acquireProcessLock, monotonicMs, type SilentProcess } from '@darkroom-service/store';
import { until } from '@darkroom-service/testing';
import { claimTasks } from '../../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { insertProcess } from '../../../test/helpers/insert-process.ts';
import { steadyHeartbeat } from '../../../test/helpers/steady-heartbeat.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { temporaryDirectory } from '../../../test/helpers/temporary-directory.ts';
import { createTask } from '../../orders/create-task.ts';
import type { WorkerServices } from '../worker-services.ts';
import { isResumable } from './ownership.ts';
import { type Scope, scopeOf, TakeOver, takeOverOwnerless, takeOverWithin } from './take-over.ts';

const STEPS = ['preparing', 'submitting', 'deferred', 'running'] as const;
const MINUTE_MS = 60_000;
const silent: SilentProcess = {
  id: 'gone',
  host: 'test',
  beats: 1,
  lockPath: '/nowhere',
  lock: 'unknown',
  silentForMs: 20_000,
  beatAgeMs: 20_000,
};
const terms = { leaseMs: 15_000, confirmedForMs: 20_000 };

forEachDatabase((kind) => {
  test('a silent process loses exactly its resumable tasks, once; an ended process loses all', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const wishes = STEPS.flatMap((step) =>
      [null, '{}'].flatMap((operation_json) =>
        [true, false].map((repeatable) => ({ step, operation_json, repeatable })),
      ),
    );
    const body = { model_id: 'sketch', prompt: 'a fox' };
    const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
    for (const _ of wishes) await createTask(services, key, order);
    const queues = [{ name: 'sketch:live', capacity: 100 }];
    const claim = (worker: string) => claimTasks(database, { worker, queues, limit: 100 });
    const tasks = await claim('gone');
    assert.equal(tasks.length, wishes.length);
    const byTask = new Map(tasks.map(({ id }, place) => [id, wishes[place]]));
    await database.write('process', (trx) => insertProcess(trx, 'gone'));
    for (const [id, wish] of byTask) {
      const { step, operation_json, repeatable } = wish ?? assert.fail();
      const queue = repeatable ? 'free:live' : 'paid:live';
      await database.write('steps', (trx) =>
        trx.run(trx.builder.updateTable('tasks').set({ step, operation_json, queue }).where('id', '=', id)),
      );
    }
    const takeOver = (scope: Scope, beats = 1) =>
      database.write('take_over', (trx) => takeOverWithin(trx, { id: 'gone', beats }, scope));
    const work = { engines: enginesOf({ free: { repeatable: true }, paid: {} }) };
    const scope = scopeOf(work, silent, terms) ?? assert.fail();
    const resumable = [...byTask].filter(([, wish]) => isResumable(wish ?? assert.fail(), wish ?? assert.fail()));
    assert.deepEqual(await takeOver(scope, 2), { taken: 0, isDone: false }, 'it has been heard since');
    assert.deepEqual(await claim('another'), [], 'a claim does not run out by itself');
    assert.deepEqual(await takeOver(scope), { taken: resumable.length, isDone: false });
    assert.deepEqual(await takeOver(scope), { taken: 0, isDone: false });
    assert.deepEqual((await claim('another')).map(({ id }) => id).sort(), resumable.map(([id]) => id).sort());
    assert.deepEqual(await takeOver({ withoutTrace: 'all' }), {
      taken: wishes.length - resumable.length,
      isDone: true,
    });
    assert.deepEqual(await takeOver({ withoutTrace: 'all' }), { taken: 0, isDone: true });
    assert.equal((await claim('another')).length, wishes.length - resumable.length);
  });
});

test('a claim that is committed after its process was taken over is found', async (t) => {
  const { services, database } = await openTestServices(t);
  const key = await insertKey(services);
  const body = { model_id: 'sketch', prompt: 'a fox' };
  await createTask(services, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  const queues = [{ name: 'sketch:live', capacity: 100 }];
  await database.write('process', (trx) => insertProcess(trx, 'gone'));
  const [late] = await claimTasks(database, { worker: 'gone', queues, limit: 1 });
  assert.equal(await takeOverOwnerless(database), 0, 'its process lives');
  await database.write('ended', (trx) => trx.run(trx.builder.updateTable('processes').set({ ended_at: 1 })));
  assert.equal(await takeOverOwnerless(database), 1);
  const claimed = await claimTasks(database, { worker: 'another', queues, limit: 1 });
  assert.deepEqual(
    claimed.map(({ id }) => id),
    [late?.id],
  );
});

test('no task of an ended process is due before its answers are settled, and none while they cannot be', async (t) => {
  const { services, database } = await openTestServices(t);
  const key = await insertKey(services);
  const body = { model_id: 'sketch', prompt: 'a fox' };
  await createTask(services, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
  await database.write('process', (trx) => insertProcess(trx, 'gone'));
  await claimTasks(database, { worker: 'gone', queues: [{ name: 'sketch:live', capacity: 1 }], limit: 1 });
  const { read } = database;
  const dueTasks = async () =>
    (await read.all(read.builder.selectFrom('tasks').select('id').where('next_at', '<=', read.now))).length;
  const lock = acquireProcessLock(join(await temporaryDirectory('locks-'), 'locks'), 'gone');
  lock.release({ keepsFile: true });
  const ended = { ...silent, lockPath: lock.path, lock: 'free', silentForMs: 0, beatAgeMs: 0 } as const;
  let report: Parameters<WorkerServices['heartbeat']['onReport']>[0] = () => {};
  const heartbeat: WorkerServices['heartbeat'] = {
    ...steadyHeartbeat,
    onReport(listener) {
      report = listener;
      return () => {};
    },
  };
  const failed = Promise.withResolvers<void>();
  const work = {
    services: { ...services, log: { error: () => failed.resolve(), warn() {} } },
    heartbeat,
    leaseMs: 15_000,
    engines: new Map(),
    installation: { mayAdvance: () => true },
  } as unknown as WorkerServices;
  const dueBefore: number[] = [];
  let isReadable = false;
  const takeOver = new TakeOver(work, async () => {
    dueBefore.push(await dueTasks());
    if (!isReadable) throw new Error('EIO: the spool cannot be read');
  });
  t.after(() => takeOver.stop());
  const tell = () => report({ kind: 'confirmed', atMs: monotonicMs(), confirmedForMs: 0, silent: [ended] });
  tell();
  await failed.promise;
  await setImmediate();
  assert.equal(await dueTasks(), 0);
  isReadable = true;
  await until(
    () => {
      tell();
      return dueTasks();
    },
    (due) => due === 1,
  );
  assert.deepEqual([...new Set(dueBefore)], [0]);
});

test("calls that cannot be resumed are given up after the engine's own timeout", () => {
  const work = { engines: enginesOf({ quick: { callTimeoutMs: MINUTE_MS }, slow: { callTimeoutMs: 20 * MINUTE_MS } }) };
  const at = (minutes: number) => scopeOf(work, { ...silent, beatAgeMs: minutes * MINUTE_MS }, terms);
  const queues = (engine: string) => ['live', 'test', 'simulated'].map((mode) => `${engine}:${mode}`);
  assert.deepEqual(at(1.9), { withoutTrace: { queues: [] } });
  assert.deepEqual(at(2), { withoutTrace: { queues: queues('quick') } });
  assert.deepEqual(at(11), { withoutTrace: { otherThan: queues('slow') } }, 'also of engines that are not known here');
  assert.deepEqual(at(21), { withoutTrace: 'all' });
  assert.equal(scopeOf(work, { ...silent, beatAgeMs: 60 * MINUTE_MS }, { ...terms, confirmedForMs: 14_999 }), null);
});

function enginesOf(engines: Readonly<Record<string, Partial<Engine>>>): Map<string, Engine> {
  return new Map(
    Object.entries(engines).map(([name, changes]) => [
      name,
      {
        name,
        concurrency: 1,
        start: () => Promise.reject(new Error('not called')),
        check: () => Promise.reject(new Error('not called')),
        ...changes,
      },
    ]),
  );
}
