import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/database.ts';
import { isFinal, type TaskRow } from '../../src/record/task.ts';

const LOOKS = 20;
const LOOK_EVERY_MS = 250;

/**
 * Money while the service runs: one hold for each task, released once it is final and not before, charged at most its
 * price. A task may be settled between the two reads, so only what is wrong at every look is a fault. @returns what is
 * wrong.
 */
export async function moneyFaults(database: Database): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  for (let look = 0; look < LOOKS; look++) {
    faults = await faultsNow(database);
    if (faults.length === 0) return [];
    await sleep(LOOK_EVERY_MS);
  }
  return faults;
}

async function faultsNow({ read }: Database): Promise<readonly string[]> {
  const columns = ['id', 'status', 'price', 'charged', 'refunded'] as const;
  const tasks = await read.all(read.builder.selectFrom('tasks').select(columns));
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll());
  const byTask = Map.groupBy(entries, (entry) => entry.task_id);
  const faults: string[] = [];
  for (const task of tasks) {
    const own = byTask.get(task.id) ?? [];
    const amounts = (kind: string) => own.filter((entry) => entry.kind === kind).map((entry) => entry.amount);
    const found = JSON.stringify([amounts('hold'), amounts('release'), amounts('charge'), amounts('refund')]);
    const expected = JSON.stringify(expectedOf(task));
    if (found !== expected) faults.push(`${task.id} (${task.status}): ${found}, expected ${expected}`);
    if ((task.charged ?? 0) > task.price) faults.push(`${task.id} was charged more than it was quoted`);
  }
  const known = new Set(tasks.map(({ id }) => id));
  // The hold of a batch is its own, and a credit belongs to no task.
  const strays = entries.filter(
    ({ task_id, kind }) => task_id !== null && kind !== 'hold' && kind !== 'credit' && !known.has(task_id),
  );
  return [...faults, ...strays.map(({ task_id }) => `entries of ${task_id}, which is not there`)];
}

function expectedOf(task: Pick<TaskRow, 'status' | 'price' | 'charged' | 'refunded'>): readonly (readonly number[])[] {
  const isSettled = isFinal(task.status);
  const refunded = task.refunded ?? 0;
  const charged = task.status === 'succeeded' ? (task.charged ?? 0) + refunded : 0;
  return [[-task.price], isSettled ? [task.price] : [], charged > 0 ? [-charged] : [], refunded > 0 ? [refunded] : []];
}
