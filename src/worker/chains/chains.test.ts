import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/databases.ts';
import { insertKey, openTestServices } from '../../../test/task-services.ts';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { balanceOf } from '../../accounts/ledger.ts';
import type { JsonObject } from '../../base/canonical-json.ts';
import { ServiceError } from '../../base/errors.ts';
import { cancelTask } from '../../orders/cancel-task.ts';
import { createAction } from '../../orders/create-action.ts';
import { createTask } from '../../orders/create-task.ts';
import { deleteTask } from '../../orders/delete-task.ts';
import { type Ending, settleTask } from '../../tasks/settle-task.ts';
import { isFinal, type StoredOutput, type TaskRow } from '../../tasks/task.ts';
import { failureOf, waitingOf } from '../../tasks/task-json.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { claimTasks } from '../claim-tasks.ts';
import type { WorkerServices } from '../worker-services.ts';
import { createReleaser } from './releaser.ts';

const QUEUES = [{ name: 'sketch:live', capacity: 1000 }];
const ACTIONS = ['reroll', 'variation', 'make_square', 'upscale_subtle'] as const;

type Move =
  | { readonly kind: 'create'; readonly model: 'sketch' | 'sketch-grid' }
  | { readonly kind: 'follow'; readonly parents: readonly number[] }
  | { readonly kind: 'act'; readonly parent: number; readonly action: (typeof ACTIONS)[number] }
  | { readonly kind: 'end'; readonly task: number; readonly status: Ending['status']; readonly side: number }
  | { readonly kind: 'cancel' | 'delete'; readonly task: number }
  | { readonly kind: 'release' };

const nth = fc.nat({ max: 30 });
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      model: fc.constantFrom('sketch' as const, 'sketch-grid' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('follow' as const),
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
);

forEachDatabase((kind) => {
  test('any graph of orders with any endings settles every task once, charges no more than its quote and leaves nothing held', async (t) => {
    const { services } = await openTestServices(t, kind);
    const releaser = createReleaser({ services, engines: new Map() } as unknown as WorkerServices);
    const seen = new Map<string, number>();
    const release = async () => {
      while ((await releaser.releaseDue()) === 0);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 5, maxLength: 40 }),
        fc.constantFrom(0, 2),
        async (moves, concurrency) => {
          const key = await insertKey(services, { concurrency });
          for (const each of moves) await apply(services, key, each, release);
          for (let open = 1; open > 0; ) {
            await release();
            const rows = await tasksOf(services, key);
            for (const row of rows) await end(services, row, 'succeeded', 1024);
            open = (await tasksOf(services, key)).filter(({ status }) => !isFinal(status)).length;
          }
          await release();
          await assertPromises(services, key, seen);
        },
      ),
      { numRuns: kind === 'sqlite' ? 100 : 25 },
    );
    for (const end of ['follow-up succeeded', 'follow-up parent_failed'])
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
        return void (await create({ model_id: 'sketch', prompt: 'a fox', image_urls, wait_for_parent: true }));
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
  const claimed = await services.database.write('claim', (trx) =>
    claimTasks(trx, { worker: 'test', queues: QUEUES, limit: 1000 }),
  );
  for (const row of claimed) assert.notEqual(row.step, 'blocked');
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', task.id));
  if (row?.worker !== 'test' || isFinal(row.status)) return;
  const output: StoredOutput = {
    ...{ key: `tasks/${row.id}/0-out.png`, contentType: 'image/png', bytes: 1, width: side, height: side },
    ...{ durationSeconds: null, hasAudio: null, sha256: '', fps: null, thumbnailKey: null },
    ...{ tiles: row.model_id === 'sketch-grid' && row.action === null ? 4 : null, seed: null, revisedPrompt: null },
  };
  const charge = { amount: Math.floor(row.price / 2), lines: [] };
  await settleTask(
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
    assert.deepEqual([amounts('hold'), amounts('release')], [[-row.price], [row.price]], row.id);
    assert.ok((row.charged ?? 0) <= row.price);
    charged += row.charged ?? 0;
    const end = `${row.input_json.includes('task:') || row.action !== null ? 'follow-up ' : ''}${failureOf(row)?.code ?? row.status}`;
    seen.set(end, (seen.get(end) ?? 0) + 1);
    assert.equal(row.children_at, null, 'nobody waits for what has ended');
    // Outputs of tasks that had succeeded before are used without waiting, and may be deleted meanwhile.
    const used = [...row.input_json.matchAll(/task:(\w+)/g)].map(([, id]) => id ?? '');
    const parents = [...(waitingOf(row)?.for ?? []), ...used].map((id) => ended.get(id));
    if (failureOf(row)?.code === 'parent_failed' && parents.length > 0)
      assert.ok(parents.some((parent) => parent?.status !== 'succeeded' || parent.erased_at !== null));
  }
  assert.equal(await balanceOf(read, key.account.id, key.mode), 0 - charged, 'nothing is left on hold');
  assert.deepEqual(await read.all(read.builder.selectFrom('task_waits').selectAll()), [], 'nothing waits any more');
}
