import type { Fixed } from '@darkroom-service/store';

declare module '../../database/schema.ts' {
  interface Schema {
    shares: SharesTable;
    share_tasks: ShareTasksTable;
  }
}

/** A link that shows the results of tasks to people without a key. A revoked link has no row. */
interface SharesTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  /** The task; of several, the first one that is not erased. */
  task_id: string;
  /** 1 if the link shows the prompt, too. */
  shows_prompt: Fixed<number>;
  created_at: Fixed<number>;
  expires_at: Fixed<number>;
}

/** The tasks of a link to several; a link made to one task has no rows. An erased task loses its rows. */
interface ShareTasksTable {
  share_id: Fixed<string>;
  /** From 0, in the order of the page. */
  position: Fixed<number>;
  task_id: Fixed<string>;
}

export const SHARE_TABLES = `
create table shares (
  id text not null, api_key_id text not null, task_id text not null, shows_prompt bigint not null,
  created_at bigint not null, expires_at bigint not null, constraint shares_pk primary key (id)
);
create index shares_by_key on shares (api_key_id, id);
create index shares_by_task on shares (task_id, id);
create table share_tasks (
  share_id text not null, position bigint not null, task_id text not null,
  constraint share_tasks_pk primary key (share_id, position)
);
create unique index share_tasks_by_task on share_tasks (task_id, share_id);
`;
