import {
  cutText,
  formatMicros,
  isoTime,
  type OperatorTaskView,
  ServiceError,
  type StandingView,
} from '@darkroom-service/contract';
import { deliveryOf, isClosed, type Schema, type Session } from '@darkroom-service/darkroom/kernel';
import {
  assertNotExpired,
  failureOf,
  metadataOf,
  operationOf,
  reportDetailOf,
  routeOfErased,
  viewModels,
} from '@darkroom-service/darkroom/kernel-views';
import type { Selectable } from 'kysely';

/** Explains why open orders make no progress; null for final ones. */
export type Explain = (rows: readonly OperatorRow[]) => Promise<(row: OperatorRow) => StandingView | null>;

export type OperatorRow = Awaited<ReturnType<ReturnType<typeof selectTasks>['execute']>>[number];

const unexplained: Explain = async () => () => null;

/** Looks up a task for an operator. @throws ServiceError `task_not_found`, `task_expired` */
export async function lookUpTask(
  session: Session,
  taskId: string,
  explain: Explain = unexplained,
): Promise<OperatorTaskView> {
  const row = await session.first(selectTasks(session).where('tasks.id', '=', taskId));
  if (row === undefined) await assertNotExpired(session, taskId, null);
  if (row === undefined) throw new ServiceError('task_not_found', `There is no task '${cutText(taskId, 64)}'.`);
  const [task] = await viewTasks(session, [row], explain);
  return task!;
}

/** Selects the columns of orders that operators see: no prompt and no files. Add the condition. */
export function selectTasks(session: Session) {
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
    .select(['tasks.gates', 'tasks.cancel_requested_at', 'tasks.metadata_json', 'tasks.deliver_json'])
    .select(['tasks.end_user', 'tasks.end_user_sent'])
    .select(['accounts.name as account_name', 'api_keys.name as key_name'])
    .select(['task_checks.checked_at', 'task_checks.outcome', 'task_checks.said', 'task_checks.asked_at']);
}

/** Shows orders as operators see them, in the given order. */
export async function viewTasks(
  session: Session,
  rows: readonly OperatorRow[],
  explain: Explain = unexplained,
): Promise<OperatorTaskView[]> {
  const explained = await explain(rows);
  const entries = await readEntries(session, rows);
  return rows.map((row) => view(row, explained(row), entries.get(row.id) ?? { unresolved: [], resolved: [] }));
}

type Entries = Pick<OperatorTaskView, 'unresolved' | 'resolved'>;

/** Reads the entries to compare with the upstreams' bills, open and resolved, by order. */
async function readEntries(session: Session, rows: readonly OperatorRow[]): Promise<ReadonlyMap<string, Entries>> {
  if (rows.length === 0) return new Map();
  const entries = await session.all(
    session.builder
      .selectFrom('reconciliation')
      .selectAll()
      .where(
        'task_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('id'),
  );
  const found = Map.groupBy(entries, ({ task_id: id }) => id);
  return new Map([...found].map(([id, ofOrder]) => [id, viewEntries(ofOrder)]));
}

function viewEntries(entries: readonly Selectable<Schema['reconciliation']>[]): Entries {
  return {
    unresolved: entries
      .filter(({ resolved_at: at }) => at === null)
      .map((entry) => {
        const { message } = reportDetailOf(entry);
        return {
          reconciliation_id: entry.id,
          kind: entry.kind,
          created_at: isoTime(entry.created_at),
          message: typeof message === 'string' ? message : null,
        };
      }),
    resolved: entries.flatMap(({ kind, created_at: createdAt, resolved_at: at, resolution }) =>
      at === null
        ? []
        : [{ kind, created_at: isoTime(createdAt), resolved_at: isoTime(at), resolution: resolution ?? '' }],
    ),
  };
}

function view(row: OperatorRow, standing: StandingView | null, entries: Entries): OperatorTaskView {
  const route = routeOfErased(row);
  return {
    task_id: row.id,
    type: row.type,
    key_id: row.api_key_id,
    key_name: row.key_name,
    account_id: row.account_id,
    account_name: row.account_name,
    end_user: row.end_user_sent ?? row.end_user,
    metadata: metadataOf(row),
    mode: row.mode,
    status: row.status,
    step: isClosed(row, 'parent') ? 'blocked' : row.step,
    progress: row.progress,
    model_id: row.model_id,
    ...viewModels(row),
    action: row.action,
    route,
    left_routes: (route.tried ?? []).map(({ engine, model, model_id: id, reason, left_at: at }) => ({
      engine,
      model,
      ...(id === undefined ? {} : { model_id: id }),
      reason,
      left_at: at === undefined ? null : isoTime(at),
    })),
    refused_at: route.refused_at === undefined ? null : isoTime(route.refused_at),
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
    cancel_requested_at: isoTime(row.cancel_requested_at),
    deleted_at: isoTime(row.deleted_at),
    deliveries: [...(deliveryOf(row)?.deliveries ?? [])],
    standing,
    ...entries,
  };
}
