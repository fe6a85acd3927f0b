import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceError } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { claimTasks } from '../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { commitEnding, commitMove } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { advanceCheckpoint } from '../accounts/balance-checkpoints.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { spentIn } from '../accounts/spend-limits.ts';
import { cancelTask } from '../orders/cancel-task.ts';
import { createTask } from '../orders/create-task.ts';
import type { TaskRow } from '../record/task.ts';
import { readTask } from '../record/task-record.ts';
import type { TaskServices } from '../tasks/task-services.ts';

const PROCESSES = 3;

/** What must hold when several processes work on one database at the same time. */
forEachDatabase((kind) => {
  test('orders with the same Idempotency-Key make one task, whichever process takes them', async (t) => {
    const { processes, key } = await open(t);
    for (let round = 0; round < 5; round++) {
      const created = await Promise.all(processes.map((services) => order(services, key, `key-${round}`)));
      assert.equal(new Set(created.map((each) => each.task_id)).size, 1);
    }
    assert.equal((await rows(processes[0])).length, 5);
  });

  test('no task is claimed twice, and the capacity of a queue holds over all processes', async (t) => {
    const { processes, key } = await open(t);
    await Promise.all(processes.flatMap((services) => Array.from({ length: 10 }, () => order(services, key))));
    const queues = [{ name: 'sketch:live', capacity: 20 }];
    const claims = await Promise.all(
      processes.flatMap((services, index) =>
        Array.from({ length: 4 }, () => claimTasks(services.database, { worker: `w${index}`, queues, limit: 3 })),
      ),
    );
    const ids = claims.flat().map((row) => row.id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, 20);
  });

  test('a key never has more claimable tasks than slots, and never fewer than possible', async (t) => {
    const { processes, key } = await open(t, { concurrency: 3 });
    const letIn = async () => (await rows(processes[0])).filter((row) => row.claimable === 1).length;
    await Promise.all(processes.flatMap((services) => Array.from({ length: 6 }, () => order(services, key))));
    assert.equal(await letIn(), 3);
    const queues = [{ name: 'sketch:live', capacity: 100 }];
    for (let round = 0; round < 4; round++) {
      await Promise.all(
        processes.map(async (services) => {
          const claimed = await claimTasks(services.database, { worker: 'w', queues, limit: 2 });
          await Promise.all([order(services, key), ...claimed.map((row) => settle(services, row, 'failed'))]);
        }),
      );
      assert.equal(await letIn(), 3);
    }
  });

  test('keys take turns whichever process takes their orders and whichever claims them', async (t) => {
    const { processes, key: many } = await open(t);
    const [first] = processes;
    const [few, one] = [await insertKey(first), await insertKey(first)];
    await Promise.all(processes.flatMap((services) => Array.from({ length: 8 }, () => order(services, many))));
    const queues = [{ name: 'sketch:live', capacity: 100 }];
    const claimed: string[] = [];
    const claim = async (services: TaskServices) => {
      const rows = await claimTasks(services.database, { worker: 'w', queues, limit: 1 });
      claimed.push(...rows.map((row) => row.api_key_id));
    };
    for (const services of processes) await claim(services);
    // They come when the many have been waiting for long.
    await Promise.all([...processes.map((services) => order(services, few)), order(first, one)]);
    while (claimed.length < 8 * PROCESSES + PROCESSES + 1) await Promise.all(processes.map(claim));
    const after = claimed.slice(PROCESSES);
    // Three keys in turn, and what is claimed at the same moment comes in any order.
    assert.ok(after.lastIndexOf(one.id) < 3 + PROCESSES, `${after.lastIndexOf(one.id)}`);
    assert.ok(after.lastIndexOf(few.id) < 3 * PROCESSES + PROCESSES, `${after.lastIndexOf(few.id)}`);
    assert.equal(after.filter((id) => id === few.id).length, PROCESSES);
  });

  test('the clock of a queue soon has the last rank that was claimed, whichever processes claim at the same time', async (t) => {
    const { processes, key } = await open(t);
    const queues = [{ name: 'sketch:live', capacity: 100 }];
    const ranks: number[] = [];
    for (let round = 0; round < 4; round++) {
      await Promise.all(processes.flatMap((services) => Array.from({ length: 4 }, () => order(services, key))));
      const claims = processes.map(({ database }, index) =>
        claimTasks(database, { worker: `w${index}`, queues, limit: 4 }),
      );
      ranks.push(...(await Promise.all(claims)).flat().map(({ rank }) => rank));
      const { read } = processes[0].database;
      const clock = async () => (await read.first(read.builder.selectFrom('queues').select('clock')))?.clock ?? 0;
      const last = Math.max(...ranks);
      assert.equal(await until(clock, (reached) => reached >= last), last);
    }
  });

  test('an account is never overdrawn, and a spend limit never passed', async (t) => {
    const price = 2_500;
    const { processes, key } = await open(t, {
      creditLimit: 10 * price,
      spendLimits: { day: null, month: null, total: 7 * price },
    });
    const results = await Promise.allSettled(
      processes.flatMap((services) => Array.from({ length: 12 }, () => order(services, key))),
    );
    const created = results.filter((result) => result.status === 'fulfilled').length;
    const [first] = await rows(processes[0]);
    assert.ok(first !== undefined);
    assert.equal(created, Math.floor((7 * price) / first.price));
    for (const result of results)
      if (result.status === 'rejected') assert.equal((result.reason as ServiceError).code, 'spend_limit_reached');
    assert.equal(await spentIn(processes[0].database.read, key.id, 'total', 0), created * first.price);
    assert.equal(await balanceOf(processes[0].database.read, key.account.id, 'live'), -created * first.price);
  });

  test('a task that is claimed while it is being canceled is canceled or told to stop, and settled once', async (t) => {
    const { processes, key } = await open(t);
    const [first, second] = processes;
    const queues = [{ name: 'sketch:live', capacity: 100 }];
    for (let round = 0; round < 15; round++) {
      const { task_id } = await order(first, key);
      const work = claimTasks(second.database, { worker: 'w', queues, limit: 1 }).then(([row]) =>
        row === undefined ? undefined : commitMove(second, readTask(row), 'submitting'),
      );
      const [canceled, worked] = await Promise.allSettled([cancelTask(first, key, 'image', task_id), work]);
      assert.equal(canceled.status, 'fulfilled');
      const row = (await rows(first)).find((each) => each.id === task_id);
      assert.ok(row !== undefined);
      const { status } = row;
      assert.ok(status === 'canceled' || row.cancel_requested_at !== null, `${status}, and nobody was asked to stop`);
      if (worked.status === 'fulfilled' && worked.value !== undefined) await settle(second, row, 'canceled');
    }
    for (const row of await rows(first)) assert.equal(row.status, 'canceled');
    assert.equal(await balanceOf(first.database.read, key.account.id, 'live'), 0);
  });

  test('a checkpoint excludes recent entries and changes no balance', async (t) => {
    const { processes, key, clock } = await open(t);
    const [services] = processes;
    const enter = (count: number) =>
      services.database.write('credit', (trx) =>
        trx.run(
          trx.builder.insertInto('ledger').values(
            Array.from({ length: count }, () => ({
              account_id: key.account.id,
              api_key_id: null,
              mode: 'live' as const,
              task_id: services.createId('crd'),
              kind: 'credit' as const,
              amount: 3,
              created_at: clock.now(),
              note: null,
            })),
          ),
        ),
      );
    const checkpoint = async () => {
      await services.database.write('checkpoint', (trx) => advanceCheckpoint(trx, key.account.id, 'live'));
      const { read } = services.database;
      return (await read.first(read.builder.selectFrom('ledger_checkpoints').select('balance')))?.balance;
    };
    await enter(1100);
    assert.equal(await checkpoint(), undefined);
    clock.advance(121_000);
    await enter(10);
    assert.equal(await checkpoint(), 3300);
    assert.equal(await balanceOf(services.database.read, key.account.id, 'live'), 3330);
  });

  async function open(t: Parameters<typeof openTestServices>[0], wish: Parameters<typeof insertKey>[1] = {}) {
    const { services, clock, openAnother } = await openTestServices(t, kind);
    const processes: [TaskServices, TaskServices, ...TaskServices[]] = [services, await openAnother()];
    while (processes.length < PROCESSES) processes.push(await openAnother());
    return { processes, clock, key: await insertKey(services, wish) };
  }
});

async function order(services: TaskServices, key: OrderingKey, idempotencyKey: string | null = null) {
  const { task } = await createTask(services, key, {
    type: 'image',
    path: '/v1/images',
    body: { model_id: 'sketch', prompt: 'a fox' },
    idempotencyKey,
    simulate: null,
  });
  return task;
}

async function settle(services: TaskServices, row: TaskRow, status: 'failed' | 'canceled'): Promise<void> {
  const ending =
    status === 'failed'
      ? ({ status, failure: { code: 'timeout', message: 'too late' } } as const)
      : ({ status } as const);
  await commitEnding(services, 'settle', row, ending);
}

async function rows(services: TaskServices): Promise<TaskRow[]> {
  const { read } = services.database;
  return await read.all(read.builder.selectFrom('tasks').selectAll().orderBy('id'));
}
