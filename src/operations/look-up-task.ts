import type { OperatorTaskView } from '@darkroom-service/contract/admin';
import { isoTime } from '@darkroom-service/contract/clock';
import { ServiceError } from '@darkroom-service/contract/errors';
import { formatMicros } from '@darkroom-service/contract/money';
import type { StandingView } from '@darkroom-service/contract/standing';
import type { ModeFilter } from '@darkroom-service/contract/words';
import { sql } from 'kysely';
import type { Session } from '../database/database.ts';
import { assertNotExpired } from '../tasks/expired-task.ts';
import type { TaskStatus } from '../tasks/task.ts';
import { failureOf, operationOf, routeOf } from '../tasks/task-json.ts';
import { modesOf } from './mode-filter.ts';
import { searchOf } from './search-orders.ts';

/** Explains why orders stand where they stand; null for those that are final. */
export type Explain = (rows: readonly OperatorRow[]) => Promise<(row: OperatorRow) => StandingView | null>;

export type OperatorRow = Awaited<ReturnType<ReturnType<typeof selectTasks>['execute']>>[number];

interface Page {
  readonly items: OperatorTaskView[];
  readonly hasMore: boolean;
}

const unexplained: Explain = async () => () => null;
/** Must equal the partial index's predicate. */
const IS_OPEN = sql<boolean>`tasks.step <> 'final'`;

/** @throws ServiceError `task_not_found`, `task_expired` */
export async function lookUpTask(
  session: Session,
  taskId: string,
  explain: Explain = unexplained,
): Promise<OperatorTaskView> {
  const row = await session.first(selectTasks(session).where('tasks.id', '=', taskId));
  if (row === undefined) await assertNotExpired(session, taskId, null);
  if (row === undefined) throw new ServiceError('task_not_found', `There is no task '${taskId.slice(0, 64)}'.`);
  return view(row, (await explain([row]))(row));
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
  explain: Explain = unexplained,
): Promise<Page> {
  let select = selectTasks(session)
    .where('tasks.api_key_id', '=', query.keyId)
    .where('tasks.type', '=', query.type)
    .orderBy('tasks.id', 'desc')
    .limit(query.limit + 1);
  if (query.status !== null) select = select.where('tasks.status', '=', query.status);
  if (query.after !== null) select = select.where('tasks.id', '<', query.after);
  return await pageOf(await session.all(select), query.limit, explain);
}

/** Lists the orders of all keys that are not final, oldest first. */
export async function listOpenTasks(
  session: Session,
  query: {
    readonly mode: ModeFilter;
    /** Of a name, an id, a model, a price or an upstream's word; null = all. */
    readonly search: string | null;
    readonly limit: number;
    /** The last task of the page before. */
    readonly after: string | null;
  },
  explain: Explain,
): Promise<Page> {
  let select = selectTasks(session)
    .where(IS_OPEN)
    .where('tasks.mode', 'in', [...modesOf(query.mode)])
    .orderBy('tasks.created_at')
    .orderBy('tasks.id')
    .limit(query.limit + 1);
  if (query.search !== null) select = select.where(searchOf('tasks', query.search, ['task_checks.said']));
  if (query.after !== null) {
    const last = await session.first(
      session.builder.selectFrom('tasks').select(['created_at', 'id']).where('id', '=', query.after),
    );
    if (last === undefined) return { items: [], hasMore: false };
    select = select.where(sql<boolean>`(tasks.created_at, tasks.id) > (${last.created_at}, ${last.id})`);
  }
  return await pageOf(await session.all(select), query.limit, explain);
}

/** Without prompt and files. */
function selectTasks(session: Session) {
  return session.builder
    .selectFrom('tasks')
    .innerJoin('accounts', 'accounts.id', 'tasks.account_id')
    .innerJoin('api_keys', 'api_keys.id', 'tasks.api_key_id')
    .leftJoin('task_checks', 'task_checks.task_id', 'tasks.id')
    .select(['tasks.id', 'tasks.type', 'tasks.api_key_id', 'tasks.account_id', 'tasks.mode', 'tasks.status'])
    .select(['tasks.step', 'tasks.progress', 'tasks.model_id', 'tasks.action', 'tasks.route_json', 'tasks.queue'])
    .select(['tasks.worker', 'tasks.attempts', 'tasks.operation_json', 'tasks.error_json', 'tasks.price'])
    .select(['tasks.charged', 'tasks.refunded', 'tasks.created_at', 'tasks.started_at', 'tasks.completed_at'])
    .select(['tasks.next_at', 'tasks.deadline_at', 'tasks.deleted_at', 'tasks.rank', 'tasks.claimable'])
    .select(['tasks.unfetched', 'tasks.cancel_requested_at', 'tasks.waiting_json'])
    .select(['accounts.name as account_name', 'api_keys.name as key_name'])
    .select(['task_checks.checked_at', 'task_checks.outcome', 'task_checks.said', 'task_checks.asked_at']);
}

async function pageOf(found: readonly OperatorRow[], limit: number, explain: Explain): Promise<Page> {
  const rows = found.slice(0, limit);
  const explained = await explain(rows);
  return { items: rows.map((row) => view(row, explained(row))), hasMore: found.length > limit };
}

function view(row: OperatorRow, standing: StandingView | null): OperatorTaskView {
  return {
    task_id: row.id,
    type: row.type,
    key_id: row.api_key_id,
    key_name: row.key_name,
    account_id: row.account_id,
    account_name: row.account_name,
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
    standing,
  };
}
