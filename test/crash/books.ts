import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openFileStorage } from '@darkroom-service/files';
import type { Database, Session } from '../../src/database/database.ts';
import { isFinal, type TaskRow, thumbnailKeyOf } from '../../src/record/task.ts';
import { mediaOf, outputsOf } from '../../src/record/task-json.ts';
import { sweptKeys } from '../helpers/swept-keys.ts';
import { openTestServices } from '../helpers/task-services.ts';
import type { Premises } from './child-service.ts';
import { readSubmissions } from './paid-engine.ts';

const DAY_MS = 24 * 3_600_000;

export async function readTasks(database: Database): Promise<TaskRow[]> {
  const { read } = database;
  return await read.all(read.builder.selectFrom('tasks').selectAll().orderBy('id'));
}

/**
 * The promises that hold at every moment, also right after a kill: a task has one hold, is settled once it is final and
 * not before, and no order reached a paid upstream twice.
 */
export async function assertBooks({ database, books }: Premises): Promise<void> {
  const { read } = database;
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll());
  const tasks = await readTasks(database);
  for (const task of tasks) {
    const own = entries.filter((entry) => entry.task_id === task.id);
    const amounts = (kind: string) => own.filter((entry) => entry.kind === kind).map((entry) => entry.amount);
    const refunded = task.refunded ?? 0;
    const charged = task.status === 'succeeded' ? (task.charged ?? 0) + refunded : 0;
    const where = `${task.id} (${task.model_id}, ${task.status})`;
    // A batch has one hold for all its orders.
    assert.deepEqual(amounts('hold'), task.line === 0 ? [-task.price] : [], where);
    assert.deepEqual(amounts('release'), isFinal(task.status) ? [task.price] : [], where);
    assert.deepEqual(amounts('charge'), charged > 0 ? [-charged] : [], where);
    assert.deepEqual(amounts('refund'), refunded > 0 ? [refunded] : [], where);
  }
  await assertCosts(read, tasks);
  const batches = await read.all(read.builder.selectFrom('batches').selectAll());
  const inBatch = await read.all(read.builder.selectFrom('batch_orders').selectAll());
  for (const batch of batches) {
    const own = entries.filter((entry) => entry.task_id === batch.id);
    assert.deepEqual(
      own.map(({ kind, amount }) => [kind, amount]),
      [['hold', -batch.quoted]],
      batch.id,
    );
    const placed = inBatch.filter((order) => order.batch_id === batch.id);
    assert.equal(placed.length, batch.placed, batch.id);
    assert.equal(
      placed.reduce((sum, { price }) => sum + price, 0),
      batch.placed_amount,
      batch.id,
    );
    if (batch.placed === batch.orders) assert.equal(batch.placed_amount, batch.quoted, batch.id);
  }
  const known = new Set(tasks.map((task) => task.id));
  const ordered = new Set([...known, ...batches.map(({ id }) => id)]);
  assert.deepEqual(
    entries.filter((entry) => entry.task_id !== null && !ordered.has(entry.task_id)),
    [],
    'no entry is without its task',
  );
  const submitted = readSubmissions(books).map((submission) => submission.taskId);
  assert.equal(new Set(submitted).size, submitted.length, 'nothing is submitted twice');
  assert.deepEqual(
    submitted.filter((taskId) => !known.has(taskId)),
    [],
    'nothing is submitted that was not ordered',
  );
}

/**
 * An order has at most one cost, written with its end: what its upstream told where it delivered, what is expected
 * where nobody knows.
 */
async function assertCosts(read: Session, tasks: readonly TaskRow[]): Promise<void> {
  const costs = await read.all(read.builder.selectFrom('task_costs').selectAll());
  for (const task of tasks) {
    const own = costs.filter((cost) => cost.task_id === task.id);
    const where = `${task.id} (${task.model_id}, ${task.status})`;
    if (!isFinal(task.status)) assert.deepEqual(own, [], where);
    if (task.mode !== 'live' || !task.model_id.startsWith('paid-')) continue;
    const isUnknown = task.error_json?.includes('"outcome_unknown"') === true;
    const told = { outcome: 'succeeded', charged: task.charged, expected: 30_000, told: 30_000 };
    const unknown = { outcome: 'unknown', charged: 0, expected: 30_000, told: null };
    assert.deepEqual(
      own.map(({ outcome, charged, expected, told }) => ({ outcome, charged, expected, told })),
      task.status === 'succeeded' ? [told] : isUnknown ? [unknown] : [],
      where,
    );
  }
}

/** Asserts that exactly the tasks of unknown outcome are listed for the operator as such. */
export async function assertReconciliation({ database }: Premises): Promise<void> {
  const { read } = database;
  const listed = await read.all(
    read.builder
      .selectFrom('reconciliation')
      .select('task_id')
      .where('kind', '=', 'outcome_unknown')
      .orderBy('task_id'),
  );
  const unknown = (await readTasks(database)).filter((task) => task.error_json?.includes('"outcome_unknown"'));
  assert.deepEqual(
    listed.map((entry) => entry.task_id),
    unknown.map((task) => task.id),
  );
}

/**
 * A day later, swept: what lies in storage is what rows name, each of it there, and no scratch file is left anywhere.
 * No service runs.
 */
export async function assertFiles(t: TestContext, { database, directory }: Premises): Promise<void> {
  const data = join(directory, 'data');
  const later = () => Date.now() + 30 * DAY_MS;
  const storage = await openFileStorage(join(data, 'files'), { now: later });
  const { services } = await openTestServices(t);
  const found = await sweptKeys(services, { database, storage, now: later });
  const { read } = database;
  const uploads = await read.all(read.builder.selectFrom('files').select('storage_key').where('erased_at', 'is', null));
  const named = new Set(uploads.map((upload) => upload.storage_key));
  const drawn = new Set<string | null>();
  for (const task of await readTasks(database)) {
    for (const output of outputsOf(task)) {
      named.add(output.key);
      if (output.thumbnailKey !== null) named.add(output.thumbnailKey);
      // That of a picture is made when it is first asked for.
      else drawn.add(thumbnailKeyOf(output));
      if (output.previewKey !== undefined) named.add(output.previewKey);
    }
    // Uploads have rows of their own, which tell whether they were deleted since.
    for (const { stored } of mediaOf(task)) if (stored?.key.startsWith('tasks/')) named.add(stored.key);
  }
  assert.deepEqual(found.filter((key) => !drawn.has(key)).sort(), [...named].sort());
  assert.deepEqual(await readdir(join(data, 'tmp')), []);
  assert.deepEqual(await readdir(join(data, 'files', '.tmp')), []);
  await storage.close();
}
