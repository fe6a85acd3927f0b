import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '@darkroom-service/contract';
import { BatchDraft } from '../../../../src/additions/batches/draft-batch.ts';
import { placePortion } from '../../../../src/additions/batches/feed-batch.ts';
import { placeBatch } from '../../../../src/additions/batches/place-batch.ts';
import { readBacklog } from '../../../../src/service/operations/backlog.ts';
import { kernelOf } from '../../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../../test/helpers/task-services.ts';
import { reportQueues } from './queue-report.ts';

test('a task that its batch has held back for hours waits in the queue since it was let in', async (t) => {
  const { services, clock } = await openTestServices(t);
  const key = await insertKey(services);
  const kernel = kernelOf(services);
  const draft = new BatchDraft(kernel, key, { withFingerprint: false });
  for (let order = 0; order < 40; order++)
    await draft.add(`orders[${order}]`, {
      name: null,
      operation: 'images',
      body: { model_id: 'sketch', prompt: 'a fox' },
    });
  const fields = { maxPrice: null, maxParallel: null, webhookUrl: null, deliverTo: null, metadata: {} };
  const { batch } = await placeBatch(kernel, key, { draft: await draft.finish(), fields, claim: null });
  clock.advance(5 * 3_600_000);
  await placePortion(kernel, batch.batch_id);
  const [queue] = await reportQueues(kernel, 'live');
  assert.deepEqual([queue?.waiting, queue?.oldest_waiting_at], [32, isoTime(clock.now())]);
  const { hardDeadlineMs, softDeadlineMs } = services.settings;
  const { groups } = await readBacklog(services.database.read, { now: clock.now(), hardDeadlineMs, softDeadlineMs });
  assert.deepEqual(
    groups.map(({ tasks, oldestAt }) => [tasks, oldestAt]),
    [[32, clock.now()]],
  );
});
