import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, ServiceError } from '@darkroom-service/contract';
import fc from 'fast-check';
import { claimTasks } from '../../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { createReleaseDue } from '../../../test/helpers/release-due.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { balanceOf } from '../../accounts/ledger.ts';
import type { BatchRow } from '../../additions/batches/batch-view.ts';
import { cancelBatch } from '../../additions/batches/cancel-batch.ts';
import { cancelPortion } from '../../additions/batches/cancel-portion.ts';
import { BatchDraft } from '../../additions/batches/draft-batch.ts';
import { endBatch, isOver } from '../../additions/batches/end-batch.ts';
import { enqueueNext, placePortion } from '../../additions/batches/feed-batch.ts';
import { findBatch } from '../../additions/batches/find-batches.ts';
import { placeBatch } from '../../additions/batches/place-batch.ts';
import { deleteTask } from '../../erasure/delete-task.ts';
import type { OrderingKey } from '../../kernel.ts';
import { cancelTask } from '../../orders/cancel-task.ts';
import { createAction, createTask } from '../../orders/create-task.ts';
import type { Route } from '../../record/route.ts';
import { isFinal, type StoredOutput, type TaskRow } from '../../record/task.ts';
import { failureOf } from '../../record/task-json.ts';
import { readTask } from '../../record/task-record.ts';
import type { Ending } from '../../tasks/settle-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { compareResult } from '../../worker/collect/compare.ts';

const QUEUES = ['sketch:live', 'elsewhere:live'].map((name) => ({ name, capacity: 1000 }));
/** Its price depends on the size of its inputs, which its route does not promise. */
const MEASURED = 'flux-2-pro';
const MODELS = ['sketch', 'sketch-grid', MEASURED] as const;
const ACTIONS = ['reroll', 'variation', 'make_square', 'upscale_subtle'] as const;

type Move =
  | { readonly kind: 'create'; readonly model: (typeof MODELS)[number] }
  | { readonly kind: 'follow'; readonly model: 'sketch' | typeof MEASURED; readonly parents: readonly number[] }
  /** Each order of a batch uses some of those before it, and perhaps a task outside of it. */
  | { readonly kind: 'batch'; readonly orders: readonly (readonly number[])[]; readonly parent: number }
  | { readonly kind: 'carry_on' | 'cancel_batches' }
  | { readonly kind: 'act'; readonly parent: number; readonly action: (typeof ACTIONS)[number] }
  | { readonly kind: 'end'; readonly task: number; readonly status: Ending['status']; readonly side: number }
  | { readonly kind: 'cancel' | 'delete'; readonly task: number }
  | { readonly kind: 'release' };

/** More than the longest chain, and than the portions of the largest batch. */
const MOST_ROUNDS = 50;

const nth = fc.nat({ max: 30 });
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      model: fc.constantFrom(...MODELS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('follow' as const),
      model: fc.constantFrom('sketch' as const, MEASURED),
      parents: fc.array(nth, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      parent: nth,
      action: fc.constantFrom(...ACTIONS),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      task: nth,
      status: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const, 'canceled' as const),
      side: fc.constantFrom(64, 1024),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'delete' as const), task: nth }) },
  { weight: 3, arbitrary: fc.constant<Move>({ kind: 'release' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      orders: fc.array(fc.array(nth, { maxLength: 2 }), { minLength: 1, maxLength: 6 }),
      parent: nth,
    }),
  },
  { weight: 3, arbitrary: fc.constant<Move>({ kind: 'carry_on' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: 'cancel_batches' }) },
);

/** A run of its own, since random ones miss it now and then. */
const FAILED_PARENT: Move[] = [
  { kind: 'create', model: 'sketch' },
  { kind: 'follow', model: 'sketch', parents: [0] },
  { kind: 'end', task: 0, status: 'failed', side: 64 },
];

forEachDatabase((kind) => {
  test('any graph of orders with any endings settles every task once, charges no more than its quote and leaves nothing held', async (t) => {
    const { services: plain } = await openTestServices(t, kind);
    const services = withMeasuredRoute(plain);
    const releaseDue = createReleaseDue(services);
    const seen = new Map<string, number>();
    const release = async () => {
      while (await releaseDue());
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 5, maxLength: 40 }),
        fc.constantFrom(0, 2),
        async (moves, concurrency) => {
          const key = await insertKey(services, { concurrency });
          for (const each of moves) await apply(services, key, each, release);
          let open: TaskRow[];
          let rounds = 0;
          do {
            await release();
            await carryOn(services, key);
            for (const row of await tasksOf(services, key)) await end(services, row, 'succeeded', 1024);
            open = (await tasksOf(services, key)).filter(({ status }) => !isFinal(status));
            const steps = open.map(({ id, step }) => `${id} is ${step}`);
            assert.ok(++rounds < MOST_ROUNDS, `nothing ends ${steps.join()}`);
          } while (open.length > 0);
          await release();
          await carryOn(services, key);
          await assertPromises(services, key, seen);
        },
      ),
      { numRuns: kind === 'sqlite' ? 60 : 15, examples: [[FAILED_PARENT, 0]] },
    );
    // The fewer runs on PostgreSQL may miss one of them by chance.
    const expected = ['follow-up succeeded', 'follow-up parent_failed', 'in a batch', 'charged less'];
    for (const end of kind === 'sqlite' ? expected : [])
      assert.ok((seen.get(end) ?? 0) >= 1, `${end}: ${JSON.stringify([...seen])}`);
  });
});

