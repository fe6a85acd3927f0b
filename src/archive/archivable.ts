import { timeIdPrefix } from '../base/ids.ts';
import type { Session } from '../database/database.ts';
import type { TaskRow } from '../tasks/task.ts';
import type { Month } from './archive-record.ts';

const PREFIXES = ['img', 'vid'] as const;
type Prefix = (typeof PREFIXES)[number];

/**
 * Selects the tasks of a month that can be archived: final, erased, and nothing waits for them. An erased task has no
 * prompt, no files and no name of an end user any more.
 * @param before no task that ended at this time or later
 */
function selectArchivable(session: Session, prefix: Prefix, month: Month, before: number) {
  return session.builder
    .selectFrom('tasks')
    .where('id', '>=', timeIdPrefix(prefix, month.from))
    .where('id', '<', timeIdPrefix(prefix, month.to))
    .where('step', '=', 'final')
    .where('erased_at', 'is not', null)
    .where('next_at', 'is', null)
    .where('children_at', 'is', null)
    .where('created_at', '<', before)
    .where('completed_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('reconciliation').select('id').whereRef('task_id', '=', 'tasks.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('task_waits').select('child_id').whereRef('parent_id', '=', 'tasks.id'))),
    );
}

export async function countArchivable(session: Session, month: Month, before: number): Promise<number> {
  let count = 0;
  for (const prefix of PREFIXES) {
    const row = await session.first(
      selectArchivable(session, prefix, month, before).select((expression) =>
        expression.fn.countAll<number>().as('count'),
      ),
    );
    count += Number(row?.count ?? 0);
  }
  return count;
}

/** Yields the archivable tasks of a month, some at a time, in the order of their ids. */
export async function* archivableTasks(
  session: Session,
  month: Month,
  before: number,
  atOnce: number,
): AsyncGenerator<TaskRow[]> {
  for (const prefix of PREFIXES) {
    for (let after = ''; ; ) {
      const tasks = await session.all(
        selectArchivable(session, prefix, month, before)
          .selectAll()
          .where('id', '>', after)
          .orderBy('id')
          .limit(atOnce),
      );
      if (tasks.length > 0) yield tasks;
      const last = tasks.at(-1);
      if (last === undefined || tasks.length < atOnce) break;
      after = last.id;
    }
  }
}

/** Returns the months that have tasks and end by `before`. */
export async function monthsBefore(session: Session, before: number): Promise<Month[]> {
  const first = await Promise.all(
    PREFIXES.map((prefix) =>
      session.first(
        session.builder
          .selectFrom('tasks')
          .select('created_at')
          .where('id', '>=', `${prefix}_`)
          .where('id', '<', `${prefix}~`)
          .orderBy('id')
          .limit(1),
      ),
    ),
  );
  const times = first.flatMap((row) => (row === undefined ? [] : [row.created_at]));
  const months: Month[] = [];
  if (times.length === 0) return months;
  const start = new Date(Math.min(...times) - 1_000);
  for (let month = start.getUTCMonth(); ; month++) {
    const [from, to] = [Date.UTC(start.getUTCFullYear(), month), Date.UTC(start.getUTCFullYear(), month + 1)];
    if (to > before) return months;
    months.push({ name: new Date(from).toISOString().slice(0, 7), from, to });
  }
}
