import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { claimTasks } from '../../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { commitEnding, commitMove } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { createTask } from '../../orders/create-task.ts';
import type { TaskRow } from '../../record/task.ts';
import { readTask, type TaskRecord } from '../../record/task-record.ts';
import { LostClaim } from '../../tasks/move-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { sameJob } from '../decide/endings.ts';
import type { TaskEvent } from '../decide/event.ts';
import type { UpstreamJob } from '../spool/answer.ts';
import { storeOperation } from './store-answer.ts';

const QUEUES = [{ name: 'sketch:live', capacity: 10_000 }];
const OPERATION = { handle: { id: 'twin' } };
const body = { model_id: 'sketch', prompt: 'a fox' };

forEachDatabase((kind) => {
  test('if several tasks get the same job id, one runs and the others end with unknown outcome', async (t) => {
    const { services, openAnother } = await openTestServices(t, kind);
    const processes = [services, await openAnother()];
    const key = await insertKey(services);
    let rounds = 0;
    const names = fc.array(fc.constantFrom('one', 'two', 'three', null), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(names, async (given) => {
        const round = ++rounds;
        for (let place = 0; place < given.length; place++)
          await createTask(services, key, {
            type: 'image',
            path: '/v1/images',
            body,
            idempotencyKey: null,
            simulate: null,
          });
        const tasks = await submitAll(services);
        const stored = await Promise.all(
          tasks.map(async (task, place) => {
            const name = given[place] ?? null;
            const job = name === null ? null : { engine: 'fal', name: `${round}:${name}` };
            const by = processes[place % processes.length] as TaskServices;
            const result = await store(by, task, job);
            if (result.type === 'same_job')
              assert.equal(await commitEnding(by, 'settle_unknown', task, sameJob(result).ending), true);
            return result;
          }),
        );
        const runs = stored.filter(({ type }) => type === 'stored').length;
        const expected =
          new Set(given.filter((name) => name !== null)).size + given.filter((name) => name === null).length;
        assert.equal(runs, expected);
        for (const result of stored) {
          if (result.type !== 'same_job') continue;
          const first = await row(services, result.taskId);
          assert.deepEqual([first.step, first.operation_json], ['running', JSON.stringify(OPERATION)]);
        }
        for (const { id } of tasks) {
          const { step, error_json } = await row(services, id);
          assert.equal(step === 'final', error_json?.includes('"outcome_unknown"') ?? false);
        }
      }),
      { numRuns: kind === 'sqlite' ? 20 : 5 },
    );
  });

  test('a job id belongs to its task permanently, also after the end, and not to a process that lost the claim', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const job = { engine: 'fal', name: 'twin' };
    const next = async () => {
      await createTask(services, key, {
        type: 'image',
        path: '/v1/images',
        body,
        idempotencyKey: null,
        simulate: null,
      });
      return (await submitAll(services))[0] as TaskRecord;
    };
    const late = await next();
    // Far beyond its hard deadline a claim runs out by itself.
    clock.advance(8 * 3_600_000);
    const [claimed] = await claim(services);
    assert.equal(claimed?.id, late.id);
    await assert.rejects(store(services, late, job), LostClaim);
    const stored = await store(services, claimed as TaskRecord, job);
    assert.equal(stored.type, 'stored', 'what a late worker tried to write is taken back');
    assert.deepEqual(await store(services, await next(), job), { type: 'same_job', job, taskId: late.id });
    const elsewhere = await store(services, await next(), { engine: 'replicate', name: 'twin' });
    assert.equal(elsewhere.type, 'stored', 'the names of two upstreams have nothing to do with each other');
  });
});

async function store(services: TaskServices, task: TaskRecord, job: UpstreamJob | null): Promise<TaskEvent> {
  return await storeOperation({ work: { services }, task }, { operation: OPERATION, job, checkAfterMs: 0 });
}

async function submitAll(services: TaskServices): Promise<TaskRecord[]> {
  const claimed = (await claim(services)).filter(({ step }) => step === 'preparing');
  return await Promise.all(claimed.map((task) => commitMove(services, task, 'submitting')));
}

async function claim(services: TaskServices): Promise<TaskRecord[]> {
  const claim = { worker: 'w', queues: QUEUES, limit: 100 };
  return (await claimTasks(services.database, claim)).map(readTask);
}

async function row(services: TaskServices, id: string): Promise<TaskRow> {
  const { read } = services.database;
  return (await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id))) as TaskRow;
}
