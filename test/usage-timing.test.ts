import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory, startOfDay, type UsageGroup } from '@darkroom-service/contract';
import { readUsage } from '../src/additions/usage/read-usage.ts';
import { createTask } from '../src/orders/create-task.ts';
import { forEachDatabase } from './helpers/databases.ts';
import { kernelOf } from './helpers/kernel.ts';
import { multiplyTask } from './helpers/multiply-task.ts';
import { insertKey, openTestServices } from './helpers/task-services.ts';

forEachDatabase((kind) => {
  test('usage shows the median and 95th percentile of durations by group, and null without results', async (t) => {
    const { services, database, clock } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const created = await createTask(services, key, {
      type: 'image',
      body: { model_id: 'sketch', prompt: 'fox' },
      simulate: null,
      idempotencyKey: null,
      path: '/v1/images',
    });
    assert.ok('task' in created);
    await multiplyTask(database, created.task.task_id, {
      count: 120,
      everyMs: 60_000,
      // A hundred results take 1 to 100 seconds, in no order; twenty failures took longer and do not count.
      change: (index, createdAt) => ({
        status: index < 100 ? 'succeeded' : 'failed',
        step: 'final',
        next_at: null,
        charged: 0,
        completed_at: createdAt + (index < 100 ? ((index * 37) % 100) + 1 : 5_000) * 1000,
      }),
    });
    const span = {
      from: clock.now() - 86_400_000,
      to: clock.now() + 1,
      timezone: 'UTC',
      scope: 'key' as const,
      endUser: null,
    };
    const read = async (groupBy: readonly UsageGroup[], timing: boolean) =>
      (await readUsage(kernelOf(services), key, { ...span, groupBy, timing, limit: 100, after: null })).items;
    const rows = await read(['status'], true);
    assert.deepEqual(
      rows.map(({ status, tasks, seconds }) => [status, tasks, seconds]),
      [
        ['failed', 20, { p50: null, p95: null }],
        ['queued', 1, { p50: null, p95: null }],
        ['succeeded', 100, { p50: 50, p95: 95 }],
      ],
    );
    const [whole] = await read([], true);
    assert.deepEqual([whole?.tasks, whole?.seconds], [121, { p50: 50, p95: 95 }]);
    const [plain] = await read(['day'], false);
    assert.deepEqual([plain?.day, plain?.tasks, plain?.seconds], ['2026-11-20', 121, undefined]);
  });

  test('days of a time zone have 23, 24 or 25 hours, and hold together what a span holds', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const order = {
      type: 'image',
      body: { model_id: 'sketch', prompt: 'fox' },
      simulate: null,
      idempotencyKey: null,
    } as const;
    const created = await createTask(services, key, { ...order, path: '/v1/images' });
    assert.ok('task' in created);
    await multiplyTask(database, created.task.task_id, {
      count: 5 * 24,
      everyMs: 0,
      change(index) {
        const created_at = Date.parse('2026-10-27T12:30:00Z') - index * 3_600_000;
        return { id: createIdFactory(() => created_at)('img'), created_at };
      },
    });
    const from = startOfDay('Europe/Berlin', '2026-10-23');
    const to = startOfDay('Europe/Berlin', '2026-10-27');
    const query = { from, to, scope: 'key', endUser: null, timing: false, limit: 100, after: null } as const;
    const days = async (timezone: string) => {
      const { items } = await readUsage(kernelOf(services), key, { ...query, timezone, groupBy: ['day'] });
      return items.map(({ day, tasks }) => [day, tasks]);
    };
    // Clocks go back on the 25th.
    assert.deepEqual(await days('Europe/Berlin'), [
      ['2026-10-23', 24],
      ['2026-10-24', 24],
      ['2026-10-25', 25],
      ['2026-10-26', 24],
    ]);
    assert.deepEqual((await days('UTC')).at(-1), ['2026-10-26', 23]);
    assert.deepEqual((await days('Asia/Kathmandu')).at(0), ['2026-10-23', 20]);
  });

  test('durations of more than 100,000 tasks are refused in words, and all else of so many is told', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const day = 20_400;
    const sum = { api_key_id: key.id, model_id: 'sketch', status: 'succeeded', tasks: 100_001, charged: 5 } as const;
    await database.write('a test', async (trx) => {
      await trx.run(trx.builder.insertInto('usage_days').values({ ...sum, day }));
      const quarter = { ...sum, quarter: day * 96, end_user: 'ada', end_user_sent: 'Ada' };
      await trx.run(trx.builder.insertInto('usage_quarters').values(quarter));
      for (const name of ['usage', 'quarters'] as const)
        await trx.run(trx.builder.insertInto('closed_days').values({ name, before_day: day + 1, revision: 0 }));
    });
    const span = { from: day * 86_400_000, to: (day + 1) * 86_400_000, timezone: 'Asia/Kathmandu' };
    const query = { ...span, scope: 'key', endUser: null, groupBy: ['end_user'], limit: 100, after: null } as const;
    const { items } = await readUsage(kernelOf(services), key, { ...query, timing: false });
    assert.deepEqual(
      items.map(({ end_user, tasks }) => [end_user, tasks]),
      [['Ada', 100_001]],
    );
    await assert.rejects(readUsage(kernelOf(services), key, { ...query, timing: true }), {
      code: 'invalid_request',
      param: 'timing',
      message: /at most 100,000 tasks, and the span has 100,001\. Bring 'from' and 'to' closer together/,
    });
  });
});
