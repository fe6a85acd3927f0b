import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { TaskRow } from './task.ts';

const COLUMNS = [
  'id',
  'type',
  'api_key_id',
  'account_id',
  'mode',
  'status',
  'step',
  'progress',
  'revision',
  'model_id',
  'action',
  'parent_task_id',
  'end_user',
  'metadata_json',
  'input_json',
  'request_json',
  'media_json',
  'outputs_json',
  'keep_json',
  'error_json',
  'price',
  'charged',
  'lines_json',
  'price_basis_json',
  'simulate_json',
  'route_json',
  'queue',
  'rank',
  'claimable',
  'fence',
  'worker',
  'next_at',
  'operation_json',
  'attempts',
  'estimated_end_at',
  'created_at',
  'started_at',
  'progressed_at',
  'completed_at',
  'deadline_at',
  'expires_at',
  'cancel_requested_at',
  'erased_at',
  'deleted_at',
  'webhook_url',
] as const satisfies readonly (keyof TaskRow)[];

const insert = prepare<TaskRow, unknown>('insert_task', (builder, argument) => {
  const values = Object.fromEntries(COLUMNS.map((column) => [column, argument(column)]));
  return builder.insertInto('tasks').values(values as never);
});

/** Enters a task. */
export function insertTask(trx: Transaction, row: TaskRow): void {
  trx.send(insert, row);
}
