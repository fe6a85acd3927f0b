import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    shares: SharesTable;
  }
}

/**
 * Tasks of links that show results to people without a key: a row for each task of a link. An erased task loses its
 * rows, and a link without rows has ended.
 */
interface SharesTable {
  /** Id of the link. */
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  task_id: Fixed<string>;
  /** Whether the link shows the prompt, too (1 = yes). */
  shows_prompt: Fixed<number>;
  created_at: Fixed<number>;
  expires_at: Fixed<number>;
  /** Position from 0, in the order of the page. */
  position: Fixed<number>;
  /** Whether the link was made for several tasks, however many are left (1 = yes). */
  is_list: Fixed<number>;
}

export const SHARE_TABLES = `
create table shares (
  id text not null, api_key_id text not null, task_id text not null, shows_prompt bigint not null,
  created_at bigint not null, expires_at bigint not null, position bigint not null, is_list bigint not null,
  constraint shares_pk primary key (id, position)
);
create index shares_by_key on shares (api_key_id, id);
create unique index shares_by_task on shares (task_id, id);
`;
