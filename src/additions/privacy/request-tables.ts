import type { Fixed } from '../../database/column.ts';

declare module '../../database/schema.ts' {
  interface Schema {
    data_requests: DataRequestsTable;
  }
}

/** Requests to export or to erase what is stored of an account or of one of its end users. */
export interface DataRequestsTable {
  /** `exp_…` or `era_…`. */
  id: Fixed<string>;
  kind: Fixed<'export' | 'erasure'>;
  account_id: Fixed<string>;
  /** Null = the whole account, or the end user is erased. */
  end_user: string | null;
  /** Names the end user once it is erased, to whoever knows the name; null = the whole account. */
  end_user_digest: Fixed<string | null>;
  /** What is stored later is not part of it. */
  requested_at: Fixed<number>;
  /** Null for erasures; the archive is refused after it. */
  expires_at: Fixed<number | null>;
  completed_at: number | null;
  /** Of an erasure: up to where erased orders are cleaned, `<key> <type> <task>`. */
  cleaned_to: string;
  /** Of an erasure: orders whose content it erased. */
  orders: number;
  /** Of an erasure: uploads that it removed. */
  files: number;
  /** Of an erasure: orders that it waits for, because an engine has them or their batch has not placed them. */
  waiting: number;
}

export const REQUEST_TABLES = `
create table data_requests (
  id text not null, kind text not null, account_id text not null, end_user text, end_user_digest text,
  requested_at bigint not null, expires_at bigint, completed_at bigint, cleaned_to text not null,
  orders bigint not null, files bigint not null, waiting bigint not null, constraint data_requests_pk primary key (id)
);
`;
