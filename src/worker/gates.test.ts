import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, ServiceError } from '@darkroom-service/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { claimTasks } from '../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { kernelOf } from '../../test/helpers/kernel.ts';
import { createReleaseDue } from '../../test/helpers/release-due.ts';
import { commitEnding, succeededWith } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { BatchDraft } from '../additions/batches/draft-batch.ts';
import { enqueueNext, placePortion } from '../additions/batches/feed-batch.ts';
import { placeBatch } from '../additions/batches/place-batch.ts';
import { admitFetched } from '../additions/references/store-fetched.ts';
import { claimWork, endWork } from '../database/work.ts';
import { deleteTask } from '../erasure/delete-task.ts';
import { cancelTask } from '../orders/cancel-task.ts';
import { createTask } from '../orders/create-task.ts';
import { type AssignedGate, GATES } from '../queue/gates.ts';
import { isUnfetched, type TaskRow } from '../record/task.ts';
import { inputOf, mediaOf } from '../record/task-json.ts';
import { readTask } from '../record/task-record.ts';
import { wakeOrders } from '../routing/wake-orders.ts';
import { LostClaim } from '../tasks/move-task.ts';
import { openAddedGate } from '../tasks/open-gates.ts';
import { refundTask } from '../tasks/refund-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { takeOverOwnerless } from './ownership/take-over.ts';
import { release } from './rerouting/release.ts';

const URL_OF_REFERENCE = 'https://example.com/a.png';
const LEASE_MS = 30_000;
/** More than the longest chain of orders. */
const MOST_ROUNDS = 50;

/** What the processes of a service do again and again. */
const EACH_ROUND = ['release', 'feed', 'fetch', 'wake', 'approve', 'claim'] as const;
/** A gate of an addition: the orders with this prompt wait to be approved. */
const APPROVALS: AssignedGate = {
  addition: 'approvals',
  bit: 2 ** 8,
  closes: ({ input_json }) => inputOf({ input_json }).prompt === 'approve this',
};
const approved = new Set<string>();
const nth = fc.nat({ max: 20 });
/** What an order names: nothing, a reference to fetch, or the output of an order before it; and what it waits for. */
const wish = fc.constantFrom('nothing', 'reference', 'parent', 'both', 'approval', 'approval and parent', 'all');
const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('order' as const), wish, task: nth }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      wishes: fc.array(wish, { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom(...EACH_ROUND) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['end', 'end', 'end', 'fail', 'cancel', 'park', 'return', 'erase', 'refund'] as const)),
      task: nth,
    }),
  },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

forEachDatabase((kind) => {
  test('whoever opens gates, ends, cancels, erases, refunds and claims at the same time: none is claimed before its gates are open, none waits for ever, and no two wait for each other', async (t) => {
    const { services, openAnother, clock } = await openTestServices(t, kind);
    const here = { ...services, gates: [APPROVALS] };
    const there = kind === 'sqlite' ? here : { ...(await openAnother()), gates: [APPROVALS] };
    const atOnce = fc.array(move, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(atOnce, { minLength: 3, maxLength: 20 }),
        fc.constantFrom(0, 2),
        async (rounds, concurrency) => {
          const key = await insertKey(here, { concurrency });
          const later = () => clock.advance(LEASE_MS + 1);
          for (const moves of rounds) {
            await Promise.all(moves.map((each, index) => make(index % 2 === 0 ? here : there, key, each)));
            assertGated(await tasksOf(here, key));
          }
          for (let round = 0; ; round++) {
            await takeOverOwnerless(here.database);
            for (const each of EACH_ROUND) await make(here, key, { kind: each });
            const rows = await tasksOf(here, key);
            assertGated(rows);
            for (const row of rows) await end(here, row, 'succeeded');
            if (round > 0 && rows.every(({ step }) => step === 'final')) break;
            const open = rows.filter(({ step }) => step !== 'final').map(({ id, step, gates }) => [id, step, gates]);
            assert.ok(round < MOST_ROUNDS, `wait for ever: ${open.join(' ')}`);
            later();
          }
        },
      ),
      { numRuns: kind === 'sqlite' ? 30 : 12 },
    );
    if (kind === 'postgres') assert.equal(await countDeadlocks(here), 0);
  });
});

/** The server ends a transaction that waits for another that waits for it; it runs again then, and nobody notices. */
async function countDeadlocks({ database: { read } }: TaskServices): Promise<number> {
  const deadlocks = sql<number>`(select deadlocks from pg_stat_database where datname = current_database())`;
  return Number((await read.first(read.builder.selectNoFrom(deadlocks.as('deadlocks'))))?.deadlocks);
}

function assertGated(rows: readonly TaskRow[]): void {
  for (const row of rows) {
    const { id, gates, claimable, worker, step, rank } = row;
    if (step !== 'final' && worker !== null)
      assert.ok(!APPROVALS.closes(row) || approved.has(id), `${id} is claimed before it is approved`);
    if (gates !== 0) assert.deepEqual([id, claimable, step], [id, 0, 'waiting']);
    if ((gates & ~GATES.route) !== 0) assert.equal(worker, null, `${id} is claimed before its gates are open`);
    if (claimable === 1) assert.ok(rank >= 0, `${id} has no place`);
  }
}

