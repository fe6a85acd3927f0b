import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/databases.ts';
import { commitEnding } from '../../../test/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/task-services.ts';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { createTask } from '../../orders/create-task.ts';
import type { TaskRow } from '../../tasks/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { claimTasks } from '../claim-tasks.ts';
import { admitFetched, claimFetches, FETCH_LEASE_MS, nextKeyToFetch, postponeFetch } from './claim-fetches.ts';

const FETCHED = JSON.stringify([
  { field: 'image_urls', index: 0, kind: 'image', url: 'https://example.com/a.png', stored: { key: 'tasks/x' } },
]);

async function order(services: TaskServices, key: OrderingKey, hasReference: boolean): Promise<string> {
  const body = {
    model_id: 'sketch',
    prompt: 'a fox',
    ...(hasReference ? { image_urls: ['https://example.com/a.png'] } : {}),
  };
  const call = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
  return (await createTask(services, key, { ...call, body })).task.task_id;
}

const claim = (services: TaskServices, limit = 1): Promise<TaskRow[]> =>
  services.database.write('claim', (trx) =>
    claimTasks(trx, { worker: 'w', queues: [{ name: 'sketch:live', capacity: 100 }], limit }),
  );
const claimToFetch = (services: TaskServices, key: OrderingKey, limit = 1): Promise<TaskRow[]> =>
  services.database.write('claim_fetches', (trx) => claimFetches(trx, { key: key.id, worker: 'f', limit }));
const admit = (services: TaskServices, task: TaskRow): Promise<boolean> =>
  services.database.write('fetched', (trx) => admitFetched(trx, task, { mediaJson: FETCHED, bytes: 0 }));
const rows = (services: TaskServices): Promise<TaskRow[]> =>
  services.database.read.all(services.database.read.builder.selectFrom('tasks').selectAll().orderBy('id'));

forEachDatabase((kind) => {
  test('an order keeps its rank while its references are fetched, and is not claimed before', async (t) => {
    const { services } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const [first, second, third] = [
      await order(services, key, true),
      await order(services, key, false),
      await order(services, key, false),
    ];
    assert.deepEqual(
      (await claim(services)).map(({ id }) => id),
      [second],
    );
    assert.equal((await nextKeyToFetch(services.database.read, ''))?.key, key.id);
    const [fetching] = await claimToFetch(services, key);
    assert.equal(fetching?.id, first);
    assert.equal(await admit(services, fetching), true);
    assert.equal(await nextKeyToFetch(services.database.read, ''), null);
    for (const next of [first, third])
      assert.deepEqual(
        (await claim(services)).map(({ id }) => id),
        [next],
      );
  });

  test('a fetch whose lease is not renewed is taken over, and the late fetcher changes nothing', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    const key = await insertKey(services);
    await order(services, key, true);
    const [late] = await claimToFetch(services, key);
    assert.deepEqual(await claimToFetch(services, key), []);
    clock.advance(FETCH_LEASE_MS + 1);
    const [next] = await claimToFetch(services, key);
    assert.equal(next?.id, late?.id);
    assert.equal(await admit(services, late!), false);
    const wish = { mediaJson: '[]', bytes: 0, attempts: 1, afterMs: 5_000 };
    assert.equal(await services.database.write('late', (trx) => postponeFetch(trx, late!, wish)), false);
    assert.equal(await services.database.write('postponed', (trx) => postponeFetch(trx, next!, wish)), true);
    assert.deepEqual(await claimToFetch(services, key), []);
    clock.advance(5_001);
    assert.equal((await claimToFetch(services, key))[0]?.attempts, 1);
  });
});

test('a key never has more orders let in than it has slots, and none before its references are fetched', async (t) => {
  const { services } = await openTestServices(t);
  const steps = fc.array(fc.constantFrom('plain', 'with reference', 'fetch', 'claim', 'end'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3 }), steps, async (concurrency, moves) => {
      const key = await insertKey(services, { concurrency });
      const claimed: TaskRow[] = [];
      for (const move of moves) {
        if (move === 'plain' || move === 'with reference') await order(services, key, move !== 'plain');
        if (move === 'fetch') for (const task of await claimToFetch(services, key)) await admit(services, task);
        if (move === 'claim') claimed.push(...(await claim(services)));
        if (move === 'end') {
          const task = claimed.shift();
          const failure = { code: 'upstream_error', message: 'x' } as const;
          if (task !== undefined) await commitEnding(services, 'end', task, { status: 'failed', failure });
        }
        const own = (await rows(services)).filter((row) => row.api_key_id === key.id && row.step !== 'final');
        const letIn = own.filter((row) => row.claimable === 1);
        const ready = own.filter((row) => row.fetch_at === null);
        assert.ok(letIn.every((row) => row.fetch_at === null));
        assert.equal(letIn.length, concurrency === 0 ? ready.length : Math.min(concurrency, ready.length));
      }
      for (const task of [...claimed, ...(await claim(services, 1000))])
        await commitEnding(services, 'end', task, { status: 'canceled' });
    }),
    { numRuns: 15 },
  );
});
