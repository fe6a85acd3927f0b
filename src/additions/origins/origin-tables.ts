import type { Fixed } from '../../database/column.ts';

declare module '../../database/schema.ts' {
  interface Schema {
    output_hashes: OutputHashesTable;
  }
}

/** The outputs of all tasks that are not erased, to be found by their hash. */
interface OutputHashesTable {
  sha256: Fixed<string>;
  /** Before the task in the primary key: whoever asks for hashes of other accounts reads no row of theirs. */
  account_id: Fixed<string>;
  task_id: Fixed<string>;
}

export const ORIGIN_TABLES = `
create table output_hashes (
  sha256 text not null, account_id text not null, task_id text not null,
  constraint output_hashes_pk primary key (sha256, account_id, task_id)
);
insert into output_hashes (sha256, account_id, task_id)
  select distinct value ->> 'sha256', tasks.account_id, tasks.id from tasks, json_each(outputs_json)
  where outputs_json <> '[]';
`;
