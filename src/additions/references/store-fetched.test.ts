import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { claimTasks } from '../../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { holdWrites } from '../../../test/helpers/hold-writes.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { type Claim, claimWork } from '../../database/work.ts';
import type { OrderingKey } from '../../kernel.ts';
import { cancelTask } from '../../orders/cancel-task.ts';
import { createTask } from '../../orders/create-task.ts';
import type { TaskRow } from '../../record/task.ts';
import { changeLimitsOfKey } from '../../tasks/change-limits-of-key.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { admitFetched, postponeFetch } from './store-fetched.ts';

const LEASE_MS = 30_000;
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
  claimTasks(services.database, { worker: 'w', queues: [{ name: 'sketch:live', capacity: 100 }], limit });
const claimToFetch = (services: TaskServices, limit = 1): Promise<Claim[]> =>
  services.database.write('claim', (trx) =>
    claimWork(trx, { kind: 'references', limit, leaseMs: LEASE_MS, except: [] }),
  );
const admit = (services: TaskServices, fetch: Claim): Promise<boolean> =>
  services.database.write('fetched', (trx) =>
    admitFetched(
      kernelOf(services),
      trx,
      fetch,
      { id: fetch.subject, api_key_id: fetch.owner },
      { mediaJson: FETCHED, bytes: 0 },
    ),
  );
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
    const [fetching] = await claimToFetch(services);
    assert.equal(fetching?.subject, first);
    assert.equal(await admit(services, fetching), true);
    assert.deepEqual(await claimToFetch(services), []);
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
    const [late] = await claimToFetch(services);
    assert.deepEqual(await claimToFetch(services), []);
    clock.advance(LEASE_MS + 1);
    const [next] = await claimToFetch(services);
    assert.equal(next?.subject, late?.subject);
    assert.equal(await admit(services, late!), false);
    const wish = { mediaJson: '[]', bytes: 0, afterMs: 5_000 };
    assert.equal(
      await services.database.write('late', (trx) => postponeFetch(kernelOf(services), trx, late!, wish)),
      false,
    );
    assert.equal(
      await services.database.write('postponed', (trx) => postponeFetch(kernelOf(services), trx, next!, wish)),
      true,
    );
    assert.deepEqual(await claimToFetch(services), []);
    clock.advance(5_001);
    assert.equal((await claimToFetch(services))[0]?.attempts, 1);
  });

  test('references that arrive after their order was canceled change nothing', async (t) => {
    const { services } = await openTestServices(t, kind);
    const key = await insertKey(services);
    const id = await order(services, key, true);
    const [fetching] = await claimToFetch(services);
    await cancelTask(services, key, 'image', id);
    assert.equal(await admit(services, fetching!), false);
    const [row] = await rows(services);
    assert.deepEqual([row?.status, row?.media_json?.includes('tasks/x')], ['canceled', false]);
    assert.deepEqual(await claimToFetch(services), []);
  });
});

test('an order that somebody else is writing is fetched again soon, and nobody waits for its row', async (t) => {
  const { services, openAnother, clock } = await openTestServices(t, 'postgres');
  const key = await insertKey(services);
  const id = await order(services, key, true);
  const [fetching] = await claimToFetch(services);
  using held = holdWrites((await openAnother()).database);
  const writing = held.database.write('write', (trx) =>
    trx.run(trx.builder.updateTable('tasks').set({ metadata_json: '{"a":"b"}' }).where('id', '=', id)),
  );
  await held.entered;
  assert.equal(await admit(services, fetching!), false);
  held.commit();
  await writing;
  assert.deepEqual(await claim(services), []);
  clock.advance(1_000);
  assert.equal(await admit(services, (await claimToFetch(services))[0]!), true);
  const [claimed] = await claim(services);
  assert.deepEqual([claimed?.id, claimed?.metadata_json], [id, '{"a":"b"}']);
});

test('an order whose references arrive while its key loses its limit waits for no slot', async (t) => {
  const { services, openAnother, clock } = await openTestServices(t, 'postgres');
  const key = await insertKey(services, { concurrency: 1 });
  await order(services, key, false);
  const id = await order(services, key, true);
  const [fetching] = await claimToFetch(services);
  const another = await openAnother();
  using held = holdWrites(another.database);
  const by = { actor: 'test', now: clock.now(), createId: services.createId };
  const changing = changeLimitsOfKey({ ...another, database: held.database }, by, key.id, { concurrency: 0 });
  await held.entered;
  const admitting = admit(services, fetching!);
  await held.untilAwaited();
  held.commit();
  await changing;
  assert.equal(await admitting, true);
  const fetched = (await rows(services)).find((row) => row.id === id);
  assert.deepEqual([fetched?.gates, fetched?.claimable], [0, 1]);
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
        if (move === 'fetch') for (const claimed of await claimToFetch(services)) await admit(services, claimed);
        if (move === 'claim') claimed.push(...(await claim(services)));
        if (move === 'end') {
          const task = claimed.shift();
          const failure = { code: 'upstream_error', message: 'x' } as const;
          if (task !== undefined) await commitEnding(services, 'end', task, { status: 'failed', failure });
        }
        const own = (await rows(services)).filter((row) => row.api_key_id === key.id && row.step !== 'final');
        const letIn = own.filter((row) => row.claimable === 1);
        const ready = own.filter((row) => row.gates === 0);
        assert.ok(letIn.every((row) => row.gates === 0));
        assert.equal(letIn.length, concurrency === 0 ? ready.length : Math.min(concurrency, ready.length));
      }
      for (const task of [...claimed, ...(await claim(services, 1000))])
        await commitEnding(services, 'end', task, { status: 'canceled' });
    }),
    { numRuns: 15 },
  );
});
