import type { Fixed } from './column.ts';

/** A link that shows the result of a task to people without a key. A revoked link has no row. */
export interface SharesTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  task_id: Fixed<string>;
  /** 1 if the link shows the prompt, too. */
  shows_prompt: Fixed<number>;
  created_at: Fixed<number>;
  expires_at: Fixed<number>;
}