async function apply(
  services: TaskServices,
  key: OrderingKey,
  each: Move,
  release: () => Promise<void>,
): Promise<void> {
  const rows = await tasksOf(services, key);
  const at = (index: number) => rows[index % Math.max(1, rows.length)];
  const order = { path: '/v1/images', idempotencyKey: null, simulate: null };
  const create = (body: JsonObject) => createTask(services, key, { ...order, type: 'image', body });
  try {
    switch (each.kind) {
      case 'create':
        return void (await create({ model_id: each.model, prompt: 'a fox' }));
      case 'follow': {
        const parents = [...new Set(each.parents.map((index) => at(index)?.id))].filter((id) => id !== undefined);
        const image_urls = parents.map((id) => `task:${id}`);
        return void (await create({ model_id: each.model, prompt: 'a fox', image_urls, wait_for_parent: true }));
      }
      case 'act': {
        const body: JsonObject = {
          parent_task_id: at(each.parent)?.id ?? '',
          action: each.action,
          wait_for_parent: true,
          ...(each.action === 'variation' ? { index: 1 } : {}),
        };
        return void (await createAction(services, key, { ...order, body }));
      }
      case 'release':
        return await release();
      case 'batch':
        return await placeBatchOf(services, key, each, at(each.parent)?.id);
      case 'carry_on':
        return await carryOn(services, key);
      case 'cancel_batches':
        for (const { id } of await batchesOf(services, key)) await cancelBatch(kernelOf(services), key, id);
        return;
    }
    const task = at(each.task);
    if (task === undefined) return;
    if (each.kind === 'end') await end(services, task, each.status, each.side);
    if (each.kind === 'cancel') await cancelTask(services, key, 'image', task.id);
    if (each.kind === 'delete') await deleteTask(services, key, 'image', task.id);
  } catch (error) {
    // A refusal writes nothing: of what has ended, of an action that does not fit, of too deep a chain.
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
  }
}

/** Claims what can be claimed, and ends the task if it is among that. A blocked task is never claimed. */
async function end(services: TaskServices, task: TaskRow, status: Ending['status'], side: number): Promise<void> {
  const claimed = await claimTasks(services.database, { worker: 'test', queues: QUEUES, limit: 1000 });
  for (const row of claimed) assert.equal(row.gates, 0);
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', task.id));
  if (row?.worker !== 'test' || isFinal(row.status)) return;
  const output: StoredOutput = {
    key: `tasks/${row.id}/0-out.png`,
    contentType: 'image/png',
    bytes: 1,
    width: side,
    height: side,
    durationSeconds: null,
    hasAudio: null,
    sha256: '',
    fps: null,
    thumbnailKey: null,
    tiles: row.model_id === 'sketch-grid' && row.action === null ? 4 : null,
    seed: null,
    revisedPrompt: null,
  };
  const model = services.catalog().find(row.model_id);
  const verdict = compareResult(readTask(row), { model, pricing: model?.pricing ?? null }, [output], {
    further: 0,
    named: {},
  });
  assert.ok(verdict.isAsOrdered);
  const { charge } = verdict;
  await commitEnding(
    services,
    'settle',
    row,
    status === 'succeeded'
      ? { status, outputs: [output], keep: null, charge }
      : status === 'failed'
        ? { status, failure: { code: 'upstream_error', message: 'test' } }
        : { status },
  );
}

/** The routes of one model lead to another engine than the built-in one. */
function withMeasuredRoute(services: TaskServices): TaskServices {
  const { routing } = services;
  const elsewhere = (route: Route): Route => ({ ...route, engine: 'elsewhere' });
  return {
    ...services,
    routing: {
      ...routing,
      routeFor: (model, ...others) => {
        const { route, ...found } = routing.routeFor(model, ...others);
        return { route: route === null || model.model_id !== MEASURED ? route : elsewhere(route), ...found };
      },
    },
  };
}

