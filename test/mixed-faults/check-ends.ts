import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { wordsOf } from '@darkroom-service/engines/fakes/parts';
import type { TaskRow } from '../../src/record/task.ts';
import { outputsOf } from '../../src/record/task-json.ts';
import type { End, PlannedOrder } from './fault-mix.ts';
import type { Upstreams } from './upstreams.ts';

const CENT = 10_000;

/** An order and the task that was promised for it. */
export interface Placed {
  readonly order: PlannedOrder;
  readonly taskId: string;
}

export function endOf(task: TaskRow): End {
  return task.error_json === null ? (task.status as End) : (JSON.parse(task.error_json) as { code: End }).code;
}

/**
 * Every order has the one task that it was promised, which ended as its fault allows; what its upstream took it took
 * once; and a success is nothing but what it took.
 * @param inDoubt tasks that were being handed over when the process was killed: only those may be of unknown outcome
 * besides
 */
export function checkEnds(
  placed: readonly Placed[],
  tasks: readonly TaskRow[],
  { fakes }: Upstreams,
  inDoubt: ReadonlySet<string>,
): void {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  assert.equal(new Set(placed.map(({ taskId }) => taskId)).size, placed.length, 'each order has a task of its own');
  assert.equal(tasks.length, placed.length, 'there is no task that nobody was promised');
  const delivered = new Set<string>();
  for (const { order, taskId } of placed) {
    const task = byId.get(taskId);
    const where = `${taskId}, ${order.upstream}: ${order.fault?.name ?? 'nothing'}`;
    assert.ok(task !== undefined, `${where} is not there`);
    assert.equal(task.step, 'final', where);
    const end = endOf(task);
    const ends: readonly End[] = order.fault?.ends ?? ['succeeded'];
    const allowed = inDoubt.has(taskId) ? [...ends, 'outcome_unknown'] : ends;
    assert.ok(allowed.includes(end), `${where} ended as ${end}, expected ${allowed}: ${task.error_json}`);
    const { accepted } = fakes[order.upstream].counts(order.job);
    assert.ok(accepted <= 1, `${where} was taken ${accepted} times`);
    if (end === 'succeeded') assert.equal(accepted, 1, `${where} succeeded by nobody's work`);
    if (order.fault?.refused === true) assert.equal(accepted, 0, where);
    const { id } = wordsOf(order.prompt);
    if (end !== 'succeeded' || id === undefined) continue;
    assert.ok(!delivered.has(id), `the result of ${id} was brought home twice`);
    delivered.add(id);
  }
}

/** Each success costs its cent, and nothing else costs anything. */
export function checkPrices(tasks: readonly TaskRow[], balance: number): void {
  for (const task of tasks) assert.equal(task.charged, task.status === 'succeeded' ? CENT : 0, task.id);
  const succeeded = tasks.filter((task) => task.status === 'succeeded').length;
  assert.equal(balance, -CENT * succeeded);
}

/** Every file that a task names is there, and each success names one. @param directory where storage keeps its files */
export async function checkOutputs(tasks: readonly TaskRow[], directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found = new Set(entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  for (const task of tasks) {
    const outputs = outputsOf(task);
    assert.equal(outputs.length, task.status === 'succeeded' ? 1 : 0, task.id);
    for (const { key, thumbnailKey } of outputs)
      for (const name of [key, thumbnailKey ?? key]) assert.ok(found.has(join(directory, name)), `${name} is missing`);
  }
}
