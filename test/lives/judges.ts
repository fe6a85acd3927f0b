import assert from 'node:assert/strict';
import type { Database } from '../../src/database/database.ts';
import { isFinal, type TaskRow } from '../../src/tasks/task.ts';
import type { Upstream } from './upstream.ts';

/** The ids of tasks that clients got in answer, by the name of the order. */
export type Answers = ReadonlyMap<string, string>;

export async function readTasks({ read }: Database): Promise<TaskRow[]> {
  return await read.all(read.builder.selectFrom('tasks').selectAll().orderBy('id'));
}

/**
 * Judges what holds at every moment: no order is begun twice by its upstream, and an order has one hold, which ends
 * with it, and costs at most what was quoted. All together never pass the credit.
 */
export async function judgeMoment(database: Database, upstream: Upstream, creditLimit: number | null): Promise<void> {
  const { read } = database;
  const tasks = await readTasks(database);
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll());
  const byTask = Map.groupBy(entries, (entry) => entry.task_id);
  for (const task of tasks) {
    const amounts = (kind: string) =>
      (byTask.get(task.id) ?? []).filter((entry) => entry.kind === kind).map(({ amount }) => amount);
    const charged = task.status === 'succeeded' ? (task.charged ?? 0) : 0;
    assert.deepEqual(amounts('hold'), [-task.price], `hold of ${task.id}`);
    assert.deepEqual(amounts('release'), isFinal(task.status) ? [task.price] : [], `release of ${task.id}`);
    assert.deepEqual(amounts('charge'), charged > 0 ? [-charged] : [], `charge of ${task.id}`);
    assert.ok(charged <= task.price, `${task.id} costs more than was quoted`);
    const isMade = upstream.book.has(task.id);
    if (task.status === 'succeeded') assert.ok(isMade, `${task.id} was made by nobody`);
    if (task.status === 'failed' && isMade)
      assert.match(task.error_json ?? '', /"(?:content_policy|outcome_unknown)"/, `${task.id} is made all the same`);
  }
  const balance = entries.reduce((sum, { amount }) => sum + amount, 0);
  assert.ok(creditLimit === null || balance >= -creditLimit, `the balance is ${balance}`);
  const known = new Set(tasks.map(({ id }) => id));
  assert.deepEqual(
    [...byTask.keys()].filter((id) => id === null || !known.has(id)),
    [],
    'an entry without its order',
  );
  for (const [id, begun] of upstream.book) {
    assert.equal(begun, 1, `${id} was begun twice`);
    assert.ok(known.has(id), `${id} was begun and never placed`);
  }
}

/** Judges what holds once nothing runs any more: every order that a client knows is there and has ended. */
export async function judgeEnd(database: Database, answers: Answers): Promise<void> {
  const tasks = await readTasks(database);
  assert.deepEqual(
    tasks.filter(({ status }) => !isFinal(status)).map(({ id }) => id),
    [],
    'orders that did not end',
  );
  assert.deepEqual(tasks.map(({ id }) => id).sort(), [...new Set(answers.values())].sort(), 'one order for each key');
}
