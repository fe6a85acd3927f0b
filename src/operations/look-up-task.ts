import type { OperatorTaskView } from '@darkroom-service/contract/admin';
import { isoTime } from '@darkroom-service/contract/clock';
import { ServiceError } from '@darkroom-service/contract/errors';
import { formatMicros } from '@darkroom-service/contract/money';
import type { Session } from '../database/database.ts';
import { assertNotExpired } from '../tasks/expired-task.ts';
import type { TaskRow, TaskStatus } from '../tasks/task.ts';
import { failureOf, operationOf, routeOf } from '../tasks/task-json.ts';

/** @throws ServiceError `task_not_found`, `task_expired` */
export async function lookUpTask(session: Session, taskId: string): Promise<OperatorTaskView> {
  const row = await session.first(session.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  if (row === undefined) await assertNotExpired(session, taskId, null);
  if (row === undefined) throw new ServiceError('task_not_found', `There is no task '${taskId.slice(0, 64)}'.`);
  return view(row);
}

/** Lists a key's tasks of one type, newest first. */
export async function lookUpTasksOfKey(
  session: Session,
  query: {
    readonly keyId: string;
    readonly type: 'image' | 'video';
    readonly status: TaskStatus | null;
    readonly limit: number;
    readonly after: string | null;
  },
): Promise<{ readonly items: OperatorTaskView[]; readonly hasMore: boolean }> {
  let select = session.builder
    .selectFrom('tasks')
    .selectAll()
    .where('api_key_id', '=', query.keyId)
    .where('type', '=', query.type)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.status !== null) select = select.where('status', '=', query.status);
  if (query.after !== null) select = select.where('id', '<', query.after);
  const rows = await session.all(select);
  return { items: rows.slice(0, query.limit).map(view), hasMore: rows.length > query.limit };
}

function view(row: TaskRow): OperatorTaskView {
  return {
    task_id: row.id,
    key_id: row.api_key_id,
    account_id: row.account_id,
    mode: row.mode,
    status: row.status,
    step: row.step,
    progress: row.progress,
    model_id: row.model_id,
    action: row.action,
    route: routeOf(row),
    queue: row.queue,
    worker: row.worker,
    attempts: row.attempts,
    operation: operationOf(row),
    error: failureOf(row),
    price: formatMicros(row.price),
    charged: row.charged === null ? null : formatMicros(row.charged),
    refunded: row.refunded === null ? null : formatMicros(row.refunded),
    created_at: isoTime(row.created_at),
    started_at: isoTime(row.started_at),
    completed_at: isoTime(row.completed_at),
    next_at: isoTime(row.next_at),
    deadline_at: isoTime(row.deadline_at),
    deleted_at: isoTime(row.deleted_at),
  };
}
