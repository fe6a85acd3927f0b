import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multiplyTask } from '../multiply-task.ts';
import { startTestService } from '../service.ts';
import { createSwiftEngine } from '../swift-engine.ts';

const ORDERS = 20_000;

test('a long report blocks nobody: orders and reads that come after it are answered before it', async (t) => {
  const { call, database, keys, make } = await startTestService(t, { service: { engines: [createSwiftEngine()] } });
  const order = { model_id: 'sketch', prompt: 'a fox' };
  const task = await make(keys.test, '/v1/images', order);
  await multiplyTask(database, task.task_id, {
    count: ORDERS,
    everyMs: 1_000,
    change: (index) => ({ end_user: `user-${index}` }),
  });
  const ended: string[] = [];
  const note = async (name: string, answer: Promise<{ readonly status: number }>) => {
    const { status } = await answer;
    ended.push(name);
    return status;
  };
  const query = 'group_by=end_user,day,model_id,status&timing=true&limit=1000';
  const report = note('report', call(keys.test, 'GET', `/v1/account/usage?${query}`));
  const [read, placed] = await Promise.all([
    note('read', call(keys.test, 'GET', task.urls.self)),
    note('order', call(keys.test, 'POST', '/v1/images', order)),
  ]);
  assert.deepEqual([read, placed, await report], [200, 201, 200]);
  assert.equal(ended.at(-1), 'report', ended.join(', '));
});
