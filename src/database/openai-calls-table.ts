import type { Fixed } from './column.ts';

/** One call of an OpenAI-compatible client, and the tasks that it ordered. */
export interface OpenaiCallsTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  /** Of path and body, by which a repetition finds the call; null if it has an Idempotency-Key. */
  digest: Fixed<string | null>;
  task_ids_json: Fixed<string>;
  /** How the client wants its answer. */
  view_json: Fixed<string>;
  /**
   * A bit for each `x-stainless-retry-count` with which the call was sent: 1 for the first try, 2 for the first retry.
   */
  attached: number;
  /** When its client went before the answer was sent; null while it waits or was answered. */
  left_at: number | null;
  /** When the whole answer was handed to the connection. */
  delivered_at: number | null;
  created_at: Fixed<number>;
}
