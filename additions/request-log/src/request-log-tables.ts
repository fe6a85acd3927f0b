import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    request_log: RequestLogTable;
  }
}

/** Recent requests of keys. No query, no body and no header is stored. */
interface RequestLogTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  account_id: Fixed<string>;
  method: Fixed<string>;
  /** Path as documented: `/v1/images/{task_id}`. */
  path: Fixed<string>;
  /** Status of the answer; null if the caller closed the connection before it was complete. */
  status: Fixed<number | null>;
  /** Error code of the answer. */
  code: Fixed<string | null>;
  duration_ms: Fixed<number>;
  request_id: Fixed<string>;
  /** Order that the request placed or named. */
  task_id: Fixed<string | null>;
  answered_at: Fixed<number>;
}

export const REQUEST_LOG_TABLES = `
create table request_log (
  id text not null, api_key_id text not null, account_id text not null, method text not null, path text not null,
  status bigint, code text, duration_ms bigint not null, request_id text not null, task_id text,
  answered_at bigint not null, constraint request_log_pk primary key (id)
);
create index request_log_by_key on request_log (api_key_id, id);
create index request_log_by_account on request_log (account_id, id);
create index request_log_failed on request_log (id) where status >= 400;
`;
