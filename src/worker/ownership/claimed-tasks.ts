import type { Database, Session } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';
import { letGo } from '../../tasks/move-task.ts';
import { readTask, type TaskRecord } from '../../tasks/task-record.ts';
import type { RestingTask } from '../resting-tasks.ts';

/** Rows per query. A query is padded to this number, so that one statement is prepared. */
const READ_AT_ONCE = 32;
const RELEASED_AT_ONCE = 200;

const selectWishes = prepare<{ worker: string }, { id: string }>('cancel_wishes', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('worker', '=', argument('worker'))
    // Must equal the partial index's predicate.
    .where('worker', 'is not', null)
    .where('cancel_requested_at', 'is not', null),
);

/** Returns the tasks of a process with a requested cancel. */
export async function readWishesToCancel(read: Session, worker: string): Promise<string[]> {
  return (await read.all(selectWishes, { worker })).map(({ id }) => id);
}

/** Returns the current fence of each task by id. If it differs from that of the claim, the claim is lost. */
export async function readFences(read: Session, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await read.all(read.builder.selectFrom('tasks').select(['id', 'fence']).where('id', 'in', ids));
  return new Map(rows.map(({ id, fence }) => [id, fence]));
}

/** The columns of a task at its engine that others change while a process keeps its lease. */
const CHANGING = [
  'id',
  'step',
  'worker',
  'fence',
  'next_at',
  'attempts',
  'revision',
  'progress',
  'progressed_at',
  'estimated_end_at',
  'cancel_requested_at',
  'expires_at',
  'deleted_at',
  'webhook_url',
  'deliver_json',
  'followed',
] as const satisfies readonly (keyof TaskRecord)[];

const selectChanging = prepare<Record<string, string>, Pick<TaskRecord, (typeof CHANGING)[number]>>(
  'resting_tasks',
  (builder, argument) =>
    builder
      .selectFrom('tasks')
      .select(CHANGING)
      .where(
        'id',
        'in',
        Array.from({ length: READ_AT_ONCE }, (_, place) => argument(`id${place}`)),
      ),
);

/** Returns resting tasks as they are now, without those whose claim is lost. */
export async function readResting(read: Session, resting: readonly RestingTask[]): Promise<TaskRecord[]> {
  const known = new Map(resting.map((task) => [task.id, task]));
  const kept = resting.flatMap(({ task }) => task ?? []);
  const parts = Array.from({ length: Math.ceil(kept.length / READ_AT_ONCE) }, (_, part) =>
    kept.slice(part * READ_AT_ONCE, (part + 1) * READ_AT_ONCE),
  );
  const changed = await Promise.all(
    parts.map((part) => {
      const ids = Array.from({ length: READ_AT_ONCE }, (_, place) => (part[place] ?? part[0])!.id);
      return read.all(selectChanging, Object.fromEntries(ids.map((id, place) => [`id${place}`, id])));
    }),
  );
  const large = resting.flatMap(({ id, task }) => (task === null ? [id] : []));
  const whole =
    large.length === 0 ? [] : await read.all(read.builder.selectFrom('tasks').selectAll().where('id', 'in', large));
  const isOurs = (row: Pick<TaskRecord, 'id' | 'step' | 'worker' | 'fence'>) =>
    row.step !== 'final' && row.worker !== null && row.fence === known.get(row.id)?.fence;
  return [
    ...whole.filter(isOurs).map(readTask),
    ...changed.flat().flatMap((row) => {
      const task = known.get(row.id)?.task;
      return task && isOurs(row) ? [{ ...task, ...row }] : [];
    }),
  ];
}

/** Releases resting tasks until their checks. */
export async function letGoResting(
  database: Database,
  tasks: readonly RestingTask[],
  inMs: (task: RestingTask) => number,
): Promise<void> {
  for (let from = 0; from < tasks.length; from += RELEASED_AT_ONCE) {
    const part = tasks.slice(from, from + RELEASED_AT_ONCE);
    await database.write('let_go', async (trx) => {
      for (const task of part) letGo(trx, task, { afterMs: inMs(task), attempts: 0 });
    });
  }
}
