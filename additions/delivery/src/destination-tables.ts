import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    destinations: DestinationsTable;
  }
}

/** Buckets of accounts that outputs are delivered to. */
export interface DestinationsTable {
  account_id: Fixed<string>;
  name: Fixed<string>;
  bucket: string;
  /** The origin of the S3 server; null = Amazon S3. */
  endpoint: string | null;
  region: string | null;
  /** The template of the names of objects. */
  path: string;
  /** The access key, sealed with the operator's key. */
  sealed: string;
  /** The last four characters of the access key's id. */
  last_four: string;
  /** The API key that set it. */
  set_by: string;
  set_at: number;
}

export const DESTINATION_TABLES = `
create table destinations (
  account_id text not null, name text not null, bucket text not null, endpoint text, region text, path text not null,
  sealed text not null, last_four text not null, set_by text not null, set_at bigint not null,
  constraint destinations_pk primary key (account_id, name)
);
`;
