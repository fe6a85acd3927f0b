import type { Fixed } from './column.ts';

/** Which task a blocked task waits for. The rows of a task are deleted when it is released or ends. */
export interface TaskWaitsTable {
  parent_id: Fixed<string>;
  child_id: Fixed<string>;
  /** 1 = the parent has succeeded, before the order or while the task waits for another one. Its outputs are kept. */
  met: number;
}
