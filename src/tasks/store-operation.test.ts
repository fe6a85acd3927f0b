import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/databases.ts';
import { insertKey, openTestDesk } from '../../test/desk.ts';
import { claimTasks } from './claim-tasks.ts';
import { createTask } from './create-task.ts';
import type { Desk } from './desk.ts';
import { LostClaim, moveTask } from './move-task.ts';
import { settleTwin, storeOperation } from './store-operation.ts';
import type { TaskRow } from './task.ts';

const QUEUES = [{ name: 'sketch:live', capacity: 10_000 }];
const OPERATION = { handle: { id: 'twin' } };
const body = { model_id: 'sketch', prompt: 'a fox' };

forEachDatabase((kind) => {
  test('of tasks whose orders were given one name, whichever processes store them, one runs and all others are of unknown outcome', async (t) => {
    const { desk, openAnother } = await openTestDesk(t, kind);
    const desks = [desk, await openAnother()];
    const key = await insertKey(desk);
    let rounds = 0;
    const names = fc.array(fc.constantFrom('one', 'two', 'three', null), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(names, async (given) => {
        const round = ++rounds;
        for (let place = 0; place < given.length; place++)
          await createTask(desk, key, {
            type: 'image',
            path: '/v1/images',
            body,
            idempotencyKey: null,
            simulate: null,
          });
        const tasks = await submitAll(desk);
        const stored = await Promise.all(
          tasks.map(async (task, place) => {
            const name = given[place] ?? null;
            const job = name === null ? null : { engine: 'fal', name: `${round}:${name}` };
            const by = desks[place % desks.length] as Desk;
            const result = await storeOperation(by, task, OPERATION, job, 0);
            if ('twin' in result) assert.equal(await settleTwin(by, task, result.twin), true);
            return result;
          }),
        );
        const runs = stored.filter((result) => 'running' in result).length;
        const expected =
          new Set(given.filter((name) => name !== null)).size + given.filter((name) => name === null).length;
        assert.equal(runs, expected);
        for (const result of stored) {
          if ('running' in result) continue;
          const first = await row(desk, result.twin.taskId);
          assert.deepEqual([first.step, first.operation_json], ['running', JSON.stringify(OPERATION)]);
        }
        for (const { id } of tasks) {
          const { step, error_json } = await row(desk, id);
          assert.equal(step === 'final', error_json?.includes('"outcome_unknown"') ?? false);
        }
      }),
      { numRuns: kind === 'sqlite' ? 20 : 5 },
    );
  });

  test('a name is of its task for good: after its end, for the task itself, and not for who has lost the claim', async (t) => {
    const { desk, clock } = await openTestDesk(t, kind);
    const key = await insertKey(desk);
    const job = { engine: 'fal', name: 'twin' };
    const next = async () => {
      await createTask(desk, key, { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null });
      return (await submitAll(desk))[0] as TaskRow;
    };
    const late = await next();
    clock.advance(20_000);
    const [claimed] = await claim(desk);
    assert.equal(claimed?.id, late.id);
    await assert.rejects(storeOperation(desk, late, OPERATION, job, 0), LostClaim);
    const stored = await storeOperation(desk, claimed as TaskRow, OPERATION, job, 0);
    assert.ok('running' in stored, 'what a late worker tried to write is taken back');
    const { twin } = (await storeOperation(desk, await next(), OPERATION, job, 0)) as { twin: object };
    assert.deepEqual(twin, { job, taskId: late.id });
    const elsewhere = await storeOperation(desk, await next(), OPERATION, { engine: 'replicate', name: 'twin' }, 0);
    assert.ok('running' in elsewhere, 'the names of two upstreams have nothing to do with each other');
  });
});

async function submitAll(desk: Desk): Promise<TaskRow[]> {
  const claimed = (await claim(desk)).filter(({ step }) => step === 'preparing');
  return await Promise.all(claimed.map((task) => moveTask(desk, 'submitting', task, 'submitting')));
}

async function claim(desk: Desk): Promise<TaskRow[]> {
  return await desk.database.write('claim', (trx) => claimTasks(trx, { worker: 'w', queues: QUEUES, limit: 100 }));
}

async function row(desk: Desk, id: string): Promise<TaskRow> {
  const { read } = desk.database;
  return (await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id))) as TaskRow;
}
