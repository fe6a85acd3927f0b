import type { Fixed } from '@darkroom-service/store';

declare module '../../database/schema.ts' {
  interface Schema {
    account_changes: AccountChangesTable;
    moved_keys: MovedKeysTable;
    moved_ids: MovedIdsTable;
  }
}

/** A row of an account on its way that was written since it was copied. Triggers write them (`fence.ts`). */
interface AccountChangesTable {
  account_id: Fixed<string>;
  /** The name in `owned-tables.ts`. */
  name: Fixed<string>;
  /** The primary key as JSON. */
  row_key: Fixed<string>;
  /** Counts the changes, so that one that comes during the copy is not forgotten. */
  changes: number;
}

/** The keys of accounts that have left this cell. */
interface MovedKeysTable {
  key_id: Fixed<string>;
  account_id: Fixed<string>;
  /** Like those of `api_keys`. */
  hash: Fixed<string>;
  previous_hash: Fixed<string | null>;
}

/** What else addresses name of accounts that have left: tasks, batches and share links. */
interface MovedIdsTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
}

export const MOVE_TABLES = `
create table account_changes (
  account_id text not null, name text not null, row_key text not null, changes bigint not null,
  constraint account_changes_pk primary key (account_id, name, row_key)
);
create table moved_keys (
  key_id text not null, account_id text not null, hash text not null, previous_hash text,
  constraint moved_keys_pk primary key (key_id)
);
create index moved_keys_by_hash on moved_keys (hash);
create index moved_keys_by_previous_hash on moved_keys (previous_hash) where previous_hash is not null;
create table moved_ids (
  id text not null, account_id text not null, constraint moved_ids_pk primary key (id)
);
`;
