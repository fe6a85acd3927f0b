import type { TaskRow } from './task.ts';

/**
 * Every column of a task, and whether a task's view reads it. The compiler compares this list with the table's type.
 */
const COLUMNS = {
  id: 'view',
  type: 'view',
  api_key_id: 'inner',
  account_id: 'inner',
  mode: 'view',
  status: 'view',
  step: 'view',
  model_id: 'view',
  action: 'view',
  parent_task_id: 'view',
  line: 'view',
  end_user: 'view',
  end_user_sent: 'view',
  scope: 'view',
  metadata_json: 'view',
  input_json: 'view',
  request_json: 'view',
  media_json: 'inner',
  outputs_json: 'view',
  keep_json: 'inner',
  error_json: 'view',
  price: 'view',
  charged: 'view',
  lines_json: 'view',
  warnings_json: 'view',
  price_basis_json: 'inner',
  price_list: 'view',
  simulate_json: 'view',
  route_json: 'view',
  queue: 'view',
  rank: 'view',
  claimable: 'view',
  fence: 'inner',
  worker: 'inner',
  next_at: 'view',
  input_bytes: 'inner',
  operation_json: 'inner',
  attempts: 'inner',
  estimated_end_at: 'view',
  created_at: 'view',
  started_at: 'view',
  progressed_at: 'inner',
  completed_at: 'view',
  deadline_at: 'view',
  expires_at: 'view',
  cancel_requested_at: 'view',
  erased_at: 'view',
  deleted_at: 'view',
  webhook_url: 'inner',
  deliver_json: 'view',
  followed: 'inner',
  gates: 'view',
  progress: 'view',
  revision: 'view',
  refunded: 'view',
} as const satisfies Readonly<Record<keyof TaskRow, 'view' | 'inner'>>;

type Columns = typeof COLUMNS;
type ViewColumn = { [C in keyof Columns]: Columns[C] extends 'view' ? C : never }[keyof Columns];

/** All columns of an order's row. */
export const TASK_COLUMNS = Object.keys(COLUMNS) as (keyof TaskRow)[];

/** The columns that the view of a task reads. */
export const VIEW_COLUMNS = TASK_COLUMNS.filter((column): column is ViewColumn => COLUMNS[column] === 'view');

/** The row behind the view of a task. */
export type ViewRow = Pick<TaskRow, ViewColumn>;

/** The columns of a task that has begun which differ from `NEW_TASK` or can change after it is claimed. */
export const BEGUN_COLUMNS = [
  'step',
  'status',
  'worker',
  'fence',
  'started_at',
  'progressed_at',
  'next_at',
] as const satisfies readonly (keyof TaskRow)[];

/** The columns that have equal values in all new tasks. */
export const NEW_TASK = {
  status: 'queued',
  step: 'waiting',
  progress: 0,
  revision: 1,
  outputs_json: '[]',
  keep_json: null,
  error_json: null,
  warnings_json: null,
  charged: null,
  refunded: null,
  fence: 0,
  worker: null,
  input_bytes: null,
  line: 0,
  gates: 0,
  operation_json: null,
  attempts: 0,
  estimated_end_at: null,
  started_at: null,
  progressed_at: null,
  completed_at: null,
  cancel_requested_at: null,
  erased_at: null,
  deleted_at: null,
} as const satisfies Partial<TaskRow>;
