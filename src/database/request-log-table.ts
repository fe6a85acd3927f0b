import type { Fixed } from './column.ts';

/** Requests of keys that were answered lately. No query, no body and no header is kept. */
export interface RequestLogTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  account_id: Fixed<string>;
  method: Fixed<string>;
  /** The path as documented: `/v1/images/{task_id}`. */
  path: Fixed<string>;
  /** Null if the caller closed the connection before the answer was complete. */
  status: Fixed<number | null>;
  /** Of the error that was answered. */
  code: Fixed<string | null>;
  duration_ms: Fixed<number>;
  request_id: Fixed<string>;
  /** The order that the request placed or named. */
  task_id: Fixed<string | null>;
  answered_at: Fixed<number>;
}
