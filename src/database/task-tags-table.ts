import type { Fixed } from './column.ts';

/** A tag of a customer on a task. It is erased with the task. */
export interface TaskTagsTable {
  task_id: Fixed<string>;
  tag: Fixed<string>;
  /** The key and the end user of the task. */
  api_key_id: Fixed<string>;
  end_user: Fixed<string | null>;
  created_at: Fixed<number>;
}
