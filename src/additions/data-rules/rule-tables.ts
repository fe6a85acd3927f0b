import type { Fixed } from '@darkroom-service/store';

declare module '../../database/schema.ts' {
  interface Schema {
    data_rules: DataRulesTable;
  }
}

/** Rules of accounts and of their keys about the upstreams that may get their orders. */
interface DataRulesTable {
  account_id: Fixed<string>;
  /** `account`, or the id of a key of the account. */
  subject: Fixed<string>;
  /** The rule (`DataRule`). */
  rule_json: string;
  /** The API key that set it. */
  set_by: string;
  set_at: number;
}

/** The statement that creates the table of rules. */
export const DATA_RULE_TABLES = `
create table data_rules (
  account_id text not null, subject text not null, rule_json text not null, set_by text not null, set_at bigint not null,
  constraint data_rules_pk primary key (account_id, subject)
);
`;
