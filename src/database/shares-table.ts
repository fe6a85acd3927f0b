import type { Fixed } from './column.ts';

/** A link that shows the results of tasks to people without a key. A revoked link has no row. */
export interface SharesTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  /** The task; of several, the first one that is not erased. */
  task_id: string;
  /** 1 if the link shows the prompt, too. */
  shows_prompt: Fixed<number>;
  created_at: Fixed<number>;
  expires_at: Fixed<number>;
}

/** The tasks of a link to several; a link made to one task has no rows. An erased task loses its rows. */
export interface ShareTasksTable {
  share_id: Fixed<string>;
  /** From 0, in the order of the page. */
  position: Fixed<number>;
  task_id: Fixed<string>;
}
