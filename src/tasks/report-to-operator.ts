import type { JsonObject } from '@darkroom-service/contract';
import type { Selectable } from 'kysely';
import type { Transaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { TaskServices } from './task-services.ts';

type ReportKind = Selectable<Schema['reconciliation']>['kind'];

/** An entry of the list that the admin API shows. */
export interface Report {
  readonly taskId: string;
  readonly kind: ReportKind;
  readonly detail: object;
}

/** Adds an entry for the operator to the list that the admin API shows. */
export async function reportToOperator(
  services: Pick<TaskServices, 'clock' | 'createId'>,
  trx: Transaction,
  report: Report,
): Promise<void> {
  await trx.run(
    trx.builder.insertInto('reconciliation').values({
      id: services.createId('rec'),
      task_id: report.taskId,
      kind: report.kind,
      detail_json: JSON.stringify(report.detail),
      created_at: services.clock.now(),
      resolved_at: null,
      resolution: null,
    }),
  );
}

/** Fields of reports that stay once their order is erased: nothing that an upstream or a customer wrote. */
const KEPT_OF_ERASED = ['engine', 'job', 'answer', 'received_at', 'host', 'kept_at'];

/** Returns what may stay of a report's detail once its order is erased. */
function keptOfErased(detail: object): object {
  return Object.fromEntries(Object.entries(detail).filter(([name]) => KEPT_OF_ERASED.includes(name)));
}

/** Shortens the reports about orders that are erased. The entries stay: their bill may still have to be checked. */
export async function shortenReports(trx: Transaction, tasks: readonly string[]): Promise<void> {
  const rows = await trx.all(
    trx.builder.selectFrom('reconciliation').select(['id', 'detail_json']).where('task_id', 'in', tasks),
  );
  for (const { id, ...row } of rows) {
    const detail_json = JSON.stringify(keptOfErased(reportDetailOf(row)));
    if (detail_json !== row.detail_json)
      await trx.run(trx.builder.updateTable('reconciliation').set({ detail_json }).where('id', '=', id));
  }
}

/** Returns a stored report's detail. */
export function reportDetailOf(row: { readonly detail_json: string }): JsonObject {
  return JSON.parse(row.detail_json) as JsonObject;
}
