import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openTestServices } from '../../test/helpers/task-services.ts';
import { startLastChecks } from './last-checks.ts';

const NEVER_MS = 3_600_000;

test('what an upstream says of an order that was claimed again is written at once, and once for each claim', async (t) => {
  const { services, database } = await openTestServices(t);
  const checks = startLastChecks(services, NEVER_MS);
  t.after(() => checks.stop());
  const order = (fence: number) => ({ id: 'img_1', created_at: 0, fence });
  const said = async () =>
    (await database.read.all(database.read.builder.selectFrom('task_checks').select('said'))).map((row) => row.said);

  checks.record(order(1), 'pending', 'IN_QUEUE');
  assert.deepEqual(await said(), []);
  for (const [fence, word] of [
    [2, 'IN_PROGRESS'],
    [3, 'UPLOADING'],
  ] as const) {
    checks.record(order(fence), 'pending', word);
    await until(said, (words) => words.includes(word));
    checks.record(order(fence), 'pending', 'not written');
    assert.deepEqual(await said(), [word]);
  }
});
