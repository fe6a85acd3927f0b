import { type Act, recordAct } from '../accounts/audit.ts';
import type { JsonObject } from '../base/canonical-json.ts';
import { isoTime } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import type { Database, Session } from '../database/database.ts';

/** Something that an operator has to look at in an upstream's own books: an order of unknown outcome, or a result that came too late. */
export interface ReconciliationView {
  readonly reconciliation_id: string;
  readonly task_id: string;
  readonly kind: 'outcome_unknown' | 'late_result';
  readonly detail: JsonObject;
  readonly created_at: string;
  readonly resolved_at: string | null;
  readonly resolution: string | null;
}

/** The newest first; `after` is the `reconciliation_id` to go on from. */
export async function listReconciliation(
  session: Session,
  page: { readonly resolved: boolean; readonly limit: number; readonly after: string | null },
): Promise<{ readonly items: ReconciliationView[]; readonly hasMore: boolean }> {
  let query = session.builder
    .selectFrom('reconciliation')
    .selectAll()
    .where('resolved_at', page.resolved ? 'is not' : 'is', null)
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (page.after !== null) query = query.where('id', '<', page.after);
  const rows = await session.all(query);
  return { items: rows.slice(0, page.limit).map(view), hasMore: rows.length > page.limit };
}

/** Writes down what the operator found. It moves no money and no task. @throws ServiceError `not_found` */
export async function resolveReconciliation(
  database: Database,
  by: Act,
  id: string,
  resolution: string,
): Promise<ReconciliationView> {
  return await database.write('resolve_reconciliation', async (trx) => {
    const row = await trx.first(trx.builder.selectFrom('reconciliation').selectAll().where('id', '=', id));
    if (row === undefined) throw new ServiceError('not_found', `There is no entry '${id}' to reconcile.`);
    await trx.run(
      trx.builder.updateTable('reconciliation').set({ resolution, resolved_at: by.now }).where('id', '=', id),
    );
    await recordAct(trx, by, {
      act: 'reconciliation.resolve',
      target: id,
      detail: { resolution, task_id: row.task_id },
    });
    return view({ ...row, resolution, resolved_at: by.now });
  });
}

function view(row: {
  readonly id: string;
  readonly task_id: string;
  readonly kind: ReconciliationView['kind'];
  readonly detail_json: string;
  readonly created_at: number;
  readonly resolved_at: number | null;
  readonly resolution: string | null;
}): ReconciliationView {
  return {
    reconciliation_id: row.id,
    task_id: row.task_id,
    kind: row.kind,
    detail: JSON.parse(row.detail_json) as JsonObject,
    created_at: isoTime(row.created_at),
    resolved_at: isoTime(row.resolved_at),
    resolution: row.resolution,
  };
}
