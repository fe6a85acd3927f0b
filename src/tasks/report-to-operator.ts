import type { Transaction } from '../database/database.ts';
import type { Desk } from './desk.ts';

/** Enters what an operator has to look at: the list is shown by the admin API. */
export async function reportToOperator(
  desk: Desk,
  trx: Transaction,
  report: { readonly taskId: string; readonly kind: 'outcome_unknown' | 'late_result'; readonly detail: object },
): Promise<void> {
  await trx.run(
    trx.builder.insertInto('reconciliation').values({
      id: desk.createId('rec'),
      task_id: report.taskId,
      kind: report.kind,
      detail_json: JSON.stringify(report.detail),
      created_at: desk.clock.now(),
      resolved_at: null,
      resolution: null,
    }),
  );
}
