import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskView } from '@darkroom-service/contract';
import { claimTasks } from '../../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { holdWrites } from '../../../test/helpers/hold-writes.ts';
import { createReleaseDue } from '../../../test/helpers/release-due.ts';
import { commitEnding, succeededWith } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import type { Database } from '../../database/database.ts';
import { deleteTask } from '../../erasure/delete-task.ts';
import type { OrderingKey } from '../../kernel.ts';
import { cancelTask } from '../../orders/cancel-task.ts';
import { createTask } from '../../orders/create-task.ts';
import type { TaskRow } from '../../record/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { findTask } from '../../views/find-tasks.ts';
import { listTasks, type TaskListQuery } from '../../views/list-tasks.ts';
import { Housekeeping } from '../../worker/housekeeping.ts';
import { PARENT_GATE } from './waits.ts';

const ROUNDS = 40;
const CHILDREN = 3;
/** A worker that finds somebody placing a child looks again after this time. */
const LOOK_AGAIN_MS = 200;

const NEWEST: TaskListQuery = {
  limit: 1,
  offset: 0,
  status: [],
  modelId: null,
  endUser: null,
  parentTaskId: null,
  batchId: null,
  source: null,
  after: null,
  createdAfter: null,
  createdBefore: null,
};

forEachDatabase((kind) => {
  test('no child is overlooked that is placed while its parent is settled and released by other processes', async (t) => {
    const { services: here, openAnother, clock } = await openTestServices(t, kind);
    const there = kind === 'sqlite' ? here : await openAnother();
    const key = await insertKey(here);
    const releasers = [here, there].map(createReleaseDue);
    for (let round = 0; round < ROUNDS; round++) {
      const parent = await startParent(here, key);
      await Promise.all([
        ...Array.from({ length: CHILDREN }, (_, index) => placeChild(index % 2 === 0 ? here : there, key, parent.id)),
        succeed(there, parent),
        ...releasers.map((releaseDue) => releaseDue()),
      ]);
      clock.advance(LOOK_AGAIN_MS);
      while (await releasers[round % 2]!());
      const { read } = here.database;
      const blocked = read.builder.selectFrom('tasks').select('id').where('gates', '<>', 0);
      assert.deepEqual(await read.all(blocked), [], `round ${round}`);
      assert.deepEqual(await read.all(read.builder.selectFrom('task_waits').selectAll()), []);
    }
  });
});

test('a child is found whose placing commits only after its parent was settled and looked at', async (t) => {
  const { services: here, openAnother, clock } = await openTestServices(t, 'postgres');
  const there = await openAnother();
  const key = await insertKey(here);
  const parent = await startParent(here, key);
  await placeChild(here, key, parent.id);
  using held = holdWrites(here.database);
  const placing = held.database.write('late_child', (trx) =>
    PARENT_GATE.enter(trx, 'img_late', { parents: [parent.id], used: [] }, () => {}),
  );
  await held.entered;
  await succeed(there, parent);
  const releaseDue = createReleaseDue(there);
  await releaseDue();
  held.commit();
  await placing;
  clock.advance(LOOK_AGAIN_MS);
  while (await releaseDue());
  const { read } = there.database;
  assert.deepEqual(await read.all(read.builder.selectFrom('task_waits').selectAll()), []);
});

test('whatever the sequence in which an order names its parents, it locks them in the same one, so that no two orders wait for each other', async (t) => {
  const { services, openAnother } = await openTestServices(t, 'postgres');
  const [{ database: stalling }, { database: looking }] = [await openAnother(), await openAnother()];
  const key = await insertKey(services);
  const [first, last] = [(await startParent(services, key)).id, (await startParent(services, key)).id].toSorted();
  const lockRow = (database: Database, id: string) =>
    database.write('lock_row', (trx) =>
      trx.all(trx.builder.selectFrom('tasks').select('id').where('id', '=', id).forUpdate().skipLocked()),
    );
  using held = holdWrites(stalling);
  const stalled = lockRow(held.database, first!);
  await held.entered;
  const placed = placeChild(services, key, last!, first!);
  await held.untilAwaited();
  assert.deepEqual(await lockRow(looking, last!), [{ id: last }], 'it waits for the first before it locks the last');
  held.commit();
  await stalled;
  await placed;
});

