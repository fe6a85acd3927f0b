import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    data_requests: DataRequestsTable;
    erasure_uploads: ErasureUploadsTable;
  }
}

/** Requests to export or to erase the stored data of an account or of one of its end users. */
export interface DataRequestsTable {
  /** `exp_…` or `era_…`. */
  id: Fixed<string>;
  kind: Fixed<'export' | 'erasure'>;
  account_id: Fixed<string>;
  /** End user; null = the whole account, or the end user is erased. */
  end_user: string | null;
  /** Digest of the end user once it is erased, for people who know the name; null = the whole account. */
  end_user_digest: Fixed<string | null>;
  /** Time of the request; data stored later are not part of it. */
  requested_at: Fixed<number>;
  /** Time after which the archive is refused; null for erasures. */
  expires_at: Fixed<number | null>;
  completed_at: number | null;
  /** Progress of an erasure: erased orders are cleaned up to here, `<key> <type> <task>`. */
  cleaned_to: string;
  /** Number of orders whose content an erasure removed. */
  orders: number;
  /** Number of uploads that an erasure removed. */
  files: number;
  /** Number of orders that an erasure waits for, because an engine has them or their batch has not placed them. */
  waiting: number;
  /** Whether uploads that name no end user are erased, if only orders of the erased one used them (1 = yes). */
  uploads: Fixed<number>;
}

/** Uploads that name no end user and that erased orders used, until they are decided about. */
interface ErasureUploadsTable {
  erasure_id: Fixed<string>;
  file_id: Fixed<string>;
  account_id: Fixed<string>;
}

export const REQUEST_TABLES = `
create table data_requests (
  id text not null, kind text not null, account_id text not null, end_user text, end_user_digest text,
  requested_at bigint not null, expires_at bigint, completed_at bigint, cleaned_to text not null,
  orders bigint not null, files bigint not null, waiting bigint not null, uploads bigint not null default 0,
  constraint data_requests_pk primary key (id)
);
create table erasure_uploads (
  erasure_id text not null, file_id text not null, account_id text not null,
  constraint erasure_uploads_pk primary key (erasure_id, file_id)
);
create index erasure_uploads_by_account on erasure_uploads (account_id);
`;
