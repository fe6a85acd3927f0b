import type { Fixed } from '@darkroom-service/store';

declare module '../../../../src/database/schema.ts' {
  interface Schema {
    openai_calls: OpenaiCallsTable;
  }
}

/** A call of an OpenAI-compatible client, and the tasks that it ordered. */
export interface OpenaiCallsTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  /** The digest of path and body, by which a repetition finds the call; null if it has an Idempotency-Key. */
  digest: Fixed<string | null>;
  task_ids_json: Fixed<string>;
  /** Form of the answer that the client wants. */
  view_json: Fixed<string>;
  /**
   * Bit mask with a bit for each `x-stainless-retry-count` with which the call was sent: 1 for the first try, 2 for the
   * first retry.
   */
  attached: number;
  /** Process that must answer the client, as in `processes`; null = none, or the call has an Idempotency-Key. */
  process: string | null;
  /** The time at which the client left before the answer was sent; null while it waits or was answered. */
  left_at: number | null;
  /** Time at which the whole answer was passed to the connection. */
  delivered_at: number | null;
  created_at: Fixed<number>;
}

export const CALL_TABLES = `
create table openai_calls (
  id text not null, api_key_id text not null, digest text, task_ids_json text not null, view_json text not null,
  attached bigint not null, left_at bigint, delivered_at bigint, created_at bigint not null, process text,
  constraint openai_calls_pk primary key (id)
);
create index openai_calls_equal on openai_calls (api_key_id, digest, delivered_at, created_at) where digest is not null;
create index openai_calls_left on openai_calls (api_key_id, digest, left_at) where left_at is not null;
`;
