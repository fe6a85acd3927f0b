import type { Database, Session } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';
import type { TaskRow } from '../../record/task.ts';
import { releaseLease } from '../../tasks/move-task.ts';
import type { DelayedCheck } from '../delayed-checks.ts';

/** Rows per query. A query is padded to this number, so that one statement is prepared. */
const READ_AT_ONCE = 32;
const RELEASED_AT_ONCE = 200;

const selectCancelRequests = prepare<{ worker: string }, { id: string }>('cancel_wishes', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('worker', '=', argument('worker'))
    // Must equal the partial index's predicate.
    .where('worker', 'is not', null)
    .where('cancel_requested_at', 'is not', null),
);

/** Returns the tasks of a process with a requested cancel. */
export async function readCancelRequests(read: Session, worker: string): Promise<string[]> {
  return (await read.all(selectCancelRequests, { worker })).map(({ id }) => id);
}

/** Returns the current fence of each task by id. If it differs from that of the claim, the claim is lost. */
export async function readFences(read: Session, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await read.all(read.builder.selectFrom('tasks').select(['id', 'fence']).where('id', 'in', ids));
  return new Map(rows.map(({ id, fence }) => [id, fence]));
}

const selectRows = prepare<Record<string, string>, TaskRow>('delayed_tasks', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .selectAll()
    .where(
      'id',
      'in',
      Array.from({ length: READ_AT_ONCE }, (_, place) => argument(`id${place}`)),
    ),
);

/** Returns the rows of delayed tasks, without those whose claim is lost. */
export async function readDelayed(read: Session, delayed: readonly DelayedCheck[]): Promise<TaskRow[]> {
  const parts = Array.from({ length: Math.ceil(delayed.length / READ_AT_ONCE) }, (_, part) =>
    delayed.slice(part * READ_AT_ONCE, (part + 1) * READ_AT_ONCE),
  );
  const rows = await Promise.all(
    parts.map((part) => {
      const ids = Array.from({ length: READ_AT_ONCE }, (_, place) => (part[place] ?? part[0])!.id);
      return read.all(selectRows, Object.fromEntries(ids.map((id, place) => [`id${place}`, id])));
    }),
  );
  const fences = new Map(delayed.map(({ id, fence }) => [id, fence]));
  return rows.flat().filter((row) => row.step !== 'final' && row.worker !== null && row.fence === fences.get(row.id));
}

/** Releases delayed tasks until their checks. */
export async function releaseDelayed(
  database: Database,
  tasks: readonly DelayedCheck[],
  inMs: (task: DelayedCheck) => number,
): Promise<void> {
  for (let from = 0; from < tasks.length; from += RELEASED_AT_ONCE) {
    const part = tasks.slice(from, from + RELEASED_AT_ONCE);
    await database.write('let_go', async (trx) => {
      for (const task of part) releaseLease(trx, task, { afterMs: inMs(task), attempts: 0 });
    });
  }
}