test('retention keeps the outputs of a task that others wait for, and lets go of them afterwards', async (t) => {
  const { services, clock } = await openTestServices(t);
  const key = await insertKey(services);
  const [ended, open] = [await startParent(services, key), await startParent(services, key)];
  await succeed(services, ended);
  await placeChild(services, key, ended.id, open.id);
  const housekeeping = new Housekeeping(services);
  t.after(() => housekeeping.stop());
  clock.advance(services.settings.retentionMs + 1);
  await housekeeping.runOnce();
  assert.equal((await rowOf(services, ended.id)).erased_at, null);
  await succeed(services, open);
  const releaseDue = createReleaseDue(services);
  while (await releaseDue());
  await housekeeping.runOnce();
  assert.notEqual((await rowOf(services, ended.id)).erased_at, null);
});

test('an order that is canceled while it waits keeps nothing of those that it waited for', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services);
  const [ended, open] = [await startParent(services, key), await startParent(services, key)];
  await succeed(services, ended);
  const child = await placeChild(services, key, ended.id, open.id);
  await cancelTask(services, key, 'image', child);
  const { read } = services.database;
  assert.deepEqual(await read.all(read.builder.selectFrom('task_waits').selectAll()), []);
});

test('a parent that is deleted while its child waits for another one ends the child', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services);
  const [first, second] = [await startParent(services, key), await startParent(services, key)];
  const child = await placeChild(services, key, first.id, second.id);
  const releaseDue = createReleaseDue(services);
  await succeed(services, first);
  while (await releaseDue());
  assert.deepEqual([...(await PARENT_GATE.waitingFor(services.database.read, [child]))], [[child, [second.id]]]);
  await deleteTask(services, key, 'image', first.id);
  while (await releaseDue());
  const { status, error_json } = await rowOf(services, child);
  assert.equal(status, 'failed');
  assert.match(error_json ?? '', /"parent_failed".*was deleted/);
});

test('an order that waits shows for whom in the order of its request, and by their ids once one of them has succeeded', async (t) => {
  const { services } = await openTestServices(t);
  const key = await insertKey(services);
  const parents: TaskRow[] = [];
  for (let count = 0; count < 4; count++) parents.push(await startParent(services, key));
  parents.sort((one, other) => (one.id < other.id ? -1 : 1));
  const [used, first, second, third] = parents.map(({ id }) => id) as [string, string, string, string];
  await succeed(services, parents[0]!);
  const image_urls = [third, used, second, first].map((id) => `task:${id}`);
  const body = { model_id: 'sketch', prompt: 'a fox', image_urls, wait_for_parent: true };
  const call = { type: 'image', path: '/v1/images', body, idempotencyKey: 'once', simulate: null } as const;
  const placed = await createTask(services, key, call);
  const shown = [placed.task, (await createTask(services, key, call)).task, ...(await seen(placed.taskId))];
  for (const task of shown) assert.deepEqual('waiting_for' in task && task.waiting_for, [third, second, first]);
  await succeed(services, parents[3]!);
  const releaseDue = createReleaseDue(services);
  while (await releaseDue());
  for (const task of await seen(placed.taskId)) assert.deepEqual(task.waiting_for, [first, second]);
  for (const parent of parents.slice(1, 3)) await succeed(services, parent);
  while (await releaseDue());
  for (const task of await seen(placed.taskId)) assert.ok(!('waiting_for' in task));

  async function seen(id: string): Promise<TaskView[]> {
    const { items } = await listTasks(services, key, 'image', NEWEST);
    return [await findTask(services, key, 'image', id), ...items];
  }
});

async function startParent(services: TaskServices, key: OrderingKey): Promise<TaskRow> {
  const id = await place(services, key, {});
  const rows = await claimTasks(services.database, {
    worker: 'test',
    queues: [{ name: 'sketch:live', capacity: 10_000 }],
    limit: 10_000,
  });
  const row = rows.find((one) => one.id === id);
  assert.ok(row);
  return row;
}

async function placeChild(services: TaskServices, key: OrderingKey, ...parents: string[]): Promise<string> {
  const image_urls = parents.map((id) => `task:${id}#1`);
  return await place(services, key, { image_urls, wait_for_parent: true });
}

async function place(services: TaskServices, key: OrderingKey, fields: object): Promise<string> {
  const { task } = await createTask(services, key, {
    type: 'image',
    path: '/v1/images',
    body: { model_id: 'sketch', prompt: 'a fox', ...fields },
    idempotencyKey: null,
    simulate: null,
  });
  return task.task_id;
}

async function succeed(services: TaskServices, task: TaskRow): Promise<void> {
  assert.ok(await commitEnding(services, 'settle', task, succeededWith(0, task)));
}

async function rowOf({ database: { read } }: TaskServices, id: string): Promise<TaskRow> {
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id));
  assert.ok(row);
  return row;
}
