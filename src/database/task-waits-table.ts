import type { Fixed } from './column.ts';

/** Which task a blocked task waits for. The rows of a task are deleted when it is released or ends. */
export interface TaskWaitsTable {
  parent_id: Fixed<string>;
  child_id: Fixed<string>;
  /** 1 once the parent has succeeded while the task still waits for another one. */
  met: number;
}
