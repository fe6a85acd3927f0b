import type { Fixed } from '@darkroom-service/store';

declare module '../../database/schema.ts' {
  interface Schema {
    upstream_keys: UpstreamKeysTable;
  }
}

/** Keys of accounts for orders at their own upstream account. At most one per account and engine is not removed. */
export interface UpstreamKeysTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
  /** Kind of engine, as routes of the catalog name it. */
  engine: Fixed<string>;
  /** Secret, sealed with the operator's key; null once no order needs it. */
  sealed: string | null;
  last_four: Fixed<string>;
  /** API key that set it. */
  set_by: Fixed<string>;
  set_at: Fixed<number>;
  /** Time of the removal or replacement: only orders that were submitted with the key still use it. */
  removed_at: number | null;
}

/** Statements that create the table of upstream keys. */
export const UPSTREAM_KEY_TABLES = `
create table upstream_keys (
  id text not null, account_id text not null, engine text not null, sealed text, last_four text not null,
  set_by text not null, set_at bigint not null, removed_at bigint, constraint upstream_keys_pk primary key (id)
);
create unique index upstream_keys_one_per_engine on upstream_keys (account_id, engine) where removed_at is null;
`;
