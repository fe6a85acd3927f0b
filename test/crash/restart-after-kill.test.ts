import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { readTasks } from './books.ts';
import { openPremises } from './child-service.ts';
import { readSubmissions } from './paid-engine.ts';

test('a restart immediately ends the orders that the killed process was submitting', async (t) => {
  const premises = await openPremises(t, [{ name: 'paid-endless', blocking: true, startMs: 3_600_000 }]);
  for (let round = 0; round < 2; round++) {
    const child = await premises.start();
    const answer = await child.call(premises.keys.live, 'POST', '/v1/images', {
      model_id: 'paid-endless',
      prompt: 'a',
    });
    const id = answer.body.data.task_id;
    await until(
      () => readSubmissions(premises.books).map(({ taskId }) => taskId),
      (ids) => ids.includes(id),
    );
    child.process.kill('SIGKILL');
    await child.ended;
    premises.aheadMs += 61_000;
  }
  await premises.start();
  const tasks = await until(
    () => readTasks(premises.database),
    (rows) => rows.every(({ step }) => step === 'final'),
  );
  for (const task of tasks) assert.match(task.error_json ?? '', /outcome_unknown/);
});
