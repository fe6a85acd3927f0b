import type { Fixed } from '../../database/column.ts';
import type { ProvenanceSetting } from '../../service/config/provenance-variables.ts';

declare module '../../database/schema.ts' {
  interface Schema {
    account_provenance: AccountProvenanceTable;
  }
}

/** How the outputs of an account are marked, if it differs from the service's setting. */
interface AccountProvenanceTable {
  account_id: Fixed<string>;
  /** Null: as the service's setting says. */
  setting: ProvenanceSetting | null;
  /** 1: the prompt is written too. */
  writes_prompt: number;
}

export const PROVENANCE_TABLES = `
create table account_provenance (
  account_id text not null, setting text, writes_prompt bigint not null,
  constraint account_provenance_pk primary key (account_id)
);
`;