async function make(services: TaskServices, key: OrderingKey, each: Move): Promise<void> {
  const { database } = services;
  try {
    if (each.kind === 'order') return await order(services, key, each);
    if (each.kind === 'batch') return await orderBatch(services, key, each.wishes);
    if (each.kind === 'fetch') return await fetchAll(services);
    if (each.kind === 'release') return void (await createReleaseDue(services)());
    if (each.kind === 'feed') return await feed(services, key);
    if (each.kind === 'approve') return await approve(services, key);
    if (each.kind === 'wake') return await database.write('wake', (trx) => wakeOrders(trx, 'sketch'));
    if (!('task' in each)) {
      const worker = each.kind === 'die' ? 'ended' : 'w';
      for (const { id, gates } of await claimTasks(database, { worker, queues: QUEUES, limit: 100 }))
        assert.equal(gates & ~GATES.route, 0, `${id} is claimed before its gates are open`);
      return;
    }
    const rows = await tasksOf(services, key);
    const task = rows[each.task % Math.max(1, rows.length)];
    if (task === undefined) return;
    if (each.kind === 'cancel') await cancelTask(services, key, 'image', task.id);
    else if (each.kind === 'erase') await deleteTask(services, key, 'image', task.id);
    else if (each.kind === 'refund') await refund(services, task.id);
    else if (each.kind === 'park' || each.kind === 'return') await putBack(services, task, each.kind);
    else await end(services, task, each.kind === 'end' ? 'succeeded' : 'failed');
  } catch (error) {
    if (error instanceof LostClaim) return;
    // A refusal writes nothing.
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
  }
}

const QUEUES = [{ name: 'sketch:live', capacity: 1000 }];

function bodyOf(wish: string, parent: string | undefined): JsonObject {
  const references = /reference|both|all/.test(wish) ? [URL_OF_REFERENCE] : [];
  const parents = /parent|both|all/.test(wish) && parent !== undefined ? [parent] : [];
  const image_urls = [...references, ...parents];
  return {
    model_id: 'sketch',
    prompt: /approval|all/.test(wish) ? 'approve this' : 'a fox',
    wait_for_parent: true,
    ...(image_urls.length > 0 ? { image_urls } : {}),
  };
}

async function order(
  services: TaskServices,
  key: OrderingKey,
  { wish, task }: Extract<Move, { kind: 'order' }>,
): Promise<void> {
  const rows = await tasksOf(services, key);
  const parent = rows[task % Math.max(1, rows.length)];
  const body = bodyOf(wish, parent && `task:${parent.id}`);
  await createTask(services, key, { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null, body });
}

/** Each of its orders may name the one before it. */
async function orderBatch(services: TaskServices, key: OrderingKey, wishes: readonly string[]): Promise<void> {
  const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
  for (const [place, each] of wishes.entries()) {
    const body = bodyOf(each, place === 0 ? undefined : `order:o${place - 1}`);
    await drafting.add(`orders[${place}]`, { name: `o${place}`, operation: 'images', body });
  }
  const fields = { maxPrice: null, maxParallel: 2, webhookUrl: null, deliverTo: null, metadata: {} };
  await placeBatch(kernelOf(services), key, { draft: await drafting.finish(), fields, claim: null });
}

async function feed(services: TaskServices, key: OrderingKey): Promise<void> {
  const { read } = services.database;
  const open = read.builder.selectFrom('batches').selectAll().where('api_key_id', '=', key.id);
  for (const batch of await read.all(open)) {
    await placePortion(kernelOf(services), batch.id);
    await enqueueNext(kernelOf(services), batch);
  }
}

/** Stores the references of all orders whose fetch is due. */
async function fetchAll(services: TaskServices): Promise<void> {
  const { database } = services;
  const due = { kind: 'references', limit: 100, leaseMs: LEASE_MS, except: [] } as const;
  for (const claim of await database.write('claim', (trx) => claimWork(trx, due))) {
    const task = await database.read.first(
      database.read.builder.selectFrom('tasks').selectAll().where('id', '=', claim.subject),
    );
    if (task === undefined || task.step === 'final') {
      await database.write('forgotten', (trx) => endWork(trx, claim));
      continue;
    }
    const stored = { key: `tasks/${task.id}/in`, contentType: 'image/png', bytes: 1, width: 64, height: 64 };
    const media = mediaOf(task).map((medium) => (isUnfetched(medium) ? { ...medium, stored } : medium));
    const fetched = { mediaJson: JSON.stringify(media), bytes: 0 };
    await database.write('fetched', (trx) => admitFetched(kernelOf(services), trx, claim, task, fetched));
  }
}

/** Opens the gate of the addition for all orders of the key, as far as nobody else writes them. */
async function approve(services: TaskServices, key: OrderingKey): Promise<void> {
  const { bit } = APPROVALS;
  for (const { id } of await tasksOf(services, key))
    if ((await services.database.write('approve', (trx) => openAddedGate(services, trx, { id, bit }))) === 'opened')
      approved.add(id);
}

/** Puts a claimed task back into the queue that no engine has: for later, or behind no gate. */
async function putBack(services: TaskServices, row: TaskRow, how: 'park' | 'return'): Promise<void> {
  if (row.worker !== 'w' || row.step === 'final') return;
  const task = readTask(row);
  await release(services, task, { step: 'waiting', afterMs: how === 'park' ? 90_000 : 0 });
}

async function refund(services: TaskServices, id: string): Promise<void> {
  await refundTask(services, { now: services.clock.now(), actor: 'test', createId: services.createId }, id);
}

/** Ends a task that was claimed. */
async function end(services: TaskServices, { id }: TaskRow, status: 'succeeded' | 'failed'): Promise<void> {
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id));
  if (row === undefined || row.worker !== 'w' || row.step === 'final') return;
  const ending =
    status === 'succeeded'
      ? succeededWith(Math.min(1, row.price), row)
      : { status, failure: { code: 'upstream_error', message: 'x' } as const };
  await commitEnding(services, 'end', row, ending);
}

async function tasksOf({ database: { read } }: TaskServices, key: OrderingKey): Promise<TaskRow[]> {
  return await read.all(
    read.builder.selectFrom('tasks').selectAll().where('api_key_id', '=', key.id).orderBy('created_at').orderBy('id'),
  );
}
