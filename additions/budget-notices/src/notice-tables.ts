import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    budget_notices: BudgetNoticesTable;
  }
}

/** A share of a spend limit that was reached, and that a webhook reports. */
interface BudgetNoticesTable {
  /** An API key, or the digest of an end user of one. */
  subject: Fixed<string>;
  /** The window: `2026-11-20`, `2026-11` or `total`. */
  period: Fixed<string>;
  /** Limit in micro-dollars: once it is changed, its shares are reported again. */
  spend_limit: Fixed<number>;
  /** Share in percent. */
  share: Fixed<number>;
}

export const NOTICE_TABLES = `
create table budget_notices (
  subject text not null, period text not null, spend_limit bigint not null, share bigint not null,
  constraint budget_notices_pk primary key (period, subject, spend_limit, share)
);
`;
