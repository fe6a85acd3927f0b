import { modesOf } from '@darkroom-service/addition-common/orders/order-subject';
import {
  cutText,
  formatMicros,
  isoTime,
  type ModeFilter,
  type ReconciliationView,
  ServiceError,
} from '@darkroom-service/contract';
import { type Act, type Kernel, queuesOf, type Session } from '@darkroom-service/darkroom/kernel';
import { engineOf, reportDetailOf } from '@darkroom-service/darkroom/kernel-views';

/** Lists entries, newest first; `after` is the `reconciliation_id` to continue from. */
export async function listReconciliation(
  session: Session,
  page: {
    readonly resolved: boolean;
    readonly mode: ModeFilter;
    /** Engine of the entries; null = all. */
    readonly engine: string | null;
    readonly limit: number;
    readonly after: string | null;
  },
): Promise<{ readonly items: ReconciliationView[]; readonly hasMore: boolean }> {
  let query = selectEntries(session)
    .where('reconciliation.resolved_at', page.resolved ? 'is not' : 'is', null)
    .where('tasks.mode', 'in', [...modesOf(page.mode)])
    .orderBy('reconciliation.id', 'desc')
    .limit(page.limit + 1);
  if (page.engine !== null) query = query.where('tasks.queue', 'in', queuesOf(page.engine));
  if (page.after !== null) query = query.where('reconciliation.id', '<', page.after);
  const rows = await session.all(query);
  return { items: rows.slice(0, page.limit).map(view), hasMore: rows.length > page.limit };
}

/**
 * Records the operator's finding about some entries, all or none. Changes no money and no task.
 * @throws ServiceError `not_found` naming the first unknown entry
 */
export async function resolveReconciliation(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  by: Act,
  ids: readonly string[],
  resolution: string,
): Promise<ReconciliationView[]> {
  return await store.write('resolve_reconciliation', async (trx) => {
    // One entry is named; the others are in the repeated request.
    await by.binding?.within(trx, ids[0]!);
    const rows = await rowsOf(trx, ids);
    await trx.run(
      trx.builder.updateTable('reconciliation').set({ resolution, resolved_at: by.now }).where('id', 'in', ids),
    );
    for (const { id, task_id } of rows)
      await accounts.record(trx, by, { act: 'reconciliation.resolve', target: id, detail: { resolution, task_id } });
    return rows.map((row) => view({ ...row, resolution, resolved_at: by.now }));
  });
}

/**
 * Returns the current state of entries, in the given order.
 * @throws ServiceError `not_found` naming the first unknown entry
 */
export async function findReconciliation(session: Session, ids: readonly string[]): Promise<ReconciliationView[]> {
  return (await rowsOf(session, ids)).map(view);
}

async function rowsOf(session: Session, ids: readonly string[]): Promise<Row[]> {
  const found = await session.all(selectEntries(session).where('reconciliation.id', 'in', ids));
  return ids.map((id) => {
    const row = found.find((one) => one.id === id);
    if (row !== undefined) return row;
    throw new ServiceError('not_found', `There is no entry '${cutText(id, 64)}' to reconcile. Nothing was noted.`);
  });
}

function selectEntries(session: Session) {
  return (
    session.builder
      .selectFrom('reconciliation')
      // Cross joins, because SQLite would otherwise read the tasks of each account first.
      .crossJoin('tasks')
      .crossJoin('accounts')
      .crossJoin('api_keys')
      .whereRef('tasks.id', '=', 'reconciliation.task_id')
      .whereRef('accounts.id', '=', 'tasks.account_id')
      .whereRef('api_keys.id', '=', 'tasks.api_key_id')
      .selectAll('reconciliation')
      .select(['accounts.name as account_name', 'api_keys.name as key_name'])
      .select([
        'tasks.mode',
        'tasks.account_id',
        'tasks.api_key_id',
        'tasks.model_id',
        'tasks.route_json',
        'tasks.price',
      ])
      .select(['tasks.created_at as ordered_at', 'tasks.started_at', 'tasks.progressed_at'])
  );
}

type Row = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number];

function view(row: Row): ReconciliationView {
  // A late result may have made progress since; an order with an unknown outcome has not.
  const calledAt = row.kind === 'outcome_unknown' ? (row.progressed_at ?? row.started_at) : row.started_at;
  return {
    reconciliation_id: row.id,
    task_id: row.task_id,
    kind: row.kind,
    mode: row.mode,
    account_id: row.account_id,
    account_name: row.account_name,
    key_id: row.api_key_id,
    key_name: row.key_name,
    model_id: row.model_id,
    engine: engineOf(row),
    price: formatMicros(row.price),
    ordered_at: isoTime(row.ordered_at),
    called_at: isoTime(calledAt),
    detail: reportDetailOf(row),
    created_at: isoTime(row.created_at),
    resolved_at: isoTime(row.resolved_at),
    resolution: row.resolution,
  };
}
