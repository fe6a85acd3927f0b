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

/** Returns a stored report's detail. */
export function reportDetailOf(row: { readonly detail_json: string }): JsonObject {
  return JSON.parse(row.detail_json) as JsonObject;
}