async function placeBatchOf(
  services: TaskServices,
  key: OrderingKey,
  { orders }: Extract<Move, { kind: 'batch' }>,
  outside: string | undefined,
): Promise<void> {
  const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
  for (const [place, used] of orders.entries()) {
    const names = [...new Set(used.map((index) => index % (place + 1)))];
    const sources = names.map((index) => (index < place ? `order:o${index}` : `task:${outside}`));
    const image_urls = sources.filter((source) => source !== 'task:undefined');
    const model_id = place % 2 === 0 ? 'sketch' : MEASURED;
    const body = {
      model_id,
      prompt: 'a fox',
      wait_for_parent: true,
      ...(image_urls.length === 0 ? {} : { image_urls }),
    };
    await drafting.add(`orders[${place}]`, { name: `o${place}`, operation: 'images', body });
  }
  const fields = { maxPrice: null, maxParallel: 2, webhookUrl: null, deliverTo: null, metadata: {} };
  await placeBatch(kernelOf(services), key, { draft: await drafting.finish(), fields, claim: null });
}

async function batchesOf({ database: { read } }: TaskServices, key: OrderingKey): Promise<BatchRow[]> {
  return await read.all(read.builder.selectFrom('batches').selectAll().where('api_key_id', '=', key.id));
}

/** Does what a feeder does. */
async function carryOn(services: TaskServices, key: OrderingKey): Promise<void> {
  for (const batch of await batchesOf(services, key)) {
    if (batch.status !== 'processing') continue;
    await placePortion(kernelOf(services), batch.id);
    if (batch.cancel_requested_at !== null) while (await cancelPortion(kernelOf(services), batch.id));
    else await enqueueNext(kernelOf(services), batch);
    const now = (await batchesOf(services, key)).find(({ id }) => id === batch.id);
    if (now !== undefined && (await isOver(services.database.read, now))) await endBatch(kernelOf(services), now);
  }
}

async function tasksOf({ database: { read } }: TaskServices, key: OrderingKey): Promise<TaskRow[]> {
  return await read.all(
    read.builder.selectFrom('tasks').selectAll().where('api_key_id', '=', key.id).orderBy('created_at').orderBy('id'),
  );
}

async function assertPromises(services: TaskServices, key: OrderingKey, seen: Map<string, number>): Promise<void> {
  const { read } = services.database;
  const rows = await tasksOf(services, key);
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll().where('api_key_id', '=', key.id));
  const ended = new Map(rows.map((row) => [row.id, row]));
  let charged = 0;
  for (const row of rows) {
    assert.ok(isFinal(row.status), `${row.id} is ${row.step}`);
    const amounts = (kind: string) =>
      entries.filter((entry) => entry.task_id === row.id && entry.kind === kind).map(({ amount }) => amount);
    const holds = row.line === 0 ? [-row.price] : [];
    assert.deepEqual([amounts('hold'), amounts('release')], [holds, [row.price]], row.id);
    assert.ok((row.charged ?? 0) <= row.price);
    charged += row.charged ?? 0;
    const end = `${row.input_json.includes('task:') || row.action !== null ? 'follow-up ' : ''}${failureOf(row)?.code ?? row.status}`;
    const isCheaper = row.status === 'succeeded' && (row.charged ?? 0) < row.price;
    for (const what of [end, row.line === 0 ? 'single' : 'in a batch', isCheaper ? 'charged less' : 'in full'])
      seen.set(what, (seen.get(what) ?? 0) + 1);
    // Outputs of tasks that had succeeded before are used without waiting, and may be deleted meanwhile.
    const used = [...row.input_json.matchAll(/task:(\w+)/g)].map(([, id]) => id ?? '');
    const parents = [row.parent_task_id, ...used].flatMap((id) => (id === null ? [] : [ended.get(id)]));
    if (failureOf(row)?.code === 'parent_failed' && parents.length > 0)
      assert.ok(parents.some((parent) => parent?.status !== 'succeeded' || parent.erased_at !== null));
  }
  for (const batch of await batchesOf(services, key)) {
    assert.notEqual(batch.status, 'processing');
    const orders = read.builder.selectFrom('batch_orders').select('task_id').where('batch_id', '=', batch.id);
    assert.equal((await read.all(orders)).length, batch.orders);
    assert.equal((await findBatch(kernelOf(services), key, batch.id)).cost.held, '0.00');
  }
  assert.equal(await balanceOf(read, key.account.id, key.mode), 0 - charged, 'nothing is left on hold');
  assert.deepEqual(await read.all(read.builder.selectFrom('task_waits').selectAll()), [], 'nothing waits any more');
  assert.deepEqual(
    await read.all(read.builder.selectFrom('work').select('subject').where('kind', '=', 'children')),
    [],
  );
}
